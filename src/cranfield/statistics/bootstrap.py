"""The studentised paired bootstrap test of many pairs of columns on the same resamples.

For a pair, z_t = x_t - y_t over n rows, t(z) = mean(z) / (sd(z) / sqrt(n)) and w = z - mean(z). In resample b row t is
drawn c_t times; D = sum c_t w_t and S = sum c_t w_t^2 give t_b, and

    |t_b| >= |t|   <=>   D^2 >= S n t^2 / (n - 1 + t^2),

which needs no division by a resample's deviation, and is right where that is zero. D is a difference of two column
sums, and S a matrix product of the counts with w^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield import engine
from cranfield._typing import Floats
from cranfield.memory import budget
from cranfield.statistics.contrasts import Contrasts, LeftGroup, TaskGroups, centred, pair_noise
from cranfield.statistics.numeric import product
from cranfield.statistics.resampling import Samples, in_batches
from cranfield.statistics.rounding import NOISE
from cranfield.threads import Each

CELLS = 1 << 17
"""Numbers in one working array: a few of them stay in the cache, and none grows with pairs times resamples."""
DIFFERENCES = 1 << 22
"""Differences of rows that are held at once."""
WORK = 1 << 29
"""Multiplications of one task, where resamples are held."""
TIE = 1e-11
"""Statistics this close, relatively, are equal: rounding must not decide whether >= holds."""


@dataclass(frozen=True)
class PairedBootstrap:
    """Results of the paired bootstrap for each pair.

    Args:
        asl: achieved significance level, the share of resamples with |t_b| >= |t|, [pairs].
        required: |mean(w_b)| of the resample whose |t_b| is the k-th largest, [pairs].
        batches: the same of the resamples in equal parts and the rank divided by their number, [parts, pairs].
    """

    asl: Floats
    required: Floats
    batches: Floats


def paired_bootstrap(
    table: Floats,
    counts: Samples,
    pairs: Contrasts,
    *,
    kth: int = 1,
    batches: int = 0,
    each: Each = map,
) -> PairedBootstrap:
    """Sakai's achieved significance level of pairs of columns, all on the same resamples.

    ASL = #{b : |t_b| >= |t|} / B. Identical columns have ASL 1; a constant difference has |t| = inf and ASL 0, for no
    resample of w = 0 reaches it. A resample with sd(w_b) = 0 counts if its mean is not zero (|t_b| = inf).

    Args:
        table: [n, columns], without NaN; n >= 2.
        counts: how often each row is drawn, B samples.
        pairs: the columns to compare.
        kth: also find the resample of the k-th largest |t_b|, 1 to B (of several equal ones the first).
        batches: parts of the resamples to find it in as well, at most ``kth``.
        each: where some of the pairs are tested; the same bits anywhere.

    References:
        Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 16.
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    residual = centred(table)
    noise = pair_noise(table, pairs), np.abs(residual).max(axis=0)
    work = _Testing(table, residual, *noise, counts, kth, batches)
    tested = list(each(work, pairs.together(work.most(), max(1, DIFFERENCES // len(table)))))
    asl, required, parts = (np.concatenate(column, axis=-1) for column in zip(*tested, strict=True))
    return PairedBootstrap(asl, required, parts)


@dataclass(frozen=True)
class _Testing:
    """The test of groups of pairs, one task of many.

    Args:
        table: [n, columns].
        residual: without means, [n, columns].
        tolerance: of each pair, [pairs].
        largest: residual of each column, [columns].
        counts: how often each row is drawn.
        kth: rank of the resample whose difference is asked for.
        batches: parts of the resamples.
    """

    table: Floats
    residual: Floats
    tolerance: Floats
    largest: Floats
    counts: Samples
    kth: int
    batches: int

    def most(self) -> int:
        """Pairs that one pass over the resamples serves: no more than can be kept where these are drawn anew."""
        if self.counts.held:
            return max(1, WORK // (len(self.counts) * len(self.table)))
        return budget() // (64 * len(self.counts))

    def __call__(self, groups: TaskGroups) -> tuple[Floats, Floats, Floats]:
        """Achieved significance levels, and required differences of all resamples and of each part of them."""
        tallies = [_Tally(group, len(self.counts)) for group in groups]
        for rows, counts in self.counts.blocks():
            for group, tally in zip(groups, tallies, strict=True):
                z = self.table[:, group.left, None] - self.table[:, group.right]
                largest = np.maximum(self.largest[group.left], self.largest[group.right])
                block = _SharedLeft(z, self.tolerance[group.positions], largest)
                tally.add(rows, counts, block)
                if rows.stop == len(self.counts):
                    tally.conclude(self.kth, self.batches, block, self.across)
        concluded = zip(*(tally.concluded for tally in tallies), strict=True)
        asl, required, part_differences = (np.concatenate(arrays, axis=-1) for arrays in concluded)
        return asl, required, part_differences

    @cached_property
    def across(self) -> Floats:
        """The sums of the columns in every resample, [columns, resamples]."""
        return np.ascontiguousarray(self.counts.sums(self.residual).T)


class _Tally:
    """Counts over the resamples for pairs that share their left column."""

    def __init__(self, group: LeftGroup, resamples: int) -> None:
        self.group, self.resamples = group, resamples
        self._width = group.positions.stop - group.positions.start
        self.hits = np.zeros(self._width, dtype=np.int64)
        self.squares, self.moments = list[Floats](), np.empty((0, resamples))
        """S of every resample, some pairs at a time, [resamples, some]; and D of pairs so alike that they are summed
        directly, [close, resamples]. t_b^2 grows with D^2 / S, which is n where sd(w_b) = 0."""

    def add(self, rows: slice, counts: Floats, block: _SharedLeft) -> None:
        """Store the values from which large statistics are found once all resamples are there."""
        if not self.squares:
            self.squares = [np.empty((self.resamples, len(self.hits[part]))) for part in self._parts()]
            self.moments = np.empty((len(block.close), self.resamples))
        if len(block.close):
            self.moments[:, rows] = product(counts, block.w[:, block.close]).T
        for part, squares in zip(self._parts(), self.squares, strict=True):
            product(counts, block.w[:, part] ** 2, out=squares[rows])

    def _parts(self) -> Iterator[slice]:
        """Blocks of pairs, so few that the squares of all resamples stay in the cache."""
        step = max(1, CELLS // 2 // self.resamples)
        return (slice(start, start + step) for start in range(0, self._width, step))

    def differences(self, kth: int, batches: int, block: _SharedLeft, across: Floats) -> Floats:
        """|mean(w_b)| where |t_b| is the k-th largest of all resamples and of each part of them, [1 + parts, pairs]."""
        n = len(block.w)
        parts = [slice(0, self.resamples), *in_batches(self.resamples, batches)]
        ranks = [kth, *[kth // max(1, batches)] * batches]
        requested = zip(*((rows.start, rows.stop, rank) for rows, rank in zip(parts, ranks, strict=True)), strict=True)
        begins, ends, kths = (np.array(numbers, dtype=np.int64) for numbers in requested)
        left, right = np.full(self._width, self.group.left), np.arange(len(across))[self.group.right]
        if len(block.close):  # moments of their own, as differences from 0
            left[block.close] = len(across) + np.arange(len(block.close))
            right[block.close] = len(across) + len(block.close)
            across = np.concatenate([across, self.moments, np.zeros((1, self.resamples))])
        moments, find = np.empty((len(parts), self._width)), engine.current().largest_statistics
        for part, squares in zip(self._parts(), self.squares, strict=True):
            pairs = left[part], right[part], squares, block.limit[part], block.floor[part]
            self.hits[part], moments[:, part] = find(across, *pairs, n * (1 - TIE), begins, ends, kths)
        return np.where(block.constant, 0.0, np.abs(moments) / n)

    def conclude(self, kth: int, batches: int, block: _SharedLeft, across: Floats) -> None:
        """Compute the results, ``across`` being the sums of all resamples, and free what single resamples took."""
        required = self.differences(kth, batches, block, across)
        asl = np.where(block.constant, np.where(block.equal, 1.0, 0.0), self.hits / self.resamples)
        self.concluded = asl, required[0], required[1:]
        self.squares, self.moments = [], np.empty((0, self.resamples))


class _SharedLeft:
    """Pairs that share their left column."""

    def __init__(self, z: Floats, tolerance: Floats, largest: Floats) -> None:
        n = len(z)
        mean = z.mean(axis=0)
        w = z - mean
        deviation = np.sqrt((w * w).sum(axis=0) / (n - 1))
        self.constant = deviation <= tolerance
        self.equal = self.constant & (np.abs(mean) <= tolerance)
        peak = np.abs(w).max(axis=0)
        w[np.abs(w) <= NOISE * peak] = 0.0
        w[:, self.constant] = 0.0
        self.w = w
        self.close = np.flatnonzero(peak < 1e-3 * largest)
        """Pairs so alike that the difference of their column sums has lost digits: they are summed directly."""
        mean = np.where(np.abs(mean) <= tolerance, 0.0, mean)
        t2 = n * mean**2 / np.where(self.constant, 1.0, deviation) ** 2
        self.limit = np.where(self.constant, 0.0, n * t2 / (n - 1 + t2)) * (1 - TIE)
        self.floor = np.where(self.limit > 0, (NOISE * peak) ** 2, 0.0)
        """Added to the right side: a resample of zeros alone (t_b = 0) must not reach a t above zero."""
