"""Sums over nested subsets: of each random order its first rows, more and more of them, each row added once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats

SUM_CELLS, SUM_STEP = 1 << 20, 64
"""Numbers that are looked up at once, and rows that are added up as they are."""


class NestedSums:
    """Column sums over the first rows of each order.

    A sum is reached in many steps: what each step rounds away is carried along (Neumaier 1974), so that the error does
    not grow with the rows, and no decision depends on the steps.

    Args:
        table: [n, columns]; floats, or truth values to count.
        orders: rows in the order in which they come, [orders, n].
    """

    def __init__(self, table: NDArray[Any], orders: NDArray[np.integer[Any]]) -> None:
        self._table, self._orders = table, orders
        self._kind = np.int32 if table.dtype.kind in "bi" else np.float64
        shape = (len(orders), table.shape[1])
        self._total, self._lost = np.zeros(shape, dtype=self._kind), np.zeros(shape, dtype=self._kind)
        self._size = 0

    def reach(self, size: int) -> NDArray[Any]:
        """Sums over the first ``size`` rows, no fewer than before, [orders, columns]."""
        step = min(SUM_STEP, max(1, SUM_CELLS // self._total.size))
        while self._size < size:
            stop = min(size, self._size + step)
            self._add(self._table[self._orders[:, self._size : stop]].sum(axis=1, dtype=self._kind))
            self._size = stop
        return self._total + self._lost

    def beyond(self, other: NestedSums) -> Floats:
        """Sums over the rows that these have and others do not, which have gone less far, [orders, columns]."""
        apart: Floats = (self._total - other._total) + (self._lost - other._lost)
        return apart

    def _add(self, more: NDArray[Any]) -> None:
        if self._kind is np.int32:
            self._total += more
            return
        total = self._total + more
        larger = np.abs(self._total) >= np.abs(more)
        self._lost += np.where(larger, (self._total - total) + more, (more - total) + self._total)
        self._total = total
