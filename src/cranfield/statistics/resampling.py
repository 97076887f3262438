"""Random samples of n items as rows of a matrix, so that statistics of all samples are matrix products.

The matrix is read a block of rows at a time, and drawn again, to the same bits, on every pass: [resamples, n] is held
only where it is small. ``NestedSums`` adds up the first rows of random orders, each row once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats
from cranfield.memory import require, rows_within
from cranfield.statistics.numeric import ROWS, product

CELLS = 1 << 22
"""Numbers of one block: no block delays a signal, and none is large."""
DRAWN = 1 << 20
"""Numbers drawn in one call, of four rows at least: the generator gives signs in fours."""

Draw = Callable[[np.random.Generator, int, int], Floats]
"""Rows ``start`` to ``start + size`` of the samples, which a generator that drew those before gives."""
SUM_CELLS, SUM_STEP = 1 << 20, 64
"""Numbers that are looked up at once, and rows that are summed without compensation."""


class Samples:
    """Samples of n items, one a row.

    Args:
        resamples: rows.
        n: items.
        rng: what draws, left as it is.
        draw: what a few rows are.

    Raises:
        InputError: even a few of them would not fit.
    """

    def __init__(self, resamples: int, n: int, rng: np.random.Generator, draw: Draw) -> None:
        require(2 * ROWS * n * 8, f"resampling {n:,} topics or systems", "take fewer")
        self.resamples, self.n = resamples, n
        self._rng, self._draw = deepcopy(rng), draw
        self._rows: Floats | None = None

    @classmethod
    def from_rows(cls, rows: Floats) -> Samples:
        """Wrap samples that were drawn elsewhere, [resamples, n]."""
        resamples, n = rows.shape
        samples = cls(resamples, n, np.random.default_rng(0), partial(_take_rows, rows))
        samples._rows = rows
        return samples

    def __len__(self) -> int:
        return self.resamples

    def __getstate__(self) -> dict[str, Any]:
        """Without the rows, which are drawn again elsewhere."""
        return self.__dict__ | {"_rows": None}

    @property
    def held(self) -> bool:
        """Return whether they come in one block, which is cached: where they take up to a quarter of the memory."""
        return self._rows is not None or self.resamples <= rows_within(self.n, 0.25)

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Slices of rows, and the rows, float64 [rows, n]."""
        if self._rows is None and self.held:
            all_rows = np.empty((self.resamples, self.n))
            for rows, block in self._drawn():
                all_rows[rows] = block
            self._rows = all_rows  # not before: another thread may ask
        if self._rows is not None:
            yield slice(0, self.resamples), self._rows
        else:
            yield from self._drawn()

    def sums(self, table: Floats) -> Floats:
        """The weighted sum of a table's rows for each sample, [resamples, columns]; blocks do not change the bits."""
        out = np.empty((self.resamples, table.shape[1]))
        for rows, block in self.blocks():
            out[rows] = product(block, table)
        return out

    def _drawn(self) -> Iterator[tuple[slice, Floats]]:
        rng = deepcopy(self._rng)
        height = ROWS * max(1, CELLS // (ROWS * self.n))
        step = 4 * max(1, DRAWN // (4 * self.n))
        for start in range(0, self.resamples, height):
            stop = min(self.resamples, start + height)
            block = np.empty((stop - start, self.n))
            for begin in range(start, stop, step):
                chunk = self._draw(rng, begin, min(step, stop - begin))
                block[begin - start : begin - start + len(chunk)] = chunk
            yield slice(start, stop), block


def bootstrap_counts(n: int, resamples: int, rng: np.random.Generator) -> Samples:
    """Return how often each item is drawn, with replacement, into samples of its own size.

    The items of a sample are ``rng.integers(0, n, size=(resamples, n))``, so that they can be reproduced elsewhere.
    """
    return Samples(resamples, n, rng, partial(_draw_counts, n))


def _take_rows(rows: Floats, _: np.random.Generator, start: int, size: int) -> Floats:
    return rows[start : start + size]


def _draw_counts(n: int, rng: np.random.Generator, _: int, size: int) -> Floats:
    index = rng.integers(0, n, size=(size, n)) + np.arange(size)[:, None] * n
    return np.bincount(index.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)


def is_exact(n: int, resamples: int) -> bool:
    """Return whether ``sign_flips`` gives all possible flips of n items."""
    return n <= 62 and 1 << (n - 1) <= resamples


def in_batches(resamples: int, batches: int) -> list[slice]:
    """Parts of equal size; what is left over is in none."""
    size = resamples // max(1, batches)
    return [slice(start * size, (start + 1) * size) for start in range(batches)]


def sign_flips(n: int, resamples: int, rng: np.random.Generator) -> tuple[Samples, bool]:
    """Signs +1 and -1 of n items, and whether they are all possible flips.

    All 2^(n-1) flips up to a common sign, which no two-sided statistic sees, where ``resamples`` reaches so far; else
    that many random ones, 1 - 2 ``rng.integers(0, 2, size=(resamples, n), dtype=np.int8)``.
    """
    if is_exact(n, resamples):
        return Samples(1 << (n - 1), n, rng, partial(_all_signs, n)), True
    return Samples(resamples, n, rng, partial(_random_signs, n)), False


def _all_signs(n: int, _: np.random.Generator, start: int, size: int) -> Floats:
    bits = np.arange(start, start + size, dtype=np.int64)[:, None] >> np.arange(n) & 1
    return 1.0 - 2.0 * bits.astype(np.float64)


def _random_signs(n: int, rng: np.random.Generator, _: int, size: int) -> Floats:
    return 1.0 - 2.0 * rng.integers(0, 2, size=(size, n), dtype=np.int8).astype(np.float64)


def permutations(n: int, resamples: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Random orders of n items, one after the other ``rng.permutation(n)``, int32 [resamples, n].

    Raises:
        InputError: they would not fit.
    """
    require(4 * n * resamples, f"{resamples:,} orders of {n:,} topics", "draw fewer subsets")
    orders = np.empty((resamples, n), dtype=np.int32)
    for order in orders:
        order[:] = rng.permutation(n)
    return orders


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

    def beyond(self, shorter: NestedSums) -> Floats:
        """Sums over the rows that these have and others do not, which have gone less far, [orders, columns]."""
        apart: Floats = (self._total - shorter._total) + (self._lost - shorter._lost)
        return apart

    def _add(self, more: NDArray[Any]) -> None:
        if self._kind is np.int32:
            self._total += more
            return
        total = self._total + more
        larger = np.abs(self._total) >= np.abs(more)
        self._lost += np.where(larger, (self._total - total) + more, (more - total) + self._total)
        self._total = total
