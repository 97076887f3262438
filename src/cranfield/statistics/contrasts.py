"""Pairs of columns of a matrix that are compared, and the differences that rounding alone leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.memory import analysed, require
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.rounding import NOISE

OF_PAIR = 100
"""Bytes that a pair of columns takes in the working arrays of an analysis, about."""


class LeftGroup(NamedTuple):
    """Contrasts that share their left column, so that one subtraction of a block serves all of them."""

    left: int
    right: slice | Ints
    positions: slice
    """The positions of these contrasts among all."""


class TaskGroups(list[LeftGroup]):
    """The groups of one task."""

    @property
    def name(self) -> str:
        """The name of the task on a cluster."""
        return f"pairs {self[0].positions.start + 1:,} to {self[-1].positions.stop:,}"


def every_pair(columns: int) -> tuple[Ints, Ints]:
    """The indices of every i < j, in the order (0, 1), (0, 2), ...

    Raises:
        InputError: working arrays of that many pairs would not fit into the memory allowed.
    """
    count = columns * (columns - 1) // 2
    require(OF_PAIR * count, analysed(f"all {count:,} pairs of {columns:,} systems"), "give fewer systems")
    left, right = np.triu_indices(columns, 1)
    return left, right


@dataclass(frozen=True)
class Contrasts:
    """Differences of columns, left minus right; equal lefts stand together.

    Args:
        left: column indices, int64 [pairs].
        right: column indices, int64 [pairs].
    """

    left: Ints
    right: Ints

    @classmethod
    def all_pairs(cls, columns: int) -> Contrasts:
        """Every i < j, in the order (0, 1), (0, 2), ..."""
        return cls(*every_pair(columns))

    @classmethod
    def against(cls, columns: int, baselines: Sequence[int]) -> Contrasts:
        """Each baseline against every other column; two baselines meet once."""
        left: list[int] = []
        right: list[int] = []
        for index, baseline in enumerate(baselines):
            rights = [column for column in range(columns) if column not in baselines[: index + 1]]
            left += [baseline] * len(rights)
            right += rights
        return cls(np.array(left, dtype=np.int64), np.array(right, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.left)

    @property
    def name(self) -> str:
        """The name of a task on these contrasts on a cluster."""
        return f"{len(self):,} pairs of systems"

    def groups(self, widest: int | None = None) -> Iterator[LeftGroup]:
        """Runs of equal left columns; neighbouring right columns as a slice, which copies nothing.

        Args:
            widest: most contrasts of one group; any number where None.
        """
        if not len(self):
            return
        runs = np.flatnonzero(np.diff(self.left, prepend=-1)).tolist()
        ends = [*runs[1:], len(self)]
        starts = [first for run, end in zip(runs, ends, strict=True) for first in range(run, end, widest or len(self))]
        for start, stop in zip(starts, [*starts[1:], len(self)], strict=True):
            right = self.right[start:stop]
            neighbours = len(right) == 1 or bool((np.diff(right) == 1).all())
            columns = slice(int(right[0]), int(right[-1]) + 1) if neighbours else right
            yield LeftGroup(int(self.left[start]), columns, slice(start, stop))

    def together(self, most: int, widest: int) -> Iterator[TaskGroups]:
        """Groups of at most ``widest`` contrasts, collected into tasks of at most ``most`` contrasts, or one group."""
        groups: list[LeftGroup] = []
        for group in self.groups(widest):
            if groups and group.positions.stop - groups[0].positions.start > most:
                yield TaskGroups(groups)
                groups = []
            groups.append(group)
        if groups:
            yield TaskGroups(groups)

    def blocks(self, rows: int) -> Iterator[Contrasts]:
        """Blocks of contrasts whose differences over ``rows`` rows stay small; one empty block of no contrasts."""
        return self.pieces(max(1, CELLS // rows))

    def pieces(self, width: int) -> Iterator[Contrasts]:
        """Blocks of ``width`` contrasts; one empty block if there are no contrasts."""
        for start in range(0, max(1, len(self)), width):
            yield Contrasts(self.left[start : start + width], self.right[start : start + width])

    def differences(self, table: Floats) -> Floats:
        """left - right of each row, [rows, columns] -> [rows, pairs]."""
        out = np.empty((len(table), len(self)))
        for group in self.groups():
            np.subtract(table[:, group.left, None], table[:, group.right], out=out[:, group.positions])
        return out


def centred(table: Floats) -> Floats:
    """The table without its row and column means: differences of its columns have mean zero, and lose fewer digits."""
    without_rows = table - table.mean(axis=1, keepdims=True)
    residual: Floats = without_rows - without_rows.mean(axis=0)
    return residual


def noise(table: Floats) -> Floats:
    """The largest difference of each column that may be rounding alone, [columns]; see ``pair_noise``."""
    largest: Floats = np.abs(table).max(axis=0, initial=0.0) * NOISE
    return largest


def pair_noise(table: Floats, pairs: Contrasts) -> Floats:
    """Differences up to this size count as zero: ``NOISE`` of the largest value of the two columns, [pairs]."""
    tolerance = noise(table)
    larger: Floats = np.maximum(tolerance[pairs.left], tolerance[pairs.right])
    return larger
