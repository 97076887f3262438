"""Sort documents by the majority of runs, or by a number of votes, in NumPy.

The majority may have cycles, so the lists are sorted by a fixed merge sort, all of them together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints, Mask
from cranfield.engine.protocol import PositionTable

Stays = Callable[[Ints, Ints], NDArray[np.bool_]]
"""A function that tells whether each left item may stay before its right one, [pairs] twice -> [pairs]."""


def votes(rank: PositionTable, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Count the runs that rank the first document of each pair above the second, and those that rank it below.

    A retrieved document is ranked above one that is not; a run that retrieves neither abstains.

    Args:
        rank: of the documents in the runs, [documents, runs].
        left, right: rows of ``rank``, arrays that broadcast.
    """
    left_rank, right_rank = rank[left], rank[right]
    return (left_rank < right_rank).sum(axis=-1), (left_rank > right_rank).sum(axis=-1)


def decided(rank: PositionTable, label: Floats, need: int, left: Ints, right: Ints) -> NDArray[np.int8]:
    """1 where ``need`` runs put the first document first and fewer the second; -1 the other way round; else by label.

    Args:
        rank: as in ``votes``.
        label: of each document; the larger one comes first.
        need: votes.
        left, right: as in ``votes``.
    """
    won, lost = (count >= need for count in votes(rank, left, right))
    by_label = np.sign(label[left] - label[right]).astype(np.int8)
    decision: NDArray[np.int8] = np.where(won == lost, by_label, np.where(won, np.int8(1), np.int8(-1)))
    return decision


def majority_order(rank: PositionTable, starts: Ints) -> Ints:
    """See ``cranfield.engine.protocol.Engine.majority_order``."""

    def stays(left: Ints, right: Ints) -> Mask:
        won, lost = votes(rank, left, right)
        agrees: Mask = won >= lost
        return agrees

    return merge_sort(starts, stays)


def order_by_votes(rank: PositionTable, starts: Ints, label: Floats, need: int) -> Ints:
    """See ``cranfield.engine.protocol.Engine.order_by_votes``."""
    return merge_sort(starts, lambda left, right: decided(rank, label, need, left, right) >= 0)


def merge_sort(starts: Ints, stays: Stays) -> Ints:
    """Sort every list from the top down: halves of n // 2 and n - n // 2, merged stably.

    Where the comparison has cycles or indifference that is not a tie, the outcome depends on how it is sorted, so it is
    fixed: it asks what the textbook's merge sort of each list asks, in the same turn, but of all lists together.

    Args:
        starts: list s holds the items ``starts[s]:starts[s + 1]``, in the order that it starts from, int64 [lists + 1].
        stays: the comparison.

    Returns:
        The items in their new order, list after list, int64 [items].
    """
    order = np.arange(starts[-1])
    levels = []
    low, high = starts[:-1], starts[1:]
    while len(low := low[splittable := high - low > 1]):
        high = high[splittable]
        middle = low + (high - low) // 2
        levels.append((low, middle, high))
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    for low, middle, high in reversed(levels):
        _merge(order, low, middle, high, stays)
    return order


def _merge(order: Ints, low: Ints, middle: Ints, high: Ints, stays: Stays) -> None:
    """Merge ``order[low:middle]`` with ``order[middle:high]`` for all of them, one step of each at a time."""
    merged = np.empty_like(order)
    left, right, to = low.copy(), middle.copy(), low.copy()
    going = np.arange(len(low))
    i, j, k, end_i, end_j = left, right, to, middle, high
    while len(going):
        left_item, right_item = order[i], order[j]
        stay = stays(left_item, right_item)
        merged[k] = np.where(stay, left_item, right_item)
        i, j, k = i + stay, j + ~stay, k + 1
        goes_on = (i < end_i) & (j < end_j)
        if not goes_on.all():
            left[going], right[going], to[going] = i, j, k
            going, i, j, k = going[goes_on], i[goes_on], j[goes_on], k[goes_on]
            end_i, end_j = end_i[goes_on], end_j[goes_on]
    for begin, end in ((left, middle), (right, high)):
        # The rest of either half follows unchanged.
        size = end - begin
        steps = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        merged[np.repeat(to, size) + steps] = order[np.repeat(begin, size) + steps]
    rows = np.repeat(low - (np.cumsum(high - low) - (high - low)), high - low) + np.arange((high - low).sum())
    order[rows] = merged[rows]
