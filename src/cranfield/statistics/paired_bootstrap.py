"""The studentised paired bootstrap test of many pairs of columns on the same resamples.

For a pair, z_t = x_t - y_t over n rows, t(z) = mean(z) / (sd(z) / sqrt(n)) and w = z - mean(z). In resample b row t is
drawn c_t times; D = sum c_t w_t and S = sum c_t w_t^2 give t_b, and

    |t_b| >= |t|   <=>   D^2 >= S n t^2 / (n - 1 + t^2),

which needs no division by a resample's deviation, and is right where that is zero. D is a difference of two column
sums, and the right side a matrix product of the counts with w^2.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.contract import Floats
from cranfield.statistics.contrasts import Contrasts, Group, centred, pair_noise
from cranfield.statistics.product import on_one_thread, product
from cranfield.statistics.resampling import in_batches

CELLS = 1 << 17
"""Numbers in one working array: a few of them stay in the cache, and none grows with pairs times resamples."""
ROWS = 250
"""Resamples at a time: so many true values add up in one byte."""
TIE = 1e-11
"""Statistics this close, relatively, are equal: rounding must not decide whether >= holds."""


@dataclass(frozen=True)
class PairedBootstrap:
    """What the resamples say of each pair.

    Args:
        asl: achieved significance level, the share of resamples with |t_b| >= |t|, [pairs].
        required: |mean(w_b)| of the resample whose |t_b| is the k-th largest, [pairs]; NaN where it was not asked for.
        batches: the same of the resamples in equal parts and the rank divided by their number, [parts, pairs].
    """

    asl: Floats
    required: Floats
    batches: Floats


def paired_bootstrap(
    table: Floats, counts: Floats, pairs: Contrasts, *, kth: int = 0, batches: int = 0
) -> PairedBootstrap:
    """Sakai's achieved significance level of pairs of columns, all on the same resamples.

    ASL = #{b : |t_b| >= |t|} / B. Identical columns have ASL 1; a constant difference has |t| = inf and ASL 0, for no
    resample of w = 0 reaches it. A resample with sd(w_b) = 0 counts if its mean is not zero (|t_b| = inf).

    Args:
        table: [n, columns], without NaN; n >= 2.
        counts: how often each row is drawn, [B, n].
        pairs: the columns to compare.
        kth: also find the resample of the k-th largest |t_b|, 1 to B (of several equal ones the first); 0 does not.
        batches: parts of the resamples to find it in as well, at most ``kth``.

    References:
        Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 16.
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    n = len(table)
    residual = centred(table)
    sums = product(counts, residual)
    asl, required, parts = np.ones(len(pairs)), np.full(len(pairs), np.nan), np.empty((batches, len(pairs)))
    times = operator.matmul if on_one_thread() else product
    weights = np.concatenate([counts, np.ones((len(counts), 1))], axis=1)
    tolerance = pair_noise(table, pairs)
    largest = np.abs(residual).max(axis=0)
    for group in pairs.groups():
        z = table[:, group.left, None] - table[:, group.right]
        block = _Block(z, tolerance[group.place], np.maximum(largest[group.left], largest[group.right]))
        hits = np.zeros(z.shape[1], dtype=np.int64)
        squares = block.weighted_squares()
        others = sums[:, group.right]
        for rows in _rows(len(counts), z.shape[1]):
            moments = sums[rows, group.left, None] - others[rows]
            if len(block.close):
                moments[:, block.close] = product(counts[rows], block.w[:, block.close])
            np.multiply(moments, moments, out=moments)
            reached = np.greater_equal(moments, times(weights[rows], squares))
            hits += np.add.reduce(reached.view(np.uint8), axis=0, dtype=np.uint8)
        asl[group.place] = np.where(block.constant, np.where(block.equal, 1.0, 0.0), hits / len(counts))
        if kth:
            required[group.place] = _kth_difference(sums, counts, block, group, kth, n)
        for number, rows in enumerate(in_batches(len(counts), batches)):
            parts[number, group.place] = _kth_difference(sums[rows], counts[rows], block, group, kth // batches, n)
    return PairedBootstrap(asl, required, parts)


class _Block:
    """Pairs that share their left column."""

    def __init__(self, z: Floats, tolerance: Floats, largest: Floats) -> None:
        n = len(z)
        mean = z.mean(axis=0)
        w = z - mean
        deviation = np.sqrt((w * w).sum(axis=0) / (n - 1))
        self.constant = deviation <= tolerance
        self.equal = self.constant & (np.abs(mean) <= tolerance)
        peak = np.abs(w).max(axis=0)
        w[np.abs(w) <= 1e-12 * peak] = 0.0
        w[:, self.constant] = 0.0
        self.w = w
        self.close = np.flatnonzero(peak < 1e-3 * largest)
        """Pairs so alike that the difference of their column sums has lost digits: they are summed directly."""
        mean = np.where(np.abs(mean) <= tolerance, 0.0, mean)
        t2 = n * mean**2 / np.where(self.constant, 1.0, deviation) ** 2
        self.limit = np.where(self.constant, 0.0, n * t2 / (n - 1 + t2)) * (1 - TIE)
        self.floor = np.where(self.limit > 0, (1e-12 * peak) ** 2, 0.0)
        """Added to the right side: a resample of zeros alone (t_b = 0) must not reach a t above zero."""

    def weighted_squares(self) -> Floats:
        """[n + 1, pairs]: with a one behind the counts, their product is the right side of the criterion."""
        return np.concatenate([self.w * self.w * self.limit, self.floor[None]])


def _kth_difference(sums: Floats, counts: Floats, block: _Block, group: Group, kth: int, n: int) -> Floats:
    """|mean(w_b)| where |t_b| is the k-th largest. t_b^2 grows with D^2 / S, which is n where sd(w_b) = 0."""
    resamples = len(counts)
    out = np.empty(block.w.shape[1])
    width = max(1, CELLS * 4 // resamples)
    others = sums[:, group.right]
    for start in range(0, len(out), width):
        part = slice(start, start + width)
        moments = sums[:, group.left, None] - others[:, part]
        close = np.intersect1d(block.close, np.arange(len(out))[part]) - start
        moments[:, close] = product(counts, block.w[:, close + start])
        squares = product(counts, block.w[:, part] ** 2)
        ratio = np.divide(moments**2, squares, out=np.zeros_like(squares), where=squares > block.floor[part])
        np.minimum(ratio, n * (1 - TIE), out=ratio)
        level = np.partition(ratio, resamples - kth, axis=0)[resamples - kth]
        first = np.argmax(ratio == level, axis=0)
        out[part] = np.abs(moments[first, np.arange(moments.shape[1])]) / n
    return np.where(block.constant, 0.0, out)


def _rows(resamples: int, width: int) -> Iterator[slice]:
    """Blocks of resamples that fit the cache beside so many pairs."""
    size = min(ROWS, max(16, CELLS // width))
    return (slice(start, start + size) for start in range(0, resamples, size))
