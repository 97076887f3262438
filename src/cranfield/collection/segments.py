"""Sums, counts and running products over the rows of each list of a flat array, and sorting of such arrays.

List l holds the rows ``starts[l]:starts[l + 1]``. A list gives the same bits alone and among others, because numbers
are added and multiplied row by row inside each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cached_property

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.engine.kernels import kernel

CELLS = 1 << 20
"""Cells of the tables in which lists are laid side by side."""

LONG = 64
"""Rows of a list, on average, from which lists are run down one after another and not side by side."""


def list_numbers(starts: Ints) -> Ints:
    """The list of each row, int64 [rows]."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


@kernel
def list_counts(mask: Mask, starts: Ints) -> Floats:
    """Number of marked rows of each list, float64 [lists]."""
    total = np.concatenate([[0], np.cumsum(mask)])
    counts: Floats = (total[starts[1:]] - total[starts[:-1]]).astype(np.float64)
    return counts


@kernel
def list_sums(values: Floats, starts: Ints) -> Floats:
    """Sum over the rows of each list, added in their order, float64 [lists]."""
    return np.bincount(list_numbers(starts), values, minlength=len(starts) - 1).astype(np.float64, copy=False)


@kernel
def list_positions(starts: Ints) -> Ints:
    """Position of each row among the rows of its list, from 1, int64 [rows]."""
    position = np.arange(1, starts[-1] + 1)
    position -= np.repeat(starts[:-1], starts[1:] - starts[:-1])
    return position


@kernel
def running_counts(mask: Mask, starts: Ints) -> Ints:
    """Number of marked rows of the list up to and including each row, int64 [rows]."""
    total = np.cumsum(mask)
    before = np.concatenate([[0], total])[starts[:-1]]
    running: Ints = total - np.repeat(before, starts[1:] - starts[:-1])
    return running


@kernel
def running_values(values: Floats, starts: Ints, combine: str, upward: bool) -> Floats:
    """The rows of each list up to and including each row, combined row by row, float64 [rows].

    Args:
        values: of the rows.
        starts: where each list begins.
        combine: ``add``, ``multiply`` or ``maximum``, as NumPy's functions are called.
        upward: the rows from each row on instead, from the last row up.
    """
    function: np.ufunc = getattr(np, combine)
    if upward:
        return _accumulate(values[::-1], len(values) - starts[::-1], function)[::-1]
    return _accumulate(values, starts, function)


def _accumulate(values: Floats, starts: Ints, combine: np.ufunc) -> Floats:
    """Short lists are laid side by side, as many of like length at a time as have ``CELLS`` cells."""
    counts = starts[1:] - starts[:-1]
    combined = np.empty(len(values))
    if len(values) >= LONG * len(counts):
        for start, end in itertools.pairwise(starts.tolist()):
            combine.accumulate(values[start:end], out=combined[start:end])
        return combined
    order = np.argsort(counts, kind="stable")
    end = len(order)
    while end > 0 and (longest := int(counts[order[end - 1]])) > 0:
        block = order[max(0, end - max(1, CELLS // longest)) : end]
        end -= len(block)
        line = np.repeat(np.arange(len(block)), counts[block])
        column = np.arange(len(line)) - np.repeat(np.cumsum(counts[block]) - counts[block], counts[block])
        rows = starts[block][line] + column
        table = np.zeros((len(block), longest))
        table[line, column] = values[rows]
        combine.accumulate(table, axis=1, out=table)
        combined[rows] = table[line, column]
    return combined


@kernel
def products_before(values: Floats, starts: Ints) -> Floats:
    """Product over the rows of the list before each row, 1 on the first, float64 [rows]."""
    before = np.empty(len(values))
    before[1:] = running_values(values, starts, "multiply", False)[:-1]
    before[starts[:-1][starts[1:] > starts[:-1]]] = 1.0
    return before


@kernel
def first_chances(chances: Floats, starts: Ints) -> Floats:
    """Chance of each row that it is the first of its list where something happens, float64 [rows].

    That is its own chance times the product over the rows above of 1 - theirs.
    """
    return chances * products_before(1 - chances, starts)


@kernel
def rows_down_to(starts: Ints, rank: Ints, depth: Ints) -> Ints:
    """One past the last row of each list down to a rank of its own, int64 [lists]."""
    counts: Ints = list_counts(rank <= np.repeat(depth, np.diff(starts)), starts).astype(np.int64)
    return starts[:-1] + counts


@kernel
def weighed_sums(starts: Ints, rank: Ints, weights: Floats, values: Floats | None = None) -> Floats:
    """Sum over each list of the weights of its ranks, times values; ``weights`` begin with that of rank 0."""
    weight = weights.take(rank)
    return list_sums(weight if values is None else values * weight, starts)


@kernel
def select_rows(
    mask: Mask, starts: Ints, rank: Ints, document: Ints, grade: Floats
) -> tuple[Ints, Ints, Ints, Floats, Ints]:
    """Starts of the lists of marked rows alone, their ranks, documents, grades, and positions in their lists before."""
    (rows,) = mask.nonzero()
    kept_starts = np.searchsorted(rows, starts)
    position = rows + 1 - np.repeat(starts[:-1], kept_starts[1:] - kept_starts[:-1])
    return kept_starts, rank[rows], document[rows], grade[rows], position


@kernel
def ideal_sums(starts: Ints, rank: Ints, before: Ints, length: Ints, sums: Floats) -> Floats:
    """The sums down the best list of each topic, read at the ranks of lists of all topics; see ``RunningIdeal``."""
    topic = np.arange(len(starts) - 1) % max(len(length), 1)
    first, most = (np.repeat(fact[topic], np.diff(starts)) for fact in (before, length))
    return sums.take(first + np.minimum(rank, most))


class Arithmetic:
    """Facts of lists, which are segments, and sums over them; see ``Rankings`` for the arrays."""

    length: Ints
    starts: Ints
    rank: Ints

    # ---- facts of a row

    @cached_property
    def segment(self) -> Ints:
        """Segment of each row, int64 [rows]."""
        return np.repeat(np.arange(len(self.length)), self.sizes)

    @cached_property
    def depth(self) -> Floats:
        """The rank of each row as a float, float64 [rows], so that no formula has to convert it again."""
        return self.rank.astype(np.float64)

    @cached_property
    def position(self) -> Ints:
        """Position of each row among the rows of its list, from 1, int64 [rows]."""
        return list_positions(self.starts)

    def weights(self, weight: Callable[[Floats], Floats]) -> Floats:
        """The weight of each rank, and 0 in front of them, float64 [ranks + 1]."""
        return np.append(0.0, weight(np.arange(1.0, self.longest + 1)))

    def at_rank(self, weight: Callable[[Floats], Floats]) -> Floats:
        """The weight of each row's rank, computed once a rank, float64 [rows]."""
        return self.weights(weight).take(self.rank)

    # ---- facts of a list

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each list, int64 [segments]."""
        return self.starts[1:] - self.starts[:-1]

    @cached_property
    def longest(self) -> int:
        """Documents of the longest list."""
        return int(self.length.max(initial=0))

    def count(self, mask: Mask) -> Floats:
        """Number of marked rows of each list, float64 [segments]."""
        return list_counts(mask, self.starts)

    def rows_down_to(self, depth: Ints) -> Ints:
        """One past the last row of each list down to a rank of its own, int64 [segments]."""
        return rows_down_to(self.starts, self.rank, depth)

    def count_down_to(self, cutoff: int | None) -> Floats:
        """Number of rows of each list at rank ``cutoff`` or above; all where None; float64 [segments]."""
        if cutoff is None or cutoff >= self.longest:
            return self.sizes.astype(np.float64)
        ends = self.rows_down_to(np.full(len(self.length), cutoff))
        return (ends - self.starts[:-1]).astype(np.float64)

    def running_count(self, mask: Mask) -> Ints:
        """Number of marked rows of the list up to and including each row, int64 [rows]."""
        return running_counts(mask, self.starts)

    def sum(self, values: Floats) -> Floats:
        """Sum over the rows of each list, added in rank order, float64 [segments]."""
        return list_sums(values, self.starts)

    def weighed_sum(self, weights: Floats, values: Floats | None = None) -> Floats:
        """Sum over the rows of each list of the weights of their ranks, times values; see ``weights``."""
        return weighed_sums(self.starts, self.rank, weights, values)

    def maximum(self, values: Floats) -> Floats:
        """Largest value of each list, 0 for a list without rows, float64 [segments]."""
        largest = np.zeros(len(self.length))
        filled = self.sizes > 0
        if filled.any():
            largest[filled] = np.maximum.reduceat(values, self.starts[:-1][filled])
        return largest

    def running_sum(self, values: Floats) -> Floats:
        """Sum over the rows of the list up to and including each row, float64 [rows].

        Added row by row inside each list, so that a list gives the same bits alone and among others.
        """
        return running_values(values, self.starts, "add", False)

    def running_product(self, values: Floats) -> Floats:
        """Product over the rows of the list before each row, row by row as ``running_sum``, 1 on the first."""
        return products_before(values, self.starts)

    def first_chances(self, chances: Floats) -> Floats:
        """Chance of each row that it is the first of its list where something happens, float64 [rows].

        That is its own chance times the product over the rows above of 1 - theirs.
        """
        return first_chances(chances, self.starts)

    def sum_from(self, values: Floats) -> Floats:
        """Sum over the rows of the list from each row on, added from the last row up, float64 [rows]."""
        return running_values(values, self.starts, "add", True)

    def maximum_from(self, values: Floats) -> Floats:
        """Largest value of the rows of the list from each row on, float64 [rows]."""
        return running_values(values, self.starts, "maximum", True)


COUNTED = 256
"""Integers below it are counted."""


def stable_order(keys: Ints) -> Ints:
    """The indexes that sort keys of at least 0, equal ones in their order, int64 [keys].

    By 16 bits at a time, the last ones first: of so few, NumPy's stable sort counts and does not compare, which is
    several times faster.
    """
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for bits in range(16, int(keys.max(initial=0)).bit_length(), 16):
        order = order[np.argsort((keys >> bits).astype(np.uint16)[order], kind="stable")]
    return order


def distinct(values: Floats) -> Floats:
    """The values that occur, ascending, float64 [values]; none is NaN.

    As ``np.unique``, which imports masked arrays when it is first called: a tenth of what a small evaluation costs.
    Many whole numbers of a byte, as labels are, are counted and not sorted.
    """
    if len(values) > COUNTED and values.min() >= 0 and values.max() < COUNTED:
        small = values.astype(np.uint8)
        if (small == values).all():
            return np.flatnonzero(np.bincount(small, minlength=COUNTED)).astype(np.float64)
    ordered: Floats = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]
