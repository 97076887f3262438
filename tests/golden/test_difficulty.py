"""NDCG_std@20, the readings with labels below zero, and the ease of topics, computed with independent code."""

from __future__ import annotations

import json
from collections import Counter
from typing import Literal

import numpy as np
import pytest
from scipy.stats import spearmanr
from test_information import COLLECTIONS, Collection, each, name_of, needed, read

import cranfield
from cranfield import engine
from cranfield.scoring import score
from cranfield.topic_difficulty import compute_difficulty
from data_sets import INFORMATION, Tally, rows

WEB12 = next(collection for collection in COLLECTIONS if collection.name == "web12")


@each
def test_every_score_and_every_ease_agrees(collection: Collection) -> None:
    whole = engine.current().NAME == "compiled"
    table = compute_difficulty(read(collection).rankings).values
    systems, topics = table["system"].to_numpy().tolist(), table["topic"].to_numpy().tolist()
    assert len(systems) == collection.size[0] or not whole
    cells = Tally()
    for row in rows(INFORMATION / f"{collection.name}-ndcgstd20.csv.gz", ","):
        if row["run"] in systems:
            ours = dict(zip(topics, table["ndcg_std"].sel(system=row.pop("run")).to_numpy(), strict=True))
            assert row.keys() == ours.keys()
            for topic in row:
                cells.add(topic, ours[topic], float(row[topic]))
    cells.check(len(systems) * collection.size[1])
    if whole:
        golden = json.loads((INFORMATION / f"{collection.name}.json").read_text())["ease_ratio_at20"]
        ease = Tally(1e-9)
        for topic, value in zip(topics, table["ease"].to_numpy(), strict=True):
            ease.add(topic, value, golden["per_topic"][topic])
        ease.add("mean", float(table["ease"].mean()), golden["mean"])
        ease.check(collection.size[1] + 1)
        counts = Counter(table["class"].to_numpy())
        classes = ("hard", "moderately hard", "moderately easy", "easy")
        assert [counts[name] for name in classes] == golden["classes_hard_to_easy"]


@needed(WEB12)
def test_readings_of_labels_below_zero_agree() -> None:
    paths = sorted(str(path) for path in WEB12.runs.iterdir())
    golden = json.loads((INFORMATION / "web12.json").read_text())["negatives"]
    names = {"NDCG_org@20": "org20", "NDCG_0@20": "zero20", "NDCG_min@20": "min20"}
    table = score(paths, str(WEB12.qrels), list(names))
    means = Tally(1e-9)
    for number, theirs in enumerate(names.values()):
        for path, ours in zip(paths, table.summaries[number], strict=True):
            means.add((theirs, path), ours, golden[theirs][name_of(path)])
    means.check(24)


@needed(WEB12)
def test_unjudged_documents_decide_how_easy_topics_are() -> None:
    """The three means of the Web 2012 baselines, and how far the three orders of topics agree."""
    rankings = cranfield.evaluation.make_rankings(sorted(str(path) for path in WEB12.runs.iterdir()), str(WEB12.qrels))
    words: tuple[Literal["zero", "mean", "condense"], ...] = ("zero", "mean", "condense")
    ease = {unjudged: compute_difficulty(rankings, 20, unjudged).ease.to_numpy() for unjudged in words}
    assert {unjudged: f"{found.mean():.2f}" for unjudged, found in ease.items()} == {
        "zero": "0.41",
        "mean": "0.47",
        "condense": "0.50",
    }
    rho = [spearmanr(ease[one], ease[other]).statistic for one in words for other in words if one < other]
    assert [f"{value:.2f}" for value in sorted(rho)] == ["0.89", "0.91", "0.93"]


@needed(WEB12)
def test_ranks_that_the_condensed_lists_leave_unfilled_matter() -> None:
    """Sixteen of 400 condensed lists end above rank 20; with label 0 below their ends the mean would be .4875."""
    rankings = cranfield.evaluation.make_rankings(sorted(str(path) for path in WEB12.runs.iterdir()), str(WEB12.qrels))
    assert (np.diff(rankings.starts) < 20).sum() == 16
    assert compute_difficulty(rankings, 20, "condense").ease.to_numpy().mean() == pytest.approx(0.4975)
