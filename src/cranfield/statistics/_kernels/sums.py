"""Sums in NumPy that do not depend on the order of their terms."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints


def sum_ascending(row: Ints, values: Floats, rows: int) -> Floats:
    """See ``cranfield.engine.protocol.Engine.sum_ascending``."""
    ascending = np.argsort(values)  # and added up one by one
    sums = np.bincount(row[ascending], values[ascending], rows)
    return sums.astype(np.float64, copy=False)


def sum_by_rank(row: Ints, starts: Ints, weight: Floats, rows: int) -> Floats:
    """See ``cranfield.engine.protocol.Engine.sum_by_rank``."""
    index = np.arange(len(row)) - np.repeat(starts[:-1], np.diff(starts))
    return sum_ascending(row, weight[index], rows)
