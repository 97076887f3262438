"""One value of a system from its values of the topics."""

from __future__ import annotations

import math

import numpy as np

from cranfield.arrays import Floats


def summary(kind: str, block: Floats) -> Floats:
    """One value of each system, [systems, topics] -> [systems]; NaN cells are left out, NaN if none is left.

    Sums are exact before they are rounded, so that neither the order of the topics nor the other systems matter.
    """
    block = averaged(kind, block)
    known = ~np.isnan(block)
    rows = block.tolist() if known.all() else [row[there].tolist() for row, there in zip(block, known, strict=True)]
    total = np.array([_sum(row) if row else np.nan for row in rows])
    if kind == "sum":
        return total
    mean: Floats = total / np.maximum([len(row) for row in rows], 1)
    return np.exp(mean) if kind == "geometric mean" else mean


def averaged(kind: str, values: Floats) -> Floats:
    """What of the values is averaged: their logarithms for a geometric mean."""
    return np.log(np.maximum(values, 1e-5)) if kind == "geometric mean" else values


def _sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # a sum on the way is too large, or both infinities are among them
        return sum(values)
