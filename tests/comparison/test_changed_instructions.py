"""p-MRR, by the formula of FollowIR on lists in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

import cranfield
from cranfield.comparison import compute_p_mrr
from cranfield.errors import CranfieldWarning, InputError, MeasureError

DOCUMENTS = [f"d{number}" for number in range(12)]
TOPICS, SYSTEMS = ("t1", "t2", "t3"), ("one", "two")


def place(ranked: list[str], document: str) -> int:
    return ranked.index(document) + 1 if document in ranked else len(ranked) + 1


def of_document(old: list[str], new: list[str], document: str) -> float:
    """The ratio of reciprocal ranks less 1 where the document rose, 1 less the inverse ratio where it fell."""
    before, after = 1 / place(old, document), 1 / place(new, document)
    return before / after - 1 if after > before else 1 - after / before


@pytest.mark.parametrize("seed", range(12))
def test_every_score_is_the_mean_over_documents_that_changed(seed: int) -> None:
    chance = random.Random(seed)

    def lists(systems: tuple[str, ...]) -> dict[str, dict[str, list[str]]]:
        return {name: {t: chance.sample(DOCUMENTS, chance.randint(1, 10)) for t in TOPICS} for name in systems}

    old, new = lists(SYSTEMS), lists(SYSTEMS[::-1])
    before = {topic: {name: chance.randint(0, 2) for name in DOCUMENTS} for topic in TOPICS}
    after = {topic: {name: chance.randint(0, 2) for name in chance.sample(DOCUMENTS, 8)} for topic in TOPICS}
    for rel in (1, 2):
        scores = compute_p_mrr(old, new, before, after, rel=rel)
        for topic in TOPICS:
            changed = [d for d in DOCUMENTS if before[topic][d] >= rel and after[topic].get(d, 0) < rel]
            assert (topic in scores.topic.to_numpy()) == bool(changed)
            for system in SYSTEMS if changed else ():
                values = [of_document(old[system][topic], new[system][topic], document) for document in changed]
                assert scores.sel(topic=topic, system=system).item() == pytest.approx(np.mean(values))


def test_bounds() -> None:
    """Near 1 where the document goes down a long list, near -1 where it comes up, 0 where nothing changes."""
    down = [f"x{number}" for number in range(99)]
    first, last = {"q": ["a", *down]}, {"q": [*down, "a"]}
    judged = {"q": {"a": 1, "b": 1}}, {"q": {"b": 1}}
    assert [compute_p_mrr(*runs, *judged).item() for runs in ((first, last), (last, first), (first, first))] == [
        pytest.approx(0.99),
        pytest.approx(-0.99),
        0.0,
    ]


def test_the_example_of_mteb() -> None:
    """The last document comes up to the first rank: 1 / 4 - 1; the file of either run has a name of its own."""
    old = {"a": {"0": 1.0, "1": 2.0, "2": 3.0, "3": 4.0}}
    new = {"a": {"0": 4.0, "1": 1.0, "2": 2.0, "3": 3.0}}
    judged = {"a": {"0": 1}}, {"a": {"0": 0}}
    assert compute_p_mrr({"og": old}, {"changed": new}, *judged).item() == -0.75
    assert compute_p_mrr({"og": new}, {"changed": old}, *judged).item() == 0.75
    assert compute_p_mrr({"og": old}, {"changed": old}, *judged).item() == 0


def test_its_scores_are_compared() -> None:
    topics = [f"q{number}" for number in range(8)]
    old = {name: {topic: ["a", "b", "c"] for topic in topics} for name in SYSTEMS}
    new = {"one": {topic: ["b", "c", "a"] if topic != "q1" else ["b", "a", "c"] for topic in topics}, "two": old["two"]}
    scores = compute_p_mrr(old, new, {t: {"a": 1, "b": 1} for t in topics}, {t: {"b": 1} for t in topics})
    assert cranfield.compare(scores).pairs["difference"].item() == pytest.approx((7 * 2 / 3 + 1 / 2) / 8)


def test_what_it_does_not_know() -> None:
    judged = {"q": {"a": 1, "b": 1}, "gone": {"a": 1}, "same": {"a": 1}}
    later = {"q": {"b": 1}, "same": {"a": 1}}
    with pytest.warns(CranfieldWarning, match="1 topic of the old judgments left out"):
        scores = compute_p_mrr({"q": ["a", "b"]}, {"q": ["b", "a"]}, judged, later)
    assert scores.topic.to_numpy().tolist() == ["q"]
    with pytest.raises(InputError, match="no document that was relevant"):
        compute_p_mrr({"q": ["a"]}, {"q": ["a"]}, later, later)
    with pytest.warns(CranfieldWarning), pytest.raises(InputError, match="before and after: system one only once"):
        compute_p_mrr({"one": {"q": ["a"]}, "two": {"q": ["a"]}}, {"two": {"q": ["a"]}}, judged, {"q": {"b": 1}})
    both = {"p": {"a": 1}, "q": {"a": 1}}, {"p": {"a": 0}, "q": {"a": 0}}
    nothing = compute_p_mrr({"q": ["a"]}, {"p": ["a"], "q": ["a"]}, *both)
    assert np.isnan(nothing.sel(topic="p").item())
    with pytest.raises(MeasureError, match="compute_p_mrr"):
        cranfield.parse_measure("p-MRR")
