"""Tables of systems by tasks: long or wide, systems in rows or in columns, or a folder of MTEB's results."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from cranfield._message import name_value, setting
from cranfield._text import counted, cut, quoted, suggest, warn
from cranfield._typing import Floats
from cranfield._validation import first_repeated, is_missing, list_names
from cranfield.boards.assembly import BoardTable, assemble
from cranfield.boards.cells import BoardCell, parse_score, read_number
from cranfield.boards.columns import (
    TaskChoice,
    choose_columns,
    choose_systems,
    choose_tasks,
    describes_systems,
    find_standard_errors,
)
from cranfield.boards.folders import read_folder
from cranfield.boards.helm import read_helm
from cranfield.collection.ids import refuse_equal_keys
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.delimited import delimited_lines, explain_semicolons
from cranfield.io.filesystem import listing
from cranfield.io.source import as_text, decode_lines, read_whole
from cranfield.memory import require
from cranfield.scores.named_direction import read_name
from cranfield.scores.scale import is_known

RowKind: TypeAlias = Literal["systems", "tasks"]

SYSTEM_WORDS = ("model", "system", "run", "model_name", "system_name", "method")
TASK_WORDS = ("task", "topic", "task_name", "dataset", "benchmark", "scenario")
COLUMNS = {
    "system": SYSTEM_WORDS,
    "task": TASK_WORDS,
    "query": ("query", "qid", "query_id", "sample_id", "item"),
    "score": ("score", "value", "main_score"),
    "error": ("error", "stderr", "standard_error", "se"),
    "measure": ("measure", "metric"),
}
"""Column of a long table -> the names that it may have."""
OF_CELL = 350
"""Bytes that a cell takes while a board is read, about."""
CELLS = 1 << 16
"""Cells after which the memory they take is compared with what is allowed."""
CellKind: TypeAlias = Literal["score", "error"]
"""The kind of numbers that is read from a long table or a folder; a matrix does not say which."""


def read_board(
    scores: Any,
    *,
    rows: RowKind | None = None,
    standard_errors: Any = None,
    larger_is_better: str | Sequence[str] = (),
    smaller_is_better: str | Sequence[str] = (),
    tasks: str | Sequence[str] = (),
    not_tasks: str | Sequence[str] = (),
    add: Any = None,
) -> BoardTable:
    """Read a table of systems by tasks.

    Args:
        scores: a file or a pandas data frame; long (columns system, task, score; perhaps query and error) or
            a matrix whose first column is called ``model`` or ``system`` (systems in rows), or ``task`` or ``topic``
            (tasks in rows); a table of HELM's in JSON; a folder of MTEB's results, or of logs of inspect_ai in JSON; a
            mapping system -> task -> score; or an xarray with dims of these names. Empty cells, ``nan`` and ``NA`` are
            missing, and so is the score on a task of which a system lacks a query. Or a table that was read before.
        rows: what the rows of a matrix are, where its first column has another name.
        standard_errors: of the scores, a matrix of the same kind, or a long table with a column ``error``.
        larger_is_better: tasks on which larger scores are better, whatever their names say.
        smaller_is_better: tasks whose sign is reversed. Without that it is of those whose names say so, such as
            ``latency_ms`` or ``perplexity``, but not in HELM's tables, which say it of each task, and in folders.
        tasks: all that are tasks. Without them, what has the name of a summary, an id, a rank, a count, a size, an
            error or an interval and holds such numbers is left out, with a warning.
        not_tasks: what is not a task besides.
        add: further scores on these tasks, such as a new model's: a file or an object of the same kinds.

    Raises:
        FormatError: a line is not in its format; names file, line and value.
        InputError: a cell occurs twice, there is no score, a system or a score seems to be in percent among fractions,
            or what is added has a task that the table lacks.
        UsageError: nothing tells what the rows are, or an unknown task is named.
    """
    choice = TaskChoice(tuple(list_names(tasks=tasks)), tuple(list_names(not_tasks=not_tasks)))
    if isinstance(scores, BoardTable):
        table = scores
        known = TaskChoice(table.chosen.get("tasks", ()), table.chosen.get("not_tasks", ()))
        if choice not in (TaskChoice(), known):
            raise UsageError(f"{setting('tasks')} and {setting('not_tasks')} are said where the table is read")
        if add is not None and not table.added:
            raise UsageError(f"{setting('add')} is said where the table is read")
    else:
        place, cells = _read_cells(scores, rows, choice, "score")
        cells = choose_tasks(place, cells, choice)
        further = [] if add is None else _read_added(add, rows, cells)
        digest = _join_digests(_digest(scores), _digest(add)) if further else _digest(scores)
        table = assemble(place, [*cells, *further], digest, check_scales=True)
        added = tuple(dict.fromkeys(cell.system for cell in further))
        by_name = not place.path or not (Path(place.path).is_dir() or _is_json(place.path))
        says = {task: read_name(task) for task in table.tasks} if by_name else {}
        named = tuple(task for task, larger in says.items() if larger is False)
        unsaid = tuple(task for task, larger in says.items() if larger is None and not is_known(task))
        table = replace(
            table,
            chosen={"tasks": choice.tasks, "not_tasks": choice.not_tasks},
            added=added,
            named=named,
            unsaid=() if "larger_is_better" in getattr(scores, "attrs", {}) else unsaid,
        )
    if standard_errors is not None:
        table = _with_errors(table, standard_errors, rows)
    return _turn(table, list_names(larger_is_better=larger_is_better), list_names(smaller_is_better=smaller_is_better))


def _turn(table: BoardTable, larger: Sequence[str], smaller: Sequence[str]) -> BoardTable:
    """Reverse the signs of tasks on which smaller scores are better, as is said here or by their names.

    Raises:
        UsageError: a task is unknown, or said to be both.
    """
    for option, names in (("larger_is_better", larger), ("smaller_is_better", smaller)):
        for name in names:
            if name not in table.tasks:
                text = f"{setting(option)}: the board has no task {quoted(name)}"
                raise UsageError(f"{text}; {suggest(name, table.tasks)}")
            if name in larger and name in smaller:
                raise UsageError(f"{setting('larger_is_better')} and {setting('smaller_is_better')} both name {name}")
    named = tuple(task for task in table.named if task not in (*larger, *smaller))
    negated = dict.fromkeys([*(task for task in table.negated if task not in larger), *smaller, *named])
    change = {task for task in table.tasks if (task in negated) != (task in table.negated)}
    sign = np.where([task in change for task in table.tasks], -1.0, 1.0)
    queries = {task: -values if task in change else values for task, values in table.queries.items()}
    scores = table.scores * sign[:, None] if change else table.scores
    unsaid = tuple(task for task in table.unsaid if task not in (*larger, *smaller))
    return replace(table, scores=scores, queries=queries, negated=tuple(negated), named=named, unsaid=unsaid)


def _is_json(path: str) -> bool:
    return decode_lines(read_whole(path, "run")[0], Location(path)).lstrip()[:1] in ("{", "[")


def _read_added(add: Any, rows: RowKind | None, cells: Sequence[BoardCell]) -> list[BoardCell]:
    """Read the scores of further systems on the tasks of a board.

    Raises:
        InputError: they are of a task that the board lacks, or of a system that it has.
    """
    place, further = _read_cells(add, rows, TaskChoice(), "score")
    further = choose_tasks(place, further, TaskChoice())
    tasks, systems = dict.fromkeys(cell.task for cell in cells), {cell.system for cell in cells}
    for cell in further:
        if cell.task not in tasks:
            text = f"the board has no task {quoted(cell.task)}; {suggest(cell.task, tasks)}"
            raise InputError(text, cell.where, code="unknown", value=cut(cell.task))
        if cell.system in systems:
            text = f"the board has a system {quoted(cell.system)} already: give the new one another name"
            raise InputError(text, cell.where, code="duplicate", value=cut(cell.system))
    return further


def _join_digests(first: str, second: str) -> str:
    """SHA-256 of two digests; empty where either is, as of what came from no file."""
    return hashlib.sha256(f"{first} {second}".encode()).hexdigest() if first and second else ""


def _with_errors(table: BoardTable, errors: Any, rows: RowKind | None) -> BoardTable:
    """Raises: InputError: the errors are the scores."""
    place, cells = _read_cells(errors, rows, TaskChoice(tuple(table.tasks), strict=False), "error")
    stated: dict[tuple[str, str], BoardCell] = {}
    for cell in cells:
        if math.isnan(cell.score):
            continue
        if (cell.system, cell.task) in stated:
            first = stated[cell.system, cell.task].where
            text = f"{quoted(cell.system)} on {quoted(cell.task)} has an error already, at {first}"
            raise InputError(text, cell.where, code="duplicate")
        stated[cell.system, cell.task] = cell
    nothing = BoardCell(place, "", "", "", math.nan, math.nan)
    values = np.array([[stated.get((name, task), nothing).score for name in table.systems] for task in table.tasks])
    if np.array_equal(values, table.scores, equal_nan=True):
        text = (
            f"the errors are the scores themselves: {setting('standard_errors')} takes the standard error of each score"
        )
        raise InputError(text, place, code="layout")
    return replace(table, standard_errors=values)


def _digest(scores: Any) -> str:
    """SHA-256 of a file; of other input its content is signed by the board itself."""
    path = Path(as_text(scores)) if isinstance(scores, (str, os.PathLike)) else None
    if path is None or path.is_dir():
        return ""
    return read_whole(str(path), "run")[1]


# ---- what it is read from


def _read_cells(
    scores: Any, rows: RowKind | None, choice: TaskChoice, value: CellKind
) -> tuple[Location, list[BoardCell]]:
    """Return the place that messages name, and the cells; where errors are read, a cell's score is its error."""
    if isinstance(scores, (str, os.PathLike)):
        path = as_text(scores)
        place = Location(path)
        with listing(path):
            if not Path(path).is_dir():
                return place, _take_within_budget(place, _read_file(path, rows, choice, value))
            cells = read_folder(Path(path))
        return place, [cell._replace(score=cell.error) for cell in cells] if value == "error" else cells
    if hasattr(scores, "dims"):
        return Location(name="the array"), list(_read_array(scores))
    if isinstance(scores, Mapping):
        place = Location(name="the mapping")
        refuse_equal_keys(scores, place.name, "system")
        for system, by_task in scores.items():
            if not isinstance(by_task, Mapping):
                raise UsageError(f"the scores of {quoted(str(system))} are {name_value(by_task)}: give task -> score")
        return place, [
            BoardCell(place, _name(system, place), _name(task, place), "", parse_score(score, place), math.nan)
            for system, by_task in scores.items()
            for task, score in by_task.items()
        ]
    if hasattr(scores, "columns"):
        return Location(name="the data frame"), list(_read_frame(scores, rows, choice, value))
    raise UsageError(f"a board is read from a file, a data frame, a mapping or an xarray, not {type(scores).__name__}")


def _take_within_budget(place: Location, cells: Iterable[BoardCell]) -> list[BoardCell]:
    """Raises: InputError: there are more cells than fit into the memory allowed."""
    taken: list[BoardCell] = []
    for cell in cells:
        taken.append(cell)
        if len(taken) % CELLS == 0:
            require(OF_CELL * len(taken), f"a board of {len(taken):,} scores", "give it in parts", location=place)
    return taken


def _read_file(path: str, rows: RowKind | None, choice: TaskChoice, value: CellKind) -> Iterator[BoardCell]:
    place = Location(path)
    text = decode_lines(read_whole(path, "run")[0], place)
    if text.lstrip()[:1] in ("{", "["):
        return read_helm(place, text)
    lines = delimited_lines(place, text)
    header = next(lines, None)
    if header is None:
        raise InputError("the file is empty; expected a header and scores", place, code="empty")
    rest = ((place.at(line), fields) for line, fields in lines)
    return _read_table(place, header[1], rest, rows, choice, value)


def _read_frame(frame: Any, rows: RowKind | None, choice: TaskChoice, value: CellKind) -> Iterator[BoardCell]:
    if not hasattr(frame, "iloc"):
        frame = frame.to_pandas()
    if frame.index.name is not None or (frame.index.dtype.kind not in "iu" and frame.index.nlevels == 1):
        name = (
            frame.index.name if frame.index.name is not None else {"systems": "system", "tasks": "task"}.get(str(rows))
        )
        frame = frame.rename_axis(name or "index").reset_index()
    where = Location(name="the data frame")
    if not len(frame.columns):
        raise InputError("it has no columns", where, code="empty")
    rows_of = enumerate(frame.itertuples(index=False, name=None), 1)
    records = ((where.within(f"row {number}"), list(record)) for number, record in rows_of)
    return _read_table(where, [str(column) for column in frame.columns], records, rows, choice, value)


def _read_array(array: Any) -> Iterator[BoardCell]:
    if hasattr(array, "data_vars"):
        measures = [str(name) for name in array.data_vars]
        if len(measures) != 1:
            text = f"a board is of one measure, and the data set has {', '.join(map(quoted, measures[:5])) or 'none'}"
            raise UsageError(f"{text}: choose one, as in scores['AP']")
        array = array[next(iter(array.data_vars))]
    names = {role: next((dim for dim in array.dims if str(dim) in COLUMNS[role]), None) for role in ("system", "task")}
    if None in names.values() or len(array.dims) != 2:
        raise UsageError(f"an array of a board has the dims system and task, not {', '.join(map(str, array.dims))}")
    values = array.transpose(names["task"], names["system"])
    where = Location(name="the array")
    for task, row in zip(values[names["task"]].values, values.values, strict=True):
        for system, score in zip(values[names["system"]].values, row, strict=True):
            yield BoardCell(where, _name(system, where), _name(task, where), "", parse_score(score, where), math.nan)


def _read_table(
    place: Location,
    header: Sequence[str],
    lines: Iterable[tuple[Location, Sequence[Any]]],
    rows: RowKind | None,
    choice: TaskChoice,
    value: CellKind,
) -> Iterator[BoardCell]:
    names = [name.strip() for name in header]
    if rows is None:
        names, lines = _put_systems_first(names, lines)
    lowered = [name.lower().replace(" ", "_").replace("-", "_") for name in names]
    at = {
        role: next((lowered.index(word) for word in words if word in lowered), None) for role, words in COLUMNS.items()
    }
    if at["system"] is not None and at["task"] is not None and (at["score"] is not None or at["error"] is not None):
        if at[value] is None:
            text = f"the long table has no column of {value}s, such as {quoted(COLUMNS[value][0])}: it has "
            raise InputError(text + ", ".join(map(quoted, names)), place, code="layout")
        _refuse_two_columns(place, names, lowered)
        return _read_long(place, names, lines, at | {"score": at[value]})
    _refuse_odd_header(place, names)
    if remedy := explain_semicolons(names):
        raise InputError(
            f"the header is one field, {quoted(names[0])}{remedy}", place, code="layout", value=cut(names[0])
        )
    if rows is None:
        if lowered[0] in SYSTEM_WORDS:
            rows = "systems"
        elif lowered[0] in TASK_WORDS:
            rows = "tasks"
        elif not names[0] and describes_systems(names[1:]):  # an index, as AlpacaEval's leaderboard has it
            rows = "systems"
        elif named := [name for name, low in zip(names, lowered, strict=True) if low in SYSTEM_WORDS + TASK_WORDS]:
            text = f"the first column is called {quoted(names[0])}: put the column {quoted(named[0])} first"
            raise InputError(text, place, code="layout", value=names[0])
        else:
            text = (
                f"the first column is called {quoted(names[0])}: call it 'model' if each row is a system, or 'task' if "
                f"each row is a task; or say {setting('rows', 'systems')} or {setting('rows', 'tasks')}"
            )
            raise InputError(text, place, code="layout", value=names[0])
    return _read_matrix(place, names, lines, rows, choice)


def _put_systems_first(
    names: list[str], lines: Iterable[tuple[Location, Sequence[Any]]]
) -> tuple[list[str], Iterable[tuple[Location, Sequence[Any]]]]:
    """The columns in another order, where an index or a rank is before the only one that is called ``model``."""
    lowered = [name.lower() for name in names]
    systems = [at for at, name in enumerate(lowered) if name in SYSTEM_WORDS]
    if len(systems) != 1 or lowered[0] in (*SYSTEM_WORDS, *TASK_WORDS) or set(lowered) & {*TASK_WORDS}:
        return names, lines
    order = [systems[0], *(at for at in range(len(names)) if at != systems[0])]
    named = [names[0] or "Unnamed: 0", *names[1:]]

    def sort(fields: Sequence[Any]) -> Sequence[Any]:
        # A line of another length is refused where it is read.
        return [fields[at] for at in order] if len(fields) == len(order) else fields

    return [named[at] for at in order], ((where, sort(fields)) for where, fields in lines)


def _refuse_two_columns(place: Location, names: Sequence[str], lowered: Sequence[str]) -> None:
    """Raises: InputError: two columns hold the same, so that one of them would be ignored in silence."""
    for role, words in COLUMNS.items():
        both = [name for name, low in zip(names, lowered, strict=True) if low in words]
        if len(both) > 1:
            text = f"the columns {' and '.join(map(quoted, both[:2]))} both hold the {role}: leave one out"
            raise InputError(text, place, code="layout", value=cut(both[1]))


def _refuse_odd_header(place: Location, names: Sequence[str]) -> None:
    """Raises: InputError: a column after the first has no name, or the name of another."""
    if "" in names[1:]:
        number = names.index("", 1) + 1
        raise InputError(f"column {number} has no name: name its task, or leave it out", place, code="layout")
    twice = first_repeated(names)
    if twice is not None:
        text = f"two columns are called {quoted(twice)}: leave one out, or rename it"
        raise InputError(text, place, code="duplicate", value=cut(twice))


def _read_long(
    place: Location,
    names: Sequence[str],
    lines: Iterable[tuple[Location, Sequence[Any]]],
    at: Mapping[str, int | None],
) -> Iterator[BoardCell]:
    def find_field(fields: Sequence[Any], role: str) -> Any:
        index = at[role]
        return "" if index is None else fields[index]

    measures: dict[str, str] = {}
    for where, fields in lines:
        _check_length(where, fields, names)
        system, task = _name(find_field(fields, "system"), where), _name(find_field(fields, "task"), where)
        query = _text(find_field(fields, "query"))
        error = find_field(fields, "error")
        measure = _text(find_field(fields, "measure"))
        if measures.setdefault(task, measure) != measure:
            text = (
                f"task {quoted(task)} has scores by {quoted(measures[task])} and by {quoted(measure)}, which are not "
                "of one task: keep the rows of one measure"
            )
            raise InputError(text, where, code="layout", value=cut(measure))
        score = parse_score(find_field(fields, "score"), where)
        yield BoardCell(where, system, task, query, score, parse_score(error, where))
    different = list(dict.fromkeys(measures.values()))
    if len(different) > 1:
        named = ", ".join(map(quoted, different[:3])) + (", ..." if len(different) > 3 else "")
        warn(
            f"{place.file}: these measures differ by task ({named}): a mean adds them as they are; borda, z and wins "
            "do not"
        )


def _read_matrix(
    place: Location,
    names: Sequence[str],
    lines: Iterable[tuple[Location, Sequence[Any]]],
    rows: RowKind,
    choice: TaskChoice,
) -> Iterator[BoardCell]:
    if rows == "systems":
        choice.require_known(names[1:])
    placed = []
    for where, fields in lines:
        _check_length(where, fields, names)
        placed.append((where, fields))
    numbers = {at: _read_column([fields[at] for _, fields in placed]) for at in range(1, len(names))}
    known = {at: None if column is None else column[~np.isnan(column)] for at, column in numbers.items()}
    columns = choose_columns(place, names, known, choice) if rows == "systems" else choose_systems(place, names, known)
    if not columns:
        raise InputError("the table has no column of scores", place, code="layout")
    errors = find_standard_errors(place, names, columns, numbers) if rows == "systems" else {}
    for number, (where, fields) in enumerate(placed):
        row = _name(fields[0], where)
        for at in columns:
            system, task = (row, names[at]) if rows == "systems" else (names[at], row)
            column = numbers[at]
            score = parse_score(fields[at], where, names[at]) if column is None else float(column[number])
            yield BoardCell(where, system, task, "", score, float(errors[at][number]) if at in errors else math.nan)
    # The caller's choice is compared with all names that there are.
    for name in names[1:] if rows == "systems" else ():
        if name in choice.not_tasks:
            yield BoardCell(place, "", name, "", math.nan, math.nan)


def _read_column(cells: Sequence[Any]) -> Floats | None:
    """The numbers of a column, NaN for an empty cell; None where it holds something else."""
    numbers = [read_number(cell) for cell in cells]
    return None if None in numbers else np.array(numbers, dtype=np.float64)


def _check_length(where: Location, fields: Sequence[Any], names: Sequence[str]) -> None:
    """Raises: FormatError: a line has more fields than its header, which would be read shifted, or fewer."""
    if len(fields) != len(names):
        text = f"the line has {counted(len(fields), 'field')}, the header {len(names)}"
        if len(fields) > len(names):
            text += ": a comma in a name or a number has to stand between quotation marks"
        raise FormatError(text, where, code="fields")


def _name(value: Any, where: Location) -> str:
    text = _text(value)
    if not text:
        raise FormatError("the name is empty", where, code="empty-name")
    return text


def _text(value: Any) -> str:
    """The text of a cell; none where a frame has nothing."""
    return "" if is_missing(value) else str(value).strip()


def compute_digest(table: BoardTable) -> str:
    """SHA-256 of the names and scores of a table that came from no single file."""
    digest = hashlib.sha256(json.dumps([table.systems, table.tasks]).encode())
    digest.update(np.ascontiguousarray(table.scores).tobytes())
    return digest.hexdigest()
