"""Counts over resamples, in NumPy: statistics that reach a level, the k-th largest, and significant tests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached, StatisticRank

CELLS = 1 << 17
"""Numbers of one working array."""
REMAINDER = 1e-14
"""The share of 1 up to which a remainder is due to rounding."""


def count_reached(
    sums: Floats,
    left: Ints,
    right: Ints,
    signed: bool,
    scale: Floats,
    squares: Floats | None,
    across: Floats | None,
    levels: Floats,
    largest: Floats,
) -> Reached:
    """See ``cranfield.engine.protocol.Engine.count_reached``."""
    alone, together = np.zeros((2, len(left)), dtype=np.int64)
    largest = largest.copy()
    apart, value, rest = np.empty((3, len(largest)))
    hit = np.empty(len(largest), dtype=np.bool_)
    for pair, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        np.subtract(sums[a], sums[b], out=apart)
        np.multiply(apart, apart, out=value)
        value *= scale[pair]
        if squares is not None:
            value /= squares[pair]
        elif across is not None:
            np.subtract(across[a], across[b], out=rest)
            rest *= apart
            rest *= scale[pair]
            np.subtract(1.0, rest, out=rest)
            rest[rest <= REMAINDER] = 0.0
            rest += value
            value /= rest
        if signed:
            np.copysign(value, apart, out=value)
        np.greater_equal(value, levels[pair], out=hit)
        alone[pair] = np.count_nonzero(hit)
        np.maximum(largest, value, out=largest)
        np.greater_equal(largest, levels[pair], out=hit)
        together[pair] = np.count_nonzero(hit)
    return {"alone": alone, "together": together, "largest": largest}


def largest_statistics(
    sums: Floats,
    left: Ints,
    right: Ints,
    squares: Floats,
    limit: Floats,
    floor: Floats,
    cap: float,
    begins: Ints,
    ends: Ints,
    kth: Ints,
) -> tuple[Ints, Floats]:
    """See ``cranfield.engine.protocol.Engine.largest_statistics``."""
    moments, by_pair = sums[left] - sums[right], squares.T
    above, edge = moments**2, floor[:, None]
    ratio = np.divide(above, by_pair, out=np.zeros_like(above), where=by_pair > edge)
    np.minimum(ratio, cap, out=ratio)
    moment_of_rank, pair = np.empty((len(begins), len(left))), np.arange(len(left))
    for part, (begin, end, rank) in enumerate(zip(begins.tolist(), ends.tolist(), kth.tolist(), strict=True)):
        part_ratios = ratio[:, begin:end]
        level = np.partition(part_ratios, end - begin - rank, axis=1)[:, end - begin - rank, None]
        moment_of_rank[part] = moments[pair, begin + np.argmax(part_ratios == level, axis=1)]
    hits: Ints = (above >= by_pair * limit[:, None] + edge).sum(axis=1)
    return hits, moment_of_rank


def count_apart(mean: Floats, products: Floats, items: float, factor: float, least: float) -> int:
    """See ``cranfield.engine.protocol.Engine.count_apart``."""
    own = np.diag(products)
    error = np.maximum(0.0, own[:, None] + own - 2.0 * products) / (items - 1) / items
    return pairs_above(mean, np.maximum(factor * error, least))


def pairs_above(mean: Floats, limit: Floats | float) -> int:
    """Pairs whose squared difference is above a limit of their own, or of all."""
    return int(np.count_nonzero(np.triu((mean[:, None] - mean) ** 2 > limit, 1)))


def count_welch_tests(
    means: Floats,
    errors: Floats,
    other_means: Floats,
    other_errors: Floats,
    low: Floats,
    high: Floats,
    curves: Floats,
) -> tuple[StatisticRank, StatisticRank]:
    """See ``cranfield.engine.protocol.Engine.count_welch_tests``."""
    rows, columns = means.shape
    sides = low, high, curves
    significant, tests = _nothing(rows, len(low))
    height = max(1, CELLS // max(1, columns**2))
    for start, stop in pairwise([*range(0, rows, height), rows]):
        chunk = slice(start, stop)
        ours = means[chunk, :, None], errors[chunk, :, None]
        significant[chunk], tests[chunk] = _welch(*ours, other_means[chunk, None], other_errors[chunk, None], *sides)
    same_significant, same_tests = _welch(means, errors, other_means, other_errors, *sides)
    return (significant - same_significant, tests - same_tests), (same_significant, same_tests)


def _welch(
    means: Floats, errors: Floats, other_means: Floats, other_errors: Floats, low: Floats, high: Floats, curves: Floats
) -> StatisticRank:
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
        significant[:, column] = count_rows(sure)
        between = np.flatnonzero(sure ^ possible)
        met = squares.ravel()[between] >= chebval(4.0 * share.ravel()[between] - 3.0, curve)
        significant[:, column] += np.bincount(between[met] // max(1, squares.shape[1]), minlength=rows)
    return significant, np.count_nonzero(tested, axis=1).astype(np.int64)


def _nothing(rows: int, levels: int) -> StatisticRank:
    return np.zeros((rows, levels), dtype=np.int64), np.zeros(rows, dtype=np.int64)


def count_rows(true: NDArray[np.bool_]) -> Ints:
    """Count what is true in each row."""
    # Adding in 32 bits is several times faster than NumPy's own 64, and a row has fewer tests than that.
    count: Ints = np.add.reduce(true, axis=1, dtype=np.uint32).astype(np.int64)
    return count
