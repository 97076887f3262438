"""Results as a notebook shows them: small tables of HTML in which strangers' names can do no harm."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from cranfield import escaping

ROWS = 12
"""Of a table, that are shown."""
ITEMS = 8
"""Of a dictionary or a tuple, that are shown."""


class Shown:
    """A result, a dataclass, that a notebook shows as tables."""

    def _repr_html_(self) -> str:
        """Its name, then each field: tables, numbers and words; the signature folded away."""
        parts = [f"<b>{escaping.html(type(self).__name__)}</b>"]
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if value is not None:
                parts.append(_part(field.name, value))
        return "<div>" + "\n".join(parts) + "</div>"


def table(columns: Sequence[object], rows: Iterable[Sequence[object]], caption: str, more: int = 0) -> str:
    """A table of HTML; numbers to four digits, text escaped, ``more`` rows left out."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    left = f"<p>{more:,} more</p>" if more else ""
    return (
        f"<table><caption>{escaping.html(caption, 400)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{left}"
    )


def _part(name: str, value: Any) -> str:
    if name == "signature":
        text = value if isinstance(value, str) else json.dumps(value, indent=1, default=str)
        lines = "\n".join(escaping.html(line, 200) for line in text.splitlines()[:200])
        return f"<details><summary>signature</summary><pre>{lines}</pre></details>"
    if hasattr(value, "iloc"):
        return _frame(name, value)
    if hasattr(value, "sizes"):
        dims = ", ".join(f"{dim}: {size:,}" for dim, size in value.sizes.items())
        return f"<p>{escaping.html(name)}: values by {escaping.html(dims)}</p>"
    if isinstance(value, Shown):
        return f"<details><summary>{escaping.html(name)}</summary>{value._repr_html_()}</details>"
    return f"<p>{escaping.html(name)}: {_words(value)}</p>"


def _frame(name: str, value: Any) -> str:
    """The first rows of a frame or series, with its index unless that only counts."""
    frame = value.to_frame() if value.ndim == 1 else value
    counts = type(frame.index).__name__ == "RangeIndex"
    flat = frame if counts else frame.reset_index()
    shown = flat.head(ROWS)
    return table(list(flat.columns), shown.itertuples(index=False, name=None), name, len(flat) - len(shown))


def _words(value: Any) -> str:
    """A dictionary, a sequence or a value in a line."""
    if isinstance(value, Mapping):
        items = [f"{_text(key)} {_inner(member)}" for key, member in list(value.items())[:ITEMS]]
        return ", ".join([*items, *_rest(len(value))])
    if isinstance(value, (tuple, list)):
        return ", ".join([*map(_text, value[:ITEMS]), *_rest(len(value))])
    return _text(value)


def _inner(value: Any) -> str:
    """A member of a dictionary: what is large is only counted."""
    if hasattr(value, "sizes") or hasattr(value, "iloc") or isinstance(value, Mapping):
        return f"({len(value):,})"
    return f"({len(value):,} values)" if isinstance(value, (tuple, list)) else _text(value)


def _rest(count: int) -> list[str]:
    return [f"... ({count:,} in all)"] if count > ITEMS else []


def _text(value: object) -> str:
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return f"{plain:.4f}" if math.isfinite(plain) else repr(plain)
    return escaping.html(str(plain))
