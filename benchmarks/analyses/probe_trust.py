"""One test of many pairs, timed inside this process.

`python benchmarks/analyses/probe_trust.py CASE` prints seconds, and the peak of memory in MiB, as JSON.

Seconds are of the call alone, on scores that are in memory, after one call on a smaller matrix. A peer that would take
minutes is timed on some of the pairs; its cost for all pairs is in proportion, and the output says how many it did.
Matrix products run on one thread, as under the command line.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import stats

from cranfield.statistics.bootstrap import paired_bootstrap
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.max_t import max_t_by_bootstrap, max_t_by_flips
from cranfield.statistics.resampling import bootstrap_counts, sign_flips
from cranfield.statistics.simultaneous import null_ranges, randomized_tukey

RESAMPLES = {"bootstrap": 1000, "tukey": 10_000}


def scores(systems: int, topics: int) -> np.ndarray:
    """Topics in rows."""
    return np.random.default_rng(1).beta(1.0, 2.0, size=(topics, systems))


def bootstrap(systems: int, topics: int) -> int:
    table, pairs = scores(systems, topics), Contrasts.all_pairs(systems)
    paired_bootstrap(table, bootstrap_counts(topics, RESAMPLES["bootstrap"], np.random.default_rng(1)), pairs)
    return len(pairs)


def tukey(systems: int, topics: int) -> int:
    table, pairs = scores(systems, topics), Contrasts.all_pairs(systems)
    randomized_tukey(table, null_ranges(table, RESAMPLES["tukey"], np.random.default_rng(1)), pairs)
    return len(pairs)


def max_t(systems: int, topics: int) -> int:
    """10,000 flips of few systems, 1,000 of many."""
    table, pairs = scores(systems, topics), Contrasts.all_pairs(systems)
    resamples = RESAMPLES["tukey"] if systems < 200 else RESAMPLES["bootstrap"]
    max_t_by_flips(table, sign_flips(topics, resamples, np.random.default_rng(1))[0], pairs)
    return len(pairs)


def max_t_bootstrap(systems: int, topics: int) -> int:
    table, pairs = scores(systems, topics), Contrasts.all_pairs(systems)
    counts = bootstrap_counts(topics, RESAMPLES["bootstrap"], np.random.default_rng(1))
    max_t_by_bootstrap(table, counts, pairs)
    return len(pairs)


def scipy_bootstrap(systems: int, topics: int) -> int:
    """`scipy.stats.bootstrap` of the studentised mean, pair by pair."""
    table, some = scores(systems, topics), 30
    for other in range(1, some + 1):
        z = table[:, 0] - table[:, other]
        w = z - z.mean()

        def studentised(sample: np.ndarray, axis: int) -> np.ndarray:
            return sample.mean(axis=axis) / sample.std(axis=axis, ddof=1)

        found = stats.bootstrap(
            (w,), studentised, n_resamples=RESAMPLES["bootstrap"], method="percentile", rng=np.random.default_rng(1)
        )
        np.mean(np.abs(found.bootstrap_distribution) >= abs(studentised(z, 0)))
    return some


def scipy_permutation(systems: int, topics: int) -> int:
    """`scipy.stats.permutation_test` of sign flips, pair by pair."""
    table, some = scores(systems, topics), 10
    for other in range(1, some + 1):
        z = table[:, 0] - table[:, other]
        stats.permutation_test(
            (z,), np.mean, permutation_type="samples", n_resamples=RESAMPLES["tukey"], vectorized=True, rng=1
        )
    return some


def ranx_compare(systems: int, topics: int) -> int:
    """`ranx.compare` of some systems by nDCG, Fisher's randomization test with 1,000 permutations."""
    import ranx

    some = 6
    rng = np.random.default_rng(1)
    names = [f"d{number}" for number in range(50)]
    qrels = {f"q{topic}": {name: int(rng.integers(0, 3)) for name in names} for topic in range(topics)}
    runs = [
        ranx.Run({topic: dict(zip(names, rng.random(50).tolist(), strict=True)) for topic in qrels}, name=f"s{number}")
        for number in range(some)
    ]
    ranx.compare(ranx.Qrels(qrels), runs, ["ndcg"], stat_test="fisher", n_permutations=1000)
    return some * (some - 1) // 2


CASES: dict[str, tuple[Callable[[int, int], int], int, int]] = {
    "bootstrap-129x50": (bootstrap, 129, 50),
    "bootstrap-500x250": (bootstrap, 500, 250),
    "tukey-129x50": (tukey, 129, 50),
    "max-t-129x50": (max_t, 129, 50),
    "max-t-500x250": (max_t, 500, 250),
    "max-t-bootstrap-500x250": (max_t_bootstrap, 500, 250),
    "scipy-bootstrap-129x50": (scipy_bootstrap, 129, 50),
    "scipy-permutation-129x50": (scipy_permutation, 129, 50),
    "ranx-129x50": (ranx_compare, 129, 50),
}


def main() -> None:
    run, systems, topics = CASES[sys.argv[1]]
    run(40, 10)
    wall, cpu = time.perf_counter(), time.process_time()
    done = run(systems, topics)
    seconds = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    seconds["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"pairs": systems * (systems - 1) // 2, "done": done, **seconds}))


if __name__ == "__main__":
    main()
