"""A user's script with every type written out, as mypy and pyright check it: options and results are not ``Any``."""

from __future__ import annotations

from typing import Literal, assert_type

import pandas as pd
import xarray as xr

import cranfield
from cranfield import agreement, comparison, holes, pooling, trust


def study(runs: dict[str, str], qrels: str, ties: Literal["docid", "file"]) -> list[float]:
    """Evaluate, compare, and ask how far the numbers carry."""
    scores = cranfield.evaluate(runs, qrels, ["AP", "nDCG@10"], ties=ties)
    assert_type(scores, xr.Dataset)
    compared = cranfield.compare(scores, baseline="bm25", alpha=0.01, correction="holm")
    assert_type(compared, comparison.Comparison)
    assert_type(compared.to_frame(), pd.DataFrame)
    ranks = comparison.estimate_ranks(scores, alpha=0.1, seed=2)
    assert_type(ranks, comparison.RankIntervals)
    stability = trust.estimate_stability(scores, n_topics=[10, 20], subsets=50, unit="topic")
    assert_type(stability, trust.Stability)
    risk = comparison.estimate_risk(scores, baseline="bm25")
    assert_type(risk, comparison.Risk)
    budget = pooling.estimate_budget(runs, qrels, "AP", orders=["mtf", "depth"], budgets=[10, 50], rel=2)
    assert_type(budget, pooling.Budget)
    assert_type(budget.judged, int)
    labels = agreement.compare_labels({"people": qrels, "model": qrels})
    assert_type(labels, agreement.LabelAgreement)
    unjudged = cranfield.estimate_holes(runs, qrels, contributors=["pool.run"], hole_offset=(-1.0, -0.5), depth=20)
    assert_type(unjudged, holes.Holes)
    differences = holes.estimate_differences(runs, qrels, "nDCG@10", baseline="bm25", learn_from="round2.txt")
    assert_type(differences, holes.HoleDifferences)
    assert_type(differences.measure, str)
    advice = holes.select_judgments(runs, qrels, budget=20, teams={"a": "x"})
    assert_type(advice, holes.HoleJudgments)
    return [float(scores["AP"].mean()), float(budget.needed["share"].max())]


def mistakes(runs: dict[str, str], qrels: str) -> None:
    """Calls that a type checker refuses: mypy reports an ignored error that is none."""
    cranfield.evaluate(runs, qrels, "AP", ties="first")  # type: ignore[arg-type]
    pooling.estimate_budget(runs, qrels, depth="ten")  # type: ignore[arg-type]
    holes.estimate_differences(runs, qrels, contributor=["pool.run"])  # type: ignore[call-arg]
    holes.select_judgments(runs, qrels, predicted=3)  # type: ignore[arg-type]
