"""Which of very many t statistics are significant, without a p-value of any: t^2 against critical values."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial import Chebyshev

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Tested


def critical_squares(alphas: Floats, df: float | Floats) -> Floats:
    """Squares of the two-sided critical values of t; alphas and degrees of freedom are broadcast."""
    from scipy.stats import t

    squares: Floats = t.isf(np.asarray(alphas) / 2, df) ** 2
    return squares


def count_paired(sums: Floats, means: Floats, left: Ints, right: Ints, n: int, most: float, alphas: Floats) -> Tested:
    """How many paired t-tests are significant, by row and alpha, and how many there are.

    With d the n differences of a test, n mean(d)^2 / sum(d^2) grows with t^2, and t^2 >= c becomes a share of at least
    c / (n - 1 + c).

    Args:
        sums: sum(d^2), [rows, tests].
        means: of each column, [rows, columns].
        left: a column of each test.
        right: the other one.
        n: pairs of values in each test, at least 2.
        most: a share from here on has no spread, and no test.
        alphas: significance levels.

    Returns:
        [rows, alphas] and [rows].
    """
    ascending = np.argsort(-alphas, kind="stable")
    levels = _paired_levels(tuple(alphas[ascending].tolist()), n)
    found, tests = engine.current().count_paired_tests(sums, means, left, right, float(n), most, levels)
    return _as_asked(found, ascending), tests


def count_welch(
    means: Floats, errors: Floats, other_means: Floats, other_errors: Floats, n: int, alphas: Floats
) -> tuple[Tested, Tested]:
    """How many of Welch's tests of two samples of size n are significant, by row and alpha, and how many there are.

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
    both = count(means, errors, other_means, other_errors, low, high, curves)
    (found, tests), (of_same, tests_of_same) = both
    return (_as_asked(found, ascending), tests), (_as_asked(of_same, ascending), tests_of_same)


def _as_asked(found: Ints, ascending: Ints) -> Ints:
    """Columns of ascending levels in the order in which they were asked for."""
    out = np.empty_like(found)
    out[:, ascending] = found
    return out


@cache
def _paired_levels(alphas: tuple[float, ...], n: int) -> Floats:
    critical = critical_squares(np.array(alphas), n - 1)
    levels: Floats = critical / (n - 1 + critical)
    return levels


@cache
def _sides(alphas: tuple[float, ...], n: int) -> tuple[Floats, Floats, Floats]:
    """Of each alpha the critical squares at 2 (n - 1) and n - 1 degrees of freedom, and the series between them."""
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
