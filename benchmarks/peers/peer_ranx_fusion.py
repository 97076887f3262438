"""Fuse small runs without ties by ranx, for tests/fusion/ranx.json.

python benchmarks/peers/peer_ranx_fusion.py FILE
"""

import json
import random
import sys
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

import ranx

SUMS = {"combsum": "sum", "combmnz": "mnz", "combanz": "anz", "combmax": "max", "combmin": "min", "combmed": "med"}
NORMS = {"min-max": "min-max", "z": "zmuv", "rank": "rank", "sum": "sum", "none": None}


def drawn(seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """Three runs of two topics whose scores all differ; on the second topic all retrieve the same documents."""
    random.seed(seed)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name in ("one", "two", "three"):
        runs[name] = {}
        for topic, documents, depth in (("t1", 60, 40), ("t2", 5, 5)):
            retrieved = random.sample([f"d{number:02}" for number in range(documents)], depth)
            scores = random.sample(range(1, 10_000), depth)
            runs[name][topic] = {document: score / 7 for document, score in zip(retrieved, scores, strict=True)}
    return runs


def fused(runs: dict[str, dict[str, dict[str, float]]], norm: str | None, method: str, params: dict) -> dict:
    """What ranx makes of them."""
    given = [ranx.Run.from_dict(run, name=name) for name, run in runs.items()]
    made = ranx.fuse(given, norm=norm, method=method, params=params)
    return {topic: dict(scores) for topic, scores in made.run.items()}


def main() -> None:
    """Write runs and fused scores."""
    runs = drawn(7)
    cases = []
    for method, theirs in SUMS.items():
        for normalization, norm in NORMS.items():
            cases.append((method, normalization, {}, fused(runs, norm, theirs, {})))
    weights = [0.2, 0.5, 0.3]
    for normalization, norm in NORMS.items():
        cases.append(("linear", normalization, {"weights": weights}, fused(runs, norm, "wsum", {"weights": weights})))
    cases.append(("rrf", None, {"k": 60}, fused(runs, None, "rrf", {"k": 60})))
    cases.append(("rrf", None, {"k": 5}, fused(runs, None, "rrf", {"k": 5})))
    cases.append(("isr", None, {}, fused(runs, None, "isr", {})))
    cases.append(("borda", None, {}, fused(runs, None, "bordafuse", {})))
    cases.append(("rbc", None, {"p": 0.9}, fused(runs, None, "rbc", {"phi": 0.9})))
    # ranx counts a document that neither run retrieves as lost by both, and sorts from the order of a set: its
    # Condorcet is defined where all runs retrieve the same documents and no majority goes in circles.
    complete = {name: {"t2": run["t2"]} for name, run in runs.items()}
    order = fused(complete, None, "condorcet", {})
    best_first = sorted(order["t2"], key=order["t2"].__getitem__, reverse=True)
    for above, below in combinations(best_first, 2):
        votes = sum(run["t2"][above] > run["t2"][below] for run in complete.values())
        assert votes >= 2, "choose another seed: a majority goes in circles"
    cases.append(("condorcet", None, {}, order))
    keys = ("method", "normalization", "parameters", "fused")
    data = {"ranx": version("ranx"), "runs": runs, "cases": [dict(zip(keys, case, strict=True)) for case in cases]}
    Path(sys.argv[1]).write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
