"""Measures that are asked of the same lists at once give what each of them gives alone."""

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield.collection import Policy, Rankings
from cranfield.collection.pool import Pool
from cranfield.errors import MeasureError
from cranfield.measures import Declaration, Measure, parse_measures, registry, ric, values
from cranfield.measures.compute import each_value
from cranfield.measures.ric import others
from cranfield.testing import example


def pool() -> Pool:
    """Judgments of three topics, of which nothing was computed yet."""
    return Pool(np.array([0, 4, 4, 9]), np.array([0.0, 2, 1, 0, 1, 1, 0, 3, 3]))


def lists() -> Rankings:
    return Rankings.of_pool(pool(), Policy())


def foreign() -> Measure:
    """A measure of another package, which divides 0 by 0; none is made known."""

    def share(rankings: Rankings) -> NDArray[np.float64]:
        return rankings.length / rankings.length

    share.__module__ = "elsewhere"
    return Measure(Declaration(registry["AP"], share, {}))


def test_all_at_once_are_those_one_by_one() -> None:
    names = [str(example(one)) for one in registry.values() if not one.needs_intents]
    asked = [measure for name in names for measure in parse_measures(name)]
    for measure, row in zip(asked, each_value(asked, lists()), strict=True):
        assert row.tobytes() == values(measure, lists()).tobytes(), measure


def test_what_others_declare_divides_as_it_likes_among_ours() -> None:
    (ours,) = parse_measures("AP")
    with np.errstate(invalid="ignore"):
        found = each_value([ours, foreign(), ours], lists())
    assert found[1].tolist()[::2] == [1.0, 1.0]
    assert np.isnan(found[1, 1])
    assert found[0].tobytes() == found[2].tobytes() == values(ours, lists()).tobytes()
    with np.errstate(invalid="raise"), pytest.raises(MeasureError, match="too large to calculate with"):
        each_value([foreign()], lists())


@pytest.mark.parametrize("spread", [1 << 12, -(1 << 40)])
def test_documents_of_other_labels_are_those_of_brute_force(spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ric, "SPREAD", spread)
    judged = pool()
    lower, higher = others(judged)
    for row, (topic, grade) in enumerate(zip(judged.topic, judged.grade, strict=True)):
        own = judged.grade[judged.starts[topic] : judged.starts[topic + 1]]
        assert (lower[row], higher[row]) == ((own < grade).sum(), (own > grade).sum())
