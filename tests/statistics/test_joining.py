"""Joins of groups are SciPy's to the last bit, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from cranfield.arrays import Floats
from cranfield.statistics.joining import METHODS, joined, leaves_in_order


def distances(kind: str, leaves: int, rng: np.random.Generator) -> Floats:
    """All pairs of so many leaves; whole eighths tie often, and sum without rounding."""
    pairs = leaves * (leaves - 1) // 2
    return rng.random(pairs) if kind == "any" else rng.integers(0, 4 if kind == "tied" else 2, pairs) / 8


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["any", "tied", "two values"])
def test_joins_and_leaves_are_those_of_scipy(method: str, kind: str) -> None:
    rng = np.random.default_rng(7)
    for leaves in (*range(2, 40), 126):
        apart = distances(kind, leaves, rng)
        ours, theirs = joined(squareform(apart), method), linkage(apart, method)
        np.testing.assert_array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
        # Where processors multiply and add in one step, the last digit of a mean may differ.
        np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-13)
        assert leaves_in_order(ours) == leaves_list(theirs).tolist()


def test_an_example_by_hand() -> None:
    """Leaves 0 and 1 are 1 apart; 2 is 2 and 4 from them: 3 on average, 4 at the most, 2 at the least."""
    apart = np.array([[0.0, 1, 2], [1, 0, 4], [2, 4, 0]])
    for method, height in {"average": 3, "complete": 4, "single": 2}.items():
        given = apart.copy()
        assert joined(given, method).tolist() == [[0, 1, 1, 2], [2, 3, height, 3]]
        assert (given == apart).all(), "what is given stays as it is"
        assert leaves_in_order(joined(apart, method)) == [2, 0, 1]
