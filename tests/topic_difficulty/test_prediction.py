"""sARE and sMARE against the goldens, by counting, and by what they must be for known orders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import kendalltau, pearsonr, spearmanr

import cranfield
from cranfield import InputError, UsageError
from cranfield.topic_difficulty import compute_prediction_errors
from data_sets import GOLDEN, rows


def by_topic(values: Any) -> dict[str, float]:
    return {f"q{number}": value for number, value in enumerate(values)}


def test_goldens() -> None:
    known = json.loads((GOLDEN / "query-performance-prediction" / "smare.json").read_text())
    for case in known["small"]:
        found = compute_prediction_errors(by_topic(case["predictor"]), by_topic(case["effectiveness"]))
        assert found.sare.values.ravel() == pytest.approx(np.array(case["sare"]), abs=1e-12), case["name"]
        assert found.summary["smare"].item() == pytest.approx(case["smare"], abs=1e-12), case["name"]


def test_one_run_of_a_real_collection_predicts_another() -> None:
    scores: dict[str, dict[str, float]] = {}
    for row in rows(GOLDEN / "information/dl19-ndcg10.csv.gz", ","):
        scores.setdefault(row.pop("run"), {}).update({topic: float(value) for topic, value in row.items()})
    for case in json.loads((GOLDEN / "query-performance-prediction" / "smare.json").read_text())["dl19_ndcg10"]:
        found = compute_prediction_errors(scores[case["predictor_run"]], scores[case["effectiveness_run"]])
        ours = found.sare.sel(topic=case["topics"]).values.ravel()
        assert ours == pytest.approx(np.array(case["sare"]), abs=1e-12)
        assert found.means["smare"].item() == pytest.approx(case["smare"], abs=1e-12)


def errors(p: Sequence[float], e: Sequence[float]) -> NDArray[np.float64]:
    """sARE of every topic."""
    found: NDArray[np.float64] = compute_prediction_errors(by_topic(p), by_topic(e)).sare.to_numpy().ravel()
    return found


def brute(p: list[float], e: list[float]) -> list[Fraction]:
    """By counting who is above and who is level."""

    def rank(values: list[float], value: float) -> Fraction:
        return sum(other > value for other in values) + Fraction(values.count(value) + 1, 2)

    return [abs(rank(p, a) - rank(e, b)) / len(p) for a, b in zip(p, e, strict=True)]


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_ranks_by_counting(pairs: list[tuple[int, int]]) -> None:
    p, e = ([float(value) for value in side] for side in zip(*pairs, strict=True))
    expected = [float(error) for error in brute(p, e)]
    assert errors(p, e).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_values_that_the_definition_promises(n: int) -> None:
    same = [float(value) for value in range(n)]
    assert errors(same, same).mean() == 0
    largest = 0.5 if n % 2 == 0 else (n * n - 1) / (2 * n * n)
    assert errors(same, same[::-1]).mean() == pytest.approx(largest)
    every = [errors(same, order).mean() for order in permutations(same)]
    assert np.mean(every) == pytest.approx((n * n - 1) / (3 * n * n)), "the mean over all orders"
    assert max(every) == pytest.approx(largest)


def test_several_predictors_and_systems() -> None:
    rng = np.random.default_rng(7)
    topics = [f"q{number}" for number in range(8)]
    predictions = pd.DataFrame(rng.random((8, 2)), index=topics, columns=["one", "other"])
    scores = pd.DataFrame(rng.random((8, 3)), index=topics[::-1], columns=list("abc"))
    found = compute_prediction_errors(predictions, scores)
    assert found.sare.dims == ("predictor", "system", "topic")
    assert found.sare["topic"].values.tolist() == topics[::-1], "topics as they were observed"
    for row in found.summary.itertuples():
        p, e = predictions[row.predictor], scores[row.system].loc[topics]
        assert row.smare == pytest.approx(float(np.mean(brute(p.tolist(), e.tolist()))))
        assert row.pearson == pytest.approx(pearsonr(p, e).statistic)
        assert row.tau_b == pytest.approx(kendalltau(p, e).statistic)
        assert row.spearman == pytest.approx(spearmanr(p, e).statistic)
        assert row.topics == 8
    expected = found.summary.groupby("predictor")["smare"].mean()
    assert found.means.loc[["one", "other"], "smare"].tolist() == pytest.approx(expected.loc[["one", "other"]].tolist())


def test_ease_and_the_columns_of_the_alternatives() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=6, depth=20, seed=4)
    ease = cranfield.estimate_difficulty(made.runs, made.qrels).ease
    others = cranfield.topic_difficulty.estimate_difficulty_otherwise(made.runs, made.qrels).values
    found = compute_prediction_errors(others[["shtok", "perez_iglesias"]], ease)
    assert found.summary["system"].tolist() == ["ease", "ease"]
    expected = brute(others["perez_iglesias"].tolist(), ease.values.tolist())
    assert found.sare.sel(predictor="perez_iglesias").values.ravel().tolist() == pytest.approx(
        [float(error) for error in expected]
    )


def test_a_constant_prediction_has_an_error_and_no_correlation() -> None:
    row = compute_prediction_errors(by_topic([1, 1, 1, 1, 1]), by_topic([0.1, 0.5, 0.3, 0.2, 0.4])).summary.iloc[0]
    assert row["smare"] == pytest.approx(0.24)
    assert row[["pearson", "tau_b", "spearman"]].isna().all()


@pytest.mark.parametrize(
    ("predictions", "effectiveness", "message"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}, r"topic c: topics with no prediction"),
        ({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2}, r"topic c: topics with no effectiveness"),
        ({"a": 1, "b": np.nan}, {"a": 1, "b": 2}, r"predictions 'predictions' has no number for topic b"),
        ({"a": 1, "b": 2}, {"a": 1, "b": np.inf}, r"effectiveness 'effectiveness' has no number for topic b"),
        ({"a": 1}, {"a": 1}, r"predictions: ranks need two topics or more, and there are 1"),
        (pd.Series([1.0, 2.0], index=["a", "a"]), {"a": 1, "b": 2}, r"topic 'a' occurs twice"),
    ],
)
def test_what_cannot_be_ranked(predictions: Any, effectiveness: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        compute_prediction_errors(predictions, effectiveness)


def test_what_has_no_topics() -> None:
    with pytest.raises(UsageError, match="give numbers by topic"):
        compute_prediction_errors([1, 2], {"a": 1, "b": 2})  # type: ignore[arg-type]
    made = cranfield.evaluate({"r": {"1": {"a": 1.0}}}, {"1": {"a": 1}}, "AP")["AP"].isel(topic=0, drop=True)
    with pytest.raises(UsageError, match=r"give dims \(topic,\) or \(topic, system\)"):
        compute_prediction_errors(made, {"a": 1, "b": 2})
