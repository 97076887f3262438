"""Confidence sets for the ranks of columns by their true means, from tests of all ordered pairs on shared samples.

t(jk) is the paired t of column j less column k. One-sided tests of ordered pairs are stepped down: (j, k) is rejected
where the largest t of a sample, over all ordered pairs whose t was no larger, seldom reaches t(jk). A rejected pair
leaves its reverse in the family, which protects the direction.

With s the sum of a pair's n differences and SS that of their squares, t rises with r = s / sqrt(n SS), in [-1, 1], as
sqrt(n - 1) r / sqrt(1 - r^2). Where every sample has a t of its own, r is compared in its place. Both are compared by
their squares, which have the sign of the difference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.memory import require
from cranfield.statistics.clustered_differences import ClusterSums
from cranfield.statistics.contrasts import Contrasts, every_pair, noise
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.resampling import Samples, bootstrap_counts, sign_flips
from cranfield.statistics.rounding import NOISE
from cranfield.threads import Each

RankProcedure = Literal["normal", "bootstrap", "flips"]

CELLS = 1 << 17
"""Numbers in one working array."""
FLIPS_A_CELL = 16
"""Flips of a contrast that count as one number of a working array."""
COLUMNS = 16
"""Columns of one task."""
TIE = 1e-9
"""Statistics this close, relatively, are equal: rounding must not decide whether >= holds."""
CONSTANT = 1e-12
"""Differences do not vary where 1 - r^2 is at most this."""


class Ranges(NamedTuple):
    """Best and worst rank of each column, 1 being the best, [columns]."""

    low: Ints
    high: Ints


@dataclass(frozen=True)
class RankSets:
    """Ranks that the tests do not exclude for each column.

    Args:
        simultaneous: hold for all columns together.
        marginal: hold for a column that was chosen beforehand; None where they were not asked for.
        above: [j, k]: the mean of j is above that of k, by the simultaneous tests.
    """

    simultaneous: Ranges
    marginal: Ranges | None
    above: NDArray[np.bool_]

    def among_best(self, count: int) -> NDArray[np.bool_]:
        """Columns that may be among the ``count`` with the largest means: all who are, together, with coverage.

        The one-sided lower bounds of all columns test the same ordered pairs as the two-sided sets.
        """
        candidates: NDArray[np.bool_] = self.simultaneous.low <= count
        return candidates


def rank_sets(
    table: Floats,
    alpha: float,
    *,
    method: RankProcedure,
    resamples: int,
    rng: np.random.Generator,
    stepdown: bool = True,
    marginal: bool = True,
    each: Each = map,
    cluster: Ints | None = None,
) -> RankSets:
    """Confidence sets of the ranks of columns by their means, larger ones being better.

    - ``normal``: means are normal with the covariance that the rows have.
    - ``bootstrap``: rows are drawn with replacement, about the means observed.
    - ``flips``: the signs of all differences of a row are flipped together, which is exact where differences are
      symmetric; all 2^n flips where half of them are no more than ``resamples``.

    low = 1 + #{k : (k, j) rejected}, high = columns - #{k : (j, k) rejected}; p of a test is (hits + 1) / (resamples +
    1), the share of hits where all flips were drawn, and a test rejects where p <= alpha.

    Args:
        table: [n, columns], without NaN; at least 2 x 2.
        alpha: 1 - coverage.
        method: which null distribution.
        resamples: samples of it.
        rng: what draws.
        stepdown: whether to test again without the pairs that were rejected, until none is.
        marginal: whether to look at each column by itself as well, which takes two thirds of the time.
        each: where some of the columns are looked at by themselves; the same bits anywhere.
        cluster: the number of each row's cluster, of which the signs are flipped together, for ``flips`` alone, [n];
            None where rows are by themselves.

    References:
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods
        and academic achievement across countries. doi:10.1093/restud/rdad006
        Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing.
        doi:10.1198/016214504000000539
    """
    null = _RowNull(table, method, resamples, rng) if cluster is None else _ClusterNull(table, cluster, resamples, rng)
    return _sets(null, table.mean(axis=0), alpha, stepdown=stepdown, marginal=marginal, each=each)


def compute_normal_rank_sets(
    means: Floats,
    covariance: Floats,
    alpha: float,
    *,
    resamples: int,
    rng: np.random.Generator,
    p: Floats,
    marginal: bool = True,
) -> RankSets:
    """Confidence sets of the ranks of normal means with a covariance that was estimated, larger means being better.

    As ``rank_sets`` by its method ``normal``; the statistic of a pair is the normal quantile of its own p, so that an
    error on few degrees of freedom counts as one.

    Args:
        means: [columns].
        covariance: of the means, [columns, columns].
        alpha: 1 - coverage.
        resamples: normal samples.
        rng: what draws.
        p: of each pair, two-sided, by itself; NaN where it has none, and is never separated, [columns, columns].
        marginal: whether to look at each column by itself as well.
    """
    null = _NormalNull(means, covariance, p, resamples, rng)
    return _sets(null, means, alpha, stepdown=True, marginal=marginal, each=map)


def flip_contrasts(
    parts: Floats, alpha: float, *, resamples: int, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Find the contrasts above 0 and those below, in one family: signs of whole rows are flipped.

    As ``rank_sets`` by its method ``flips``, for contrasts that are not differences of columns.

    Args:
        parts: of each row in the contrasts, which are their sums, [n, contrasts].
        alpha: 1 - coverage.
        resamples: flips; all 2^n where half of them are no more.
        rng: what draws.
    """
    null = _ContrastNull(parts, resamples, rng)
    contrasts, zero = np.arange(parts.shape[1]), np.full(parts.shape[1], parts.shape[1])
    is_positive = parts.sum(axis=0) > 0
    left, right = np.where(is_positive, contrasts, zero), np.where(is_positive, zero, contrasts)
    rejected = _rejected(null, left, right, alpha, stepdown=True)
    return rejected & is_positive, rejected & ~is_positive


def _sets(
    null: _NullDistribution,
    means: Floats,
    alpha: float,
    *,
    stepdown: bool,
    marginal: bool,
    each: Each,
) -> RankSets:
    columns = len(means)
    best_first = np.argsort(-means, kind="stable")
    left_rank, right_rank = every_pair(columns)
    left, right = best_first[left_rank], best_first[right_rank]
    above = np.zeros((columns, columns), dtype=bool)
    above[left, right] = _rejected(null, left, right, alpha, stepdown=stepdown)
    together = Ranges(1 + above.sum(axis=0), columns - above.sum(axis=1))
    if not marginal:
        return RankSets(together, None, above)
    work = _ByItself(null, left, right, alpha, stepdown)
    chunks = (range(start, min(columns, start + COLUMNS)) for start in range(0, columns, COLUMNS))
    return RankSets(together, Ranges(*np.concatenate(list(each(work, chunks)), axis=1)), above)


@dataclass(frozen=True)
class _ByItself:
    """Best and worst rank of some columns, each by tests of it and the others alone, [2, columns]."""

    null: _NullDistribution
    left: Ints
    right: Ints
    alpha: float
    stepdown: bool

    def __call__(self, chunk: range) -> Ints:
        columns, ranks = len(self.null.sums), []
        for column in chunk:
            own = (self.left == column) | (self.right == column)
            left, right = self.left[own], self.right[own]
            rejected = _rejected(self.null, left, right, self.alpha, stepdown=self.stepdown)
            ranks.append((1 + rejected[right == column].sum(), columns - rejected[left == column].sum()))
        return np.array(ranks, dtype=np.int64).T


class _NullDistribution(ABC):
    """The statistic of pairs of columns, observed and in every sample of the null distribution.

    Statistics are squares that have the sign of the difference.

    Args:
        table: what differences are computed from, [rows, columns].
        sums: of each column in each sample, [columns, samples].
        across: other sums of the same shape, see ``Engine.count_reached``; None where they are not used.
        exact: whether all samples are drawn that there are.
        divides: whether each sample has a divisor of its own.
    """

    table: Floats
    sums: Floats
    across: Floats | None = None
    exact = False
    divides = False

    def __len__(self) -> int:
        return len(self.sums[0])

    @property
    def pair_cells(self) -> int:
        """Numbers that each pair of a block has in a working array."""
        return len(self) if self.divides else len(self.table)

    def pick(self, left: Ints, right: Ints) -> tuple[Floats, Ints, Ints]:
        """Sums in each sample, and which of them are those of the columns of these pairs."""
        return self.sums, left, right

    @abstractmethod
    def observed(self, left: Ints, right: Ints) -> Floats:
        """The statistic of each pair, [pairs]."""

    @abstractmethod
    def scaled(self, left: Ints, right: Ints) -> tuple[Floats, Floats | None]:
        """Factor, [pairs], and divisor, [pairs, samples], that turn a squared difference of sums into a statistic."""


def _require_samples(resamples: int, columns: int, arrays: int = 3) -> None:
    """Raises: InputError: this many arrays of all samples would not fit into the memory allowed."""
    require(arrays * 8 * resamples * columns, f"{resamples:,} samples of {columns:,} systems", "draw fewer samples")


class _RowNull(_NullDistribution):
    """Rows that are by themselves."""

    def __init__(self, table: Floats, method: RankProcedure, resamples: int, rng: np.random.Generator) -> None:
        n, columns = table.shape
        _require_samples(resamples, columns)
        self.table = table - table.mean(axis=1, keepdims=True)
        self.slack, self.method, self.divides = noise(table), method, method == "bootstrap"
        self.centred = self.table - self.table.mean(axis=0)
        self.counts: Samples | None = None
        if method == "flips":
            samples, self.exact = sign_flips(n, resamples, rng)
        elif method == "bootstrap":
            samples = self.counts = bootstrap_counts(n, resamples, rng)
        else:
            samples = Samples(resamples, n, rng, lambda rng, _, size: rng.standard_normal((size, n)))
        sums = samples.sums(self.table if method == "flips" else self.centred).T
        # One of each two flips that differ by a common sign is drawn where all are.
        self.sums = np.ascontiguousarray(np.concatenate([sums, -sums], axis=1) if self.exact else sums)

    def observed(self, left: Ints, right: Ints) -> Floats:
        """The squared t of each pair, infinite where the difference is the same in every row, or r^2, [pairs]."""
        n = len(self.table)
        width = max(1, CELLS // n)
        parts = []
        for start in range(0, len(left), width):
            z = self._differences(self.table, left[start : start + width], right[start : start + width])
            s = z.sum(axis=0)
            parts.append(s * np.abs(s) * _inverse(n * (z**2).sum(axis=0)))
        r2 = np.concatenate(parts)
        if self.method != "normal":
            return r2
        unexplained = 1.0 - np.abs(r2)
        varies = unexplained > CONSTANT
        return np.where(varies, r2 * ((n - 1.0) / np.where(varies, unexplained, 1.0)), np.copysign(np.inf, r2))

    def scaled(self, left: Ints, right: Ints) -> tuple[Floats, Floats | None]:
        n = len(self.table)
        squares = self._differences(self.table if self.method == "flips" else self.centred, left, right) ** 2
        if self.counts is not None:
            # Engines read rows of pairs: the transposed sums are copied into that order.
            spread = np.ascontiguousarray(n * self.counts.sums(squares).T)
            return np.ones(len(left)), np.where(spread > 0, spread, np.inf)
        # Weighted by standard normal numbers, a sum has the variance that the squares' sum is of.
        return _inverse((n if self.method == "flips" else 1) * squares.sum(axis=0)), None

    def _differences(self, table: Floats, left: Ints, right: Ints) -> Floats:
        """left - right of each row, 0 where rounding alone makes them differ, [rows, pairs]."""
        z: Floats = table[:, left]
        z -= table[:, right]
        z[np.abs(z) <= np.maximum(self.slack[left], self.slack[right])] = 0.0
        return z


class _ClusterNull(_NullDistribution):
    """Flips of clusters; statistics are T^2 / (C - 1 + T^2), T with the standard error of its flip."""

    def __init__(self, table: Floats, cluster: Ints, resamples: int, rng: np.random.Generator) -> None:
        self.tested = ClusterSums.from_topics(table, cluster)
        columns, clusters = table.shape[1], len(self.tested.sizes)
        _require_samples(resamples, columns, arrays=6)
        self.slack, self.table = noise(table), self.tested.sums
        samples, self.exact = sign_flips(clusters, resamples, rng)
        summed = samples.sums(self.tested.flipped()).T
        if self.exact:
            summed = np.concatenate([summed, -summed], axis=1)
        self.sums, self.across = (np.ascontiguousarray(part) for part in (summed[:columns], summed[columns:]))

    def observed(self, left: Ints, right: Ints) -> Floats:
        pairs = Contrasts(left, right)
        parts = []
        for block in pairs.blocks(len(self.table)):
            z = self._differences(block.left, block.right)
            s = z.sum(axis=0)
            u = z - self.tested.sizes[:, None] * (s / self.tested.sizes.sum())
            error = (self.tested.leverage[:, None] * u**2).sum(axis=0)
            parts.append(s * np.abs(s) * _inverse(s**2 + (len(self.table) - 1.0) * error))
        return np.concatenate(parts)

    def scaled(self, left: Ints, right: Ints) -> tuple[Floats, None]:
        return _inverse((self.tested.leverage[:, None] * self._differences(left, right) ** 2).sum(axis=0)), None

    def _differences(self, left: Ints, right: Ints) -> Floats:
        """Sums of the differences over each cluster, 0 where rounding alone makes them differ, [clusters, pairs]."""
        z: Floats = self.table[:, left] - self.table[:, right]
        z[np.abs(z) <= self.tested.sizes[:, None] * np.maximum(self.slack[left], self.slack[right])] = 0.0
        return z


class _ContrastNull(_NullDistribution):
    """Rows that are by themselves, with a part of their own in each contrast; the last column is 0."""

    def __init__(self, parts: Floats, resamples: int, rng: np.random.Generator) -> None:
        self.table, self.zero = parts, parts.shape[1]
        self.samples, self.exact = sign_flips(len(parts), resamples, rng)

    def __len__(self) -> int:
        return len(self.samples) * (2 if self.exact else 1)

    @property
    def pair_cells(self) -> int:
        """Numbers that each contrast of a block has in a working array; blocks are large, as signs are read anew."""
        return max(len(self.table), len(self) // FLIPS_A_CELL)

    def pick(self, left: Ints, right: Ints) -> tuple[Floats, Ints, Ints]:
        contrast, number = np.minimum(left, right), np.arange(len(left))
        sums = np.zeros((len(left) + 1, len(self)))
        summed = self.samples.sums(self.table[:, contrast]).T
        sums[:-1, : len(self.samples)] = summed
        if self.exact:
            sums[:-1, len(self.samples) :] = -summed
        zero = np.full(len(left), len(left))
        return sums, np.where(left == self.zero, zero, number), np.where(right == self.zero, zero, number)

    def observed(self, left: Ints, right: Ints) -> Floats:
        s = np.abs(self.table.sum(axis=0))[np.minimum(left, right)]
        return np.asarray(s**2 * self.scaled(left, right)[0])

    def scaled(self, left: Ints, right: Ints) -> tuple[Floats, None]:
        squares = (self.table**2).sum(axis=0)[np.minimum(left, right)]
        return _inverse(len(self.table) * squares), None


class _NormalNull(_NullDistribution):
    """Means whose covariance is known, or was estimated; pairs are compared by their own p."""

    def __init__(self, means: Floats, covariance: Floats, p: Floats, resamples: int, rng: np.random.Generator) -> None:
        _require_samples(resamples, len(means))
        self.means, self.covariance, self.p = means, covariance, p
        variance, axes = np.linalg.eigh(covariance)
        scaled: Floats = axes * np.sqrt(np.maximum(variance, 0.0))
        self.sums = np.ascontiguousarray(scaled @ rng.standard_normal((resamples, len(means))).T)
        self.table = np.empty((1, len(means)))

    def observed(self, left: Ints, right: Ints) -> Floats:
        """The square of the normal number that has each pair's p, with the sign of its difference; 0 without p."""
        p = self.p[left, right]
        size = np.where(np.isnan(p), 0.0, ndtri(np.where(np.isnan(p), 1.0, p) / 2.0))
        return np.asarray(np.sign(self.means[left] - self.means[right]) * size**2)

    def scaled(self, left: Ints, right: Ints) -> tuple[Floats, None]:
        own = np.diag(self.covariance)
        together = own[left] + own[right]
        variance = together - 2.0 * self.covariance[left, right]
        return _inverse(np.where(variance > NOISE * together, variance, 0.0)), None


def _inverse(values: Floats) -> Floats:
    """1 / values that are not negative, 0 of 0."""
    inverse: Floats = np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)
    return inverse


def _rejected(null: _NullDistribution, left: Ints, right: Ints, alpha: float, *, stepdown: bool) -> NDArray[np.bool_]:
    """Pairs whose p is at most alpha, in a family of pairs in both directions.

    Args:
        null: what is observed, and what is drawn.
        left: of each pair the column with the larger mean, [pairs].
        right: the other one.
        alpha: level.
        stepdown: whether pairs that are rejected leave the family.

    Returns:
        Whether left is above right, [pairs]; the reverse never is.
    """
    observed = null.observed(left, right)
    order = np.argsort(observed, kind="stable")
    # From here on a statistic counts as reaching the observed one.
    level = observed - 2.0 * TIE * np.where(np.isinf(observed), 0.0, np.abs(observed))
    width = max(1, CELLS // null.pair_cells)
    blocks = [order[start : start + width] for start in range(0, len(order), width)]
    largest, nothing = np.full(len(null), -np.inf), np.full(width, np.inf)

    def count(above: Ints, below: Ints, block: Ints, levels: Floats) -> Reached:
        factors, squares = null.scaled(left[block], right[block])
        sums, first, second = null.pick(above[block], below[block])
        pairs = first, second, True, factors, squares
        return engine.current().count_reached(sums, *pairs, null.across, levels, largest)

    # The reverse of a pair stays in the family to the end.
    for block in blocks:
        largest = count(right, left, block, nothing[: len(block)])["largest"]
    hits = np.empty(len(order), dtype=np.int64)
    for block in blocks:
        reached = count(left, right, block, level[block])
        largest, hits[block] = reached["largest"], reached["together"]
    if not stepdown:
        hits = len(null) - np.searchsorted(np.sort(largest), level, side="left")
    p = share(hits, len(null), exact=null.exact)
    # A pair is tested where all with a larger statistic were rejected.
    p[order[::-1]] = np.maximum.accumulate(p[order[::-1]])
    rejected: NDArray[np.bool_] = (p <= alpha * (1 + TIE)) & (observed > 0)
    return rejected
