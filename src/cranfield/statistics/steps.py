"""An empirical distribution function as the corners of its steps."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats

MOST = 300
"""Points of a curve."""


def steps(levels: Floats, up_to: float) -> list[tuple[float, float]]:
    """(level, share of all levels at or below it), thinned where there are many; the last at ``up_to``.

    Args:
        levels: without NaN.
        up_to: where the curve ends.
    """
    ordered = np.sort(levels)
    distinct, count = np.unique(ordered[ordered <= up_to], return_counts=True)
    shares = np.cumsum(count) / len(ordered)
    kept = np.unique(np.linspace(0, len(distinct) - 1, min(MOST, len(distinct))).round().astype(int))
    points = list(zip(distinct[kept].tolist(), shares[kept].tolist(), strict=True))
    before = [] if points and points[0][0] == 0 else [(0.0, 0.0)]
    return [*before, *points, (up_to, points[-1][1] if points else 0.0)]
