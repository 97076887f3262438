"""Tables of systems by tasks: long or wide, systems in rows or in columns, or a folder of MTEB's results."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._validation import list_names
from cranfield.boards.folders import Cell, parse_score, read_folder, read_helm
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.delimited import delimited_lines
from cranfield.io.source import as_text, read_whole
from cranfield.scores.layout import is_summary

Rows: TypeAlias = Literal["systems", "tasks"]

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
MEMORY = "the table"


@dataclass(frozen=True, eq=False)
class BoardTable:
    """Scores of systems on tasks, larger ones better.

    Args:
        systems: names, in order.
        tasks: names, in order.
        scores: [tasks, systems], NaN where a system has none.
        queries: scores of single queries, [queries, systems], of each task that has them.
        errors: standard error of each score, [tasks, systems]; None where none is stated.
        digest: SHA-256 of what was read.
        name: what messages call the table.
    """

    systems: list[str]
    tasks: list[str]
    scores: np.ndarray
    queries: Mapping[str, np.ndarray] = field(default_factory=dict)
    errors: np.ndarray | None = None
    digest: str = ""
    name: str = "the board"


def read_board(
    scores: Any, *, rows: Rows | None = None, errors: Any = None, lower_is_better: str | Sequence[str] = ()
) -> BoardTable:
    """Read a table of systems by tasks.

    Args:
        scores: a file or a pandas data frame; long (columns system, task, score; perhaps query and error) or
            a matrix whose first column is called ``model`` or ``system`` (systems in rows), or ``task`` or ``topic``
            (tasks in rows); a table of HELM's in JSON; a folder of MTEB's results, or of logs of inspect_ai in JSON; a
            mapping system -> task -> score; or an xarray with dims of these names. Empty cells, ``nan`` and ``NA`` are
            missing. Or a table that was read before.
        rows: what the rows of a matrix are, where its first column has another name.
        errors: standard errors of the scores, a matrix of the same kind.
        lower_is_better: tasks whose sign is turned.

    Raises:
        FormatError: a line is not in its format; names file, line and value.
        InputError: a cell occurs twice, or there is no score.
        UsageError: nothing tells what the rows are, or an unknown task is named.
    """
    table = scores if isinstance(scores, BoardTable) else _assemble(list(_cells(scores, rows)), _digest(scores))
    if errors is not None:
        stated = _assemble([cell for cell in _cells(errors, rows) if not math.isnan(cell[4])], "")
        table = _with_errors(table, stated)
    turned = list_names(lower_is_better=lower_is_better)
    unknown = next((name for name in turned if name not in table.tasks), None)
    if unknown is not None:
        raise UsageError(f"{setting('lower_is_better')}: the board has no task {quoted(unknown)}")
    sign = np.where([task in turned for task in table.tasks], -1.0, 1.0)
    queries = {task: -values if task in turned else values for task, values in table.queries.items()}
    return replace(table, scores=table.scores * sign[:, None], queries=queries)


def _with_errors(table: BoardTable, stated: BoardTable) -> BoardTable:
    columns = {name: at for at, name in enumerate(stated.systems)}
    lines = {name: at for at, name in enumerate(stated.tasks)}
    errors = np.full(table.scores.shape, np.nan)
    for row, task in enumerate(table.tasks):
        for column, system in enumerate(table.systems):
            if task in lines and system in columns:
                errors[row, column] = stated.scores[lines[task], columns[system]]
    return replace(table, errors=errors)


def _digest(scores: Any) -> str:
    """SHA-256 of a file; of other input its content is signed by the board itself."""
    path = Path(as_text(scores)) if isinstance(scores, (str, os.PathLike)) else None
    if path is None or path.is_dir():
        return ""
    return read_whole(str(path), "run")[1]


def _assemble(cells: Sequence[Cell], digest: str) -> BoardTable:
    """Raises: InputError: a cell occurs twice, no score, or a task has scores of queries and one of its own."""
    first: dict[tuple[str, str, str], Location] = {}
    for where, system, task, query, _, _ in cells:
        key = (system, task, query)
        if key in first:
            named = f"{quoted(system)} on {quoted(task)}" + (f", query {quoted(query)}" if query else "")
            raise InputError(f"{named} has a score already, at {first[key]}", where, code="duplicate")
        first[key] = where
    systems, tasks = list(dict.fromkeys(cell[1] for cell in cells)), list(dict.fromkeys(cell[2] for cell in cells))
    if not any(not math.isnan(cell[4]) for cell in cells):
        raise InputError("the table holds no score", MEMORY, code="empty")
    column, line = {name: at for at, name in enumerate(systems)}, {name: at for at, name in enumerate(tasks)}
    scores, errors = np.full((len(tasks), len(systems)), np.nan), np.full((len(tasks), len(systems)), np.nan)
    by_query: dict[str, dict[str, dict[int, float]]] = {}
    for _, system, task, query, score, error in cells:
        if not query:
            scores[line[task], column[system]], errors[line[task], column[system]] = score, error
        else:
            by_query.setdefault(task, {}).setdefault(query, {})[column[system]] = score
    queries = {}
    for task, rows in by_query.items():
        if not np.isnan(scores[line[task]]).all():
            text = f"task {quoted(task)} has scores of queries and scores without one: leave one kind out"
            raise InputError(text, MEMORY, code="layout")
        values = np.full((len(rows), len(systems)), np.nan)
        for number, row in enumerate(rows.values()):
            values[number, list(row)] = list(row.values())
        queries[task] = values
        counts = (~np.isnan(values)).sum(axis=0)
        means = np.divide(np.nansum(values, axis=0), counts, out=np.full(len(systems), np.nan), where=counts > 0)
        scores[line[task]] = means
    stated, where = None if np.isnan(errors).all() else errors, cells[0][0]
    return BoardTable(systems, tasks, scores, queries, stated, digest, where.file)


# ---- what it is read from


def _cells(scores: Any, rows: Rows | None) -> Iterator[Cell]:
    if isinstance(scores, (str, os.PathLike)):
        path = as_text(scores)
        return read_folder(Path(path)) if Path(path).is_dir() else _read_file(path, rows)
    if hasattr(scores, "data_vars"):  # a mapping, too
        scores = _select_variable(scores)
    if isinstance(scores, Mapping):
        where = Location(name="the mapping")
        return (
            (where, str(system), str(task), "", parse_score(score, where), math.nan)
            for system, by_task in scores.items()
            for task, score in by_task.items()
        )
    if hasattr(scores, "dims"):
        return _read_array(scores)
    if hasattr(scores, "columns"):
        return _read_frame(scores, rows)
    raise UsageError(f"a board is read from a file, a data frame, a mapping or an xarray, not {type(scores).__name__}")


def _read_file(path: str, rows: Rows | None) -> Iterator[Cell]:
    place = Location(path)
    try:
        text = read_whole(path, "run")[0].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("the file is not valid UTF-8", place, code="utf8") from None
    if text.lstrip()[:1] in ("{", "["):
        return read_helm(place, text)
    lines = delimited_lines(place, text)
    header = next(lines, None)
    if header is None:
        raise InputError("the file is empty; expected a header and scores", place, code="empty")
    return _read_table(place, header[1], ((place.at(line), fields) for line, fields in lines), rows)


def _read_frame(frame: Any, rows: Rows | None) -> Iterator[Cell]:
    if not hasattr(frame, "iloc"):
        frame = frame.to_pandas()
    if frame.index.name is not None or (frame.index.dtype.kind not in "iu" and frame.index.nlevels == 1):
        name = (
            frame.index.name if frame.index.name is not None else {"systems": "system", "tasks": "task"}.get(str(rows))
        )
        frame = frame.rename_axis(name or "index").reset_index()
    where = Location(name="the data frame")
    records = ((where, list(record)) for record in frame.itertuples(index=False, name=None))
    return _read_table(where, [str(column) for column in frame.columns], records, rows)


def _select_variable(dataset: Any) -> Any:
    """The scores of a Dataset, which are one array.

    Raises:
        UsageError: there are several, or none.
    """
    names = [str(name) for name in dataset.data_vars]
    if len(names) != 1:
        listed = f" ({', '.join(map(quoted, names[:3]))}{', ...' if len(names) > 3 else ''})" if names else ""
        raise UsageError(
            f"a board has one score of each system and task, and the Dataset has {counted(len(names), 'variable')}"
            f"{listed}: give one of them, dataset[name]"
        )
    return dataset[next(iter(dataset.data_vars))]


def _read_array(array: Any) -> Iterator[Cell]:
    names = {role: next((dim for dim in array.dims if str(dim) in COLUMNS[role]), None) for role in ("system", "task")}
    if None in names.values() or len(array.dims) != 2:
        raise UsageError(f"an array of a board has the dims system and task, not {', '.join(map(str, array.dims))}")
    values = array.transpose(names["task"], names["system"])
    where = Location(name="the array")
    for task, row in zip(values[names["task"]].values, values.values, strict=True):
        for system, score in zip(values[names["system"]].values, row, strict=True):
            yield where, str(system), str(task), "", parse_score(score, where), math.nan


def _read_table(
    place: Location, header: Sequence[str], lines: Iterable[tuple[Location, Sequence[Any]]], rows: Rows | None
) -> Iterator[Cell]:
    names = [name.strip() for name in header]
    lowered = [name.lower().replace(" ", "_").replace("-", "_") for name in names]
    at = {
        role: next((lowered.index(word) for word in words if word in lowered), None) for role, words in COLUMNS.items()
    }
    if at["system"] is not None and at["task"] is not None and at["score"] is not None:
        return _read_long(place, lines, at)
    if rows is None:
        if lowered[0] in SYSTEM_WORDS:
            rows = "systems"
        elif lowered[0] in TASK_WORDS:
            rows = "tasks"
        else:
            text = (
                f"the first column is called {quoted(names[0])}: call it 'model' if each row is a system, or 'task' if "
                f"each row is a task; or say {setting('rows', 'systems')} or {setting('rows', 'tasks')}"
            )
            raise InputError(text, place, code="layout", value=names[0])
    return _read_matrix(place, names, lines, rows)


def _read_long(
    place: Location, lines: Iterable[tuple[Location, Sequence[Any]]], at: Mapping[str, int | None]
) -> Iterator[Cell]:
    def find_field(fields: Sequence[Any], role: str) -> Any:
        index = at[role]
        return "" if index is None else fields[index]

    measures: dict[str, None] = {}
    for where, fields in lines:
        _check_length(where, fields, max(index for index in at.values() if index is not None) + 1)
        system, task = _name(find_field(fields, "system"), where), _name(find_field(fields, "task"), where)
        query = str(find_field(fields, "query")).strip()
        error = find_field(fields, "error")
        measures[str(find_field(fields, "measure")).strip()] = None
        yield where, system, task, query, parse_score(find_field(fields, "score"), where), parse_score(error, where)
    if len(measures) > 1:
        named = ", ".join(map(quoted, list(measures)[:3])) + (", ..." if len(measures) > 3 else "")
        warn(
            f"{place}: these measures differ by task ({named}): a mean adds them as they are; borda, z and wins do not"
        )


def _read_matrix(
    place: Location, names: Sequence[str], lines: Iterable[tuple[Location, Sequence[Any]]], rows: Rows
) -> Iterator[Cell]:
    summing = [at for at, name in enumerate(names) if at and rows == "systems" and is_summary(name.partition("(")[0])]
    if summing:
        warn(f"{place}: {', '.join(quoted(names[at]) for at in summing)} left out, which sums up other columns")
    columns = [at for at in range(1, len(names)) if at not in summing]
    if not columns:
        raise InputError("the table has no column of scores", place, code="layout")
    for where, fields in lines:
        _check_length(where, fields, len(names))
        row = _name(fields[0], where)
        for at in columns:
            system, task = (row, names[at]) if rows == "systems" else (names[at], row)
            yield where, system, task, "", parse_score(fields[at], where), math.nan


def _check_length(where: Location, fields: Sequence[Any], least: int) -> None:
    if len(fields) < least:
        raise FormatError(f"the line has {counted(len(fields), 'field')}, the header {least}", where, code="fields")


def _name(value: Any, where: Location) -> str:
    text = str(value).strip()
    if not text:
        raise FormatError("the name is empty", where, code="empty-name")
    return text


def compute_digest(table: BoardTable) -> str:
    """SHA-256 of the names and scores of a table that came from no single file."""
    digest = hashlib.sha256(json.dumps([table.systems, table.tasks]).encode())
    digest.update(np.ascontiguousarray(table.scores).tobytes())
    return digest.hexdigest()
