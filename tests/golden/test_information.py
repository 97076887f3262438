"""AP, nDCG, RIC, joint RIC, information difference and fusion on four collections, computed with independent code."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import cranfield
from cranfield import RIC, engine
from cranfield.collection import Policy
from cranfield.fusion import compute_fusion_bounds, fuse
from cranfield.fusion.lists import UnionLists
from cranfield.information import Experiment
from cranfield.information.joint import compute_null, mean, per_topic
from cranfield.measures import values
from cranfield.measures.ric import pair_counts
from cranfield.scoring import Evaluation, score
from data_sets import DATA, INFORMATION, Tally, rows
from effort import thorough


class Collection(NamedTuple):
    name: str
    runs: Path
    qrels: Path
    size: tuple[int, int]
    """(runs, topics)"""
    rel: int = 1
    """Level of AP; nDCG has none."""


COLLECTIONS = [
    Collection(
        "covid-r5", DATA / "trec-covid-round5/runs", DATA / "trec-covid-round5/qrels.covid-round5.txt.gz", (126, 50)
    ),
    Collection(
        "dl19",
        DATA / "trec-dl-2019-passage/runs",
        DATA / "trec-dl-2019-passage/qrels.dl19-passage.txt.gz",
        (37, 43),
        rel=2,
    ),
    Collection("robust03", DATA / "trec-robust-2003/runs", DATA / "trec-robust-2003/qrels.txt.gz", (17, 100)),
    Collection("web12", DATA / "trec-web-2012-baseline-runs", DATA / "trec-web/2012/qrels.adhoc.txt.gz", (8, 50)),
]


def name_of(path: str) -> str:
    """How these tables call a run."""
    return Path(path).stem.removeprefix("input.").removesuffix(".run")


@functools.cache
def paths_of(collection: Collection) -> dict[str, str]:
    """Name -> file of every run; of those of the first set of ten where plain Python reads them."""
    found = {name_of(str(path)): str(path) for path in sorted(collection.runs.iterdir())}
    if engine.current().NAME == "compiled" or collection.name == "web12":
        return found
    return {name: found[name] for name in golden_sets(collection)[0]["set"]}


def golden_sets(collection: Collection) -> list[dict[str, Any]]:
    with gzip.open(INFORMATION / f"{collection.name}-joint-sets.json.gz", "rt") as file:
        sets: list[dict[str, Any]] = json.load(file)
    return sets


class Read(NamedTuple):
    """What every test of a collection looks at: its files are read once."""

    qrels: cranfield.Qrels
    table: Evaluation
    """AP, nDCG and nDCG@10."""
    rankings: cranfield.collection.Rankings
    experiment: Experiment


@functools.cache
def read(collection: Collection) -> Read:
    qrels = cranfield.read_qrels(collection.qrels)
    table = score(paths_of(collection), qrels, [f"AP(rel={collection.rel})", "nDCG", "nDCG@10"], keep_rankings=True)
    assert table.rankings is not None
    return Read(qrels, table, table.rankings, cranfield.information.prepare_experiment(table.rankings, qrels))


def needed(collection: Collection) -> pytest.MarkDecorator:
    """What a test of this collection reads."""
    folders = {path.relative_to(DATA).parts[0] for path in (collection.runs, collection.qrels)}
    return pytest.mark.data(f"golden/information/{collection.name}.json", *(f"data/{name}" for name in folders))


each = pytest.mark.parametrize("collection", [pytest.param(one, id=one.name, marks=needed(one)) for one in COLLECTIONS])
with_sets = pytest.mark.parametrize(
    "collection",
    [
        pytest.param(one, id=one.name, marks=[needed(one), *[pytest.mark.slow] * (one.name != "dl19")])
        for one in COLLECTIONS[:3]
    ],
)
"""Sets of the other collections are fifty too, of more topics or runs."""


@each
def test_every_run_and_topic_agrees(collection: Collection) -> None:
    table = read(collection).table
    system = {name: number for number, name in enumerate(table.systems)}
    assert len(system) == collection.size[0] or engine.current().NAME == "reference"
    names = ("ap", "ndcg", "ndcg10")
    cells, means = Tally(), Tally()
    for number, name in enumerate(names):
        for row in rows(INFORMATION / f"{collection.name}-{name}.csv.gz", ","):
            if row["run"] in system:
                ours = dict(zip(table.topics, table.values[number, :, system[row.pop("run")]], strict=True))
                assert row.keys() == ours.keys()
                for topic in row:
                    cells.add((name, topic), ours[topic], float(row[topic]))
    for row in rows(INFORMATION / f"{collection.name}-means.csv", ","):
        if row["run"] in system:
            for number, name in enumerate(names):
                means.add((row["run"], name), table.summaries[number, system[row["run"]]], float(row[name]))
    cells.check(3 * len(system) * collection.size[1])
    means.check(3 * len(system))


# ---- pairs of documents


@each
def test_pairs_of_every_run_and_topic_are_counted_exactly(collection: Collection) -> None:
    qrels, _, rankings, _ = read(collection)
    counts = pair_counts(rankings, 1)
    topics = len(qrels.topics)
    place = {
        (run, topic): s * topics + t for s, run in enumerate(rankings.systems) for t, topic in enumerate(qrels.topics)
    }
    compared = 0
    for row in rows(INFORMATION / f"{collection.name}-ric-cdz.csv.gz", ","):
        if row["run"] in rankings.systems:
            at = place[row["run"], row["topic"]]
            ours = counts.concordant[at], counts.discordant[at], counts.silent[at]
            assert ours == (int(row["C"]), int(row["D"]), int(row["Z"])), row
            compared += 1
    assert compared == len(rankings.systems) * topics


@each
def test_ric_of_every_run_and_topic(collection: Collection) -> None:
    qrels, _, rankings, _ = read(collection)
    shape = len(rankings.systems), len(qrels.topics)
    found = {
        name: dict(zip(rankings.systems, values(measure, rankings).reshape(shape), strict=True))
        for name, measure in (("ric", RIC), ("ric_signed", RIC(signed=True)), ("ric_rel2", RIC(rel=2)))
    }
    cells, means = Tally(), Tally()
    for row in rows(INFORMATION / f"{collection.name}-ric.csv.gz", ","):
        run = row.pop("run")
        if run in rankings.systems:
            for topic, value in zip(qrels.topics, found["ric"][run], strict=True):
                cells.add((run, topic), value, float(row[topic]))
    for row in rows(INFORMATION / f"{collection.name}-means.csv", ","):
        if row["run"] in rankings.systems:
            for name, of_run in found.items():
                means.add((row["run"], name), mean(of_run[row["run"]]), float(row[name]))
    cells.check(len(rankings.systems) * len(qrels.topics))
    means.check(3 * len(rankings.systems))


@each
def test_information_difference_of_every_two_runs(collection: Collection) -> None:
    asked = read(collection).experiment
    found = cranfield.information.compute_information_difference(asked)
    pairs = Tally()
    for row in rows(INFORMATION / f"{collection.name}-id.csv.gz", ","):
        if row["run1"] in asked.systems and row["run2"] in asked.systems:
            pair = found.between(row["run1"], row["run2"])
            pairs.add((row["run1"], row["run2"], "id"), pair.difference, float(row["id"]))
            together = pair.only_system + pair.shared + pair.only_other
            pairs.add((row["run1"], row["run2"], "joint"), together, float(row["joint_ric"]))
    size = len(asked.systems)
    pairs.check(size * (size - 1))


def sets_of(collection: Collection) -> list[dict[str, Any]]:
    """The sets of ten of which every run is read."""
    return [golden for golden in golden_sets(collection) if set(golden["set"]) <= set(paths_of(collection))]


@pytest.mark.slow
@with_sets
def test_joint_ric_of_fifty_sets_of_ten(collection: Collection) -> None:
    asked = read(collection).experiment
    found = Tally()
    for golden in sets_of(collection):
        some = asked.of_systems(golden["set"])
        cells = [some.cells(topic) for topic in range(len(some.topics))]
        found.add(golden["set"], mean(per_topic(some, cells, "table")), golden["joint"])
        found.add((golden["set"], "corrected"), mean(per_topic(some, cells, "miller-madow")), golden["mm_full"])
        found.add((golden["set"], "silent"), np.mean([c.silent / c.total for c in cells]), golden["p_all_zero"])
        found.add((golden["set"], "cells"), np.mean([c.occupied for c in cells]), golden["mean_occ"])
    found.check(200 if engine.current().NAME == "compiled" else 4)


@with_sets
def test_the_null_of_sets_of_ten(collection: Collection) -> None:
    """Drawn with other random numbers: the mean over sets agrees."""
    asked = read(collection).experiment
    chosen = sets_of(collection)[::7]
    ours = [mean(compute_null(asked.of_systems(golden["set"]), "table", 3, 1)) for golden in chosen]
    few = len(chosen) == 1
    theirs = np.mean([golden["null"] for golden in chosen])
    assert np.mean(ours) == pytest.approx(theirs, abs=0.02 if few else 0.01)


@with_sets
def test_ric_of_fused_sets_of_ten(collection: Collection) -> None:
    """Some of the sets, more where the effort is asked for; reproductions/golbus_2013 compares all."""
    qrels = read(collection).qrels
    found = Tally(1e-6)
    step = (10 if thorough() else 25) if collection.name == "dl19" else (25 if thorough() else 50)
    for golden in sets_of(collection)[::step]:
        runs = {name: cranfield.read_run(paths_of(collection)[name]) for name in golden["set"]}
        lists = UnionLists.from_runs(list(runs.items()), Policy())
        for method, name in (("combanz", "ANZ"), ("combmnz", "MNZ"), ("combsum", "SUM"), ("condorcet", "Condorcet")):
            judged = cranfield.evaluation.make_rankings(fuse(lists, method), qrels)
            golden_name = name if method == "condorcet" else f"comb{name}"
            found.add((golden["set"], method), mean(values(RIC, judged)), golden[golden_name])
        oracles = compute_fusion_bounds(cranfield.evaluation.make_rankings(runs, qrels))
        for name, row in zip(oracles.systems, values(RIC, oracles).reshape(3, -1), strict=True):
            found.add((golden["set"], name), mean(row), golden[name])
    found.check(7 if engine.current().NAME == "reference" else 7 * (50 // step))
