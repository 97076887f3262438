"""Maps of systems from their differences: points on a plane come back."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist, squareform

from cranfield.information import InformationDifference


def drawn_map(differences: ArrayLike, dimensions: int) -> np.ndarray:  # type: ignore[type-arg]
    """The map of systems with these differences, half of which each system adds to the other."""
    only = np.asarray(differences, dtype=float) / 2
    names = [f"system{number}" for number in range(len(only))]
    ric = xr.DataArray(np.zeros(len(only)), {"system": names}, ("system",))
    table = xr.DataArray(only, {"system": names, "other": names}, ("system", "other"))
    return InformationDifference(ric, table, {}, {}).map(dimensions).to_numpy()


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9))
def test_distances_on_a_plane_come_back(points: list[tuple[int, int]]) -> None:
    distances = squareform(pdist(np.array(points, dtype=float)))
    coordinates = drawn_map(distances, 2)
    assert squareform(pdist(coordinates)) == pytest.approx(distances, abs=1e-6)
    assert coordinates.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert (coordinates.max(axis=0) >= -coordinates.min(axis=0) - 1e-9).all()


def test_differences_that_are_no_distances_are_shown_as_far_as_they_can_be() -> None:
    coordinates = drawn_map([[0, 1, 5], [1, 0, 1], [5, 1, 0]], 3)
    assert np.isfinite(coordinates).all()
    assert coordinates[:, 2] == pytest.approx([0, 0, 0], abs=1e-6)
