"""Many lists sorted together, against the textbook's recursion on each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.statistics.kernels.majority_order import merge_sort


def textbook(items: list[int], stays: Callable[[int, int], bool]) -> list[int]:
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = textbook(items[:middle], stays), textbook(items[middle:], stays)
    merged = []
    while left and right:
        merged.append(left.pop(0) if stays(left[0], right[0]) else right.pop(0))
    return merged + left + right


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.integers(0, 2**32 - 1))
def test_any_relation_whatever(sizes: list[int], seed: int) -> None:
    """A relation drawn at random has cycles, indifference and contradictions enough."""
    starts = np.cumsum([0, *sizes])
    table = np.random.default_rng(seed).random((starts[-1], starts[-1])) < 0.6
    order = merge_sort(starts, lambda left, right: table[left, right])
    expected = [
        item
        for begin, end in pairwise(starts.tolist())
        for item in textbook(list(range(begin, end)), lambda left, right: bool(table[left, right]))
    ]
    assert order.tolist() == expected


@given(st.lists(st.lists(st.integers(0, 5), max_size=30), min_size=1, max_size=5))
def test_an_order_is_sorted_stably(lists: list[list[int]]) -> None:
    values = np.array([value for each in lists for value in each], dtype=np.int64)
    starts = np.cumsum([0, *map(len, lists)])
    order = merge_sort(starts, lambda left, right: values[left] <= values[right])
    expected = [
        item for begin, end in pairwise(starts.tolist()) for item in sorted(range(begin, end), key=values.__getitem__)
    ]
    assert order.tolist() == expected
