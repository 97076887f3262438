"""How many items that stand before an item in its list are smaller, and how many are larger."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Ints

FEW = 6
"""Values up to which it is quicker to count one after the other."""


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
    if size and (most := int(value.max())) < FEW:
        return _of_few(value, starts, most)
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
        to = np.where(high, first + lows_of_group + high_before, first + low_before)
        moved, first_of = np.empty_like(item), np.empty_like(first)
        moved[to] = item
        first_of[to] = np.where(high, first + lows_of_group, first)
        item, first = moved, first_of
    return smaller, larger


def _of_few(value: Ints, starts: Ints, most: int) -> tuple[Ints, Ints]:
    """The same of values up to ``most``: for each of them, how many items before each place are below it."""
    size = len(value)
    below = np.zeros((most + 2, size + 1), dtype=np.int64)
    for one in range(1, most + 1):
        np.cumsum(value < one, out=below[one, 1:])
    below[most + 1] = np.arange(size + 1)
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
