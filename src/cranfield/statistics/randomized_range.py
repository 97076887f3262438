"""The randomized Tukey test: the range of column means when each row's values are dealt to the columns anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from cranfield._typing import Floats
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.threads import Each

Small = TypeVar("Small", bound=np.unsignedinteger)

BLOCK = 1024
"""Resamples at a time: their sums stay in the cache."""
CELLS = 1 << 27
"""Random numbers of a block: one of very many rows has fewer resamples."""
DRAWN = 1 << 20
"""Numbers drawn in one call."""
BASES = 16
"""Freshly shuffled orders of each row in a block; a resample takes one of them, turned by a random offset."""


def null_ranges(table: Floats, resamples: int, rng: np.random.Generator, each: Each = map) -> Floats:
    """Largest less smallest column mean after permuting the values of each row at random, [resamples].

    A permutation of a row is one of a few random orders, turned by a random number of places: uniform over all orders
    and independent between the rows of a resample, so every range has the distribution that the test asks for, for
    one shuffle of many. Resamples of a block share their orders, which leaves the mean of any count as it is.

    Args:
        table: [n, columns], without NaN.
        resamples: how many.
        rng: what deals.
        each: where blocks of resamples are dealt; the same bits anywhere.
    """
    n = len(table)
    work = _Ranges(table - table.mean(axis=1, keepdims=True))
    height = max(1, min(BLOCK, CELLS // n))
    sizes = [min(height, resamples - start) for start in range(0, resamples, height)]
    # Here a block leaves the generator where the next one begins; elsewhere a copy of it deals.
    dealers = (_Dealer(rng, size) for size in sizes) if each is map else _dealers(rng, sizes, *table.shape)
    return np.concatenate(list(each(work, dealers)))


@dataclass(frozen=True)
class _Dealer:
    """What deals a block of so many resamples."""

    rng: np.random.Generator
    size: int

    @property
    def name(self) -> str:
        """What a cluster calls the task."""
        return f"{self.size:,} resamples"

    def places(self, n: int, columns: int) -> tuple[NDArray[np.uint8], NDArray[Any]]:
        """Of each row and resample one of its orders, and how far this is turned, [n, size] each."""
        base = _integers(BASES, (n, self.size), np.uint8, self.rng)
        return base, _integers(columns, (n, self.size), np.uint16 if columns <= 1 << 16 else np.uint32, self.rng)

    def orders(self, row: Floats) -> Floats:
        """Its random orders, [orders, columns]."""
        return self.rng.permuted(np.tile(row, (BASES, 1)), axis=1)


def _dealers(rng: np.random.Generator, sizes: Sequence[int], n: int, columns: int) -> Iterator[_Dealer]:
    """Dealers of blocks with a generator of their own each, as it is once the blocks before are dealt."""
    for size in sizes:
        yield _Dealer(deepcopy(rng), size)
        dealer = _Dealer(rng, size)
        dealer.places(n, columns)
        for _ in range(n):
            dealer.orders(np.zeros(columns))


@dataclass(frozen=True)
class _Ranges:
    """The range of column means in each resample of a block, [resamples]."""

    residual: Floats

    def __call__(self, dealer: _Dealer) -> Floats:
        n, columns = self.residual.shape
        base, offset = dealer.places(n, columns)
        total = np.zeros((dealer.size, columns))
        for row in range(n):
            orders = dealer.orders(self.residual[row])
            turned = sliding_window_view(np.concatenate([orders, orders], axis=1), columns, axis=1)
            total += turned[base[row], offset[row]]
        ranges: Floats = (total.max(axis=1) - total.min(axis=1)) / n
        return ranges


def _integers(below: int, shape: tuple[int, int], kind: type[Small], rng: np.random.Generator) -> NDArray[Small]:
    """``rng.integers(0, below, size=shape)``, drawn a few rows at a time and kept as small numbers."""
    rows, columns = shape
    out = np.empty(shape, dtype=kind)
    step = max(1, DRAWN // columns)
    for start in range(0, rows, step):
        out[start : start + step] = rng.integers(0, below, size=(min(step, rows - start), columns))
    return out


def randomized_tukey(table: Floats, ranges: Floats, pairs: Contrasts) -> Floats:
    """p of each difference of means, adjusted for all pairs of columns.

    p = (#{b : range_b >= |mean(x) - mean(y)|} + 1) / (B + 1).

    Args:
        table: [n, columns], without NaN.
        ranges: from ``null_ranges``, [B].
        pairs: the columns to compare.

    Returns:
        [pairs].

    References:
        Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments.
        doi:10.1145/2094072.2094076
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    means = (table - table.mean(axis=1, keepdims=True)).mean(axis=0)
    tolerance = noise(table)
    level = np.abs(means[pairs.left] - means[pairs.right]) - np.maximum(tolerance[pairs.left], tolerance[pairs.right])
    below = np.searchsorted(np.sort(ranges), level, side="left")
    p: Floats = (len(ranges) - below + 1) / (len(ranges) + 1)
    return p
