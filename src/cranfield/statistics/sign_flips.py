"""The sign-flip permutation test of many pairs of columns on the same flips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.contrasts import Contrasts, TaskGroups, noise
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.resampling import Samples, in_batches
from cranfield.threads import Each

CELLS = 1 << 17
ROWS = 250
WORK = 1 << 28
"""Differences of one task."""


def sign_flip_test(table: Floats, signs: Samples, pairs: Contrasts, *, exact: bool, each: Each = map) -> Floats:
    """Two-sided p of the mean difference, when under the null hypothesis the sign of every difference is a coin's.

    p = #{b : |sum s_bt z_t| >= |sum z_t|} / B where the B flips are all there are, and (# + 1) / (B + 1) where they
    are random, the observed one being one of them (Phipson & Smyth 2010).

    Args:
        table: [n, columns], without NaN.
        signs: +1 and -1, B samples.
        pairs: the columns to compare.
        exact: ``signs`` are all there are.
        each: where some of the pairs are tested; the same bits anywhere.

    Returns:
        [pairs]; 1 for identical columns.

    Reference:
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    # Equal by rights, unequal by rounding: a sum is wrong by far less than this, and no difference matters below it.
    work = _FlipsReaching(_FlippedSums(table, signs), len(table) * noise(table))
    hits = np.concatenate(list(each(work, pairs.together(max(1, WORK // len(signs)), len(pairs)))))
    p: Floats = share(hits, len(signs), exact=exact)
    return p


def required_by_flips(
    table: Floats, signs: Samples, pairs: Contrasts, kth: int, batches: int = 0, each: Each = map
) -> tuple[Floats, Floats]:
    """The k-th largest |mean| of a pair's flipped differences, [pairs].

    And that of the flips in equal parts, with the rank divided by their number, [batches, pairs].
    """
    every = [(slice(0, len(signs)), kth), *((rows, kth // batches) for rows in in_batches(len(signs), batches))]
    work = _RankedFlips(_FlippedSums(table, signs), every)
    required = np.concatenate(list(each(work, pairs.pieces(max(1, WORK // (8 * len(signs)))))), axis=1)
    required /= len(table)
    return required[0], required[1:]


class _FlippedSums:
    """Column sums of every flip, computed on first use.

    Args:
        table: [n, columns], without NaN.
        signs: of each row, B samples.
    """

    def __init__(self, table: Floats, signs: Samples) -> None:
        self.residual = table - table.mean(axis=1, keepdims=True)
        self.signs = signs

    @cached_property
    def sums(self) -> Floats:
        """[B, columns]."""
        return self.signs.sums(self.residual)


@dataclass(frozen=True)
class _FlipsReaching:
    """The number of flips that reach the observed statistics of pairs; ``slack`` is rounding, [columns]."""

    flipped: _FlippedSums
    slack: Floats

    def __call__(self, groups: TaskGroups) -> Ints:
        sums, slack, observed = self.flipped.sums, self.slack, self.flipped.residual.sum(axis=0)
        counts = []
        for group in groups:
            level = np.abs(observed[group.left] - observed[group.right])
            level -= np.maximum(slack[group.left], slack[group.right])
            hits = np.zeros(len(level), dtype=np.int64)
            size = min(ROWS, max(16, CELLS // len(level)))
            for start in range(0, len(sums), size):
                block = sums[start : start + size]
                moments = np.abs(block[:, group.left, None] - block[:, group.right])
                hits += np.add.reduce((moments >= level).view(np.uint8), axis=0, dtype=np.uint8)
            counts.append(hits)
        return np.concatenate(counts)


@dataclass(frozen=True)
class _RankedFlips:
    """The |sum| of each pair that has a rank among the flips, for each part of them, [parts, pairs]."""

    flipped: _FlippedSums
    every: list[tuple[slice, int]]

    def __call__(self, pairs: Contrasts) -> Floats:
        sums, required = self.flipped.sums, np.empty((len(self.every), len(pairs)))
        width = max(1, 8 * CELLS // len(sums))
        for start in range(0, len(pairs), width):
            block = slice(start, start + width)
            moments = np.abs(sums[:, pairs.left[block]] - sums[:, pairs.right[block]])
            for number, (rows, rank) in enumerate(self.every):
                last = rows.stop - rows.start - rank
                required[number, block] = np.partition(moments[rows], last, axis=0)[last]
        return required
