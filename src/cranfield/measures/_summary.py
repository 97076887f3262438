"""One value of a system from its values of the topics."""

from __future__ import annotations

import numpy as np

from cranfield.contract import Floats


def summary(kind: str, block: Floats) -> Floats:
    """One value of each system, [systems, topics] -> [systems]; NaN cells are left out, NaN if none is left."""
    # A sum depends on the order of its terms, and that on how they lie in memory: let it be one order wherever asked.
    block = np.ascontiguousarray(block)
    known = ~np.isnan(block)
    count = known.sum(axis=1)
    if kind == "geometric mean":
        block = np.log(np.maximum(block, 1e-5))
    total = np.where(known, block, 0.0).sum(axis=1)
    if kind == "sum":
        return np.where(count > 0, total, np.nan)
    mean: Floats = np.divide(total, count, out=np.full(len(block), np.nan), where=count > 0)
    if kind == "geometric mean":
        mean = np.exp(mean)
    return mean
