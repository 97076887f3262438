"""HTML that is safe with untrusted names: small tables for notebooks, and pages that load nothing from outside.

A page has a Content-Security-Policy under which only its own scripts and styles work, and data inside a script element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cranfield import escaping

ROWS = 12
"""Rows of a table that are shown."""


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
    """An HTML table that omits ``more`` rows; ``write`` gives the HTML of a cell."""
    head = "".join(f'<th scope="col">{write(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{write(value)}</td>" for value in row) + "</tr>" for row in rows)
    omitted = f"<p>{more:,} more</p>" if more else ""
    return (
        f"<table><caption>{escaping.html(caption, 400)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{omitted}"
    )


def policy(scripts: tuple[str, ...], style: str) -> str:
    """A Content-Security-Policy under which these inline elements work, and nothing else runs, styles or loads."""
    run = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {run}; style-src {_hash(style)}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def for_script(value: Any) -> str:
    """JSON for the inside of a script element: nothing in it ends the element or begins a comment."""
    import json  # here, as printing a leaderboard needs none of it

    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    """The hash of an inline element, as a policy names it."""
    import base64
    import hashlib

    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
