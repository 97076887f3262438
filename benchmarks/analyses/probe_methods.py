"""One method, timed inside this process.

`python benchmarks/analyses/probe_methods.py CASE` prints seconds of the call, and the peak of memory in MiB, as JSON.
"""

import csv
import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import xarray as xr

import cranfield
from cranfield.agreement import compare_leaderboards
from cranfield.comparison import estimate_posterior, estimate_risk
from cranfield.comparison.preference import count_ties_broken, preferences_by_topic
from cranfield.evaluation import make_rankings
from cranfield.measures import parse_measures
from cranfield.measures.attainable_values import attainable
from cranfield.pooling import estimate_budget, estimate_reusability, estimate_sampling_error, sample_pool
from cranfield.statistics.contrasts import Contrasts
from real_collections import COVID

FILES = (str(COVID / "runs" / "*"), str(COVID / "qrels.covid-round5.txt.gz"))


def rpp() -> Callable[[], object]:
    rankings = make_rankings(*FILES)
    pairs = Contrasts.all_pairs(len(rankings.systems))
    return lambda: preferences_by_topic(rankings, pairs, "rpp", 1, graded=False)


def teams() -> Callable[[], object]:
    with (COVID / "round5-leaderboard.csv").open(newline="") as file:
        of_run = {row["tag"]: row["team"] for row in csv.DictReader(file)}
    return lambda: estimate_reusability(*FILES, teams=of_run)


def drawn(seed: int = 1) -> xr.DataArray:
    """Scores of 126 systems on 50 topics."""
    values = np.random.default_rng(seed).beta(1.0, 2.0, size=(50, 126))
    return xr.DataArray(values, {"topic": range(50), "system": range(126)}, ("topic", "system"), "AP").astype(float)


def posterior(prior: str) -> Callable[[], object]:
    scores = drawn()
    return lambda: estimate_posterior(scores, prior=prior)


def boards() -> Callable[[], object]:
    truth = drawn()
    sources = {"truth": truth} | {f"judge{seed}": 0.5 * (truth + drawn(seed)) for seed in range(2, 7)}
    return lambda: compare_leaderboards(sources, reference="truth", top=15)


def risk() -> Callable[[], object]:
    scores = drawn()
    return lambda: estimate_risk(scores, "0")


def ties() -> Callable[[], object]:
    rankings = make_rankings(*FILES)
    return lambda: count_ties_broken(rankings, 1)


def sample() -> Callable[[], object]:
    made = cranfield.simulation.simulate_runs(n_systems=30, n_topics=50)
    drawn = sample_pool(made.runs, strata={10: 1, 100: 0.2}, qrels=made.qrels, only_judged=True).to_qrels()
    return lambda: estimate_sampling_error(list(made.runs), drawn, ["xinfAP", "infNDCG"])


def budget() -> Callable[[], object]:
    made = cranfield.simulation.simulate_runs(n_systems=30, n_topics=50)
    return lambda: estimate_budget(list(made.runs), made.qrels)


def scales() -> Callable[[], object]:
    made = cranfield.simulation.simulate_runs(n_systems=2, n_topics=50)
    rankings = make_rankings(list(made.runs), made.qrels)
    return lambda: [attainable(parse_measures(name)[0], rankings) for name in ("RBP@10", "AP@10")]


CASES: dict[str, Callable[[], Callable[[], object]]] = {
    "rpp": rpp,
    "teams": teams,
    "flat": lambda: posterior("flat"),
    "shared": lambda: posterior("shared"),
    "scales": scales,
    "boards": boards,
    "risk": risk,
    "ties": ties,
    "sample": sample,
    "budget": budget,
}


def main() -> None:
    """Prepare, call once, print."""
    warnings.simplefilter("ignore")
    call = CASES[sys.argv[1]]()
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    said = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    print(json.dumps(said | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()
