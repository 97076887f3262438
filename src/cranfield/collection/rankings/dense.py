"""Lists in tables that have a cell for each rank, judged or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield._typing import Floats, Ints

DENSE = 1 << 19
"""Cells of the tables in which ranks that were not judged have a place too."""


def tables(
    starts: Ints, line: Ints, rank: Ints, values: Floats, depth: int, missing: float
) -> Iterator[tuple[slice, Floats]]:
    """Lists rank by rank, as many at a time as have ``DENSE`` cells: (which of them, values of their ranks).

    Args:
        starts: list s holds the rows ``starts[s]:starts[s + 1]``, int64 [lists + 1].
        line: the list of each row, int64 [rows].
        rank: its rank there, from 1, int64 [rows].
        values: what stands there, float64 [rows].
        depth: ranks of a table; rows below are left out.
        missing: what stands where no row is.
    """
    lists = len(starts) - 1
    step = max(1, DENSE // depth)
    deeper = depth < rank.max(initial=0)
    for first in range(0, lists, step):
        block = slice(first, min(first + step, lists))
        rows = np.arange(starts[block.start], starts[block.stop])
        if deeper:
            rows = rows[rank[rows] <= depth]
        table = np.full((block.stop - block.start, depth), missing)
        table.reshape(-1)[(line[rows] - first) * depth + rank[rows] - 1] = values[rows]
        yield block, table
