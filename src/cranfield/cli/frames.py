"""Tables of an analysis as text: for people, and in the formats that other programs read."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError, UsageError
from cranfield.io.score_rows import field, guarded
from cranfield.wording import quoted, shown

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("table", "tsv", "csv", "json")


def render_frame(frame: pd.DataFrame, format: str, signature: Any, *, plain: bool, caption: str = "") -> str:
    """A data frame in one text, without its index.

    Args:
        frame: columns of names, numbers and truth values.
        format: ``table``, ``tsv``, ``csv``, ``json`` or ``latex``.
        signature: stands in json.
        plain: no colours: for files.
        caption: below the table.

    Raises:
        InputError: a name that the format cannot hold.
    """
    columns = [str(name) for name in frame.columns]
    rows = [[_plain(value) for value in row] for row in frame.itertuples(index=False)]
    match format:
        case "table":
            return _table(columns, rows, caption, plain=plain)
        case "tsv":
            return "".join("\t".join(map(_tsv, row)) + "\n" for row in [columns, *rows])
        case "csv":
            return "".join(",".join(map(_csv, row)) + "\n" for row in [columns, *rows])
        case "json":
            lines = ",\n".join("  " + json.dumps(dict(zip(columns, map(_json, row), strict=True))) for row in rows)
            return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'
        case "latex":
            return _latex(columns, rows)
    raise UsageError(f"format={format!r} is not one of {', '.join(FORMATS)}, latex")


def _plain(value: Any) -> Any:
    """A Python number or text, not NumPy's."""
    return value.item() if hasattr(value, "item") else value


def _exact(value: Any) -> str:
    """Digits that read back exactly."""
    return "true" if value is True else "false" if value is False else str(value)


def _tsv(value: Any) -> str:
    text = _exact(value)
    if any(char in text for char in "\t\n\r"):
        raise InputError(f"the name {quoted(text)} holds a tab or a line end, which tsv cannot: use csv or json")
    return text


def _csv(value: Any) -> str:
    return field(guarded(value) if isinstance(value, str) else _exact(value))


def _json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _short(value: Any, column: str) -> str:
    """What a person reads."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        if column in ("p", "p_adjusted") and 0 < value < 5e-5:
            return "<.0001"
        return str(int(value)) if value.is_integer() and abs(value) >= 2 else f"{value:.4f}"
    return shown(str(value), 4096)


def _table(columns: Sequence[str], rows: list[list[Any]], caption: str, *, plain: bool) -> str:
    import sys

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    numeric = [all(isinstance(row[at], (int, float)) for row in rows) for at in range(len(columns))]
    for name, right in zip(columns, numeric, strict=True):
        grid.add_column(Text(name), justify="right" if right else "left", no_wrap=True)
    for row in rows:
        grid.add_row(*(Text(_short(value, name)) for value, name in zip(row, columns, strict=True)))
    terminal = not plain and sys.stdout is not None and sys.stdout.isatty()
    out = io.StringIO()
    Console(file=out, force_terminal=terminal, width=100_000, highlight=False).print(grid)
    text = "\n".join(line.rstrip() for line in out.getvalue().splitlines())
    return f"{text}\n\n{caption}\n" if caption else text + "\n"


_ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def _latex(columns: Sequence[str], rows: list[list[Any]]) -> str:
    """A tabular with the rules of booktabs."""

    def cells(row: Sequence[Any]) -> str:
        texts = [
            value if isinstance(value, str) else _short(value, name) for value, name in zip(row, columns, strict=True)
        ]
        return " & ".join("".join(_ESCAPED.get(char, char) for char in shown(text, 4096)) for text in texts) + r" \\"

    align = "".join("l" if rows and isinstance(rows[0][at], (str, bool)) else "r" for at in range(len(columns)))
    lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", cells(columns), r"\midrule"]
    return "\n".join([*lines, *map(cells, rows), r"\bottomrule", r"\end{tabular}"]) + "\n"
