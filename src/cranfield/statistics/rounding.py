"""Values that rounding alone sets apart: .1 + .2 and .3 are the same score."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Mask
from cranfield.statistics.contrasts import NOISE


def is_same(left: Floats, right: Floats, scale: float = 0.0) -> Mask:
    """Whether values differ by no more than rounding does: ``NOISE`` of the larger one, or of ``scale``."""
    size = np.maximum(np.maximum(np.abs(left), np.abs(right)), scale)
    same: Mask = np.abs(left - right) <= NOISE * size
    return same


def equalize(values: Floats) -> Floats:
    """Values of which those that are the same but for rounding are equal, [n]; NaN stays.

    The scale is the median size, so that a value near 0 may be what rounding left, and one that is far larger than all
    others makes none of them equal. Of a group the smallest value stands for all.

    >>> equalize(np.array([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.3, 0.5, 0.3]
    """
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    ordered = values[order]
    scale = float(np.median(np.abs(ordered))) if len(ordered) else 0.0
    near = is_same(ordered[1:], ordered[:-1], scale) & (ordered[1:] != ordered[:-1])
    if not near.any():
        return values
    for at in np.flatnonzero(near) + 1:
        # The first of a group was put in its place before: a chain of small steps does not grow.
        if is_same(ordered[at : at + 1], ordered[at - 1 : at], scale)[0]:
            ordered[at] = ordered[at - 1]
    settled: Floats = values.copy()
    settled[order] = ordered
    return settled
