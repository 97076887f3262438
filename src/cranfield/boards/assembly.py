"""The table of a board, made of its cells: no cell twice, no mean over other queries, no percent among fractions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cranfield._html import ROWS, table
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats
from cranfield.boards.cells import BoardCell
from cranfield.boards.columns import is_summary
from cranfield.boards.scales import refuse_other_scales
from cranfield.boards.sentences import UNSAID
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.system_names import warn_of_lookalikes
from cranfield.memory import require
from cranfield.statistics.rounding import are_printed_means

ARRAYS = 6
"""Arrays of the size of the table that are there at once, at most, while it is made and ranked."""


@dataclass(frozen=True, eq=False)
class BoardTable:
    """Scores of systems on tasks, larger ones better.

    Args:
        systems: names, in order.
        tasks: names, in order.
        scores: [tasks, systems], NaN where a system has none.
        queries: scores of single queries, [queries, systems], of each task that has them.
        standard_errors: of each score, [tasks, systems]; None where none is stated.
        digest: SHA-256 of what was read.
        name: what messages call the table.
        negated: tasks whose sign is reversed, as smaller scores are better.
        named: those of them whose names say so, and nothing else.
        unsaid: tasks of which nothing says which scores are better, so that larger ones are taken as better.
        chosen: what the caller said is a task, ``tasks``, and what is none, ``not_tasks``.
        added: systems that were added from elsewhere.
    """

    systems: list[str]
    tasks: list[str]
    scores: np.ndarray
    queries: Mapping[str, np.ndarray] = field(default_factory=dict)
    standard_errors: np.ndarray | None = None
    digest: str = ""
    name: str = "the board"
    negated: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    added: tuple[str, ...] = ()

    def describe_directions(self, larger: Sequence[str]) -> dict[str, dict[str, str]]:
        """Settings that say which scores are better on tasks of which it is not known; ``larger`` are by the call."""
        directions = dict.fromkeys(larger, "larger is better") | dict.fromkeys(self.negated, "smaller is better")
        directions |= dict.fromkeys(self.named, "smaller is better, by its name")
        if self.unsaid:
            directions["every other task" if directions else "every task"] = UNSAID
        return {"directions": directions} if directions else {}

    def _repr_html_(self) -> str:
        rows = ((system, *self.scores[:ROWS, at].tolist()) for at, system in enumerate(self.systems[:ROWS]))
        caption = f"{self.name}: {counted(len(self.systems), 'system')}, {counted(len(self.tasks), 'task')}"
        return table(["system", *self.tasks[:ROWS]], rows, caption, max(0, len(self.systems) - ROWS))


def assemble(place: Location, cells: Sequence[BoardCell], digest: str, *, check_scales: bool) -> BoardTable:
    """The table of cells.

    Args:
        place: what they were read from.
        cells: all of them.
        digest: of the file.
        check_scales: whether to look for systems on another scale than the others.

    Raises:
        InputError: a cell occurs twice, there is no score, a task has scores of queries and one of its own, a system is
            on another scale, or the table does not fit into the memory allowed.
    """
    first = _locate_cells(cells)
    if not any(not math.isnan(cell.score) for cell in cells):
        raise InputError("the table holds no score", place, code="empty")
    columns, rows = _number(cell.system for cell in cells), _number(cell.task for cell in cells)
    warn_of_lookalikes(columns, "system", place)
    what = f"a table of {counted(len(columns), 'system')} by {counted(len(rows), 'task')}"
    require(8 * ARRAYS * len(columns) * len(rows), what, "give fewer", location=place)
    scores = np.full((len(rows), len(columns)), np.nan)
    has_errors = any(not math.isnan(cell.error) for cell in cells)
    errors = np.full(scores.shape if has_errors else (0, 0), np.nan)
    for cell in cells:
        at = rows[cell.task], columns[cell.system]
        if not cell.query:
            scores[at] = cell.score
            if has_errors:
                errors[at] = cell.error
    queries = _tabulate_queries(place, cells, columns, scores, rows)
    table = BoardTable(list(columns), list(rows), scores, queries, errors if has_errors else None, digest, place.file)
    if not check_scales:
        return table
    table = _without_summaries(table)
    refuse_other_scales(table.scores, table.systems, table.tasks, lambda *key: first.get((*key, ""), place))
    return table


def _number(names: Iterable[str]) -> dict[str, int]:
    return {name: at for at, name in enumerate(dict.fromkeys(names))}


def _locate_cells(cells: Sequence[BoardCell]) -> dict[tuple[str, str, str], Location]:
    """Raises: InputError: a cell occurs twice."""
    first: dict[tuple[str, str, str], Location] = {}
    for cell in cells:
        key = (cell.system, cell.task, cell.query)
        if key in first:
            named = f"{quoted(cell.system)} on {quoted(cell.task)}"
            named += f", query {quoted(cell.query)}" if cell.query else ""
            raise InputError(f"{named} has a score already, at {first[key]}", cell.where, code="duplicate")
        first[key] = cell.where
    return first


def _tabulate_queries(
    place: Location, cells: Sequence[BoardCell], columns: Mapping[str, int], scores: Floats, rows: Mapping[str, int]
) -> dict[str, Floats]:
    """The scores of each task's queries; ``scores`` get the means of systems that have all of them.

    Raises:
        InputError: a task has scores of queries and one of its own; or they do not fit into the memory allowed.
    """
    by_task: dict[str, dict[str, dict[int, float]]] = {}
    for cell in cells:
        if cell.query:
            by_task.setdefault(cell.task, {}).setdefault(cell.query, {})[columns[cell.system]] = cell.score
    count = sum(map(len, by_task.values()))
    what = f"scores of {counted(len(columns), 'system')} on {counted(count, 'query')}"
    require(16 * count * len(columns), what, "give fewer", location=place)
    queries, lacking = {}, []
    for task, by_query in by_task.items():
        if not np.isnan(scores[rows[task]]).all():
            text = f"task {quoted(task)} has scores of queries and scores without one: leave one kind out"
            raise InputError(text, place, code="layout")
        values = np.full((len(by_query), len(columns)), np.nan)
        for number, row in enumerate(by_query.values()):
            values[number, list(row)] = list(row.values())
        queries[task] = values = values[~np.isnan(values).all(axis=1)]
        has = (~np.isnan(values)).sum(axis=0)
        complete = has == len(values)
        if len(values):
            scores[rows[task], complete] = values[:, complete].mean(axis=0)
        lacking += [(task, at, int(has[at]), len(values)) for at in np.flatnonzero(~complete & (has > 0))]
    if lacking:
        task, at, has, of = lacking[0]
        names = list(columns)
        more = f", and {counted(len(lacking) - 1, 'cell')} more like it" if len(lacking) > 1 else ""
        warn(
            f"{place}: {quoted(names[at])} has {has:,} of the {of:,} queries of {quoted(task)}{more}: a missing cell, "
            "as a mean over easier or harder queries is not compared"
        )
    return queries


def _without_summaries(table: BoardTable) -> BoardTable:
    """The table without rows such as ``Average`` that hold the means of the systems; a warning names them."""
    named = [at for at, name in enumerate(table.systems) if is_summary(name)]
    others = [at for at in range(len(table.systems)) if at not in named]
    if not named or not others:
        return table
    scores, largest = table.scores.T, float(np.nanmax(np.abs(table.scores)))
    out = [at for at in named if are_printed_means(scores[at], scores[others], largest)]
    if not out:
        return table
    warn(
        f"{table.name}: {', '.join(quoted(table.systems[at]) for at in out)} left out, which holds the means of the "
        "systems"
    )
    return take_systems(table, [at for at in range(len(table.systems)) if at not in out])


def take_tasks(table: BoardTable, kept: Sequence[int]) -> BoardTable:
    """The table of some of its tasks."""
    tasks = [table.tasks[at] for at in kept]
    return replace(
        table,
        tasks=tasks,
        scores=table.scores[kept],
        queries={task: table.queries[task] for task in tasks if task in table.queries},
        standard_errors=None if table.standard_errors is None else table.standard_errors[kept],
        negated=tuple(task for task in table.negated if task in tasks),
        named=tuple(task for task in table.named if task in tasks),
        unsaid=tuple(task for task in table.unsaid if task in tasks),
    )


def take_systems(table: BoardTable, kept: Sequence[int]) -> BoardTable:
    """The table of some of its systems."""
    return replace(
        table,
        systems=[table.systems[at] for at in kept],
        scores=table.scores[:, kept],
        queries={task: values[:, kept] for task, values in table.queries.items()},
        standard_errors=None if table.standard_errors is None else table.standard_errors[:, kept],
    )
