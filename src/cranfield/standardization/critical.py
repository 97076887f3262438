"""Which of very many t statistics are significant, without a p-value of any: t^2 against critical values."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints


def critical_squares(alphas: Floats, df: float | Floats) -> Floats:
    """Squares of the two-sided critical values of t; alphas and degrees of freedom are broadcast."""
    from scipy.stats import t

    squares: Floats = t.isf(np.asarray(alphas) / 2, df) ** 2
    return squares


def count_paired(squares: Floats, n: int, alphas: Floats) -> Ints:
    """How many paired tests are significant, by row and alpha, [rows, tests] -> [rows, alphas].

    Args:
        squares: n mean(d)^2 / sum(d^2), d the n differences of a test; in [0, 1], NaN or negative where there is none.
            It grows with t^2, and t^2 >= c becomes squares >= c / (n - 1 + c).
        n: pairs of values in each test, at least 2.
        alphas: significance levels.
    """
    critical = critical_squares(alphas, n - 1)
    levels = critical / (n - 1 + critical)
    counts = np.empty((len(squares), len(alphas)), dtype=np.int64)
    for column, level in enumerate(levels.tolist()):
        counts[:, column] = _count(squares >= level)
    return counts


def count_welch(squares: Floats, inverse_df: Floats, n: int, alphas: Floats) -> Ints:
    """How many of Welch's tests of two samples of size n are significant, by row and alpha.

    A critical value decreases from n - 1 to 2 (n - 1) degrees of freedom: a statistic above the one or below the other
    is decided, and only those between need the critical value at their own degrees of freedom.

    Args:
        squares: t^2, [rows, tests]; negative where there is no test.
        inverse_df: (n - 1) over the degrees of freedom, in [1/2, 1], [rows, tests].
        n: size of both samples, at least 2.
        alphas: significance levels.

    Returns:
        [rows, alphas].
    """
    counts = np.empty((len(squares), len(alphas)), dtype=np.int64)
    for column, alpha in enumerate(np.asarray(alphas).tolist()):
        critical = _critical_by_inverse_df(alpha, n)
        low, high = critical_squares(np.array(alpha), np.array([2.0, 1.0]) * (n - 1))
        sure, possible = squares >= high, squares >= low
        counts[:, column] = _count(sure)
        between = np.flatnonzero(sure ^ possible)
        met = squares.ravel()[between] >= critical(inverse_df.ravel()[between])
        counts[:, column] += np.bincount(between[met] // squares.shape[1], minlength=len(squares))
    return counts


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


def _count(true: NDArray[np.bool_]) -> Ints:
    # Adding in 32 bits is several times faster than NumPy's own 64, and a row has fewer tests than that.
    count: Ints = np.add.reduce(true, axis=1, dtype=np.uint32).astype(np.int64)
    return count
