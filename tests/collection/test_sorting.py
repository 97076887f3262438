"""Sorting of numbers in flat arrays."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.collection.segments import COUNTED, distinct, stable_order

MANY = np.arange(COUNTED + 1) % 4


@pytest.mark.parametrize(
    "values",
    [
        [],
        [3, 0, 3],
        [*MANY],
        [*MANY, COUNTED - 1],
        [*MANY, COUNTED],
        [*MANY, -1],
        [*MANY, 0.5],
        [*MANY, COUNTED - 0.5],
        [*MANY, np.inf, -0.0],
    ],
)
def test_values_that_occur_are_those_of_numpy(values: list[float]) -> None:
    """Whole numbers below ``COUNTED`` are counted where there are many of them; all others are sorted."""
    array = np.array(values, dtype=np.float64)
    found = distinct(array)
    assert found.dtype == np.float64
    assert found.tolist() == np.unique(array).tolist()


@pytest.mark.parametrize("bits", [1, 15, 16, 17, 31, 32, 33, 48, 62])
@pytest.mark.parametrize("size", [0, 1, 2, 500, 70_000])
def test_equal_keys_stay_as_they_are(bits: int, size: int) -> None:
    draw = np.random.default_rng(bits)
    values = draw.integers(0, 1 << bits, 40)
    values[:2] = 0, (1 << bits) - 1
    keys = values[draw.integers(0, 40, size)]
    assert stable_order(keys).tolist() == sorted(range(size), key=keys.tolist().__getitem__)
