"""Pairs of columns on draws of whole clusters: their t-tests, and discriminative power where topics are in clusters.

Shapes: n topics, C clusters; S_c is the sum of a column over a cluster of n_c topics. A cluster that is drawn k times
counts as k clusters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from cranfield._typing import Floats, Ints
from cranfield.statistics.bootstrap import PairedBootstrap
from cranfield.statistics.clustered_differences import ClusteredDifferences, ClusterSums
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.resampling import Samples, bootstrap_counts, in_batches, sign_flips
from cranfield.statistics.rounding import NOISE
from cranfield.threads import Each

CELLS = 1 << 21
"""Numbers of one working array."""
TIE = 1e-11
"""Statistics this close, relatively, are equal."""


class DrawnTests(NamedTuple):
    """The t-test of each pair on each draw.

    Args:
        mean: [draws, pairs].
        square: squared standard error, [draws, pairs].
        df: degrees of freedom, [draws].
    """

    mean: Floats
    square: Floats
    df: Floats


def t_of_draws(sums: ClusterSums, counts: Floats, left: Ints, right: Ints) -> DrawnTests:
    """Test pairs on draws of clusters, as ``clustered_t`` does on the clusters as they are.

    Args:
        sums: of the columns over clusters.
        counts: how often each cluster is drawn, [draws, C].
        left, right: columns of the pairs.
    """
    sizes, s = sums.sizes, sums.sums
    n = counts @ sizes
    mean = counts @ s / n[:, None]
    leverage = 1.0 / (1.0 - sizes / n[:, None])
    u = s - sizes[:, None] * mean[:, None, :]
    gram = (u * (counts * leverage)[:, :, None]).transpose(0, 2, 1) @ u / n[:, None, None] ** 2
    own = np.diagonal(gram, axis1=1, axis2=2)
    shared = gram.reshape(len(counts), -1).take(left * s.shape[1] + right, axis=1)
    square = np.maximum(own.take(left, axis=1) + own.take(right, axis=1) - 2.0 * shared, 0.0)
    terms = sizes**2 * leverage
    across = (counts * terms).sum(axis=1) ** 2 - (counts * terms**2).sum(axis=1)
    df = n**2 / (counts @ sizes**2 + across / n**2)
    return DrawnTests(mean.take(left, axis=1) - mean.take(right, axis=1), square, df)


def significant_cluster_shares(
    table: Floats, cluster: Ints, counts: Samples, alpha: float, weights: Floats | None = None
) -> Floats:
    """The share of pairs with p < alpha by t-tests on each draw of clusters, [draws].

    Args:
        table: [n, columns], without NaN.
        cluster: of each topic, [n].
        counts: how often each cluster is drawn.
        alpha: level.
        weights: of the topics, [n]; alike where None.
    """
    sums, pairs = ClusterSums.from_topics(table, cluster, weights), Contrasts.all_pairs(table.shape[1])
    slack = (NOISE * np.abs(table).max()) ** 2
    shares = []
    for _, block in counts.blocks():
        height = max(1, CELLS // max(sums.sums.size, len(pairs)))
        for start in range(0, len(block), height):
            tested = t_of_draws(sums, block[start : start + height], pairs.left, pairs.right)
            border = stdtrit(tested.df, 1.0 - alpha / 2.0)[:, None] ** 2
            shares.append((tested.mean**2 > np.maximum(border * tested.square, slack)).mean(axis=1))
    return np.concatenate(shares)


def bootstrap_of_clusters(
    table: Floats,
    cluster: Ints,
    resamples: int,
    rng: np.random.Generator,
    kth: int,
    batches: int,
    each: Each = map,
    weights: Floats | None = None,
) -> PairedBootstrap:
    """Achieved significance levels of all pairs, as ``paired_bootstrap``, where whole clusters are drawn.

    t_b = mean_b / se_b of the clusters drawn, se_b = sqrt(C / (C - 1) sum u^2) / n_b, and |t| has the same form.

    Args:
        table: [n, columns], without NaN.
        cluster: of each topic, [n].
        resamples: how many.
        rng: what draws.
        kth, batches: as in ``paired_bootstrap``.
        each: where pairs are looked at.
        weights: of the topics, [n]; alike where None.
    """
    differences = ClusteredDifferences(table, Contrasts.all_pairs(table.shape[1]), cluster, weights)
    counts = bootstrap_counts(differences.unit_count, resamples, rng)
    return _rank_statistics(_Bootstrapped(differences, counts), kth, batches, each, exact_share=True)


def flips_of_clusters(
    table: Floats,
    cluster: Ints,
    resamples: int,
    rng: np.random.Generator,
    alpha: float,
    batches: int,
    each: Each = map,
    weights: Floats | None = None,
) -> tuple[PairedBootstrap, bool]:
    """p of all pairs by flips of whole clusters, with the required differences; and whether all flips were made.

    Args:
        table, cluster, resamples, rng, batches, each, weights: as in ``bootstrap_of_clusters``.
        alpha: level; the flip whose |t| has the rank floor(alpha B) gives the required difference.
    """
    differences = ClusteredDifferences(table, Contrasts.all_pairs(table.shape[1]), cluster, weights)
    signs, exact = sign_flips(differences.unit_count, resamples, rng)
    kth = max(1, int(np.floor(len(signs) * alpha + 1e-9)))
    parts = 0 if exact else min(batches, kth)
    return _rank_statistics(_Flipped(differences, signs), kth, parts, each, exact_share=exact), exact


@dataclass(frozen=True)
class _ClusterSampleStatistics:
    """Statistics of pairs on samples of clusters."""

    differences: ClusteredDifferences
    samples: Samples

    def observe(self, left: Ints, right: Ints) -> Floats:
        """|t| of what was observed, infinite where it does not vary, [pairs]."""
        raise NotImplementedError

    def draw(self, left: Ints, right: Ints) -> tuple[Floats, Floats]:
        """|t| and |mean| of each sample, [pairs, samples]."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Bootstrapped(_ClusterSampleStatistics):
    def observe(self, left: Ints, right: Ints) -> Floats:
        sums, clusters = self.differences.sums, self.differences.unit_count
        mean = (sums.sums[:, left] - sums.sums[:, right]).sum(axis=0) / sums.sizes.sum()
        u = sums.residuals[:, left] - sums.residuals[:, right]
        return ratio(np.abs(mean), np.sqrt(clusters / (clusters - 1.0) * (u**2).sum(axis=0)) / sums.sizes.sum())

    def draw(self, left: Ints, right: Ints) -> tuple[Floats, Floats]:
        sums, clusters = self.differences.sums, self.differences.unit_count
        u = sums.residuals[:, left] - sums.residuals[:, right]
        columns = [u, u * sums.sizes[:, None], u**2]
        d, across, squares = (self.samples.sums(np.ascontiguousarray(column)).T for column in columns)
        n, sizes = self.samples.sums(np.column_stack([sums.sizes, sums.sizes**2])).T
        shift = d / n
        square = squares + shift * (shift * sizes - 2.0 * across)
        square = np.where(square <= NOISE * squares, 0.0, square)
        peak = np.abs(u).max(axis=0)[:, None]
        d = np.where(np.abs(d) <= NOISE * peak * clusters, 0.0, d)
        return ratio(np.abs(d), np.sqrt(clusters / (clusters - 1.0) * square)), np.abs(d) / n


@dataclass(frozen=True)
class _Flipped(_ClusterSampleStatistics):
    def observe(self, left: Ints, right: Ints) -> Floats:
        part = replace(self.differences, pairs=Contrasts(left, right))
        return np.abs(part.tested("t")[1].statistic)

    def draw(self, left: Ints, right: Ints) -> tuple[Floats, Floats]:
        sums = self.differences.sums
        z = sums.sums[:, left] - sums.sums[:, right]
        s = self.samples.sums(z).T
        w = self.samples.sums(z * (sums.sizes * sums.leverage)[:, None]).T
        error = sums.squared_errors(s, w, sums.squared_sums(left, right))
        return ratio(np.abs(s), np.sqrt(error)), np.abs(s) / sums.sizes.sum()


@dataclass(frozen=True)
class _RankedSamples:
    """p, and |mean| of the sample whose |t| has a rank, of all samples and of each part of them."""

    drawn: _ClusterSampleStatistics
    ranks: list[tuple[slice, int]]
    exact_share: bool

    def __call__(self, pairs: Contrasts) -> tuple[Floats, Floats]:
        differences, resamples = self.drawn.differences, len(self.drawn.samples)
        left, right = pairs.left, pairs.right
        block = replace(differences, pairs=pairs)
        moments, _ = block.tested("t")
        slack = pair_noise(differences.table, pairs)
        constant = block.standard_error(moments) == 0
        observed = self.drawn.observe(left, right)
        t, mean = self.drawn.draw(left, right)
        hits = (t >= (observed * (1.0 - TIE))[:, None]).sum(axis=1)
        p = share(hits, resamples, exact=self.exact_share)
        equal = constant & (np.abs(moments.mean) <= slack)
        if isinstance(self.drawn, _Bootstrapped):
            p, mean = np.where(constant, 0.0, p), np.where(constant[:, None], 0.0, mean)
        p = np.where(equal, 1.0, p)
        required = np.empty((len(self.ranks), len(left)))
        for number, (rows, rank) in enumerate(self.ranks):
            at = np.argsort(-t[:, rows], axis=1, kind="stable")[:, rank - 1]
            required[number] = mean[:, rows][np.arange(len(left)), at]
        return p, required


def _rank_statistics(
    drawn: _ClusterSampleStatistics, kth: int, batches: int, each: Each, *, exact_share: bool
) -> PairedBootstrap:
    """p and required differences of all pairs, some pairs at a time."""
    resamples = len(drawn.samples)
    ranks = [(slice(0, resamples), kth), *((rows, kth // batches) for rows in in_batches(resamples, batches))]
    work, pairs = _RankedSamples(drawn, ranks, exact_share), drawn.differences.pairs
    parts = list(each(work, pairs.pieces(max(1, CELLS // resamples))))
    p = np.concatenate([part for part, _ in parts])
    required = np.concatenate([part for _, part in parts], axis=1)
    return PairedBootstrap(p, required[0], required[1:])
