"""The compiled engine refuses arrays and numbers that fit nothing: none wraps in silence, and none ends in a panic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

SMALLEST, LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def ints(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


STARTS = [(), (1,), (0, 2), (1, 1), (0, SMALLEST, LARGEST, 1), (0, LARGEST, SMALLEST, 1), (SMALLEST, 1), (-1, 1)]


@pytest.mark.parametrize("starts", STARTS)
def test_lists_that_are_not_those_of_the_rows_are_refused(compiled: Any, starts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.sum_by_rank(ints(0), ints(*starts), np.ones(1), 1)


@pytest.mark.parametrize("row", [-1, 1, SMALLEST, LARGEST])
def test_sums_of_rows_that_there_are_not_are_refused(compiled: Any, row: int) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.sum_by_rank(ints(row), ints(0, 1), np.ones(1), 1)


@pytest.mark.parametrize(
    "offsets",
    [(), (0, 2), (2, 0), (0, SMALLEST), (0, LARGEST), (SMALLEST, LARGEST), (-1, 1), (0, LARGEST, SMALLEST, 1)],
)
def test_text_whose_offsets_do_not_fit_is_refused(compiled: Any, offsets: tuple[int, ...]) -> None:
    text = (np.frombuffer(b"a", dtype=np.uint8), ints(*offsets))
    with pytest.raises(ValueError, match="the columns are of other kinds or lengths"):
        compiled.topic_edges(text)
    numbers = np.ones(max(len(offsets) - 1, 0))
    with pytest.raises(ValueError, match="the columns are of other kinds or lengths"):
        compiled.gather_pools(False, False, 1).add(text, text, numbers)
    assert compiled.grouped_rows(text, text, numbers, None) is None
