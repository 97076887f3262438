"""Effects of standardization on comparisons of systems, over repeated samples of topics: arrays in, arrays out.

Very many t statistics are tested without computing p-values: t^2 against critical values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev

from cranfield import engine
from cranfield._executor import map_on
from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import StatisticRank
from cranfield.memory import rows_within
from cranfield.scores.scale import DECIMALS
from cranfield.statistics.concordance import Concordance, items_above
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.kernels.resampling import count_rows
from cranfield.statistics.numeric import ROWS, product
from cranfield.statistics.rank_correlation import compute_tau_ap_b, compute_tau_b, pearson
from cranfield.threads import side_by_side

BLOCK = 256
"""Trials that are worked on at once by a thread; a constant, so that the bits do not depend on the machine."""
CELLS = 1 << 17
"""Numbers of one working array inside a block."""
DRAWN = 1 << 23
"""Numbers of one matrix of trials and topics."""
NO_SPREAD = 1e-12
"""A variance below this share of the mean square is zero but for rounding."""


@dataclass(frozen=True)
class SchemeTrials:
    """One number for each scheme and trial, [schemes, trials], or each alpha too, [schemes, trials, alphas].

    Args:
        r: Pearson's correlation of the systems' means.
        tau_b: Kendall's.
        tau_ap_b: the AP correlation with ties.
        power: share of the pairs of systems whose difference is significant; NaN where no pair has a test.
        type_1: share of systems that differ significantly from themselves; None within a collection.
    """

    r: Floats
    tau_b: Floats
    tau_ap_b: Floats
    power: Floats
    type_1: Floats | None = None


def draw(rng: np.random.Generator, topics: int, size: int, trials: int) -> Ints:
    """Topics of every trial, without replacement, [trials, size]: indices of the smallest of random numbers."""
    height = max(1, DRAWN // topics)
    blocks = (rng.random((min(height, trials - start), topics)) for start in range(0, trials, height))
    return np.concatenate([_smallest(block, size) for block in blocks])


def _smallest(numbers: Floats, size: int) -> Ints:
    """The columns of the smallest values of each row, smallest first, [rows, size]."""
    indices = np.sort(np.argpartition(numbers, size - 1, axis=1)[:, :size], axis=1)
    order = np.argsort(np.take_along_axis(numbers, indices, axis=1), axis=1, kind="stable")
    return np.take_along_axis(indices, order, axis=1)


def run(
    kernel: Callable[[Sequence[Floats], Ints, Floats], SchemeTrials],
    tables: Sequence[Floats],
    draws: Ints,
    alphas: Floats,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> SchemeTrials:
    """All trials, in blocks on several threads or on an executor; the values do not depend on how many.

    Args:
        kernel: ``within`` or ``between``.
        tables: raw scores, then those of each scheme, [topics, systems] each.
        draws: topics of every trial, [trials, size].
        alphas: significance levels.
        workers: threads.
        progress: called with the trials that are done and all of them.
        executor: instead of threads of its own.
    """
    topics = len(tables[0])
    # Fewer of many topics, in whole pieces of the product so that its bits stay the same.
    height = min(BLOCK, ROWS * max(1, DRAWN // (ROWS * topics)))
    starts = range(0, len(draws), height)
    work = partial(_block, kernel, tables, draws, alphas, height)
    parts = []
    most = max(1, rows_within(topics, 0.5) // (2 * height))
    counts = side_by_side(work, starts, min(workers, most)) if executor is None else map_on(executor, work, starts)
    for part in counts:
        parts.append(part)
        if progress is not None:
            progress(min(len(parts) * height, len(draws)), len(draws))
    joined: dict[str, Any] = {}
    for field in fields(SchemeTrials):
        values = [getattr(part, field.name) for part in parts]
        joined[field.name] = None if values[0] is None else np.concatenate(values, axis=1)
    return SchemeTrials(**joined)


def _block(
    kernel: Callable[[Sequence[Floats], Ints, Floats], SchemeTrials],
    tables: Sequence[Floats],
    draws: Ints,
    alphas: Floats,
    height: int,
    start: int,
) -> SchemeTrials:
    """Some of the trials; it may be called in other processes."""
    return kernel(tables, draws[start : start + height], alphas)


def within(tables: Sequence[Floats], draws: Ints, alphas: Floats) -> SchemeTrials:
    """Standardized against raw means on the same topics; paired t-tests of all pairs of systems.

    Args:
        tables: raw scores, then those of each scheme, [topics, systems] each.
        draws: n topics of every trial, [trials, n].
        alphas: significance levels.
    """
    raw, *schemes = tables
    chosen = _chosen(draws, len(raw))
    n = draws.shape[1]
    truth = np.round(product(chosen, raw) / n, DECIMALS)
    above = items_above(truth)
    out = []
    for table in schemes:
        mean = product(chosen, table) / n
        estimate = np.round(mean, DECIMALS)
        counts = Concordance(items_above(estimate), above)
        power = _estimate_power(table, chosen, mean, n, alphas)
        out.append((pearson(estimate, truth), compute_tau_b(counts), compute_tau_ap_b(counts), power))
    return SchemeTrials(*(np.stack(values) for values in zip(*out, strict=True)))


def between(tables: Sequence[Floats], draws: Ints, alphas: Floats) -> SchemeTrials:
    """Means on one half of the drawn topics against the other; Welch's t-tests between the halves.

    Args:
        tables: raw scores, which are left out, then those of each scheme, [topics, systems] each.
        draws: 2 n topics of every trial, [trials, 2 n].
        alphas: significance levels.
    """
    n = draws.shape[1] // 2
    halves = [_chosen(half, len(tables[0])) for half in (draws[:, :n], draws[:, n:])]
    out = []
    for table in tables[1:]:
        means = [product(half, table) / n for half in halves]
        first, second = (np.round(mean, DECIMALS) for mean in means)
        counts = Concordance(items_above(first), items_above(second))
        rates = _welch_rates(table, halves, n, alphas)
        out.append((pearson(first, second), compute_tau_b(counts), compute_tau_ap_b(counts), *rates))
    return SchemeTrials(*(np.stack(values) for values in zip(*out, strict=True)))


def _chosen(draws: Ints, topics: int) -> Floats:
    """1 where a trial has a topic, [trials, topics]: sums over its topics are matrix products."""
    chosen = np.zeros((len(draws), topics))
    np.put_along_axis(chosen, draws, 1.0, axis=1)
    return chosen


def _estimate_power(table: Floats, chosen: Floats, mean: Floats, n: int, alphas: Floats) -> Floats:
    """Share of the pairs i < j with a significant paired difference, [trials, alphas]."""
    left, right = every_pair(table.shape[1])
    significant = np.zeros((len(chosen), len(alphas)), dtype=np.int64)
    tests = np.zeros(len(chosen), dtype=np.int64)
    width = max(1, min(CELLS // len(chosen), DRAWN // (2 * len(table))))
    for start in range(0, len(left), width):
        i, j = left[start : start + width], right[start : start + width]
        sum_of_squares = product(chosen, (table[:, i] - table[:, j]) ** 2)
        counts = count_paired(sum_of_squares, mean, i, j, n, alphas)
        significant += counts[0]
        tests += counts[1]
    return _share(significant, tests)


def _welch_rates(table: Floats, halves: Sequence[Floats], n: int, alphas: Floats) -> tuple[Floats, Floats]:
    """Power over all ordered pairs of different systems, and Type I errors over all systems, [trials, alphas]."""
    centre = table.mean(axis=0)  # near the mean, the square of it does not swallow the variance
    moments = []
    for half in halves:
        shift, square = (product(half, values) / n for values in (table - centre, (table - centre) ** 2))
        spread = square - shift**2
        moments.append((centre + shift, np.where(spread > NO_SPREAD * square, spread, 0.0) / (n - 1)))
    (means, errors), (other_means, other_errors) = moments
    different, same = count_welch(means, errors, other_means, other_errors, n, alphas)
    return _share(*different), _share(*same)


def _share(count: Ints, total: Ints) -> Floats:
    """NaN where there was nothing to test."""
    out = np.full(count.shape, np.nan)
    np.divide(count, total[:, None], out=out, where=total[:, None] > 0)
    return out


def critical_squares(alphas: Floats, df: float | Floats) -> Floats:
    """Squares of the two-sided critical values of t; alphas and degrees of freedom are broadcast."""
    from scipy.stats import t

    squares: Floats = t.isf(np.asarray(alphas) / 2, df) ** 2
    return squares


def count_paired(sums: Floats, means: Floats, left: Ints, right: Ints, n: int, alphas: Floats) -> StatisticRank:
    """Count the significant paired t-tests, by row and alpha, and all that have a statistic.

    With d the n differences of a test, n mean(d)^2 / sum(d^2) grows with t^2, and t^2 >= c becomes a share of at least
    c / (n - 1 + c).

    Args:
        sums: sum(d^2), [rows, tests].
        means: of each column, [rows, columns].
        left: a column of each test.
        right: the other one.
        n: pairs of values in each test, at least 2.
        alphas: significance levels.

    Returns:
        [rows, alphas] and [rows].
    """
    squares = n * (means[:, left] - means[:, right]) ** 2
    # Equal differences have no variance, and no test: their share is 1, or 0/0.
    tested = squares < (1 - NO_SPREAD) * sums
    np.divide(squares, sums, out=squares, where=tested)
    squares[~tested] = -1.0
    levels = _paired_levels(tuple(alphas.tolist()), n).tolist()
    return np.stack([count_rows(squares >= level) for level in levels], axis=1), count_rows(tested)


def count_welch(
    means: Floats, errors: Floats, other_means: Floats, other_errors: Floats, n: int, alphas: Floats
) -> tuple[StatisticRank, StatisticRank]:
    """Count Welch's tests of two samples of size n: the significant ones, by row and alpha, and all.

    A critical value decreases from n - 1 to 2 (n - 1) degrees of freedom: a statistic above the one or below the other
    is decided, and only those between need the critical value at their own degrees of freedom.

    Args:
        means: of each column in the first sample, [rows, columns].
        errors: squares of their standard errors; where both of a test are 0 there is none.
        other_means: the same of the second sample.
        other_errors: likewise.
        n: size of both samples, at least 2.
        alphas: significance levels.

    Returns:
        [rows, alphas] and [rows] of all ordered pairs of different columns, then of each column with itself.
    """
    ascending = np.argsort(-alphas, kind="stable")
    low, high, curves = _sides(tuple(alphas[ascending].tolist()), n)
    count = engine.current().count_welch_tests
    (different, tests), (same, tests_of_same) = count(means, errors, other_means, other_errors, low, high, curves)
    requested = np.argsort(ascending)
    return (different[:, requested], tests), (same[:, requested], tests_of_same)


@cache
def _paired_levels(alphas: tuple[float, ...], n: int) -> Floats:
    critical = critical_squares(np.array(alphas), n - 1)
    levels: Floats = critical / (n - 1 + critical)
    return levels


@cache
def _sides(alphas: tuple[float, ...], n: int) -> tuple[Floats, Floats, Floats]:
    """For each alpha the critical squares at 2 (n - 1) and n - 1 degrees of freedom, and the series between them."""
    low, high = (critical_squares(np.array(alphas), df) for df in (2.0 * (n - 1), 1.0 * (n - 1)))
    series = [_critical_by_inverse_df(alpha, n).coef for alpha in alphas]
    # Terms of zero beyond the last one change no bit of a sum.
    curves = np.zeros((len(series), max(map(len, series))))
    for row, terms in zip(curves, series, strict=True):
        row[: len(terms)] = terms
    return low, high, curves


@cache
def _critical_by_inverse_df(alpha: float, n: int) -> Chebyshev:
    """Square of the critical value as a polynomial in (n - 1) / df, exact to 1e-12 of itself."""
    grid = np.linspace(0.5, 1.0, 501)
    exact = critical_squares(np.array(alpha), (n - 1) / grid)
    for degree in range(4, 40):
        fitted = Chebyshev.interpolate(
            lambda u: critical_squares(np.array(alpha), (n - 1) / u), degree, domain=[0.5, 1.0]
        )
        if np.abs(fitted(grid) / exact - 1).max() < 1e-12:
            break
    return fitted
