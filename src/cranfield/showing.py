"""Small tables of HTML, for notebooks, in which untrusted names can do no harm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from cranfield import escaping

ROWS = 12
"""Of a table, that are shown."""


def cell(value: object) -> str:
    """A number to four digits, or a text that is escaped and cut where it is long."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return f"{plain:.4f}" if math.isfinite(plain) else repr(plain)
    return escaping.html(str(plain))


def table(
    columns: Sequence[object],
    rows: Iterable[Sequence[object]],
    caption: str,
    more: int = 0,
    write: Callable[[object], str] = cell,
) -> str:
    """A table of HTML, of which ``more`` rows are left out; ``write`` gives the HTML of a cell."""
    head = "".join(f'<th scope="col">{write(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{write(one)}</td>" for one in row) + "</tr>" for row in rows)
    left = f"<p>{more:,} more</p>" if more else ""
    return (
        f"<table><caption>{escaping.html(caption, 400)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{left}"
    )
