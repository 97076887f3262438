"""Points in few dimensions from differences between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats


def classical_scaling(difference: ArrayLike, dimensions: int) -> Floats:
    """Coordinates whose distances come near to the differences (Torgerson's classical multidimensional scaling).

    The eigenvectors of B = -J D^2 J / 2, J = I - 1/n, times the roots of their eigenvalues; below 0 these count as 0.
    The largest coordinate of each axis is positive, so that the same differences give the same map.

    Args:
        difference: symmetric, 0 on the diagonal, [points, points].
        dimensions: at most as many as points.

    Returns:
        float64 [points, dimensions], axes by spread descending, each of mean 0.
    """
    squared = np.asarray(difference, dtype=np.float64) ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-(centred + centred.T) / 4)
    values, vectors = values[::-1][:dimensions], vectors[:, ::-1][:, :dimensions]
    # A null axis holds only rounding errors, whose signs must not flip the map.
    points = vectors * np.sqrt(np.where(values > 1e-12 * abs(values[0]), values, 0.0))
    largest = points[np.abs(points).argmax(axis=0), np.arange(dimensions)]
    oriented: Floats = points * np.where(largest < 0, -1.0, 1.0)
    return oriented
