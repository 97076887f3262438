"""Figure 3 and Table 3: what ten systems tell together, and what fusing them reaches."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from golbus_collections import Collection, Floats
from golbus_tables import markdown, tsv
from scipy.stats import kendalltau, spearmanr

import cranfield
from cranfield import InputOptions, Run
from cranfield.collection import Rankings
from cranfield.fusion.combination import fused
from cranfield.fusion.headroom import BOUNDS, compute_fusion_bounds
from cranfield.fusion.lists import UnionLists
from cranfield.information.joint import compute_null, mean, per_topic
from cranfield.measures import values

SEED, SETS, SET_SIZE, PERMUTATIONS = 2013, 50, 10, 5
FUSIONS = {"combANZ": "combanz", "combMNZ": "combmnz", "combSUM": "combsum", "Condorcet": "condorcet"}
TARGETS = (*FUSIONS, "best fused", "Majoritarian", "Pareto", "Naive")
ESTIMATES = ("joint", "Miller-Madow", "less null", "normalized", "logistic")
LABELS = ("graded", "binary")
IN_PRINT = {
    "combANZ": "0.221 / 0.330 / 0.481",
    "combMNZ": "0.587 / 0.764 / 0.351",
    "Condorcet": "0.519 / 0.689 / 0.362",
    "Majoritarian": "0.552 / 0.735 / 0.340",
    "Pareto": "0.657 / 0.836 / 0.044",
    "Naive": "0.788 / 0.931 / 0.039",
}
"""Table 3 of the paper: TREC 8, whose labels are binary."""

Block = dict[str, Floats]
Blocks = dict[str, dict[str, Block]]
"""Collection -> labels -> column -> value of each set."""


def figure_3(collection: Collection, sets: int = SETS) -> dict[str, Block]:
    """Estimates and RIC of what is fused, of every set of ten runs, with labels as they are and with two labels."""
    rng, names = np.random.default_rng(SEED), list(collection.paths)
    lists = UnionLists.read(collection.paths, InputOptions())
    graded, binary = LABELS
    readings = {graded: collection, binary: collection.binary}
    rows: dict[str, list[dict[str, float]]] = {labels: [] for labels in readings}
    for _ in range(sets):
        chosen = sorted(rng.choice(len(names), SET_SIZE, replace=False).tolist())
        runs = {name: lists.run(*fused(lists, how, None, {}, chosen), name) for name, how in FUSIONS.items()}
        for labels, seen in readings.items():
            rows[labels].append(of_set(seen, chosen, runs))
    return {labels: completed(found) for labels, found in rows.items()}


def of_set(collection: Collection, chosen: Sequence[int], runs: Mapping[str, Run]) -> dict[str, float]:
    """Estimates of the joint RIC of some runs, and RIC of lists that are made of them."""
    names = list(collection.paths)
    some = collection.asked.of_systems([names[number] for number in chosen])
    cells = [some.cells(topic) for topic in range(len(some.topics))]
    joint = mean(per_topic(some, cells, "table"))
    bias = float(np.mean([cell.occupied / (2 * cell.total * np.log(2)) for cell in cells]))
    found = {"joint": joint, "Miller-Madow": joint - bias}
    found["null"] = mean(compute_null(some, "table", PERMUTATIONS, SEED))
    found["logistic"] = mean(per_topic(some, cells, "logistic"))
    for name, run in runs.items():
        found[name] = ric_of(cranfield.evaluation.make_rankings(run, collection.qrels))[0]
    oracles = compute_fusion_bounds(Rankings.concatenate([collection.parts[number] for number in chosen]))
    return found | dict(zip(oracles.systems, ric_of(oracles), strict=True))


def completed(rows: Sequence[Mapping[str, float]]) -> Block:
    """A column for each estimate and each list, a value for each set."""
    block = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    block["less null"] = block["joint"] - block["null"]
    block["normalized"] = (block["joint"] - block["null"]) / (1 - block["null"])
    block["best fused"] = np.max([block[name] for name in ("combANZ", "combMNZ", "Condorcet")], axis=0)
    return block


def data_of_sets(readings: Mapping[str, Block]) -> str:
    """The data of the figure."""
    rows = [
        [labels, *(f"{value:.6f}" for value in row)]
        for labels, block in readings.items()
        for row in zip(*block.values(), strict=True)
    ]
    return tsv(["labels", *readings["graded"]], rows)


def ric_of(rankings: Rankings) -> list[float]:
    """Mean RIC of each system."""
    return [mean(row) for row in values(cranfield.RIC, rankings).reshape(len(rankings.systems), -1)]


def table_3(blocks: Blocks) -> str:
    """Kendall's tau, Spearman's rho and the root mean square error between estimates and what is fused."""
    rows = [["TREC 8, in print", "joint", "binary", *(IN_PRINT.get(target, "") for target in TARGETS)]]
    for name, readings in blocks.items():
        for estimate in ESTIMATES:
            for labels, block in readings.items():
                cells = []
                for target in TARGETS:
                    x, y = block[estimate], block[target]
                    error = np.sqrt(np.mean((x - y) ** 2))
                    cells.append(f"{kendalltau(x, y).statistic:.2f} / {spearmanr(x, y).statistic:.2f} / {error:.2f}")
                rows.append([name, estimate, labels, *cells])
    return markdown(["collection", "estimate", "labels", *TARGETS], rows)


def means_of_sets(blocks: Blocks) -> str:
    """Means over sets, and how many sets an estimate is exceeded in."""
    names = ("joint", "Miller-Madow", "null", "less null", "normalized", "logistic", *TARGETS)
    means, above = [], []
    for name, readings in blocks.items():
        for labels, block in readings.items():
            means.append([name, labels, *(f"{block[column].mean():.3f}" for column in names)])
            exceeded = (f"{np.sum(block[target] > block['joint'])} of {len(block['joint'])}" for target in TARGETS)
            above.append([name, labels, *exceeded])
    tables = (
        markdown(["collection", "labels", *names], means),
        markdown(["sets in which it exceeds the joint RIC", "labels", *TARGETS], above),
    )
    return "\n\n".join(tables)


def agreement_with_golden(blocks: Blocks, golden: Path) -> str:
    """Largest differences from values computed with independent code, with labels as they are."""
    files = {"TREC-COVID round 5": "covid-r5", "DL 2019": "dl19", "Robust 2003": "robust03"}
    rows = []
    for name, readings in blocks.items():
        block = readings["graded"]
        with gzip.open(golden / "information" / f"{files[name]}-joint-sets.json.gz", "rt") as file:
            theirs = json.load(file)
        cells = []
        for column in ("joint", "Miller-Madow", *FUSIONS, *BOUNDS):
            golden_name = "mm_full" if column == "Miller-Madow" else column
            wanted = np.array([one[golden_name] for one in theirs[: len(block[column])]])
            cells.append(f"{np.abs(block[column] - wanted).max():.0e}")
        null = np.mean([one["null"] for one in theirs])
        rows.append([name, *cells, f"{block['null'].mean() - null:+.4f}"])
    return markdown(["collection", "joint", "Miller-Madow", *FUSIONS, *BOUNDS, "mean null"], rows)
