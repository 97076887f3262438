"""Rows of named columns as text: a table for people, and the formats that other programs read."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield import escaping
from cranfield.errors import InputError
from cranfield.wording import quoted, shown

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float
FORMATS = ("table", "tsv", "csv", "json")


@dataclass(frozen=True)
class Sheet:
    """What a command prints.

    Args:
        columns: their names.
        rows: whole numbers, numbers and names.
        caption: what the table says below itself.
        signature: all that changes these numbers, for json.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str
    signature: dict[str, Any]

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, caption: str, signature: dict[str, Any]) -> Sheet:
        """A data frame without its index; what is missing is nan."""
        cells = frame.astype(object).where(frame.notna(), math.nan)
        return cls([str(name) for name in frame.columns], cells.to_numpy().tolist(), caption, signature)

    def text(self, format: str, *, plain: bool = False) -> str:
        """The sheet in one of ``FORMATS``. ``plain`` is for files: no colours.

        Raises:
            InputError: a name that the format cannot hold.
        """
        match format:
            case "table":
                return _table(self, plain=plain)
            case "tsv":
                return "".join("\t".join(map(_tsv, row)) + "\n" for row in (self.columns, *self.rows))
            case "csv":
                return "".join(",".join(map(_csv, row)) + "\n" for row in (self.columns, *self.rows))
        rows = [dict(zip(self.columns, map(_json, row), strict=True)) for row in self.rows]
        lines = ",\n".join("  " + json.dumps(row, allow_nan=False) for row in rows)
        return f'{{"signature": {json.dumps(self.signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'


def _tsv(cell: Cell) -> str:
    if isinstance(cell, str) and any(char in cell for char in "\t\n\r"):
        raise InputError(f"the name {quoted(cell)} holds a tab or a line end, which tsv cannot: use csv or json")
    return _number(cell) if isinstance(cell, (int, float)) else cell


def _csv(cell: Cell) -> str:
    return _number(cell) if isinstance(cell, (int, float)) else escaping.csv(cell)


def _json(cell: Cell) -> Cell | None:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _number(value: float) -> str:
    return "nan" if math.isnan(value) else repr(value)


def _table(sheet: Sheet, *, plain: bool) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, name in enumerate(sheet.columns):
        words = all(isinstance(row[number], str) for row in sheet.rows)
        grid.add_column(Text(shown(name, 200)), justify="left" if words else "right", no_wrap=True)
    for row in sheet.rows:
        grid.add_row(*(Text(_shown(cell)) for cell in row))
    terminal = not plain and sys.stdout is not None and sys.stdout.isatty()
    out = io.StringIO()
    Console(file=out, force_terminal=terminal, width=100_000, highlight=False).print(grid)
    text = "\n".join(line.rstrip() for line in out.getvalue().splitlines())
    return f"{text}\n\n{sheet.caption}\n"


def _shown(cell: Cell) -> str:
    if isinstance(cell, str):
        return shown(cell, 4096)
    if isinstance(cell, int):
        return f"{cell:,}"
    return "nan" if math.isnan(cell) else f"{cell:.4f}"
