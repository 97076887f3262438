"""Means weighted by difficulty, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield import InputError, UsageError
from cranfield.topic_difficulty import Difficulty, weigh_by_difficulty


def of(ease: dict[str, float]) -> Difficulty:
    values = xr.Dataset({"ease": ("topic", list(ease.values()))}, {"topic": list(ease)})
    return Difficulty(values, {}, {})


def scores(table: list[list[float]], topics: str = "abc", **attributes: str) -> xr.DataArray:
    systems = [f"s{number}" for number in range(len(table))]
    return xr.DataArray(
        np.array(table).T, {"topic": list(topics), "system": systems}, ("topic", "system"), "AP", attributes
    )


def test_hard_topics_weigh_more() -> None:
    found = weigh_by_difficulty(scores([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]]), of({"a": 1.0, "b": 0.5, "c": 0.0}))
    # weights 0, 1/3, 2/3
    assert found["weighted_mean"].tolist() == pytest.approx([0.5 / 3, (0.5 + 2) / 3])
    assert found["mean"].tolist() == [0.5, 0.5]
    assert found.index.tolist() == ["s0", "s1"]
    assert found.index.name == "system"


def test_equal_ease_is_the_plain_mean() -> None:
    found = weigh_by_difficulty(scores([[1.0, 0.5, 0.0]]), of(dict.fromkeys("abc", 0.3)))
    assert found.loc["s0", "weighted_mean"] == pytest.approx(0.5)


def test_topics_without_ease_are_left_out() -> None:
    found = weigh_by_difficulty(scores([[1.0, 0.5, 0.0]]), of({"a": np.nan, "b": 0.5, "c": 0.0}))
    assert found.loc["s0"].tolist() == pytest.approx([0.5, 0.5 / 3])


def test_topics_without_a_score_are_left_out_for_that_system() -> None:
    found = weigh_by_difficulty(
        scores([[np.nan, 0.5, 0.0], [1.0, 0.5, 0.0], [np.nan] * 3]), of({"a": 0.5, "b": 0.5, "c": 0.0})
    )
    assert found.loc["s0"].tolist() == pytest.approx([0.25, 0.5 / 3])
    assert found.loc["s1"].tolist() == pytest.approx([0.5, (0.5 * 1 + 0.5 * 0.5) / 2])
    assert found.loc["s2"].isna().all()


def test_topics_are_matched_by_their_ids() -> None:
    backwards = of({"x": 0.9, "c": 0.0, "b": 0.5, "a": 1.0})
    found = weigh_by_difficulty(scores([[1.0, 0.5, 0.0]]), backwards)
    assert found.loc["s0", "weighted_mean"] == pytest.approx(0.5 / 3)


def test_any_measure_of_evaluate() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=8, depth=20, seed=2)
    hard = cranfield.estimate_difficulty(made.runs, made.qrels)
    for name in ("nDCG@10", "NDCG_std@20", "NumRet", "RR"):
        found = weigh_by_difficulty(cranfield.evaluate(made.runs, made.qrels, name)[name], hard)
        weight = 1 - hard.ease
        expected = (cranfield.evaluate(made.runs, made.qrels, name)[name] * weight).sum("topic") / weight.sum("topic")
        assert found["weighted_mean"].to_numpy() == pytest.approx(expected.to_numpy())


def test_nothing_to_weigh_with() -> None:
    for ease in ({"a": 1.0, "b": 1.0, "c": np.nan}, dict.fromkeys("abc", np.nan)):
        with pytest.raises(InputError, match="every topic has weight 0"):
            weigh_by_difficulty(scores([[1.0, 0.5, 0.0]]), of(ease))
    with pytest.raises(InputError, match="every topic has weight 0"):
        weigh_by_difficulty(scores([[1.0, 0.5, 0.0], [0.0, np.nan, np.nan]]), of({"a": 1.0, "b": 0.5, "c": 0.0}))


def test_mistakes_are_answered() -> None:
    ease = of({"a": 0.5, "b": 0.5, "c": 0.5})
    with pytest.raises(InputError, match="the difficulty of topic z was not estimated: use the same qrels"):
        weigh_by_difficulty(scores([[1.0, 0.5, 0.0]], "abz"), ease)
    one = scores([[1.0, 0.5, 0.0]])
    for wrong, said in (
        (one.isel(system=0), r"AP has dims \('topic',\), expected \(topic, system\)"),
        (one.to_dataset().assign(again=one), r"one measure, not 2: choose one, as scores\[name\] \(AP, again\)"),
        ([1.0], "list is not scores: give what evaluate or read_scores returns"),
    ):
        with pytest.raises(UsageError, match=said):
            weigh_by_difficulty(wrong, ease)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="occurs twice"):
        weigh_by_difficulty(xr.concat([one, one], "system"), ease)
    with pytest.raises(UsageError, match="AP has no value of a topic"):
        weigh_by_difficulty(scores([[1.0, 0.5, 0.0]], summary="geometric mean"), ease)


def test_scores_come_in_as_everywhere() -> None:
    given = scores([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]])
    ease = of({"a": 1.0, "b": 0.5, "c": 0.0})
    expected = weigh_by_difficulty(given, ease)
    for same in (given.to_dataset(), given.to_pandas(), given.transpose()):
        pd.testing.assert_frame_equal(weigh_by_difficulty(same, ease), expected)


def test_an_estimate_of_difficulty_weighs_the_measures_that_are_asked_for() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=6, depth=30, seed=2)
    found = cranfield.estimate_difficulty(made.runs, made.qrels, measures=["AP", "nDCG@10"])
    scores = cranfield.evaluate(made.runs, made.qrels, ["AP", "nDCG@10"])
    means = found.means.set_index(["system", "measure"])
    assert len(means) == 8
    for (system, measure), row in means.iterrows():
        of_system, weight = scores[measure].sel(system=system), 1 - found.ease
        assert row["mean"] == pytest.approx(float(of_system.mean()))
        assert row["weighted_mean"] == pytest.approx(float((of_system * weight).sum() / weight.sum()))
