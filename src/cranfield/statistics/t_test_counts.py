"""How many of very many t tests are significant, from t^2 and critical values: no p-value is computed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.significance_contract import Tested

CELLS = 1 << 17
"""Numbers of one working array."""


def count_paired_tests(
    sums: Floats, means: Floats, left: Ints, right: Ints, topics: float, most: float, levels: Floats
) -> Tested:
    """See ``cranfield.contract.Engine.count_paired_tests``."""
    significant, tests = _nothing(len(means), len(levels))
    width = max(1, CELLS // max(1, len(means)))
    for start in range(0, len(left), width):
        i, j = left[start : start + width], right[start : start + width]
        squares = topics * (means[:, i] - means[:, j]) ** 2
        sum_of_squares = sums[:, start : start + width]
        tested = squares < most * sum_of_squares
        np.divide(squares, sum_of_squares, out=squares, where=tested)
        squares[~tested] = -1.0
        tests += np.count_nonzero(tested, axis=1)
        for column, level in enumerate(levels.tolist()):
            significant[:, column] += _count(squares >= level)
    return significant, tests


def count_welch_tests(
    means: Floats,
    errors: Floats,
    other_means: Floats,
    other_errors: Floats,
    low: Floats,
    high: Floats,
    curves: Floats,
) -> tuple[Tested, Tested]:
    """See ``cranfield.contract.Engine.count_welch_tests``."""
    rows, columns = means.shape
    sides = low, high, curves
    significant, tests = _nothing(rows, len(low))
    height = max(1, CELLS // max(1, columns**2))
    for start, stop in pairwise([*range(0, rows, height), rows]):
        some = slice(start, stop)
        ours = means[some, :, None], errors[some, :, None]
        significant[some], tests[some] = _welch(*ours, other_means[some, None], other_errors[some, None], *sides)
    of_same, tests_of_same = _welch(means, errors, other_means, other_errors, *sides)
    return (significant - of_same, tests - tests_of_same), (of_same, tests_of_same)


def _welch(
    means: Floats, errors: Floats, other_means: Floats, other_errors: Floats, low: Floats, high: Floats, curves: Floats
) -> Tested:
    """Significant tests by row and level, and tests by row, of numbers that are broadcast, rows first."""
    from numpy.polynomial.chebyshev import chebval

    rows = len(means)
    error = (errors + other_errors).reshape(rows, -1)
    squares = ((means - other_means) ** 2).reshape(rows, -1)
    share = (errors**2 + other_errors**2).reshape(rows, -1)
    tested = error > 0
    np.divide(squares, error, out=squares, where=tested)
    error *= error
    np.divide(share, error, out=share, where=tested)
    squares[~tested] = -1.0
    significant = _nothing(rows, len(low))[0]
    for column, (least, enough, curve) in enumerate(zip(low.tolist(), high.tolist(), curves, strict=True)):
        sure, possible = squares >= enough, squares >= least
        significant[:, column] = _count(sure)
        between = np.flatnonzero(sure ^ possible)
        met = squares.ravel()[between] >= chebval(4.0 * share.ravel()[between] - 3.0, curve)
        significant[:, column] += np.bincount(between[met] // max(1, squares.shape[1]), minlength=rows)
    return significant, np.count_nonzero(tested, axis=1).astype(np.int64)


def _nothing(rows: int, levels: int) -> Tested:
    return np.zeros((rows, levels), dtype=np.int64), np.zeros(rows, dtype=np.int64)


def _count(true: NDArray[np.bool_]) -> Ints:
    # Adding in 32 bits is several times faster than NumPy's own 64, and a row has fewer tests than that.
    count: Ints = np.add.reduce(true, axis=1, dtype=np.uint32).astype(np.int64)
    return count
