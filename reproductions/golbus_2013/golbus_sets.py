"""Figure 3 and Table 3: what ten systems tell together, and what fusing them reaches."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
from golbus_collections import Collection, Floats
from golbus_tables import markdown
from scipy.stats import kendalltau, spearmanr

import cranfield
from cranfield import Reading
from cranfield.collection import Rankings
from cranfield.fusion.bounds import BOUNDS, compute_fusion_bounds
from cranfield.fusion.combination import fused
from cranfield.fusion.lists import Lists
from cranfield.information.joint import mean, null_of, per_topic
from cranfield.measures import values

SEED, SETS, SET_SIZE, PERMUTATIONS = 2013, 50, 10, 5
FUSIONS = {"combANZ": "combanz", "combMNZ": "combmnz", "combSUM": "combsum", "Condorcet": "condorcet"}
TARGETS = (*FUSIONS, "best fused", "Majoritarian", "Pareto", "Naive")
ESTIMATES = ("joint", "Miller-Madow", "less null", "normalized", "logistic")


def figure_3(collection: Collection, sets: int = SETS) -> dict[str, Floats]:
    """Estimates and RIC of what is fused, of every set of ten runs."""
    rng, names = np.random.default_rng(SEED), list(collection.paths)
    lists = Lists.read(collection.paths, Reading())
    columns: dict[str, list[float]] = {
        name: [] for name in ("joint", "Miller-Madow", "null", "logistic", *FUSIONS, *BOUNDS)
    }
    for _ in range(sets):
        chosen = sorted(rng.choice(len(names), SET_SIZE, replace=False).tolist())
        some = collection.asked.of_systems([names[number] for number in chosen])
        cells = [some.cells(topic) for topic in range(len(some.topics))]
        columns["joint"].append(mean(per_topic(some, cells, "table")))
        bias = [cell.occupied / (2 * cell.total * np.log(2)) for cell in cells]
        columns["Miller-Madow"].append(columns["joint"][-1] - float(np.mean(bias)))
        columns["logistic"].append(mean(per_topic(some, cells, "logistic")))
        columns["null"].append(mean(null_of(some, "table", PERMUTATIONS, SEED)))
        for name, method in FUSIONS.items():
            run = lists.run(*fused(lists, method, None, {}, chosen), name)
            columns[name].append(ric_of(cranfield.evaluation.make_rankings(run, collection.qrels))[0])
        oracles = compute_fusion_bounds(Rankings.concatenate([collection.parts[number] for number in chosen]))
        for name, value in zip(oracles.systems, ric_of(oracles), strict=True):
            columns[name].append(value)
    block = {name: np.array(column) for name, column in columns.items()}
    block["less null"] = block["joint"] - block["null"]
    block["normalized"] = (block["joint"] - block["null"]) / (1 - block["null"])
    block["best fused"] = np.max([block[name] for name in ("combANZ", "combMNZ", "Condorcet")], axis=0)
    return block


def ric_of(rankings: Rankings) -> list[float]:
    """Mean RIC of each system."""
    return [mean(row) for row in values(cranfield.RIC, rankings).reshape(len(rankings.systems), -1)]


def table_3(blocks: dict[str, dict[str, Floats]]) -> str:
    """Kendall's tau, Spearman's rho and the root mean square error between estimates and what is fused."""
    rows = []
    for name, block in blocks.items():
        for estimate in ESTIMATES:
            cells = []
            for target in TARGETS:
                x, y = block[estimate], block[target]
                error = np.sqrt(np.mean((x - y) ** 2))
                cells.append(f"{kendalltau(x, y).statistic:.2f} / {spearmanr(x, y).statistic:.2f} / {error:.2f}")
            rows.append([name, estimate, *cells])
    return markdown(["collection", "estimate", *TARGETS], rows)


def means_of_sets(blocks: dict[str, dict[str, Floats]]) -> str:
    """Means over sets, and how many sets an estimate is exceeded in."""
    names = ("joint", "Miller-Madow", "null", "less null", "normalized", "logistic", *TARGETS)
    rows = [[name, *(f"{block[column].mean():.3f}" for column in names)] for name, block in blocks.items()]
    above = [
        [name, *(f"{np.sum(block[target] > block['joint'])} of {len(block['joint'])}" for target in TARGETS)]
        for name, block in blocks.items()
    ]
    tables = (
        markdown(["collection", *names], rows),
        markdown(["sets in which it exceeds the joint RIC", *TARGETS], above),
    )
    return "\n\n".join(tables)


def agreement_with_golden(blocks: dict[str, dict[str, Floats]], golden: Path) -> str:
    """Largest differences from values computed with independent code."""
    files = {"TREC-COVID round 5": "covid-r5", "DL 2019": "dl19", "Robust 2003": "robust03"}
    rows = []
    for name, block in blocks.items():
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
