"""A result as an interpreter shows it: what it is, the first rows of its main table, and its settings.

A result as a notebook shows it: small tables of HTML in which untrusted names can do no harm.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield import escaping
from cranfield._html import ROWS, cell, table
from cranfield._text import counted, shown
from cranfield.results.sheet import P_VALUES, Sheet, join_lines, readable
from cranfield.results.table_text import GAP, Grid

if TYPE_CHECKING:
    import pandas as pd


PRINTED_ROWS = 10
"""Rows of a table that are shown."""
WIDTH = 80
"""Characters in a line."""
LEADING = ("system", "other", "difference", "low", "high", "p_adjusted", "significant")
"""Columns that answer whether two systems differ, and stand before all others."""
CELL = 24
"""Characters of a name or a value."""


@dataclass(frozen=True)
class Remarks:
    """The words of a result on its main table: the sentence above it, and the lines below it."""

    answer: str = ""
    caption: str = ""


def format_text(
    name: str,
    values: Mapping[str, Any],
    settings: Mapping[str, Any],
    tables: Mapping[str, Callable[[], pd.DataFrame]],
    remarks: Remarks,
) -> str:
    """At most 24 lines of at most 80 characters; the settings come last, without those that are None.

    Args:
        name: of the kind of result.
        values: its single numbers and words.
        settings: what was asked for.
        tables: name -> what makes its rows; the first of other than ``values`` is shown.
        remarks: of the first table.
    """
    lines = [_cut(f"{name}({_listed(values)})"), *_wrapped(remarks.answer)]
    further = [table for table in tables if table != "values"]
    if further:
        lines += _first_rows(further[0], tables[further[0]]())
    lines += _wrapped(join_lines(remarks.caption))
    lines += _wrapped(f"further tables, to_frame(NAME): {', '.join(further[1:])}") if further[1:] else []
    listed = _listed({key: value for key, value in settings.items() if value is not None})
    lines += _wrapped(f"settings: {listed}") if listed else []
    return "\n".join(lines)


def _first_rows(name: str, frame: pd.DataFrame) -> list[str]:
    """The first rows, and the first of the columns that fit, of which those that answer come first."""
    if {"difference", "p_adjusted"} <= set(frame.columns):
        columns: list[str] = sorted(map(str, frame.columns), key=_importance)
        frame = frame[columns]
    head = Sheet.from_frame(frame.head(PRINTED_ROWS), "", {})
    titles = [shown(column, CELL) for column in head.columns]
    cells = [[_cell(cell, column) for cell, column in zip(row, head.columns, strict=True)] for row in head.rows]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    fit = max(1, sum(sum(widths[: count + 1]) + len(GAP) * count <= WIDTH for count in range(len(widths))))
    numbers = [frame.dtypes.iloc[column].kind in "iuf" for column in range(fit)]
    grid = Grid(list(zip(titles[:fit], numbers, strict=True)))
    for row in cells:
        grid.add(*row[:fit])
    left = len(frame) - len(cells)
    omitted = [counted(left, "more row")] if left else []
    omitted += [f"more columns: {', '.join(titles[fit:])}"] if fit < len(titles) else []
    return [*grid.text(plain=True).splitlines(), *([_cut(f"{name}: {'; '.join(omitted)}")] if omitted else [])]


def _importance(column: str) -> int:
    """Return which columns stand first: names, then the difference with its interval and verdict, then the others."""
    return LEADING.index(column) if column in LEADING else len(LEADING)


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in values.items())


def _cell(cell: Any, column: str) -> str:
    return shown(cell, CELL) if isinstance(cell, str) else readable(cell, column)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (Mapping, list, tuple)) and len(value) > 5:
        return f"({counted(len(value), 'value')})"
    return shown(str(value), CELL)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, max_lines=3, placeholder=" ...", break_on_hyphens=False)


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ..."


LONGEST = 80
"""Characters of a word, which sentences never have: what is longer is an untrusted name."""
MOST = 4000
"""Characters of a cell, which holds whole sentences."""


def format_html(
    name: str,
    values: Mapping[str, Any],
    settings: Mapping[str, Any],
    tables: Mapping[str, Callable[[], pd.DataFrame]],
    signature: Mapping[str, Any],
    remarks: Remarks,
) -> str:
    """HTML of a result: name, numbers and words, the answer, every table (the first one open), settings, signature.

    Args:
        name: of the kind of result.
        values: its single numbers and words.
        settings: what was asked for.
        tables: name -> what makes its rows.
        signature: of the result.
        remarks: of the first table.
    """
    import json  # here: few results are shown in a notebook

    parts = [f"<b>{escaping.html(name)}</b>", *(_line(key, value) for key, value in values.items())]
    shown = [_table(key, make()) for key, make in tables.items() if key != "values"]
    parts += [f"<p>{_sentence(remarks.answer)}</p>"] if remarks.answer else []
    parts += shown[:1]
    parts += [f"<p>{_sentence(line)}</p>" for line in remarks.caption.splitlines()]
    parts.append(_line("settings", ", ".join(f"{key}={value}" for key, value in settings.items() if value is not None)))
    if shown[1:]:
        parts.append(_folded("further tables", "\n".join(shown[1:])))
    lines = json.dumps(signature, indent=1, default=str).splitlines()
    signed = "\n".join(escaping.html(line, 200) for line in lines[:200])
    return "<div>" + "\n".join([*parts, _folded("signature", f"<pre>{signed}</pre>")]) + "</div>"


def _line(name: str, value: Any) -> str:
    return f"<p>{escaping.html(name)}: {_sentence(value)}</p>"


def _folded(name: str, content: str) -> str:
    return f"<details><summary>{escaping.html(name)}</summary>{content}</details>"


def _table(name: str, frame: pd.DataFrame) -> str:
    head = frame.head(ROWS)
    written = head.assign(
        **{column: [readable(p, column) for p in head[column].tolist()] for column in P_VALUES if column in head}
    )
    rows = written.itertuples(index=False, name=None)
    return table(list(frame.columns), rows, name, len(frame) - len(head), _sentence)


def _sentence(value: object) -> str:
    """A cell whose words are cut where they are long, and not its sentences."""
    if not isinstance(value, str):
        return cell(value)
    cut = re.sub(rf"(\S{{{LONGEST}}})\S+", r"\1...", value)
    return escaping.html(cut, MOST)
