"""Maps from differences: points on a plane come back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from cranfield.information.difference import classical_scaling


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9))
def test_distances_on_a_plane_come_back(points: list[tuple[int, int]]) -> None:
    distances = squareform(pdist(np.array(points, dtype=float)))
    found = classical_scaling(distances, 2)
    assert squareform(pdist(found)) == pytest.approx(distances, abs=1e-6)
    assert found.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert (found.max(axis=0) >= -found.min(axis=0) - 1e-9).all()


def test_differences_that_are_no_distances_are_shown_as_far_as_they_can_be() -> None:
    found = classical_scaling([[0, 1, 5], [1, 0, 1], [5, 1, 0]], 3)
    assert np.isfinite(found).all()
    assert found[:, 2] == pytest.approx([0, 0, 0], abs=1e-6)
