"""Data frames as tables of a page."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield._text import numeral, shown
from cranfield.reporting.content import Cell, Column, Kind, Table

if TYPE_CHECKING:
    import pandas as pd


UNDERSCORED = frozenset({"tau_b", "tau_ap,b"})
"""Names of coefficients, as which they are known."""


def table_of(
    id: str,
    title: str,
    frame: pd.DataFrame,
    kinds: Mapping[str, Kind] | None = None,
    meaning: Mapping[str, str] | None = None,
    first: Container[str] | None = None,
) -> Table:
    """A frame without its index, whose explained columns are written as words.

    Args:
        id, title: of the table.
        frame: its rows.
        kinds: of columns that are not numbers.
        meaning: of columns; where they name each other, they do it in words as well.
        first: columns that are shown at once; all, if it is None.
    """
    kinds, meaning = kinds or {}, meaning or {}
    names = [str(name) for name in frame.columns]
    written = {name: name if name in UNDERSCORED else name.replace("_", " ") for name in meaning}
    columns = tuple(
        Column(
            written.get(name, name),
            kinds.get(name, "number"),
            " ".join(written.get(word, word) for word in meaning.get(name, "").split(" ")),
            first is not None and name not in first,
        )
        for name in names
    )
    return Table(id, title, columns, rows_of(frame[name].tolist() for name in frame.columns))


def kinds(kind: Kind, *names: str) -> dict[str, Kind]:
    """Columns of one kind, for ``table_of``."""
    return dict.fromkeys(names, kind)


def rows_of(columns: Iterable[Sequence[object]]) -> tuple[tuple[Cell, ...], ...]:
    """Columns of equal length as rows of cells."""
    return tuple(tuple(cell(value) for value in row) for row in zip(*columns, strict=True))


def cell(value: object) -> Cell:
    """A value that JSON can hold: what is unknown is None, what is infinite a word."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float) and not math.isfinite(plain):
        return None if math.isnan(plain) else numeral(plain, "g")
    return plain if isinstance(plain, (str, int, float)) or plain is None else str(plain)


def listed_names(names: Sequence[str], most: int = 5) -> str:
    """``a, b and 3 more``."""
    first = [shown(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(first)} and {len(names) - most:,} more"
    return first[0] if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
