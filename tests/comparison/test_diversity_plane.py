"""The plane of coverage and relevance, by hand and against plain scoring."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import InputError, UsageError
from cranfield.comparison import map_diversity

QRELS = {
    "1": {"1": {"a": 1, "b": 1}, "2": {"c": 1}, "3": {"z": 0}},
    "2": {"1": {"a": 1}, "2": {"b": 2}},
}
RUNS = {
    "deep": {"1": {"a": 3.0, "b": 2.0}, "2": {"b": 1.0}},
    "wide": {"1": {"c": 3.0, "a": 2.0}, "2": {"x": 2.0, "a": 1.0}},
}
WEIGHTS = {"1": {"1": 0.75, "2": 0.25}, "2": {"1": 0.5, "2": 0.5}}


def test_systems_lie_where_their_means_are() -> None:
    plane = map_diversity(RUNS, QRELS, cutoff=2, intent_weights=WEIGHTS)
    assert list(plane.systems.columns) == ["I-rec@2", "D-nDCG@2", "gamma=0.2", "gamma=0.5", "gamma=0.8"]
    assert plane.systems["I-rec@2"].tolist() == [(1 / 2 + 1 / 2) / 2, (1 + 1 / 2) / 2]
    scores = cranfield.evaluate(RUNS, QRELS, [f"D#-nDCG(gamma={g})@2" for g in (0.2, 0.5, 0.8)], intent_weights=WEIGHTS)
    expected = cranfield.summarize(scores).to_numpy()
    np.testing.assert_allclose(plane.systems.iloc[:, 2:].to_numpy(), expected, rtol=1e-14)
    assert plane.settings["intent_weights"] == "intent weights"
    assert plane.signature["intents"]["weight_sum"] == "renormalise"


def test_contours_are_lines_of_one_value() -> None:
    contours = map_diversity(RUNS, QRELS, gammas=(0, 0.2, 0.5, 1), levels=(0.1, 0.9, 2)).contours
    assert len(contours) == 4 * 2, "a level above 1 has none"
    for end in ("0", "1"):
        x, y = contours[f"x{end}"], contours[f"y{end}"]
        np.testing.assert_allclose(contours["gamma"] * x + (1 - contours["gamma"]) * y, contours["level"], atol=1e-15)
        assert ((x >= 0) & (x <= 1) & (y > -1e-15) & (y < 1 + 1e-15)).all()
    slanted = contours[contours["gamma"].between(0.01, 0.99)]
    assert (slanted["x0"] < slanted["x1"]).all()


def test_coverage_of_every_intent() -> None:
    coverage = map_diversity(RUNS, QRELS, cutoff=1, intent_weights=WEIGHTS).coverage
    assert coverage.index.tolist() == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]
    assert coverage["probability"].tolist() == [0.75, 0.25, 0.5, 0.5]
    assert coverage["relevant"].tolist() == [2, 1, 1, 1]
    assert coverage["deep"].tolist() == [True, False, False, True]
    assert coverage["wide"].tolist() == [False, True, False, False]
    recall = coverage[["deep", "wide"]].groupby("topic").mean().mean()
    plane = map_diversity(RUNS, QRELS, cutoff=1, intent_weights=WEIGHTS).systems
    pd.testing.assert_series_equal(recall, plane["I-rec@1"], check_names=False)


def test_where_measures_disagree() -> None:
    plane = map_diversity(RUNS, QRELS, pair=("deep", "wide"), compared=["D-nDCG@2", "I-rec@2", "P@1"])
    assert plane.differences is not None
    assert plane.disagreements is not None
    assert list(plane.differences.columns) == ["D-nDCG@2", "I-rec@2", "P@1"]
    # topic 1: equal gains, wide covers more, both begin well; topic 2: deep is better, covers as many, begins better
    assert np.sign(plane.differences.to_numpy().round(12)).tolist() == [[0, -1, 0], [1, 0, 1]]
    assert plane.disagreements.to_numpy().tolist() == [
        ["D-nDCG@2", "I-rec@2", 0, 2, 0],
        ["D-nDCG@2", "P@1", 0, 0, 2],
        ["I-rec@2", "P@1", 0, 2, 0],
    ]
    assert plane.agreed == 0
    assert map_diversity(RUNS, QRELS, pair=("deep", "deep")).agreed == 2


def test_mistakes() -> None:
    with pytest.raises(UsageError, match=r"gammas: 1.5 is not between 0 and 1"):
        map_diversity(RUNS, QRELS, gammas=(1.5,))
    with pytest.raises(UsageError, match=r"pair: there is no run 'other'; there are deep, wide"):
        map_diversity(RUNS, QRELS, pair=("deep", "other"))
    with pytest.raises(UsageError, match="no pair of runs was compared"):
        _ = map_diversity(RUNS, QRELS).agreed
    with pytest.raises(InputError, match="needs intents"):
        map_diversity(RUNS, {"1": {"a": 1}, "2": {"a": 1}})
