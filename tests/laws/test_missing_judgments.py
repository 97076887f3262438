"""Intervals from missing judgments are those of judging the documents in every way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import DOCUMENTS, at_cutoffs, with_intents

import cranfield
from cranfield import Measure
from cranfield.collection import Policy, Rankings
from cranfield.errors import MeasureError
from cranfield.measures import interval, parse_measure, registry, values
from cranfield.testing import example
from effort import examples

BOUNDED = [name for name, declaration in registry.items() if not isinstance(declaration.interval, str)]
ABOUT_JUDGMENTS = [name for name in registry if name not in BOUNDED]
SCALE = (0.0, 1.0, 3.0)

VARIANTS = [
    *(
        "P(rel=3)@3",
        "P(relative=True)@2",
        "R(rel=3)@2",
        "AP(rel=3)",
        "AP(denominator='min')@2",
        "AP(judged_only=True)@3",
        "AP(denominator='retrieved')@2",
        "AP(denominator='retrieved')",
        "AP(no_relevant='one')@3",
        "nDCG(no_relevant='one')@3",
        "P(denominator='retrieved')@3",
        "P(denominator='judged')@3",
    ),
    *("nDCG(dcg='exp-log2')@3", "nDCG(discount='jk',b=2)@4", "nDCG(gains={1: 0, 3: 5})@2", "nDCG(judged_only=True)"),
    *(
        "nDCG(gains={0: 1})@3",
        "ERR(stop='linear',max_rel=3)@3",
        "RBP(rel=1)",
        "RBP(p=0.5,gain='exp')@3",
        "Rprec(mult=2)",
    ),
    *("Q(beta=10)@3", "NumRelRet(rel=3)", "SetF(beta=2,rel=3)", "RR(rel=3)@2", "nERR(stop='linear',max_rel=3)@4"),
]


@st.composite
def half_judged(draw: st.DrawFn) -> tuple[list[str], dict[str, float]]:
    """A list with at most three unjudged documents, and judgments in which every label of the scale may occur."""
    documents = list(DOCUMENTS[: draw(st.integers(1, 5))])
    label = st.sampled_from(SCALE)
    judged = {name: draw(label) for name in documents if draw(st.booleans())}
    for name in documents[3:]:
        judged.setdefault(name, draw(label))
    return documents, judged | {"elsewhere": draw(label)}


def seen(documents: list[str], *ways: dict[str, float], policy: Policy) -> Rankings:
    """The list in a topic for each way of judging, and a topic whose judgments hold the whole scale."""
    topics = [f"{number:03}" for number in range(len(ways))]
    run = {topic: {name: -float(rank) for rank, name in enumerate(documents)} for topic in topics}
    judged = {topic: with_intents(qrels) for topic, qrels in zip(topics, ways, strict=True)}
    scale = {f"scale{label:g}": label for label in SCALE}
    return cranfield.evaluation.make_rankings(
        {"system": run}, {**judged, "scale": with_intents(scale)}, **policy.as_dict()
    )


def check(measures: Sequence[Measure], case: tuple[list[str], dict[str, float]], policy: Policy) -> None:
    documents, qrels = case
    unknown = [name for name in documents if name not in qrels]
    as_it_is = seen(documents, qrels, policy=policy)
    ways = [qrels | dict(zip(unknown, labels, strict=True)) for labels in product(SCALE, repeat=len(unknown))]
    judged = seen(documents, *ways, policy=policy)
    assert len(judged.length) == len(ways) + 1
    for measure in measures:
        every = [values(measure, as_it_is)[0], *values(measure, judged)[:-1]]
        least, most = (ends[0] for ends in interval(measure, as_it_is))
        if np.isnan(every).all():
            assert np.isnan(least) and np.isnan(most), measure
        elif measure.name == "RBP" or "residual" in measure.parameters:
            # A residual knows of the ranks below the list too.
            assert least <= np.nanmin(every) + 1e-9 and np.nanmax(every) <= most + 1e-9, measure
            assert least == pytest.approx(np.nanmin(every), abs=1e-9), measure
        else:
            ends = [np.nanmin(every), np.nanmax(every)]
            np.testing.assert_allclose([least, most], ends, rtol=0, atol=1e-9, err_msg=str(measure))


@pytest.mark.slow
@examples(20)
@given(
    measures=st.tuples(*(at_cutoffs(registry[name]) for name in BOUNDED)),
    case=half_judged(),
    negative=st.sampled_from(["zero", "keep"]),
)
def test_every_way_of_judging(
    measures: tuple[Measure, ...], case: tuple[list[str], dict[str, float]], negative: Literal["zero", "keep"]
) -> None:
    check(measures, case, Policy(negative=negative))


@examples(25)
@given(case=half_judged())
def test_every_way_of_judging_with_other_parameters(case: tuple[list[str], dict[str, float]]) -> None:
    check([parse_measure(measure) for measure in VARIANTS], case, Policy())


@pytest.mark.parametrize("name", ["RBP", "RBP(rel=1)", "RBP(rel=3)", "RBP(p=0.5,gain='exp')", "RBP(max_rel=5)"])
def test_the_upper_end_of_rbp_is_that_of_a_list_that_goes_on_with_the_best_documents(name: str) -> None:
    measure, documents, qrels = parse_measure(name), ["da", "unjudged", "db"], {"da": 1.0, "db": 0.0}
    _, most = interval(measure, seen(documents, qrels, policy=Policy()))
    more = [f"more{number}" for number in range(200)]
    longer = seen(documents + more, qrels | dict.fromkeys(["unjudged", *more], 3.0), policy=Policy())
    assert most[0] == pytest.approx(values(measure, longer)[0], abs=1e-12)


@pytest.mark.parametrize("name", ABOUT_JUDGMENTS)
def test_measures_of_the_judgments_themselves_have_none(name: str) -> None:
    with pytest.raises(MeasureError, match=r"no interval from missing judgments \(bounds=True\): it "):
        interval(example(registry[name]), seen(["da"], {"db": 1.0}, policy=Policy()))


def test_too_many_ways_are_refused_with_advice() -> None:
    documents = [f"d{number}" for number in range(30)]
    with pytest.raises(MeasureError, match=r"Q: more than 20,000 labellings .* give the measure a smaller cutoff"):
        interval(parse_measure("Q"), seen(documents, {"elsewhere": 1.0}, policy=Policy()))


@pytest.mark.parametrize("rows", [1, 40])
def test_ways_that_are_tried_together_are_those_tried_alone(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two lists of one system, so that each way has several topics."""
    run = {"1": dict.fromkeys("abcd", 1.0), "2": dict.fromkeys("uvwxy", 1.0)}
    judged = {"1": {"a": 1.0, "b": 3.0}, "2": {"v": 0.0, "z": 2.0}}
    lists = cranfield.evaluation.make_rankings({"system": run}, judged)
    asked = [parse_measure(name) for name in ("Q", "Q@3", "GAP", "Compat", "nERR@3", "Bpref")]
    together = [np.array(interval(measure, lists)) for measure in asked]
    monkeypatch.setattr("cranfield.measures._intervals.completion.ROWS", rows)
    for measure, found in zip(asked, together, strict=True):
        assert np.array(interval(measure, lists)).tobytes() == found.tobytes(), measure


@examples(30)
@given(data=st.data())
def test_ndcg_of_long_lists_is_never_passed_by_a_random_labelling(data: st.DataObject) -> None:
    """Dinkelbach's method looks at a few labellings only; none of many others passes what it finds."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    documents = [f"d{number:02d}" for number in range(25)]
    qrels = {name: float(rng.choice(SCALE)) for name in (*documents[::3], "e1", "e2", "e3", "e4")}
    unknown = [name for name in documents if name not in qrels]
    measure = parse_measure(data.draw(st.sampled_from(["nDCG", "nDCG@10", "nDCG(dcg='exp-log2')@20", "AP", "AP@10"])))
    least, most = (ends[0] for ends in interval(measure, seen(documents, qrels, policy=Policy())))
    ways = []
    for _ in range(20):
        chance = rng.dirichlet(np.ones(len(SCALE)))
        labels = (
            -np.sort(-rng.choice(SCALE, len(unknown), p=chance))
            if rng.random() < 0.5
            else rng.choice(SCALE, len(unknown), p=chance)
        )
        ways.append(qrels | dict(zip(unknown, labels.tolist(), strict=True)))
    found = values(measure, seen(documents, *ways, policy=Policy()))[:-1]
    assert len(found) == 20
    assert ((least - 1e-12 <= found) & (found <= most + 1e-12)).all()
