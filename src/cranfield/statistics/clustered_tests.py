"""Paired tests of topics in clusters: CR2 with degrees of freedom of Bell and McCaffrey, and flips of whole clusters.

Shapes: n topics, C clusters, P pairs; ``z`` [n, P] are differences, ``cluster`` [n] the number of each topic's cluster.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.paired_tests import ratio, t_tested
from cranfield.statistics.resampling import sign_flips
from cranfield.statistics.rounding import cleared, signs_p

FEW_DF = 4.0
"""Degrees of freedom below which a t-test depends on the form of the distribution."""


class ClusteredT(NamedTuple):
    """The paired t of topics in clusters, [P] each."""

    mean: Floats
    error: Floats
    df: Floats
    statistic: Floats
    p: Floats


def cluster_means(values: Floats, cluster: Ints) -> Floats:
    """The mean of the topics of each cluster, [C, ...]."""
    sizes = np.bincount(cluster).astype(float)
    return np.asarray(cluster_sums(values, cluster) / sizes.reshape(-1, *[1] * (values.ndim - 1)))


def cluster_sums(values: Floats, cluster: Ints) -> Floats:
    """The sum over the topics of each cluster, [C, ...]."""
    sums = np.zeros((int(cluster.max()) + 1, *values.shape[1:]))
    np.add.at(sums, cluster, values)
    return sums


def cluster_df(sizes: Floats) -> float:
    """Degrees of freedom of the mean over topics of clusters of these sizes, independent topics as working model.

    df = n^2 / [sum n_c^2 + sum over c != k of n_c^2 n_k^2 / (n^2 (1 - h_c) (1 - h_k))], h_c = n_c / n.

    References:
        Bell & McCaffrey 2002, Bias reduction in standard errors for linear regression with multi-stage samples.
        Pustejovsky & Tipton 2018. doi:10.1080/07350015.2016.1247004
    """
    n = sizes.sum()
    terms = sizes**2 / (1.0 - sizes / n)
    across = terms.sum() ** 2 - (terms**2).sum()
    return float(n**2 / ((sizes**2).sum() + across / n**2))


def clustered_t(z: Floats, cluster: Ints) -> ClusteredT:
    """t of the mean over topics, whose error is that of clusters (CR2); complete differences.

    se^2 = sum u_c^2 / (1 - h_c) / n^2, u_c = S_c - n_c mean, S_c the sum over a cluster. Equal sizes: the paired t of
    cluster means.
    """
    sizes = np.bincount(cluster).astype(float)
    n, mean = sizes.sum(), z.mean(axis=0)
    u = cluster_sums(z, cluster) - sizes[:, None] * mean
    error = np.sqrt((u**2 / (1.0 - sizes / n)[:, None]).sum(axis=0)) / n
    # Of differences that are the same in every cluster rounding alone is left.
    error = cleared(error, np.abs(z).max(axis=0))
    df = np.full(len(mean), cluster_df(sizes))
    return ClusteredT(mean, error, df, *t_tested(mean, error, df, signs_p(np.full(len(mean), len(sizes)))))


class ClusterFlips(NamedTuple):
    """Statistics of sign flips of whole clusters.

    Args:
        observed: [P].
        drawn: |t| of each flip, [P, flips].
        exact: whether all flips were made.
    """

    observed: Floats
    drawn: Floats
    exact: bool


def flip_clusters(z: Floats, cluster: Ints, resamples: int, rng: np.random.Generator) -> ClusterFlips:
    """t of the mean over topics, and |t| where the signs of whole clusters are flipped, the same for all pairs.

    With v_c = 1 / (1 - h_c), s = sum e_c S_c and w = sum e_c n_c v_c S_c:
    T = s / sqrt(sum v_c S_c^2 - 2 (s / n) w + (s / n)^2 sum v_c n_c^2).

    Args:
        z: complete differences, [n, P].
        cluster: of each topic, [n].
        resamples: flips; all 2^(C - 1) where these are no more.
        rng: what draws.
    """
    sizes = np.bincount(cluster).astype(float)
    n = sizes.sum()
    v = 1.0 / (1.0 - sizes / n)
    sums = cluster_sums(z, cluster)
    samples, exact = sign_flips(len(sizes), resamples, rng)
    s = samples.sums(sums).T
    w = samples.sums(sums * (sizes * v)[:, None]).T
    own, shared = (v[:, None] * sums**2).sum(axis=0)[:, None], float((v * sizes**2).sum())
    drawn = ratio(np.abs(s), np.sqrt(np.maximum(own - 2.0 * (s / n) * w + (s / n) ** 2 * shared, 0.0)))
    return ClusterFlips(clustered_t(z, cluster).statistic, drawn, exact)


class Components(NamedTuple):
    """Variance components of systems on topics in clusters; raw values, which may be below 0."""

    systems: float
    clusters: float
    topics: float
    systems_clusters: float
    residual: float


def cluster_components(scores: Floats, cluster: Ints) -> tuple[Components, dict[str, float]]:
    """Components of systems s, clusters c, topics in clusters q:c, s x c and the rest, unbiased for any sizes.

    Args:
        scores: complete, [n, systems].
        cluster: of each topic, [n].

    Returns:
        The components; and the mean squares MSs, MSc, MSq, MSsc, MSe with the sizes n0 and n2.

    References:
        Searle, Casella & McCulloch 1992, Variance Components.
    """
    n, m = scores.shape
    sizes = np.bincount(cluster).astype(float)
    count = len(sizes)
    a = scores.mean(axis=1)
    e = scores - a[:, None]
    a_c, e_c = cluster_means(a, cluster), cluster_means(e, cluster)
    overall, e_s = a.mean(), e.mean(axis=0)
    ms_c = m * float((sizes * (a_c - overall) ** 2).sum()) / (count - 1)
    ms_q = m * float(((a - a_c[cluster]) ** 2).sum()) / (n - count)
    ms_s = n * float((e_s**2).sum()) / (m - 1)
    ms_sc = float((sizes[:, None] * (e_c - e_s) ** 2).sum()) / ((count - 1) * (m - 1))
    ms_e = float(((e - e_c[cluster]) ** 2).sum()) / ((n - count) * (m - 1))
    n2 = float((sizes**2).sum()) / n
    n0 = (n - n2) / (count - 1)
    facts = {"MSs": ms_s, "MSc": ms_c, "MSq": ms_q, "MSsc": ms_sc, "MSe": ms_e, "n0": n0, "n2": n2}
    return _solve_components(n, m, *facts.values()), facts


def _solve_components(
    n: int, m: int, ms_s: float, ms_c: float, ms_q: float, ms_sc: float, ms_e: float, n0: float, n2: float
) -> Components:
    """The components whose mean squares over n topics and m systems are expected to be these."""
    v_sc = (ms_sc - ms_e) / n0
    v_s = (ms_s - ms_e - n2 * v_sc) / n
    return Components(v_s, (ms_c - ms_q - ms_sc + ms_e) / (m * n0), (ms_q - ms_e) / m, v_sc, ms_e)


def resample_components(
    scores: Floats, cluster: Ints, resamples: int, rng: np.random.Generator, *, systems: bool
) -> Floats:
    """Components where whole clusters are drawn with replacement, and ``systems`` too, [resamples, components].

    A cluster that is drawn twice counts as two. NaN where every cluster drawn has one topic.

    Args:
        scores: complete, [n, systems].
        cluster: of each topic, [n].
        resamples: how many.
        rng: what draws.
        systems: whether these are drawn too.
    """
    sizes = np.bincount(cluster)
    members = np.split(np.argsort(cluster, kind="stable"), np.cumsum(sizes)[:-1])
    drawn = np.full((resamples, 5), np.nan)
    columns: Ints = np.arange(scores.shape[1])
    for resample in range(resamples):
        chosen: Ints = rng.integers(0, len(sizes), len(sizes))
        if systems:
            columns = rng.integers(0, scores.shape[1], (scores.shape[1],))
        if sizes[chosen].max() > 1:
            rows = np.concatenate([members[at] for at in chosen.tolist()])
            numbers = np.repeat(np.arange(len(chosen)), sizes[chosen])
            drawn[resample] = _correct_components(scores[np.ix_(rows, columns)], numbers, systems=systems)
    return drawn


def _correct_components(scores: Floats, cluster: Ints, *, systems: bool) -> Components:
    """Components of a resample, corrected for repeated draws.

    Mean squares between C drawn clusters are expected to be (C - 1) / C of those observed; the mean square of systems
    holds the variance of their means over draws too. Where systems are drawn, mean squares of their differences are
    (m - 1) / m of those observed, and those of means over systems hold the variance of these.
    """
    m, sizes = scores.shape[1], np.bincount(cluster).astype(float)
    count, n = len(sizes), len(scores)
    facts = cluster_components(scores, cluster)[1]
    deviations = scores - scores.mean(axis=1, keepdims=True)
    e_c, e_s = cluster_means(deviations, cluster), deviations.mean(axis=0)
    between, of_systems = count / (count - 1.0), m / (m - 1.0) if systems else 1.0
    extra = between * float(((sizes**2)[:, None] * (e_c - e_s) ** 2).sum()) / (n * (m - 1))
    ms_e, ms_sc = facts["MSe"] * of_systems, facts["MSsc"] * of_systems * between
    ms_s = (facts["MSs"] - extra) * of_systems
    ms_q = facts["MSq"] - (facts["MSe"] if systems else 0.0)
    ms_c = (facts["MSc"] - (facts["MSsc"] if systems else 0.0)) * between
    return _solve_components(n, m, ms_s, ms_c, ms_q, ms_sc, ms_e, facts["n0"], facts["n2"])
