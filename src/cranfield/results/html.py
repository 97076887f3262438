"""A result as a notebook shows it: small tables of HTML in which untrusted names can do no harm."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cranfield import escaping
from cranfield._html import ROWS, cell, table

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 80
"""Characters of a word, which sentences never have: what is longer is an untrusted name."""
MOST = 4000
"""Characters of a cell, which holds whole sentences."""


def html_of(
    name: str,
    values: Mapping[str, Any],
    settings: Mapping[str, Any],
    tables: Mapping[str, Callable[[], pd.DataFrame]],
    signature: Mapping[str, Any],
) -> str:
    """Its name, numbers and words, settings, every table, of which the first is open, and the signature folded away.

    Args:
        name: of the kind of result.
        values: its single numbers and words.
        settings: what was asked for.
        tables: name -> what makes its rows.
        signature: of the result.
    """
    parts = [f"<b>{escaping.html(name)}</b>", *(_line(key, value) for key, value in values.items())]
    parts.append(_line("settings", ", ".join(f"{key}={value}" for key, value in settings.items())))
    shown = [_table(key, make()) for key, make in tables.items() if key != "values"]
    parts += shown[:1]
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
    return table(list(frame.columns), head.itertuples(index=False, name=None), name, len(frame) - len(head), _sentence)


def _sentence(value: object) -> str:
    """A cell whose words are cut where they are long, and not its sentences."""
    if not isinstance(value, str):
        return cell(value)
    cut = re.sub(rf"(\S{{{LONGEST}}})\S+", r"\1...", value)
    return escaping.html(cut, MOST)
