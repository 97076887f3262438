"""Experiments and their reproductions: what is compared, on which topics, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import CranfieldWarning, UsageError
from cranfield.comparison import compare_reproduction

MADE = cranfield.simulation.simulate_runs(n_systems=4, n_topics=10, depth=20, seed=5)
RUNS = list(MADE.runs)


def test_an_experiment_compared_with_itself() -> None:
    found = compare_reproduction(RUNS[:2], RUNS[:2], MADE.qrels, ["AP", "P@5"], margin=0.1)
    assert found.effects[["effect_ratio", "delta_ri"]].to_numpy().tolist() == [[1, 0], [1, 0]]
    assert (found.order[["ktu", "rbo", "overlap"]] == 1).all(axis=None)
    assert (found.scores[["rmse", "nrmse"]] == 0).all(axis=None)
    assert (found.scores[["p_paired", "p_unpaired"]] == 1).all(axis=None)
    assert (found.scores["p_equivalent"] == 0).all()


def test_numbers_are_those_of_the_scores() -> None:
    found = compare_reproduction(RUNS[:2], RUNS[2:], MADE.qrels, "AP")
    scores = cranfield.evaluate(RUNS, MADE.qrels, "AP")["AP"].to_numpy()
    effect = found.effects.iloc[0]
    assert effect["effect"] == pytest.approx((scores[:, 1] - scores[:, 0]).mean())
    assert effect["effect_again"] == pytest.approx((scores[:, 3] - scores[:, 2]).mean())
    rmse = np.sqrt(((scores[:, 1] - scores[:, 3]) ** 2).mean())
    assert found.scores.set_index("role").loc["advanced", "rmse"] == pytest.approx(rmse)
    assert np.isnan(found.scores["p_equivalent"]).all(), "no margin was given"


def test_on_another_collection_only_the_effect_is_compared() -> None:
    other = cranfield.simulation.simulate_runs(n_systems=2, n_topics=7, depth=20, seed=9)
    found = compare_reproduction(RUNS[:2], list(other.runs), MADE.qrels, "AP", again_qrels=other.qrels, margin=0.2)
    assert found.settings["replicated"] is True
    assert found.order.empty
    assert found.topics.empty
    assert found.scores[["rmse", "nrmse", "p_paired"]].isna().all(axis=None)
    assert found.scores[["p_unpaired", "p_equivalent"]].notna().all(axis=None)
    assert set(found.scores["topics"]) == {7}


def test_a_missing_topic_has_no_order() -> None:
    run = RUNS[2].to_dict()
    del run["4"]
    with pytest.warns(CranfieldWarning):
        found = compare_reproduction(RUNS[:2], [run, RUNS[3]], MADE.qrels, "AP")
    row = found.topics.query("role == 'baseline' and topic == '4'").iloc[0]
    assert np.isnan(row["ktu"])
    assert (row["rbo"], row["overlap"]) == (0, 0)


def test_a_measure_that_leaves_its_range_has_no_nrmse() -> None:
    with pytest.warns(CranfieldWarning, match="NumRelRet: nRMSE is defined for scores from 0 to 1"):
        found = compare_reproduction(RUNS[:2], RUNS[2:], MADE.qrels, "NumRelRet")
    assert found.scores["nrmse"].isna().all()
    assert found.scores["rmse"].notna().all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"original": RUNS[:1]}, "original should be two runs, the baseline and the advanced one"),
        ({"again": "x.run"}, "again should be two runs"),
        ({"depth": 0}, "depth=0 should be at least 1"),
        ({"rbo_p": 1.5}, r"rbo_p=1\.5 should lie between 0 and 1"),
        ({"margin": 0}, "margin=0 should be a number above 0"),
        ({"ties": "expected"}, "a reproduction needs the documents in one order"),
        ({"measures": "GMAP"}, "GMAP has no value of a topic"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], says: str) -> None:
    given = {"original": RUNS[:2], "again": RUNS[2:], "qrels": MADE.qrels, "measures": "AP"} | arguments
    with pytest.raises(UsageError, match=says):
        compare_reproduction(**given)
