"""Differences of pairs of columns on topics in clusters: their tests, flips of clusters and draws of clusters.

Shapes: n topics, C clusters. S_c is the sum of a pair's differences over a cluster of n_c topics, h_c = n_c / n and
v_c = 1 / (1 - h_c). Each resample has its own standard error: a divisor by pair and resample goes with the sums.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.statistics.clustered_tests import cluster_df, cluster_means, cluster_sums
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import PairIntervals, compute_bca, compute_percentiles
from cranfield.statistics.max_t import Chunk, MaxT, count_samples
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.numeric import CELLS, product
from cranfield.statistics.paired_differences import (
    BootstrapResamples,
    PairedDifferences,
    PairedResamples,
    TableDifferences,
    max_t_without,
)
from cranfield.statistics.paired_tests import DifferenceMoments, Tested, ratio, t_tested, weighted_moments
from cranfield.statistics.resampling import Samples, bootstrap_counts, sign_flips
from cranfield.statistics.rounding import signs_p
from cranfield.statistics.test_names import Test
from cranfield.threads import Each


@dataclass(frozen=True)
class ClusterMeanDifferences(TableDifferences):
    """The differences of the means of clusters, each of which weighs the same.

    Args:
        topics: how many topics the clusters have.
    """

    topics: int

    @classmethod
    def from_topics(cls, table: Floats, pairs: Contrasts, cluster: Ints) -> ClusterMeanDifferences:
        """Average the topics of each cluster; ``table`` is complete, [n, columns]."""
        return cls(cluster_means(table, cluster), pairs, len(table))

    @property
    def row_count(self) -> int:
        """Count the topics."""
        return self.topics

    @property
    def cluster_count(self) -> int:
        """Count the clusters."""
        return len(self.table)


@dataclass(frozen=True)
class ClusteredDifferences(PairedDifferences):
    """The differences of topics in clusters, each topic of which weighs the same.

    Args:
        table: complete, [n, columns].
        pairs: its columns.
        cluster: the number of each topic's cluster, [n].
        weights: of the topics, above 0, [n]; alike where None. S_c is then the sum of weighted differences, and n_c
            that of weights.
    """

    table: Floats
    pairs: Contrasts
    cluster: Ints
    weights: Floats | None = None

    @property
    def row_count(self) -> int:
        """Count the topics."""
        return len(self.table)

    @property
    def cluster_count(self) -> int | None:
        """Count the clusters."""
        return self.unit_count

    @cached_property
    def sums(self) -> ClusterSums:
        """The sums over clusters."""
        return ClusterSums.from_topics(self.table, self.cluster, self.weights)

    @property
    def unit_count(self) -> int:
        """Count what is drawn: clusters, or topics that are none."""
        return len(self.sums.sizes)

    @property
    def total(self) -> float:
        """The weight of all topics, which is their number where they weigh alike."""
        return float(self.sums.sizes.sum())

    @property
    def df(self) -> float:
        """Bell and McCaffrey's degrees of freedom of the standard error."""
        return cluster_df(self.sums.sizes)

    def standard_error(self, moments: DifferenceMoments) -> Floats:
        """The standard error of the mean over topics (CR2), [pairs]."""
        squares = self.sums.squared_residuals(self.pairs, self.sums.leverage)
        error = np.sqrt(squares) / self.total
        slack = pair_noise(self.table, self.pairs)
        return np.where((moments.deviation == 0) | (error * np.sqrt(self.unit_count) <= slack), 0.0, error)

    def tested(self, test: Test) -> tuple[DifferenceMoments, Tested]:
        """Moments over topics, and the t-test by the standard error of clusters."""
        parts = [
            weighted_moments(block.differences(self.table), pair_noise(self.table, block), self.weights)
            for block in self.pairs.blocks(len(self.table))
        ]
        of_topics = DifferenceMoments(*map(np.concatenate, zip(*parts, strict=True)))
        df = np.full(len(self.pairs), self.df)
        return of_topics, t_tested(of_topics.mean, self.standard_error(of_topics), df, self.constant_p())

    def observed(self) -> Floats:
        """u = t^2 / (C - 1 + t^2) of each pair, 1 where t is infinite, [pairs]."""
        t2 = self.tested("t")[1].statistic ** 2
        u: Floats = np.divide(t2, self.unit_count - 1.0 + t2, out=np.ones(len(t2)), where=np.isfinite(t2))
        return u

    def flip_signs(self, resamples: int, rng: np.random.Generator, each: Each) -> PairedResamples:
        """Flip the signs of whole clusters; all flips where there are no more than resamples."""
        signs, exact = sign_flips(self.unit_count, resamples, rng)
        return _FlippedDifferences(self, signs, exact, each)

    def bootstrap(self, resamples: int, rng: np.random.Generator, each: Each) -> BootstrapResamples:
        """Draw whole clusters with replacement."""
        return _ClusterBootstrap(self, bootstrap_counts(self.unit_count, resamples, rng), each)

    def find_degenerate(self) -> NDArray[np.bool_]:
        """Return which pairs differ in fewer than half of the clusters, [pairs]; see ``find_degenerate`` of topics."""
        differing = []
        for block in self.pairs.blocks(len(self.table)):
            differs = np.abs(block.differences(self.table)) > pair_noise(self.table, block)
            differing.append((cluster_sums(differs.astype(float), self.cluster) > 0).sum(axis=0))
        few: NDArray[np.bool_] = 2 * np.concatenate(differing) < self.unit_count
        return few


@dataclass(frozen=True)
class WeightedDifferences(ClusteredDifferences):
    """The differences of topics that do not weigh alike, each by itself: clusters of one, whose size is the weight."""

    @property
    def cluster_count(self) -> None:
        """Count no clusters."""
        return None

    def constant_p(self) -> Floats:
        """As always, by the topics that have a weight."""
        return np.full(len(self.pairs), signs_p(np.array((self.sums.sizes > 0).sum())))


@dataclass(frozen=True)
class ClusterSums:
    """Sums of columns over clusters.

    Args:
        sums: of the columns minus the mean of each topic, [C, columns].
        sizes: topics of each cluster, [C].
    """

    sums: Floats
    sizes: Floats

    @classmethod
    def from_topics(cls, table: Floats, cluster: Ints, weights: Floats | None = None) -> ClusterSums:
        """Sum a complete table, [n, columns], weighted where there are weights."""
        sizes = np.bincount(cluster, weights).astype(float)
        centred = table - table.mean(axis=1, keepdims=True)
        return cls(cluster_sums(centred if weights is None else centred * weights[:, None], cluster), sizes)

    @property
    def leverage(self) -> Floats:
        """v_c = 1 / (1 - h_c), [C]; infinite of a cluster with all topics."""
        with np.errstate(divide="ignore"):
            leverage: Floats = 1.0 / (1.0 - self.sizes / self.sizes.sum())
        return leverage

    @cached_property
    def residuals(self) -> Floats:
        """U_c = S_c - n_c mean of the columns, [C, columns]."""
        residuals: Floats = self.sums - self.sizes[:, None] * (self.sums.sum(axis=0) / self.sizes.sum())
        return residuals

    def squared_residuals(self, pairs: Contrasts, weights: Floats) -> Floats:
        """The weighted sum of U_c^2 of each pair, [pairs]."""
        blocks = pairs.blocks(len(self.sizes))
        return np.concatenate(
            [(weights[:, None] * block.differences(self.residuals) ** 2).sum(axis=0) for block in blocks]
        )

    def squared_sums(self, left: Ints, right: Ints) -> Floats:
        """The sum of v_c S_c^2 of each pair, [pairs]."""
        squares: Floats = (self.leverage[:, None] * (self.sums[:, left] - self.sums[:, right]) ** 2).sum(axis=0)
        return squares

    def flipped(self) -> Floats:
        """Return what is summed in each flip for T^2 / (C - 1 + T^2) = q / (q + e) of pairs, [C, 2 columns].

        With s = sum e_c S_c, SS = sum v_c S_c^2 and K = sum v_c h_c^2: q = s^2 / ((C - 1) SS) and
        e = (n se)^2 / SS = 1 - s g / SS, g = sum e_c (2 h_c v_c - K) S_c, which is linear in S_c as s is.
        First S_c / sqrt(C - 1), then sqrt(C - 1) (2 h_c v_c - K) S_c, whose product is that of s and g.
        """
        share, root = self.sizes / self.sizes.sum(), np.sqrt(len(self.sizes) - 1.0)
        weights = 2.0 * share * self.leverage - (self.leverage * share**2).sum()
        return np.hstack([self.sums / root, self.sums * (root * weights)[:, None]])

    def squared_errors(self, s: Floats, w: Floats, squares: Floats) -> Floats:
        """(n se)^2 of flips, at least 0, [pairs, flips].

        Args:
            s: sum e_c S_c, [pairs, flips].
            w: sum e_c n_c v_c S_c, [pairs, flips].
            squares: of ``squared_sums``, [pairs].
        """
        mean, shared = s / self.sizes.sum(), float((self.leverage * self.sizes**2).sum())
        # Of a flip without spread rounding alone is left, which must not be told from 0.
        error = squares[:, None] - 2.0 * mean * w + mean**2 * shared
        return np.where(error <= 1e-14 * squares[:, None], 0.0, error)


@dataclass(frozen=True)
class _FlippedDifferences(PairedResamples):
    differences: ClusteredDifferences
    signs: Samples
    exact: bool
    each: Each

    def p(self) -> Floats:
        p: Floats = share(self.max_t().raw, len(self.signs), exact=self.exact)
        return p

    def max_t(self) -> MaxT:
        """T of each flip is computed anew, with the standard error of its own."""
        tested, sums, pairs = self.differences, self.differences.sums, self.differences.pairs
        columns = sums.sums.shape[1]
        squares = np.concatenate([sums.squared_sums(part.left, part.right) for part in pairs.blocks(len(sums.sums))])
        varies = squares > pair_noise(tested.table, pairs) ** 2
        scale = np.divide(1.0, squares, out=np.zeros(len(pairs)), where=varies)

        block = partial(_count_flips, pairs, columns, scale)
        return count_samples(sums.flipped(), self.signs, tested.observed(), block, self.each)


def _count_flips(
    pairs: Contrasts, columns: int, scale: Floats, pair_block: Ints, chunk: Chunk, levels: Floats, largest: Floats
) -> Reached:
    left, right = pairs.left[pair_block], pairs.right[pair_block]
    summed, across = chunk.sums[:columns], chunk.sums[columns:]
    return engine.current().count_reached(summed, left, right, False, scale[pair_block], None, across, levels, largest)


@dataclass(frozen=True)
class _ClusterBootstrap(BootstrapResamples):
    """t* = (mean* - mean) / se*, se* = sqrt(C / (C - 1) sum u*_c^2) / n*, u*_c = S_c - n_c mean* of the clusters drawn.

    What is observed is divided by the same form of error, not by CR2, so that like is compared with like.
    """

    differences: ClusteredDifferences
    counts: Samples
    each: Each

    def standard_error(self, error: Floats) -> Floats:
        """The standard error of the form that each resample has, [pairs]; 0 where ``error`` is."""
        tested, count = self.differences, self.differences.unit_count
        squares = tested.sums.squared_residuals(tested.pairs, np.full(count, count / (count - 1.0)))
        return np.where(error > 0, np.sqrt(squares) / tested.total, 0.0)

    def p(self) -> Floats:
        p: Floats = share(self._count(self.differences.pairs).raw, len(self.counts), exact=False)
        return p

    def max_t(self) -> MaxT:
        pairs = self.differences.pairs

        def family(subset: NDArray[np.bool_]) -> MaxT:
            return self._count(Contrasts(pairs.left[subset], pairs.right[subset]))

        return max_t_without(self.differences.find_degenerate(), family, len(self.counts))

    def _count(self, pairs: Contrasts) -> MaxT:
        """Count resamples, by D = sum k_c U_c and (n* se*)^2 = C / (C - 1) sum k_c (U_c - n_c D / n*)^2."""
        tested = replace(self.differences, pairs=pairs)
        sums, clusters = tested.sums, tested.unit_count
        of_topics = tested.tested("t")[0]
        error = _ClusterBootstrap(tested, self.counts, self.each).standard_error(tested.standard_error(of_topics))
        t2 = ratio(of_topics.mean, error) ** 2
        u = np.divide(t2, clusters - 1.0 + t2, out=np.ones(len(t2)), where=np.isfinite(t2))
        residuals, constant = sums.residuals, error == 0
        summed = np.hstack([residuals, residuals * sums.sizes[:, None], sums.sizes[:, None], sums.sizes[:, None] ** 2])

        block = partial(_count_draws, pairs, residuals, clusters, constant)
        return count_samples(summed, self.counts, u, block, self.each)

    def interval(self, kind: str, level: float) -> PairIntervals:
        """Intervals of the means of clusters drawn, S* / n*."""
        tested, sums = self.differences, self.differences.sums
        drawn = self.counts.sums(sums.sizes[:, None])
        means = self.counts.sums(sums.sums) / drawn
        observed = tested.tested("t")[0].mean
        low, high = np.empty((2, len(tested.pairs)))
        width = max(1, CELLS // len(means))
        for start in range(0, len(low), width):
            part = slice(start, start + width)
            left, right = tested.pairs.left[part], tested.pairs.right[part]
            z = means[:, left] - means[:, right]
            if kind == "percentile":
                low[part], high[part] = compute_percentiles(z, level)
                continue
            w = sums.residuals[:, left] - sums.residuals[:, right]
            moments_of_w = (w**2).sum(axis=0), (w**3).sum(axis=0)
            low[part], high[part] = compute_bca(np.sort(z, axis=0), observed[part], *moments_of_w, level)
        return PairIntervals(low, high)


def _count_draws(
    pairs: Contrasts,
    residuals: Floats,
    clusters: int,
    constant: NDArray[np.bool_],
    pair_block: Ints,
    chunk: Chunk,
    levels: Floats,
    largest: Floats,
) -> Reached:
    left, right = pairs.left[pair_block], pairs.right[pair_block]
    columns = residuals.shape[1]
    d = chunk.sums[left] - chunk.sums[right]
    shift = d / chunk.sums[2 * columns]
    squares = product(((residuals[:, left] - residuals[:, right]) ** 2).T, chunk.weights)
    across = chunk.sums[columns + left] - chunk.sums[columns + right]
    squares += shift * (shift * chunk.sums[2 * columns + 1] - 2.0 * across)
    divisor = d**2 + clusters * np.maximum(squares, 0.0)
    divisor[constant[pair_block][:, None] | (divisor == 0)] = np.inf
    return engine.current().count_reached(
        chunk.sums, left, right, False, np.ones(len(pair_block)), divisor, None, levels, largest
    )
