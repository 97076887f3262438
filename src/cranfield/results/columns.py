"""Columns of results: what each means, and whether people are shown it; said once, for all who print a table."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Shown = Literal["first", "usual", "varying", "never"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Args:
        name: of the column.
        meaning: what it holds, in a few words that can follow a colon.
        shown: to people: ``first`` of all, as it answers; as ``usual``; only where it is ``varying`` from row to row;
            ``never``, as it does not fit on a screen. Programs are given every column.
        integer: whether it holds whole numbers that may be missing.
        label: whether it holds labels, most of which are whole numbers, and an empty cell where there is none.
    """

    name: str
    meaning: str = ""
    shown: Shown = "usual"
    integer: bool = False
    label: bool = False


def select_for_people(rows: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Select the columns that people are shown, those that answer first.

    Args:
        rows: a table.
        columns: what is declared of its columns; one that is not is shown as usual.
    """
    shown: dict[str, Shown] = {column.name: column.shown for column in columns}
    kept = [str(name) for name in rows if not _is_silent(rows, str(name), shown.get(str(name), "usual"))]
    return rows[sorted(kept, key=lambda name: shown.get(str(name)) != "first")]


def write_labels(rows: pd.DataFrame, columns: Sequence[Column], format: str) -> pd.DataFrame:
    """Write the labels of a table: whole ones as integers, and no label as an empty cell, or as null in JSON.

    Args:
        rows: a table.
        columns: what is declared of its columns.
        format: in which it is written.
    """
    import pandas as pd

    missing = math.nan if format == "json" else ""

    def write(label: float) -> float | str:
        return missing if math.isnan(label) else int(label) if label.is_integer() else label

    labels = [column.name for column in columns if column.label and column.name in rows]
    return rows.assign(**{name: pd.Series(map(write, rows[name].tolist()), rows.index, object) for name in labels})


def _is_silent(rows: pd.DataFrame, name: str, shown: Shown) -> bool:
    return shown == "never" or (shown == "varying" and rows[name].nunique(dropna=False) <= 1)


def describe_columns(columns: Iterable[Column]) -> str:
    """Describe columns in one paragraph: ``overlap: the share ...; tie_rate: ...``."""
    return "; ".join(f"{column.name}: {column.meaning}" for column in columns if column.meaning)


def document_columns(table: str, columns: Iterable[Column]) -> str:
    """Describe the columns of a table for a docstring, one below the other."""
    lines = (f"``{column.name}``: {column.meaning}" if column.meaning else f"``{column.name}``" for column in columns)
    wrapped = (textwrap.fill(line, 108, initial_indent="- ", subsequent_indent="  ") for line in lines)
    return "\n".join([f"Columns of ``{table}``:", "", *wrapped])
