"""Products in pieces, empirical distributions of many samples, and sums from the smallest value on."""

from __future__ import annotations

import random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from cranfield.statistics import empirical_cdf, rounding
from cranfield.statistics import numeric as module


@pytest.mark.parametrize("rows", [0, 1, 31, 32, 33, 100])
@pytest.mark.parametrize("shape", [(1, 1), (7, 300), (99, 5), (3, 0), (0, 4)])
def test_a_product_in_pieces(rows: int, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    inner, columns = shape
    rng = np.random.default_rng(rows)
    left, right = (rng.integers(0, 9, shape).astype(float) for shape in ((rows, inner), (inner, columns)))
    assert_array_equal(module.product(left, right), left @ right)
    monkeypatch.setattr(module, "PIECE", 64 * 7)
    assert_array_equal(module.product(left.T.copy().T, right[:, ::-1]), left @ right[:, ::-1])


@given(
    st.lists(st.integers(0, 5).map(float), min_size=1, max_size=9),
    st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 9.0, np.nan]), max_size=9),
)
def test_the_empirical_cdf_is_scipys(sample: list[float], values: list[float]) -> None:
    ordered = np.array([[*sorted(sample), np.nan, np.nan]] * 20)
    found = empirical_cdf(ordered, np.full(20, len(sample)), np.tile(values, (20, 1)))
    theirs = scipy.stats.ecdf(sample).cdf.evaluate(values) if values else []
    assert_allclose(found, np.tile(np.where(np.isnan(values), np.nan, theirs), (20, 1)), atol=1e-15)


PARTS = st.lists(st.tuples(st.integers(0, 4), st.floats(-1e6, 1e6)), max_size=40)


@given(PARTS, st.randoms(use_true_random=False))
def test_sums_from_the_smallest_value_on_are_those_of_a_loop_in_any_order(
    parts: list[tuple[int, float]], random: random.Random
) -> None:
    expected = [0.0] * 6
    for row, value in sorted(parts, key=lambda part: part[1]):
        expected[row] += value
    random.shuffle(parts)
    row = np.array([row for row, _ in parts], dtype=np.int64)
    sums = module.sum_ascending(row, np.array([value for _, value in parts], dtype=float), 6)
    assert sums.dtype == np.float64
    assert sums.tolist() == expected, "to the last bit; row 5 has no values"


def test_small_values_are_added_before_they_are_lost_in_a_large_one() -> None:
    values = np.array([1e16, 1.0, 1.0])
    assert values.cumsum()[-1] == 1e16
    assert module.sum_ascending(np.zeros(3, dtype=np.int64), values, 1).tolist() == [1e16 + 2]


def test_values_are_equal_within_rounding_and_not_beyond() -> None:
    values = np.array([0.3, 0.1 + 0.2, np.nan, 0.3 + 1e-9, 1e20, 0.0, 5e-17])
    settled = rounding.equalize(values)
    assert settled[0] == settled[1] == 0.3
    assert settled[5] == settled[6] == 0.0
    assert np.isnan(settled[2])
    assert settled[3] == values[3]
    assert values[1] != values[0], "the input is not written to"
    steps = 1.0 + np.arange(2000) * 4e-13
    assert np.ptp(rounding.equalize(steps)) > 7e-10, "a chain of small steps is not one value"
    assert not rounding.is_same(np.array([1.0]), np.array([1.0 + 1e-11]))[0]
    assert rounding.is_same(np.array([1.0]), np.array([1.0 + 1e-13]))[0]
    assert len(rounding.equalize(np.array([]))) == 0
