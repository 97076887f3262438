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
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import xarray as xr

from cranfield.comparison import estimate_posterior
from cranfield.comparison.preferred_lists import preferences_by_topic
from cranfield.evaluation import make_rankings
from cranfield.measures import parse_measures
from cranfield.measures._attainable import attainable
from cranfield.pooling import estimate_reusability
from cranfield.statistics.contrasts import Contrasts

FOLDER = "../shared/data/trec-covid-round5"
FILES = (f"{FOLDER}/runs/*", f"{FOLDER}/qrels.covid-round5.txt.gz")


def rpp() -> Callable[[], object]:
    rankings = make_rankings(*FILES)
    pairs = Contrasts.all_pairs(len(rankings.systems))
    return lambda: preferences_by_topic(rankings, pairs, "rpp", 1, graded=False)


def teams() -> Callable[[], object]:
    with Path(FOLDER, "round5-leaderboard.csv").open(newline="") as file:
        of_run = {row["tag"]: row["team"] for row in csv.DictReader(file)}
    return lambda: estimate_reusability(*FILES, teams=of_run)


def posterior(prior: str) -> Callable[[], object]:
    values = np.random.default_rng(1).beta(1.0, 2.0, size=(50, 126))
    scores = xr.DataArray(values, {"topic": range(50), "system": range(126)}, ("topic", "system"), "AP")
    return lambda: estimate_posterior(scores.astype(float), prior=prior)


def scales() -> Callable[[], object]:
    import cranfield

    made = cranfield.simulation.simulate_runs(systems=2, topics=50)
    rankings = make_rankings(list(made.runs), made.qrels)
    return lambda: [attainable(parse_measures(name)[0], rankings) for name in ("RBP@10", "AP@10")]


CASES: dict[str, Callable[[], Callable[[], object]]] = {
    "rpp": rpp,
    "teams": teams,
    "flat": lambda: posterior("flat"),
    "shared": lambda: posterior("shared"),
    "scales": scales,
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
