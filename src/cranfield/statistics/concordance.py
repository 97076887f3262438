"""How two lists of scores order the same items, counted: the numbers that every rank correlation is made of.

With N_i = #{j : x_j > x_i} and C_i = #{j : x_j > x_i and y_j > y_i}, Kendall's and the AP correlations are short sums.
C is counted once for both directions. Many short lists are counted pair by pair, one byte a pair; few or long ones in
O(n log n) by merging, after Knight (1966).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints

Codes = NDArray[np.unsignedinteger[Any]]

BLOCK = 1 << 17
"""Bytes of one working array when counting pair by pair: a few of them stay in the cache."""
SHORT, SHORT_OF_MANY, MANY = 256, 1500, 100
"""Up to so many items counting pairs is about as fast as merging or faster; of many lists, up to some more."""


@dataclass(frozen=True)
class Concordance:
    """Counts of pairs of items in two orders, for many pairs of lists at once.

    Args:
        x: of each item, the items above it in the first list, [lists, n]; equal for tied items.
        y: the same in the second list.
    """

    x: Codes
    y: Codes

    @property
    def n(self) -> int:
        """Items of a list."""
        return int(self.x.shape[-1])

    @property
    def pairs(self) -> int:
        """Pairs of items, n (n - 1) / 2."""
        return self.n * (self.n - 1) // 2

    @cached_property
    def above_in_both(self) -> Codes:
        """C_i, the items above item i in both lists, [lists, n]."""
        return above_in_both(self.x, self.y)

    @cached_property
    def concordant(self) -> Ints:
        """Pairs in the same order in both lists, [lists]."""
        return _total(self.above_in_both)

    @cached_property
    def untied_x(self) -> Ints:
        """Pairs that the first list does not tie, [lists]."""
        return _total(self.x)

    @cached_property
    def untied_y(self) -> Ints:
        """Pairs that the second list does not tie, [lists]."""
        return _total(self.y)

    @cached_property
    def untied(self) -> Ints:
        """Pairs that neither list ties, concordant or discordant, [lists]."""
        either = self.untied_x + self.untied_y - self.pairs
        both = np.flatnonzero((self.untied_x < self.pairs) & (self.untied_y < self.pairs))
        if len(both):
            joint = self.x[both].astype(np.int64) * self.n + self.y[both]
            either[both] += self.pairs - _total(items_above(-joint))
        return either

    @property
    def surplus(self) -> Ints:
        """Concordant less discordant pairs, [lists]."""
        surplus: Ints = 2 * self.concordant - self.untied
        return surplus


def items_above(scores: NDArray[Any]) -> Codes:
    """Of each item, the number of items with a larger score, [lists, n] -> [lists, n]; O(n log n)."""
    n = scores.shape[-1]
    order = np.argsort(-scores, axis=-1)
    ordered = np.take_along_axis(scores, order, axis=-1)
    first = np.zeros(scores.shape, dtype=_code_type(n))
    np.multiply(ordered[:, 1:] != ordered[:, :-1], np.arange(1, n), out=first[:, 1:], casting="unsafe")
    np.maximum.accumulate(first, axis=-1, out=first)
    above = np.empty_like(first)
    np.put_along_axis(above, order, first, axis=-1)
    return above


def group_sizes(above: Codes) -> Ints:
    """Of each item, how many items share its score, itself included, [lists, n] -> [lists, n]."""
    lists, n = above.shape
    place = above + np.arange(lists)[:, None] * n
    sizes: Ints = np.bincount(place.ravel(), minlength=lists * n)[place]
    return sizes


def mid_ranks(scores: NDArray[Any]) -> Floats:
    """Ranks from 1 for the smallest score, equal ones sharing their mean, [lists, n] -> [lists, n]."""
    above = items_above(scores)
    ranks: Floats = scores.shape[-1] - above - (group_sizes(above) - 1) / 2.0
    return ranks


def above_in_both(x: Codes, y: Codes) -> Codes:
    """Of each item, the items that stand above it in both orders, from ``items_above`` of each, [lists, n]."""
    lists, n = x.shape
    return _by_pairs(x, y) if n <= (SHORT_OF_MANY if lists >= MANY else SHORT) else _by_merging(x, y)


def _by_pairs(x: Codes, y: Codes) -> Codes:
    """Compare every item with every other; items in rows, so that one comparison serves a block of lists."""
    lists, n = x.shape
    out = np.empty((lists, n), dtype=_code_type(n))
    width = max(64, BLOCK // max(1, n * out.itemsize))
    for start in range(0, lists, width):
        rows = slice(start, start + width)
        left, right = np.ascontiguousarray(x[rows].T), np.ascontiguousarray(y[rows].T)
        count = np.zeros(left.shape, dtype=out.dtype)
        higher, also = np.empty(left.shape, dtype=bool), np.empty(left.shape, dtype=bool)
        for item in range(n):
            np.greater(left, left[item], out=higher)
            np.greater(right, right[item], out=also)
            higher &= also
            count += higher
        out[rows] = count.T
    return out


def _by_merging(x: Codes, y: Codes) -> Codes:
    """Go down the first list, and count for each item the earlier ones that are higher in the second, while merging.

    Items tied in the first list are taken from worst to best of the second, so that none counts for another.
    """
    lists, n = x.shape
    order = np.argsort(x.astype(np.int64) * n + (n - 1 - y.astype(np.int64)), axis=-1)
    size = 1 << max(0, n - 1).bit_length()
    values = np.full((lists, size), n, dtype=np.int64)
    values[:, :n] = np.take_along_axis(y, order, axis=-1)
    places = np.tile(np.arange(size), (lists, 1))
    earlier = np.zeros((lists, size), dtype=np.int64)
    half = 1
    while half < size:
        # The later half comes first: of equal values, its items are placed before those of the earlier half.
        shape = (lists, size // (2 * half), 2 * half)
        values, places = (np.roll(table.reshape(shape), half, axis=-1) for table in (values, places))
        merged = np.argsort(values, axis=-1, kind="stable")
        values, places = (np.take_along_axis(table, merged, axis=-1) for table in (values, places))
        later = merged < half
        passed = np.where(later, np.arange(2 * half) - merged, 0).reshape(lists, size)
        values, places = values.reshape(lists, size), places.reshape(lists, size)
        np.put_along_axis(earlier, places, np.take_along_axis(earlier, places, axis=-1) + passed, axis=-1)
        half *= 2
    out = np.empty((lists, n), dtype=_code_type(n))
    np.put_along_axis(out, order, earlier[:, :n].astype(out.dtype), axis=-1)
    return out


def _total(counts: Codes) -> Ints:
    total: Ints = counts.sum(axis=-1, dtype=np.int64)
    return total


def _code_type(n: int) -> type[np.unsignedinteger[Any]]:
    """The smallest type that counts to n - 1."""
    return np.uint8 if n <= 1 << 8 else np.uint16 if n <= 1 << 16 else np.uint32
