"""Runs that measures are given together: a measure costs little less for one run than for several short ones."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.measures import Measure
from cranfield.scoring.cells import Bounds, under_policy, values_of

ROWS = 1 << 18
"""Lists and judged documents after which no more runs are waited for: what measures keep of them stays small."""


class Waiting:
    """What becomes of one run; ``cells`` is None until its block is computed.

    Args:
        rankings: its lists.
    """

    def __init__(self, rankings: Rankings) -> None:
        self.rankings: Rankings | None = rankings
        self.cells: Floats | None = None
        """Float64 [values and ends, measures, topics]."""
        self.everywhere = False
        """Whether each measure is defined in every topic."""


class Blocks:
    """Computes the cells of runs, some runs at a time; a list has the same bits alone and among others.

    Args:
        asked: the measures.
        policy: how odd cases are read.
        bounds: of intervals; each run is then computed by itself.
        rows: lists and judged documents of a block; each run is one where it is 0.
    """

    def __init__(self, asked: Sequence[Measure], policy: Policy, bounds: Bounds, rows: int = ROWS) -> None:
        self._asked = asked
        self._policy = policy
        self._bounds = bounds
        self._most = rows if bounds == "none" else 0
        self._open: list[Waiting] = []
        self._rows = 0
        self._lock = threading.Lock()

    def add(self, rankings: Rankings) -> Waiting:
        """A run, whose cells are there when its block is full, or at the end; from any thread.

        Raises:
            MeasureError: see ``values_of``.
        """
        waiting = Waiting(rankings)
        with self._lock:
            self._open.append(waiting)
            self._rows += len(rankings.length) + len(rankings.rank)
            full = self._taken() if self._rows >= self._most else []
        self._compute(full)
        return waiting

    def finish(self) -> None:
        """Compute what is left; when nobody adds any more.

        Raises:
            MeasureError: see ``values_of``.
        """
        self._compute(self._taken())

    def _taken(self) -> list[Waiting]:
        taken, self._open, self._rows = self._open, [], 0
        return taken

    def _compute(self, block: Sequence[Waiting]) -> None:
        parts = [one.rankings for one in block if one.rankings is not None]
        if not parts:
            return
        rankings = parts[0] if len(parts) == 1 else Rankings.concatenate(parts)
        found = values_of(self._asked, rankings, self._bounds)
        undefined = np.isnan(found[0])
        cells = under_policy(self._asked, found, rankings, self._policy)
        shape = (*cells.shape[:2], len(parts), len(parts[0].length))
        cells, undefined = cells.reshape(shape), undefined.reshape(shape[1:])
        for number, one in enumerate(block):
            one.everywhere = not undefined[:, number].any()
            # Last: whoever sees the cells sees the rest.
            one.rankings, one.cells = None, cells[:, :, number]
