"""The sign-flip permutation test of many pairs of columns on the same flips."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Floats
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.statistics.resampling import Samples, in_batches

CELLS = 1 << 17
ROWS = 250


def sign_flip_test(table: Floats, signs: Samples, pairs: Contrasts, *, exact: bool) -> Floats:
    """Two-sided p of the mean difference, when under the null hypothesis the sign of every difference is a coin's.

    p = #{b : |sum s_bt z_t| >= |sum z_t|} / B where the B flips are all there are, and (# + 1) / (B + 1) where they
    are random, the observed one being one of them (Phipson & Smyth 2010).

    Args:
        table: [n, columns], without NaN.
        signs: +1 and -1, B samples.
        pairs: the columns to compare.
        exact: ``signs`` are all there are.

    Returns:
        [pairs]; 1 for identical columns.

    Reference:
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    residual = table - table.mean(axis=1, keepdims=True)
    observed = residual.sum(axis=0)
    sums = signs.sums(residual)
    # Equal by rights, unequal by rounding: a sum is wrong by far less than this, and no difference matters below it.
    slack = len(table) * noise(table)
    p = np.empty(len(pairs))
    for group in pairs.groups():
        level = np.abs(observed[group.left] - observed[group.right]) - np.maximum(slack[group.left], slack[group.right])
        hits = np.zeros(len(level), dtype=np.int64)
        size = min(ROWS, max(16, CELLS // len(level)))
        for start in range(0, len(sums), size):
            block = sums[start : start + size]
            moments = np.abs(block[:, group.left, None] - block[:, group.right])
            hits += np.add.reduce((moments >= level).view(np.uint8), axis=0, dtype=np.uint8)
        p[group.place] = hits / len(signs) if exact else (hits + 1) / (len(signs) + 1)
    return p


def required_by_flips(
    table: Floats, signs: Samples, pairs: Contrasts, kth: int, batches: int = 0
) -> tuple[Floats, Floats]:
    """The k-th largest |mean| of a pair's flipped differences, [pairs].

    And that of the flips in equal parts, with the rank divided by their number, [batches, pairs].
    """
    residual = table - table.mean(axis=1, keepdims=True)
    sums = signs.sums(residual)
    every = [(slice(0, len(signs)), kth), *((rows, kth // batches) for rows in in_batches(len(signs), batches))]
    required = np.empty((len(every), len(pairs)))
    width = max(1, 8 * CELLS // len(signs))
    for start in range(0, len(pairs), width):
        place = slice(start, start + width)
        moments = np.abs(sums[:, pairs.left[place]] - sums[:, pairs.right[place]])
        for number, (rows, rank) in enumerate(every):
            last = rows.stop - rows.start - rank
            required[number, place] = np.partition(moments[rows], last, axis=0)[last]
    required /= len(table)
    return required[0], required[1:]
