"""Simulated topics in clusters, without any true difference: how often tests err, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.statistics.clustered_differences import ClusteredDifferences
from cranfield.statistics.clustered_tests import clustered_t
from cranfield.statistics.contrasts import Contrasts

SAMPLES = 2000
MOST = 0.065
"""Errors at .05 that two standard errors of the simulation allow, and the test's own slack."""
pytestmark = pytest.mark.heavy


def sizes_of(clusters: int, *, equal: bool) -> np.ndarray:
    """Topics of each cluster, 10 on average: the same, or in proportion to rank^-.9."""
    if equal:
        return np.full(clusters, 10)
    shares = np.arange(1, clusters + 1) ** -0.9
    return np.maximum(1, np.round(10 * clusters * shares / shares.sum())).astype(int)


def differences(rng: np.random.Generator, cluster: np.ndarray, correlation: float, systems: int) -> np.ndarray:
    """Scores whose interaction with systems has this correlation inside clusters, [topics, systems]."""
    of_clusters = rng.normal(0, np.sqrt(correlation), (cluster.max() + 1, systems))
    return of_clusters[cluster] + rng.normal(0, np.sqrt(1 - correlation), (len(cluster), systems))


@pytest.mark.parametrize("correlation", [0, 0.2, 0.5])
@pytest.mark.parametrize("clusters", [20, 60])
def test_pairs_of_equal_systems_seldom_differ(clusters: int, correlation: float) -> None:
    """t of clusters of equal sizes, for which it is exact; flips of any sizes."""
    rng = np.random.default_rng(1)
    equal = np.repeat(np.arange(clusters), sizes_of(clusters, equal=True))
    z = np.column_stack([differences(rng, equal, correlation, 1)[:, 0] for _ in range(SAMPLES)])
    assert (clustered_t(z, equal).p < 0.05).mean() < MOST
    for cluster in (equal, np.repeat(np.arange(clusters), sizes_of(clusters, equal=False))):
        z = np.column_stack([differences(rng, cluster, correlation, 1)[:, 0] for _ in range(SAMPLES)])
        against_nothing = Contrasts(np.arange(SAMPLES), np.full(SAMPLES, SAMPLES))
        tested = ClusteredDifferences(np.column_stack([z, np.zeros(len(z))]), against_nothing, cluster)
        assert (tested.flip_signs(999, rng, map).p() < 0.05).mean() < MOST


@pytest.mark.parametrize("correlation", [0, 0.2, 0.5])
@pytest.mark.parametrize("clusters", [20, 60])
@pytest.mark.parametrize("equal", [True, False])
def test_families_of_equal_systems_seldom_err_and_intervals_cover(
    clusters: int, correlation: float, *, equal: bool
) -> None:
    """Ten systems that do not differ: some pair is significant where an interval misses 0."""
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(clusters), sizes_of(clusters, equal=equal))
    pairs, missed, samples = Contrasts.all_pairs(10), 0, SAMPLES
    for _ in range(samples):
        tested = ClusteredDifferences(differences(rng, cluster, correlation, 10), pairs, cluster)
        t, critical = tested.tested("t")[1].statistic, tested.flip_signs(499, rng, map).max_t().critical(24)
        missed += bool((np.abs(t) > critical).any())
    assert missed / samples < MOST
    assert 1 - missed / samples > 0.93
