"""What a page holds, as its own script reads it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

from cranfield._text import shown as show_text

__all__ = ["_text", "column", "data_of", "full_names", "observations", "packed", "section", "show_text", "table"]


def data_of(text: str) -> Any:
    """What is shown first."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def packed(text: str) -> Any:
    """Scores, texts of topics and lists of documents."""
    found = re.search(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]*)</script>', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def section(data: Any, id: str) -> Any:
    """A section of a page."""
    return next(part for part in data["sections"] if part["id"] == id)


def table(data: Any, id: str) -> Any:
    """A table of a page, with its cells as they were before names became numbers."""
    written = next(table for part in data["sections"] for table in part["tables"] if table["id"] == id)
    names = {"system": full_names(data["systems"]), "topic": full_names(data["topics"])}
    kinds = [column["kind"] for column in written["columns"]]
    rows = [
        [names[kind][cell] if kind in names and isinstance(cell, int) else _text(cell) for cell, kind in pairs]
        for pairs in (zip(row, kinds, strict=True) for row in written["rows"])
    ]
    return {**written, "rows": rows}


def column(table: Any, name: str) -> list[Any]:
    """The cells of a column."""
    at = [_text(column["name"]) for column in table["columns"]].index(name)
    return [row[at] for row in table["rows"]]


def full_names(names: list[list[str]]) -> list[str]:
    """Names of systems or topics in full, which a page has beside the form that it shows."""
    return [name[2] if len(name) > 2 else name[0] for name in names]


def observations(data: Any) -> dict[str, str]:
    """What is seen in each figure of a page."""
    return {figure["id"]: figure["seen"] for part in data["sections"] for figure in part["figures"]}


def _text(cell: Any) -> Any:
    """A text as it is shown, which a page has beside its form in CSV."""
    return cell[0] if isinstance(cell, list) else cell
