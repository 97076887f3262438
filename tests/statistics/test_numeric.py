"""Products in pieces, and empirical distributions of many samples."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from cranfield.statistics import _numeric as module
from cranfield.statistics import empirical_cdf


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
