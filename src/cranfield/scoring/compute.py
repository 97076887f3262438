"""The value of every measure on every list, under the policies; lists of several short runs are measured together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.measures import Measure, extremes, interval
from cranfield.measures.compute import each_value

TieBounds = Literal["none", "order", "judgments"]
"""The source of each value's interval: the order of ties, or missing judgments."""
ROWS = 1 << 18
"""Lists and judged documents of a block: what measures remember of this number stays small."""


def select_bounds(policy: Policy, judgments: bool) -> TieBounds:
    """The intervals to compute.

    Raises:
        UsageError: intervals of two kinds at once, or of judgments where unjudged documents are dropped.
    """
    if not judgments:
        return "order" if policy.ties == "bounds" else "none"
    given = setting("bounds", True)
    if policy.weighs_ties:
        raise UsageError(
            f"{given} wants one order of documents, not {setting('ties', policy.ties)}: choose trec, or no bounds"
        )
    if policy.unjudged != "zero":
        dropping = setting("unjudged", policy.unjudged)
        raise UsageError(f"{given} asks what unjudged documents could be; {dropping} drops them")
    return "judgments"


def compute_cells(measures: Sequence[Measure], rankings: Rankings, policy: Policy, bounds: TieBounds) -> Floats:
    """Every measure of each list, float64 [1, measures, lists]; NaN where skipped, or undefined and kept so.

    With bounds, float64 [3, measures, lists]: values, least, greatest.
    """
    return under_policy(measures, compute_values(measures, rankings, bounds), rankings, policy)


def compute_values(measures: Sequence[Measure], rankings: Rankings, bounds: TieBounds) -> Floats:
    """The values before the policies are applied, shaped as by ``compute_cells``: NaN where a measure is undefined."""
    out = np.empty((1 if bounds == "none" else 3, len(measures), len(rankings.length)))
    out[0] = each_value(measures, rankings)
    if bounds != "none":
        for number, measure in enumerate(measures):
            out[1:, number] = (extremes if bounds == "order" else interval)(measure, rankings)
    return out


def under_policy(measures: Sequence[Measure], out: Floats, rankings: Rankings, policy: Policy) -> Floats:
    """Apply the policies to values, in place."""
    if policy.undefined == "declared":
        somewhere: Mask = np.logical_or.reduce(np.isnan(out), axis=(0, 2))
        for number, measure in enumerate(measures):
            cells = out[:, number]
            if not somewhere[number] and len(cells) == 1:
                continue
            unknown = np.isnan(cells)
            cells[unknown] = measure.declaration.peer_undefined.get(policy.compat, measure.undefined)
            if len(cells) > 1:
                cells[1], cells[2] = np.fmin(cells[0], cells[1]), np.fmax(cells[0], cells[2])
    if policy.missing == "skip":
        out[:, :, rankings.length == 0] = np.nan
    if policy.compat == "gdeval":
        out[:, :, rankings.per_topic(rankings.pool.count(low=np.nextafter(0, 1))) == 0] = np.nan
    return out


@dataclass(slots=True, eq=False)
class RunCells:
    """The cells of one run, which are there once its block has been measured.

    Args:
        rankings: its lists, dropped when they have been measured.
        cells: float64 [values and ends, measures, topics].
        defined_everywhere: whether each measure is defined in every topic.
    """

    rankings: Rankings | None
    cells: Floats | None = None
    defined_everywhere: bool = False


class RunBlocks:
    """Measures the lists of several runs at a time, which takes little longer than those of one.

    A list has the same bits alone and among others.

    Args:
        measures: to compute.
        policy: how odd cases are read.
        bounds: of the intervals; with intervals, each run is measured by itself.
        rows: lists and judged documents of a block; 0 measures each run by itself.
    """

    def __init__(self, measures: Sequence[Measure], policy: Policy, bounds: TieBounds, rows: int = ROWS) -> None:
        self._measures = measures
        self._policy = policy
        self._bounds = bounds
        self._capacity = rows if bounds == "none" else 0
        self._pending: list[RunCells] = []
        self._rows = 0
        self._lock = threading.Lock()

    def add(self, rankings: Rankings) -> RunCells:
        """Add a run; its cells are there when its block is full, or after ``finish``. Any thread may call this.

        Raises:
            MeasureError: see ``compute_values``.
        """
        run = RunCells(rankings)
        full: list[RunCells] = []
        with self._lock:
            self._pending.append(run)
            self._rows += len(rankings.length) + len(rankings.rank)
            if self._rows >= self._capacity:
                full, self._pending, self._rows = self._pending, [], 0
        if full:
            self._measure(full)
        return run

    def finish(self) -> None:
        """Measure the last block, when no thread adds runs any more.

        Raises:
            MeasureError: see ``compute_values``.
        """
        if self._pending:
            self._measure(self._pending)
            self._pending = []

    def _measure(self, block: Sequence[RunCells]) -> None:
        parts = [run.rankings for run in block if run.rankings is not None]
        rankings = parts[0] if len(parts) == 1 else Rankings.concatenate(parts)
        values = compute_values(self._measures, rankings, self._bounds)
        undefined = np.isnan(values[0])
        cells = under_policy(self._measures, values, rankings, self._policy)
        shape = (*cells.shape[:2], len(parts), len(parts[0].length))
        cells, undefined = cells.reshape(shape), undefined.reshape(shape[1:])
        for number, run in enumerate(block):
            run.defined_everywhere = not undefined[:, number].any()
            # Last: another thread that sees the cells may rely on everything else.
            run.rankings, run.cells = None, cells[:, :, number]
