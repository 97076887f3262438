"""What is computed row by row inside each list: sums, counts, running products, and weights of ranks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from cranfield.arrays import Floats, Ints, Mask
from cranfield.collection.rankings import segments


class Arithmetic:
    """Of rankings; see there for the arrays."""

    length: Ints
    starts: Ints
    rank: Ints

    # ---- facts of a row

    @cached_property
    def segment(self) -> Ints:
        """Segment of each row, int64 [rows]."""
        return np.repeat(np.arange(len(self.length)), self.starts[1:] - self.starts[:-1])

    @cached_property
    def position(self) -> Ints:
        """Place of each row among the rows of its list, from 1, int64 [rows]."""
        return segments.places(self.starts)

    def weights(self, weight: Callable[[Floats], Floats]) -> Floats:
        """The weight of each rank, and 0 in front of them, float64 [ranks + 1]."""
        return np.append(0.0, weight(np.arange(1.0, self.longest + 1)))

    def at_rank(self, weight: Callable[[Floats], Floats]) -> Floats:
        """The weight of each row's rank, computed once a rank, float64 [rows]."""
        return self.weights(weight).take(self.rank)

    # ---- facts of a list

    @cached_property
    def longest(self) -> int:
        """Documents of the longest list."""
        return int(self.length.max(initial=0))

    def count(self, mask: Mask) -> Floats:
        """How many rows of each list are marked, float64 [segments]."""
        return segments.count(mask, self.starts)

    def rows_down_to(self, depth: Ints) -> Ints:
        """One past the last row of each list down to a rank of its own, int64 [segments]."""
        return segments.rows_down_to(self.rank, self.starts, depth)

    def count_down_to(self, cutoff: int | None) -> Floats:
        """How many rows of each list stand at rank ``cutoff`` or above; all where None; float64 [segments]."""
        if cutoff is None or cutoff >= self.longest:
            return np.diff(self.starts).astype(np.float64)
        ends = self.rows_down_to(np.full(len(self.length), cutoff))
        return (ends - self.starts[:-1]).astype(np.float64)

    def running_count(self, mask: Mask) -> Ints:
        """How many rows of the list are marked up to and including each row, int64 [rows]."""
        return segments.running_count(mask, self.starts)

    def sum(self, values: Floats) -> Floats:
        """Sum over the rows of each list, added in rank order, float64 [segments]."""
        return segments.sums(values, self.starts, lambda: self.segment)

    def weighed_sum(self, weights: Floats, values: Floats | None = None) -> Floats:
        """Sum over the rows of each list of the weights of their ranks, times values; see ``weights``."""
        return segments.weighed(values, weights, self.rank, self.starts, lambda: self.segment)

    def maximum(self, values: Floats) -> Floats:
        """Largest value of each list, 0 for a list without rows, float64 [segments]."""
        return segments.maximum(values, self.starts)

    def running_sum(self, values: Floats) -> Floats:
        """Sum over the rows of the list up to and including each row, float64 [rows].

        Added row by row inside each list, so that a list gives the same bits alone and among others.
        """
        return segments.running(values, self.starts, np.add)

    def running_product(self, values: Floats) -> Floats:
        """Product over the rows of the list before each row, row by row as ``running_sum``, 1 on the first."""
        return segments.product_before(values, self.starts)

    def sum_from(self, values: Floats) -> Floats:
        """Sum over the rows of the list from each row on, added from the last row up, float64 [rows]."""
        return segments.running_from(values, self.starts, np.add)

    def maximum_from(self, values: Floats) -> Floats:
        """Largest value of the rows of the list from each row on, float64 [rows]."""
        return segments.running_from(values, self.starts, np.maximum)
