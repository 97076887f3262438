"""Items before an item that are smaller or larger, against counting them one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.statistics._concordance import earlier

LISTS = st.lists(st.lists(st.integers(0, 9) | st.integers(0, 5000), max_size=12), max_size=5)


@given(LISTS)
def test_every_item_is_compared_with_those_before_it(lists: list[list[int]]) -> None:
    flat = np.array([value for values in lists for value in values], dtype=np.int64)
    starts = np.cumsum([0, *map(len, lists)])
    smaller, larger = earlier(flat, starts)
    expected = [
        (sum(other < value for other in values[:at]), sum(other > value for other in values[:at]))
        for values in lists
        for at, value in enumerate(values)
    ]
    assert list(zip(smaller.tolist(), larger.tolist(), strict=True)) == expected


def test_nothing() -> None:
    for starts in ([0], [0, 0, 0]):
        smaller, larger = earlier(np.zeros(0, dtype=np.int64), np.array(starts))
        assert len(smaller) == len(larger) == 0
