"""Counts of pairs that two lists of scores order alike, from which rank correlations are computed.

With N_i = #{j : x_j > x_i} and C_i = #{j : x_j > x_i and y_j > y_i}, Kendall's and the AP correlations are short sums.
C is counted once for both directions. Many short lists are counted pair by pair, one byte a pair; few or long ones in
O(n log n) by merging, after Knight (1966).

``ScorePair`` checks the two arrays of scores that every correlation takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield._typing import Floats, Ints, Scalar
from cranfield.errors import InputError, UsageError

Codes = NDArray[np.unsignedinteger[Any]]

BLOCK = 1 << 17
"""Bytes of one working array when counting pair by pair: a few of them stay in the cache."""
SHORT, SHORT_OF_MANY, MANY = 256, 1500, 100
"""Up to SHORT items, counting pairs is about as fast as merging; with MANY lists or more, up to SHORT_OF_MANY."""
FEW = 6
"""Number of distinct values up to which counting below each bound is quicker."""


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
        lists, n = self.x.shape
        short = n <= (SHORT_OF_MANY if lists >= MANY else SHORT)
        return _count_by_pairs(self.x, self.y) if short else _count_by_merging(self.x, self.y)

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
        """Concordant minus discordant pairs, [lists]."""
        surplus: Ints = 2 * self.concordant - self.untied
        return surplus


def items_above(scores: NDArray[Any]) -> Codes:
    """The number of items with a larger score than each item, [..., n] -> [..., n]; O(n log n)."""
    n = scores.shape[-1]
    order = np.argsort(-scores, axis=-1)
    ordered = np.take_along_axis(scores, order, axis=-1)
    first = np.zeros(scores.shape, dtype=_code_type(n))
    np.multiply(ordered[..., 1:] != ordered[..., :-1], np.arange(1, n), out=first[..., 1:], casting="unsafe")
    np.maximum.accumulate(first, axis=-1, out=first)
    above = np.empty_like(first)
    np.put_along_axis(above, order, first, axis=-1)
    return above


def group_sizes(above: Codes) -> Ints:
    """The number of items that share the score of each item, itself included, [lists, n] -> [lists, n]."""
    lists, n = above.shape
    index = above + np.arange(lists)[:, None] * n
    sizes: Ints = np.bincount(index.ravel(), minlength=lists * n)[index]
    return sizes


def mid_ranks(scores: NDArray[Any]) -> Floats:
    """Ranks from 1 for the smallest score, equal ones sharing their mean, [lists, n] -> [lists, n]."""
    above = items_above(scores)
    ranks: Floats = scores.shape[-1] - above - (group_sizes(above) - 1) / 2.0
    return ranks


def _count_by_pairs(x: Codes, y: Codes) -> Codes:
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


def _count_by_merging(x: Codes, y: Codes) -> Codes:
    """Go down the first list, and count for each item the earlier ones that are higher in the second, while merging.

    Items tied in the first list are taken from worst to best of the second, so that none counts for another.
    """
    lists, n = x.shape
    order = np.argsort(x.astype(np.int64) * n + (n - 1 - y.astype(np.int64)), axis=-1)
    size = 1 << max(0, n - 1).bit_length()
    values = np.full((lists, size), n, dtype=np.int64)
    values[:, :n] = np.take_along_axis(y, order, axis=-1)
    positions = np.tile(np.arange(size), (lists, 1))
    earlier = np.zeros((lists, size), dtype=np.int64)
    half = 1
    while half < size:
        # The later half comes first: of equal values, its items are placed before those of the earlier half.
        shape = (lists, size // (2 * half), 2 * half)
        values, positions = (np.roll(table.reshape(shape), half, axis=-1) for table in (values, positions))
        merged = np.argsort(values, axis=-1, kind="stable")
        values, positions = (np.take_along_axis(table, merged, axis=-1) for table in (values, positions))
        later = merged < half
        passed = np.where(later, np.arange(2 * half) - merged, 0).reshape(lists, size)
        values, positions = values.reshape(lists, size), positions.reshape(lists, size)
        np.put_along_axis(earlier, positions, np.take_along_axis(earlier, positions, axis=-1) + passed, axis=-1)
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


def earlier(value: Ints, starts: Ints) -> tuple[Ints, Ints]:
    """Items before each one in its list that are smaller than it, and that are larger.

    The lists are split by the bits of their values, highest first, each keeping its order: two items part at the first
    bit in which they differ, and there the one with the bit is the larger. O(items * bits). Few values are counted one
    after the other.

    Args:
        value: not negative, int64 [items], one list after the other.
        starts: list s holds the items ``starts[s]:starts[s + 1]``, int64 [lists + 1].

    Returns:
        (smaller, larger), int64 [items] each.
    """
    size = len(value)
    if size and (largest := int(value.max())) < FEW:
        return _count_few_values(value, starts, largest)
    smaller, larger = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    item = np.arange(size)
    first = np.repeat(starts[:-1], np.diff(starts))
    for bit in reversed(range(int(value.max(initial=0)).bit_length())):
        high = (value[item] >> bit & 1).astype(np.bool_)
        lows = np.concatenate([[0], np.cumsum(~high)])
        low_before = lows[:-1] - lows[first]
        high_before = np.arange(size) - first - low_before
        smaller[item[high]] += low_before[high]
        larger[item[~high]] += high_before[~high]
        if bit == 0:
            break
        group_end = _ends(first, size)
        lows_of_group = lows[group_end] - lows[first]
        target = np.where(high, first + lows_of_group + high_before, first + low_before)
        new_item, new_first = np.empty_like(item), np.empty_like(first)
        new_item[target] = item
        new_first[target] = np.where(high, first + lows_of_group, first)
        item, first = new_item, new_first
    return smaller, larger


def _count_few_values(value: Ints, starts: Ints, largest: int) -> tuple[Ints, Ints]:
    """Count as ``earlier`` does where no value exceeds ``largest``: cumulative counts below each bound."""
    size = len(value)
    below = np.zeros((largest + 2, size + 1), dtype=np.int64)
    for bound in range(1, largest + 1):
        np.cumsum(value < bound, out=below[bound, 1:])
    below[largest + 1] = np.arange(size + 1)
    counts = below.reshape(-1)
    item, first, line = np.arange(size), np.repeat(starts[:-1], np.diff(starts)), value * (size + 1)
    smaller = counts[line + item] - counts[line + first]
    line += size + 1
    return smaller, item - first - (counts[line + item] - counts[line + first])


def _ends(first: Ints, size: int) -> Ints:
    """One past the last item of the group that begins at ``first``, for items that stand group by group."""
    begins = np.flatnonzero(np.diff(first, prepend=-1))
    ends: Ints = np.repeat(np.append(begins[1:], size), np.diff(np.append(begins, size)))
    return ends


class ScorePair:
    """Two arrays of scores, checked, with their leading axes made one."""

    def __init__(self, estimate: ArrayLike, truth: ArrayLike) -> None:
        arrays = [_scores(estimate, "estimate"), _scores(truth, "truth")]
        lengths = [scores.shape[-1] for scores in arrays]
        if lengths[0] != lengths[1]:
            raise UsageError(f"estimate has {lengths[0]} scores and truth {lengths[1]}: they are of the same items")
        _refuse_other_items(_items(estimate), _items(truth))
        try:
            self.leading = np.broadcast_shapes(*(scores.shape[:-1] for scores in arrays))
        except ValueError:
            shapes = " and ".join(str(scores.shape) for scores in arrays)
            raise UsageError(f"estimate and truth have shapes {shapes}: the leading axes should be equal") from None
        self._arrays = arrays

    @property
    def x(self) -> Floats:
        """The estimate, [lists, n]."""
        return self._listed(self._arrays[0])

    @property
    def y(self) -> Floats:
        """Truth, [lists, n]."""
        return self._listed(self._arrays[1])

    def _listed(self, table: NDArray[Scalar]) -> NDArray[Scalar]:
        n = table.shape[-1]
        lists = int(np.prod(self.leading, dtype=np.int64))
        return np.ascontiguousarray(np.broadcast_to(table, (*self.leading, n))).reshape(lists, n)

    @cached_property
    def counts(self) -> Concordance:
        """Pairs counted; a list that is compared with many is sorted once."""
        x, y = (self._listed(items_above(scores)) for scores in self._arrays)
        return Concordance(x, y)

    def refuse_ties(self, which: str, instead: str) -> None:
        """Raises: InputError: two items of a list have the same score."""
        untied = self.counts.untied_x if which == "estimate" else self.counts.untied_y
        tied = np.flatnonzero(untied < self.counts.pairs)
        if len(tied):
            scores = np.sort((self.x if which == "estimate" else self.y)[tied[0]])
            value = scores[1:][scores[1:] == scores[:-1]][0]
            raise InputError(f"{which} ties two items at {value:g}, which this correlation cannot have: use {instead}")

    def refuse_infinite(self) -> None:
        """Raises: InputError: a score is infinite."""
        for which, scores in zip(("estimate", "truth"), self._arrays, strict=True):
            if not np.isfinite(scores).all():
                raise InputError(f"{which} holds an infinite score; this needs finite ones")

    def shaped(self, values: Floats) -> Floats:
        """One value of each pair of lists, [...]; a NumPy number where there is one pair."""
        shaped: Any = values.reshape(self.leading)[()]
        return shaped  # type: ignore[no-any-return]


def _items(values: Any) -> list[Any] | None:
    """Labels of the last axis of a labelled array or frame; None of a plain one."""
    if hasattr(values, "indexes") and hasattr(values, "dims"):
        index = values.indexes.get(values.dims[-1]) if values.dims else None
    else:
        index = getattr(values, "columns", getattr(values, "index", None))
    return None if index is None or callable(index) else list(index)


def _refuse_other_items(estimate: list[Any] | None, truth: list[Any] | None) -> None:
    """Raises: UsageError: the labels differ, in their items or in their order."""
    if estimate is None or truth is None or estimate == truth:
        return
    ours, theirs = next(pair for pair in zip(estimate, truth, strict=True) if pair[0] != pair[1])
    raise UsageError(
        f"estimate and truth have different labels ({ours!r} where truth has {theirs!r}): align them first"
    )


def _scores(values: ArrayLike, which: str) -> Floats:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{which} is not an array of numbers") from None
    if scores.ndim == 0:
        raise UsageError(f"{which} is one number; a correlation is of two lists")
    if np.isnan(scores).any():
        index = np.argwhere(np.isnan(scores))[0].tolist()
        raise InputError(f"{which}{index} is nan: leave the item out of both lists, or give it a score")
    return scores
