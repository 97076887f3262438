"""One value of a system from its values of the topics."""

from __future__ import annotations

import math

import numpy as np

from cranfield._typing import Floats
from cranfield.engine import compiled


def summary(kind: str, block: Floats) -> Floats:
    """One value of each system, [systems, topics] -> [systems]; NaN cells are left out, NaN if none is left.

    Sums are exact before they are rounded, so that neither the order of the topics nor the other systems matter.
    """
    block = averaged(kind, block)
    known = np.count_nonzero(~np.isnan(block), axis=1)
    total = np.where(known > 0, _sums(block), np.nan)
    if kind == "sum":
        return total
    mean: Floats = total / np.maximum(known, 1)
    return np.exp(mean) if kind == "geometric mean" else mean


def averaged(kind: str, values: Floats) -> Floats:
    """What of the values is averaged: their logarithms for a geometric mean."""
    return np.log(np.maximum(values, 1e-5)) if kind == "geometric mean" else values


def _sums(block: Floats) -> Floats:
    """Sum each row without its NaN."""
    engine = compiled()
    if engine is not None:
        starts = np.arange(len(block) + 1) * block.shape[1]
        sums = engine.exact_sums(np.ascontiguousarray(block, dtype=np.float64).reshape(-1), starts)
        if sums is not None:
            return sums
    return np.array(
        [_sum([value for value in row if not math.isnan(value)]) for row in block.tolist()], dtype=np.float64
    )


def _sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # a sum on the way is too large, or both infinities are among them
        return sum(values)
