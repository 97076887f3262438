"""A user who stops at a random rank: joint RIC, differences and choices, against all pairs at all depths."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ordered_pairs import Drawn, drawn, information, joint_table, mean, places

import cranfield
from cranfield import SRIC, UsageError
from cranfield.measures import values
from effort import examples

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")

DEEP = 20
"""More than any list has."""


def told(case: Drawn, names: list[str], topic: str, p: float, rel: float) -> float:
    """Mean joint information over depths, of that of the ideal list; the last depth has the remaining chance."""
    labels = case.qrels[topic]
    best = {topic: labels}
    total = ideal = 0.0
    for k in range(1, DEEP + 1):
        chance = p ** (k - 1) * (1 - p if k < DEEP else 1)
        cut = [places(case.runs[name], topic, labels, rel, k) for name in names]
        total += chance * information(joint_table(labels, cut))
        ideal += chance * information(joint_table(labels, [places(best, topic, labels, rel, k)]))
    return total / ideal if ideal else math.nan


CASES: dict[str, Any] = {"case": drawn(systems=3), "p": st.sampled_from([0.5, 0.9]), "rel": st.sampled_from([1.0, 2.0])}


@examples(40)
@given(**CASES)
def test_joint_ric_at_all_depths(case: Drawn, p: float, rel: float) -> None:
    found = cranfield.information.compute_joint_ric(
        case.runs, case.judgments, estimator="table", permutations=0, persistence=p, rel=rel
    )
    expected = [told(case, list(case.runs), topic, p, rel) for topic in case.qrels]
    assert found.topics["joint"].values == pytest.approx(expected, abs=1e-8, nan_ok=True)
    assert math.isnan(found.reachable)


@examples(40)
@given(**CASES)
def test_difference_at_all_depths(case: Drawn, p: float, rel: float) -> None:
    """2 joint - RIC1 - RIC2, and alone what the measure gives."""
    found = cranfield.information.compute_information_difference(case.runs, case.judgments, persistence=p, rel=rel)
    alone = {name: mean([told(case, [name], topic, p, rel) for topic in case.qrels]) for name in case.runs}
    together = mean([told(case, ["s0", "s1"], topic, p, rel) for topic in case.qrels])
    pair = found.between("s0", "s1")
    assert pair.only_system == pytest.approx(together - alone["s1"], abs=1e-8, nan_ok=True)
    assert pair.only_other == pytest.approx(together - alone["s0"], abs=1e-8, nan_ok=True)
    rankings = cranfield.evaluation.make_rankings(case.runs, case.judgments)
    measured = values(SRIC(p=p, rel=rel), rankings).reshape(len(case.runs), -1)
    assert found.ric.values == pytest.approx([mean(row.tolist()) for row in measured], abs=1e-8, nan_ok=True)


@examples(20)
@given(**CASES)
def test_ric_by_depth_is_the_measure(case: Drawn, p: float, rel: float) -> None:
    found = cranfield.information.compute_ric(case.runs, case.judgments, persistence=p, rel=rel)
    rankings = cranfield.evaluation.make_rankings(case.runs, case.judgments)
    for name, signed in (("SRIC", False), ("SRIC_signed", True)):
        expected = values(SRIC(p=p, rel=rel, signed=signed), rankings).reshape(len(case.runs), -1).T
        assert found[name].values == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_choice_for_a_user_who_stops_looks_at_the_top() -> None:
    """Both runs decide every pair in the end: the one with its relevant documents on top is chosen first."""
    qrels = {"q": {"a": 1, "b": 1, "c": 0, "d": 0}}
    late = {"q": {"u": 9.0, "v": 8.0, "a": 7.0, "b": 6.0}}
    early = {"q": {"a": 7.0, "b": 6.0}}
    runs = {"late": late, "early": early}
    whole = cranfield.information.select_systems(runs, qrels, n_systems=2, permutations=0)
    assert whole.systems == ["late", "early"]
    assert whole.steps["joint"].tolist() == pytest.approx([1, 1], abs=1e-6)
    stopping = cranfield.information.select_systems(runs, qrels, n_systems=2, permutations=2, persistence=0.5)
    assert stopping.systems == ["early", "late"]
    assert stopping.steps["joint"].tolist() == pytest.approx([1, 1], abs=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"persistence": 1.0}, "persistence=1.0"),
        ({"persistence": 0.5, "pair_weight": "geometric"}, "two kinds of attention"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cranfield.information.compute_joint_ric({"S": {"1": {"a": 1.0}}}, {"1": {"a": 1, "b": 0}}, **options)


def test_there_is_no_ideal_list_of_evidence() -> None:
    evidence = cranfield.information.Evidence(cranfield.Qrels.from_dict({"1": {"a": 1, "b": 0}}))
    with pytest.raises(UsageError, match="needs labels"):
        cranfield.information.compute_ric({"S": {"1": {"a": 1.0}}}, evidence, persistence=0.5)
    assert "SRIC" not in cranfield.information.compute_ric({"S": {"1": {"a": 1.0}}}, evidence)
