"""Intervals of means and of mean differences: Student's, percentile and BCa."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri, stdtrit

from cranfield._typing import Floats
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.resampling import Samples
from cranfield.statistics.rounding import is_noise

DIFFERENCES = 1 << 23
"""Differences that are held at once."""


class PairIntervals(NamedTuple):
    """Lower and upper bound, [pairs] each."""

    low: Floats
    high: Floats


def t_interval(difference: Floats, error: Floats, df: Floats | float, level: float) -> PairIntervals:
    """difference -+ t error, with t the quantile of Student's distribution at (1 + level) / 2."""
    half = stdtrit(df, (1.0 + level) / 2.0) * error
    return PairIntervals(difference - half, difference + half)


def share_interval(share: float, error: float, df: int, level: float) -> tuple[float, float]:
    """Wilson's interval of a share that was estimated over topics, within [0, 1].

    n = share (1 - share) / error^2 is the number of independent verdicts that have this error, and t the quantile of
    Student's distribution: (share + t^2 / 2n -+ t sqrt(share (1 - share) / n + t^2 / 4n^2)) / (1 + t^2 / n). A share of
    0 or 1 has the exact interval of as many topics that all agree, of which the other end is (alpha / 2)^(1 / topics).

    Args:
        share: in [0, 1]; NaN has no interval.
        error: its standard error over topics; 0 or NaN has no interval where the share is neither 0 nor 1.
        df: topics less 1; less than 1 has no interval.
        level: coverage, in (0, 1).

    References:
        Wilson 1927, Probable inference, the law of succession, and statistical inference.
        doi:10.1080/01621459.1927.10502953
        Clopper & Pearson 1934, The use of confidence or fiducial limits illustrated in the case of the binomial.
        doi:10.1093/biomet/26.4.404
    """
    if df < 1 or np.isnan(share):
        return float("nan"), float("nan")
    if share in (0.0, 1.0):
        return exact_interval(df + 1 if share else 0, df + 1, level)
    if not error > 0:
        return float("nan"), float("nan")
    spread = share * (1.0 - share)
    t = float(stdtrit(df, (1.0 + level) / 2.0))
    inverse = (t * error) ** 2 / spread
    half = np.sqrt((t * error) ** 2 + inverse**2 / 4.0)
    low, high = ((share + inverse / 2.0 + sign * half) / (1.0 + inverse) for sign in (-1.0, 1.0))
    return float(low), float(high)


def exact_interval(count: int, total: int, level: float) -> tuple[float, float]:
    """Interval of a share of independent decisions, ``count`` of ``total``, within [0, 1]; NaN where there is none.

    Its ends are the shares at which ``count`` or more, and ``count`` or fewer, have a probability of (1 - level) / 2:
    quantiles of Beta(count, total - count + 1) and Beta(count + 1, total - count).

    Reference:
        Clopper & Pearson 1934, The use of confidence or fiducial limits illustrated in the case of the binomial.
        doi:10.1093/biomet/26.4.404
    """
    if not total:
        return float("nan"), float("nan")
    tail = (1.0 - level) / 2.0
    low = float(betaincinv(count, total - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, total - count, 1.0 - tail)) if count < total else 1.0
    return low, high


def mean_interval(table: Floats, level: float, mean: Floats | None = None) -> PairIntervals:
    """Student's interval of the mean of each column by itself.

    NaN where it has fewer than two numbers, or equal ones, which say nothing of how much they vary.

    Args:
        table: [n, columns]; NaN are left out.
        level: coverage, in (0, 1).
        mean: what stands for the means of the columns, where that is not these themselves, [columns].
    """
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    count = there.sum(axis=0).astype(np.float64)
    enough = count > 1
    own = np.divide(filled.sum(axis=0), count, out=np.full(len(count), np.nan), where=enough)
    squares = np.square(np.where(there, table - own, 0.0)).sum(axis=0)
    deviation = np.sqrt(np.divide(squares, count - 1, out=np.full(len(count), np.nan), where=enough))
    varies = ~is_noise(deviation, np.abs(filled).max(axis=0, initial=0.0))
    error = np.where(varies, deviation / np.sqrt(np.maximum(count, 1.0)), np.nan)
    return t_interval(own if mean is None else mean, error, np.maximum(count - 1, 1.0), level)


def percentile_interval(table: Floats, counts: Samples, pairs: Contrasts, level: float) -> PairIntervals:
    """The middle ``level`` of the differences of resampled means.

    Reference:
        Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 13.
    """
    low, high = np.empty(len(pairs)), np.empty(len(pairs))
    for block, means in _resampled(table, counts, pairs):
        low[block], high[block] = compute_percentiles(means, level)
    return PairIntervals(low, high)


def compute_percentiles(means: Floats, level: float) -> PairIntervals:
    """The middle ``level`` of resampled mean differences, [B, pairs]."""
    return PairIntervals(*np.quantile(means, np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0]), axis=0))


def bca_interval(table: Floats, counts: Samples, pairs: Contrasts, level: float) -> PairIntervals:
    """Bias-corrected and accelerated interval of a mean difference.

    The quantiles of the resampled differences at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z = Phi^-1((1 -+ level) / 2),
    with z0 = Phi^-1(share of resamples below the difference, equal ones half) and a = sum w^3 / (6 (sum w^2)^1.5), w
    the deviations from the mean difference. A constant difference is its own interval.

    Args:
        table: [n, columns], without NaN.
        counts: how often each row is drawn, B samples.
        pairs: the columns to compare.
        level: coverage, in (0, 1).

    Reference:
        Efron 1987, Better bootstrap confidence intervals. doi:10.1080/01621459.1987.10478410
    """
    low, high = np.empty(len(pairs)), np.empty(len(pairs))
    for block, means in _resampled(table, counts, pairs):
        z = table[:, pairs.left[block]] - table[:, pairs.right[block]]
        observed = z.mean(axis=0)
        w = z - observed
        squares, cubes = (w**2).sum(axis=0), (w**3).sum(axis=0)
        low[block], high[block] = compute_bca(np.sort(means, axis=0), observed, squares, cubes, level)
    return PairIntervals(low, high)


def compute_bca(means: Floats, observed: Floats, squares: Floats, cubes: Floats, level: float) -> tuple[Floats, Floats]:
    """Bounds of ``bca_interval``.

    Args:
        means: of resampled differences, each column sorted, [B, pairs].
        observed: means of the differences, [pairs].
        squares: sums of squared deviations from them, [pairs].
        cubes: sums of their third powers, [pairs].
        level: coverage.
    """
    resamples = len(means)
    below = ((means < observed).sum(axis=0) + (means <= observed).sum(axis=0)) / (2.0 * resamples)
    bias = ndtri(np.clip(below, 0.5 / resamples, 1.0 - 0.5 / resamples))
    acceleration = np.divide(cubes, 6.0 * squares**1.5, out=np.zeros(len(bias)), where=squares > 0)
    bounds = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        shifted = bias + ndtri(tail)
        bounds.append(_quantile(means, ndtr(bias + shifted / (1.0 - acceleration * shifted))))
    return bounds[0], bounds[1]


def _quantile(ordered: Floats, level: Floats) -> Floats:
    """The quantile of each sorted column at its own level, interpolated linearly as NumPy does."""
    position = level * (len(ordered) - 1)
    below = np.clip(np.floor(position).astype(np.int64), 0, len(ordered) - 1)
    above = np.minimum(below + 1, len(ordered) - 1)
    column = np.arange(ordered.shape[1])
    first = ordered[below, column]
    value: Floats = first + (ordered[above, column] - first) * (position - below)
    return value


def _resampled(table: Floats, counts: Samples, pairs: Contrasts) -> Iterator[tuple[slice, Floats]]:
    """Blocks of pairs with their resampled mean differences, [B, pairs of the block]."""
    means = counts.sums(table - table.mean(axis=1, keepdims=True)) / len(table)
    width = max(1, min(CELLS // len(counts), DIFFERENCES // len(table)))
    for start in range(0, len(pairs), width):
        block = slice(start, start + width)
        yield block, means[:, pairs.left[block]] - means[:, pairs.right[block]]
