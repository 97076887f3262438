"""Tables with systems in rows, as leaderboards of models have them: recognised, turned, and said to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield._text import counted, quoted, warn
from cranfield._validation import is_decimal
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Place
from cranfield.scores.scale import is_known
from cranfield.scores.shapes import is_summary
from cranfield.scores.table import ScoreTable

SYSTEM_COLUMN = ("model", "system", "run", "name", "method", "approach", "retriever", "team", "submission", "tag")
"""What a column of systems is called, in any case, also in the plural and with a ``name`` or an ``id`` behind it."""
MISSING = ("", "nan", "na", "none", "<na>")
"""Cells that hold neither a name nor a score."""


def is_system_head(head: object) -> bool:
    """Whether a column of this name holds systems."""
    if not isinstance(head, str):
        return False
    word, *more = head.strip().lower().replace("_", " ").replace("-", " ").split() or [""]
    return (word in SYSTEM_COLUMN or word.removesuffix("s") in SYSTEM_COLUMN) and more in ([], ["name"], ["id"])


def has_systems_in_rows(head: object, cells: Sequence[object]) -> bool:
    """Whether the first column of a table holds the names of systems, and no scores.

    Args:
        head: of the first column.
        cells: of the first column.
    """
    texts = [text for cell in cells if (text := str(cell).strip()).lower() not in MISSING]
    if not is_system_head(head) or not texts:
        return False
    # Numbers may be names of systems: whole ones, each once.
    names = [text for text in texts if not is_decimal(text) or "." not in text]
    return bool(names) and (len(set(texts)) == len(texts) or not all(map(is_decimal, texts)))


def turned(table: ScoreTable, head: str, where: Place | str) -> ScoreTable:
    """A table that was read with its rows as topics, with systems in rows instead; a warning says so.

    Args:
        table: of one measure; what it calls topics are systems.
        head: of the column of systems.
        where: it was read.

    Raises:
        InputError: its columns are measures, or none of them is a topic.
    """
    kept = kept_columns(table.systems, head, where)
    values = np.ascontiguousarray(table.values[:, :, kept].transpose(0, 2, 1))
    return ScoreTable(tuple(table.systems[at] for at in kept), table.topics, table.scales, values)


def turned_frame(frame: Any) -> Any:
    """A data frame with topics in rows, also where systems are in its rows; a warning says so.

    Raises:
        UsageError: see ``turned``.
    """
    if is_system_head(frame.index.name):
        rows, head = frame, str(frame.index.name)
    elif len(frame.columns) > 1 and has_systems_in_rows(frame.columns[0], frame.iloc[:, 0].tolist()):
        head = str(frame.columns[0])
        rows = frame.set_index(frame.columns[0])
    else:
        return frame
    try:
        return rows.iloc[:, kept_columns([str(name) for name in rows.columns], head, "the data frame")].T
    except InputError as error:
        raise UsageError(str(error)) from None


def kept_columns(columns: Sequence[str], head: str, where: Place | str) -> list[int]:
    """The columns that are topics, by their numbers; a warning says how the table is read.

    Summaries such as ``Average`` or ``Mean (Task)`` are left out.

    Raises:
        InputError: they are measures, or there is none.
    """
    summing = [name for name in columns if is_summary(name.partition("(")[0])]
    kept = [at for at, name in enumerate(columns) if name not in summing]
    measures = [columns[at] for at in kept if is_known(columns[at])]
    if not kept or 2 * len(measures) >= len(kept):
        what = f"its columns are measures ({quoted(measures[0])})" if measures else "it has no column of a topic"
        text = f"the column {quoted(head)} says that systems are in rows, and {what}: scores of topics are needed"
        raise InputError(f"{where}: {text}", code="layout")
    some = ", ".join(quoted(columns[at]) for at in kept[:3]) + ", ..." * (len(kept) > 3)
    out = f"; {', '.join(map(quoted, summing))} left out, which sums up the others" if summing else ""
    warn(
        f"{where}: read with systems in rows, as the column {quoted(head)} says, and {counted(len(kept), 'topic')} in "
        f"columns ({some}){out}; where rows are topics, call it 'topic'"
    )
    return kept
