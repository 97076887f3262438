"""How often do tests of topics in clusters, and of systems with several runs, err? On simulated equal systems.

    python reproductions/nested/reproduce.py

writes ``tables.md`` beside this file; README.md says what follows. ``--samples`` makes more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import ttest_1samp, ttest_ind

from cranfield.statistics.clustered_differences import ClusteredDifferences
from cranfield.statistics.clustered_tests import cluster_means, cluster_sums, clustered_t
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.monte_carlo import most_hits
from cranfield.statistics.paired_differences import TableDifferences
from cranfield.statistics.replicated_tests import ReplicatedDifferences, run_spread

HERE = Path(__file__).parent
CORRELATIONS = (0.0, 0.2, 0.5)
DESIGNS = ((8, True), (8, False), (20, False), (60, False))
"""Clusters, and whether they are of equal sizes."""
ALPHA, FLIPS, SEED = 0.05, 499, 20261126

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def draw_clusters(clusters: int, *, equal: bool) -> Ints:
    """The cluster of each topic, 10 topics in each on average: all of one size, or in proportion to rank^-.9."""
    shares = np.arange(1, clusters + 1) ** -0.9
    unequal = np.maximum(1, np.round(10 * clusters * shares / shares.sum())).astype(int)
    return np.repeat(np.arange(clusters), 10 if equal else unequal)


def draw_differences(rng: np.random.Generator, cluster: Ints, correlation: float, columns: int) -> Floats:
    """Draw columns that are alike inside clusters by this correlation, [topics, columns]."""
    shared = rng.normal(0, np.sqrt(correlation), (int(cluster.max()) + 1, columns))
    return np.asarray(shared[cluster] + rng.normal(0, np.sqrt(1 - correlation), (len(cluster), columns)))


def p_by_normal_quantiles(z: Floats, cluster: Ints) -> Floats:
    """p of errors by cluster without any correction."""
    sizes = np.bincount(cluster)
    u = cluster_sums(z, cluster) - sizes[:, None] * z.mean(axis=0)
    return np.asarray(2 * ndtr(-np.abs(z.mean(axis=0)) * len(z) / np.sqrt((u**2).sum(axis=0))))


def p_by_flips(z: Floats, cluster: Ints) -> Floats:
    """p of flips of clusters, of each column against one of zeros."""
    columns = z.shape[1]
    pairs = Contrasts(np.arange(columns), np.full(columns, columns))
    tested = ClusteredDifferences(np.column_stack([z, np.zeros(len(z))]), pairs, cluster)
    return tested.flip_signs(FLIPS, np.random.default_rng(SEED), map).p()


def p_by_runs(left: Floats, right: Floats) -> float:
    """p of the difference of two systems with several runs each."""
    pair = Contrasts.all_pairs(2)
    means = TableDifferences(np.column_stack([left.mean(axis=1), right.mean(axis=1)]), pair)
    return float(ReplicatedDifferences(means, run_spread([left, right]), pair).tested("t")[1].p[0])


TESTS: dict[str, Callable[[Floats, Ints], Floats]] = {
    "topics as exchangeable, t": lambda z, cluster: np.asarray(ttest_1samp(z, 0).pvalue),
    "errors by cluster, normal quantiles": p_by_normal_quantiles,
    "**CR2, Bell-McCaffrey df**": lambda z, cluster: clustered_t(z, cluster).p,
    "**flips of clusters**": p_by_flips,
    "t of cluster means": lambda z, cluster: np.asarray(ttest_1samp(cluster_means(z, cluster), 0).pvalue),
}
"""Name -> p of each column."""


def measure_pairs(samples: int) -> dict[str, list[str]]:
    """Test -> the share of pairs with p < .05 in each design, by correlation."""
    rows: dict[str, list[str]] = {name: [] for name in TESTS}
    for clusters, equal in DESIGNS:
        cluster, rng = draw_clusters(clusters, equal=equal), np.random.default_rng([SEED, clusters, equal])
        drawn = [draw_differences(rng, cluster, correlation, samples) for correlation in CORRELATIONS]
        for name, test in TESTS.items():
            rows[name].append("/".join(f"{(test(z, cluster) < ALPHA).mean():.3f}" for z in drawn))
    return rows


def measure_families(samples: int, clusters: int, *, equal: bool) -> tuple[float, float]:
    """The share of families of 10 equal systems in which max-T errs, and of those whose intervals hold together."""
    cluster, rng = draw_clusters(clusters, equal=equal), np.random.default_rng([SEED, clusters, equal, 1])
    pairs, wrong = Contrasts.all_pairs(10), 0
    for _ in range(samples):
        tested = ClusteredDifferences(draw_differences(rng, cluster, 0.2, 10), pairs, cluster)
        flips = tested.flip_signs(FLIPS, rng, map)
        count = 1 << clusters - 1 if flips.exact else FLIPS
        critical = flips.max_t().critical(most_hits(ALPHA, count, exact=flips.exact))
        wrong += bool((np.abs(tested.tested("t")[1].statistic) > critical).any())
    return wrong / samples, 1 - wrong / samples


def measure_seeds(samples: int, topics: int, variance: float, runs: int = 5) -> list[float]:
    """The shares of p < .05: by topics and runs, by means of runs as if one, one run each, best runs, runs alone."""
    rng, wrong = np.random.default_rng([SEED, topics, int(100 * variance)]), np.zeros(5)
    for _ in range(samples):
        left, right = (
            rng.normal(0, np.sqrt(0.3), (topics, 1))
            + rng.normal(0, np.sqrt(variance), runs)
            + rng.normal(0, 0.3, (topics, runs))
            for _ in range(2)
        )
        best = [side[:, side.mean(axis=0).argmax()] for side in (left, right)]
        p = (
            p_by_runs(left, right),
            ttest_1samp(left.mean(axis=1) - right.mean(axis=1), 0).pvalue,
            ttest_1samp(left[:, 0] - right[:, 0], 0).pvalue,
            ttest_1samp(best[0] - best[1], 0).pvalue,
            ttest_ind(left.mean(axis=0), right.mean(axis=0), equal_var=False).pvalue,
        )
        wrong += np.array(p) < ALPHA
    return (wrong / samples).tolist()


def tables(samples: int) -> Iterator[str]:
    """All tables, in Markdown."""
    yield f"## Pairs of equal systems: error where .05 is meant, correlation 0/.2/.5 ({samples:,} samples)\n"
    yield "| | " + " | ".join(f"{count} {'equal' if equal else 'unequal'}" for count, equal in DESIGNS) + " |"
    yield "| --- " * (len(DESIGNS) + 1) + "|"
    for name, cells in measure_pairs(samples).items():
        yield f"| {name} | " + " | ".join(cells) + " |"
    families = samples // 4
    yield f"\n## Ten equal systems, max-T of flips, correlation .2 ({families:,} samples)\n"
    yield "| clusters | error of the family | intervals hold together |\n| --- | --- | --- |"
    for clusters in (20, 60):
        for equal in (True, False):
            wrong, held = measure_families(families, clusters, equal=equal)
            yield f"| {clusters} {'equal' if equal else 'unequal'} | {wrong:.3f} | {held:.3f} |"
    yield f"\n## Equal systems of five runs: error where .05 is meant ({samples // 2:,} samples)\n"
    yield "| topics | variance of runs | topics and runs | run means by topics | one run | best run | runs alone |"
    yield "| --- " * 7 + "|"
    for topics in (25, 50, 200):
        for variance in (0.0, 0.01, 0.05):
            cells = " | ".join(f"{share:.3f}" for share in measure_seeds(samples // 2, topics, variance))
            yield f"| {topics} | {variance:g} | {cells} |"


@click.command()
@click.option("--samples", default=2000, help="Samples of each design; fewer of families and runs.")
def main(samples: int) -> None:
    """Write the tables."""
    (HERE / "tables.md").write_text("\n".join(tables(samples)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
