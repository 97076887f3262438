"""The properties of measures as tables: what holds, and why the rest does not."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.measures._declaration import Declaration
from cranfield.measures._describe import WIDTH, reasons
from cranfield.measures._laws import CHANGES, INVARIANCES, LAWS, MOFFAT

HEADER = ("measure", "property", "holds", "because")


def rows(declarations: Sequence[Declaration]) -> Iterator[tuple[str, str, str, str]]:
    """(measure, property, yes or no, why it does not hold)."""
    for declaration in declarations:
        for law in LAWS:
            why = declaration.declines.get(law)
            yield declaration.name, law, "yes" if why is None else "no", why or ""


def plain(declarations: Sequence[Declaration]) -> dict[str, Any]:
    """The same as plain data: {"properties": {name: what it demands}, "measures": [...]}; an infinite bound is None."""
    return {
        "properties": {law.name: law.says for law in LAWS.values()},
        "measures": [
            {
                "measure": declaration.name,
                "values": [end if math.isfinite(end) else None for end in declaration.usual_range],
                "larger_is_better": declaration.larger_is_better,
                "effectiveness": declaration.effectiveness,
                "holds": [law for law in LAWS if law not in declaration.declines],
                "does_not_hold": {law: declaration.declines[law] for law in LAWS if law in declaration.declines},
            }
            for declaration in declarations
        ],
    }


def table(declarations: Sequence[Declaration]) -> str:
    """A row for each measure, a column for each property, for a terminal."""
    width = max(len(word) for word in ("measure", *(declaration.name for declaration in declarations)))
    groups = (MOFFAT, INVARIANCES, CHANGES)
    head = "  ".join(" ".join(law.short for law in group) for group in groups)
    room = max(len(word) for word in ("values", *map(_values, declarations)))
    lines = [f"{'measure':<{width}}  {'values':<{room}}  {head}".rstrip()]
    for declaration in declarations:
        marks = "  ".join(
            " ".join(f"{'-' if law.name in declaration.declines else '+':^3}" for law in group) for group in groups
        )
        lines.append(f"{declaration.name:<{width}}  {_values(declaration):<{room}}  {marks}".rstrip())
    lines += ["", "+ holds, - does not; with default parameters, S(k) being the score at depth k:"]
    lines += [
        textwrap.fill(f"  {law.short}  {law.name}: {law.says}", WIDTH, subsequent_indent=" " * 7)
        for law in LAWS.values()
    ]
    lines += ["", "`cranfield measures NAME` says why one does not hold."]
    return "\n".join(lines) + "\n"


def markdown(declarations: Sequence[Declaration]) -> str:
    """The tables of the documentation: what holds, and the reasons."""
    head = ("Measure", "Values", *(law.adjective for law in LAWS.values()))
    lines = [_markdown_row(head), _markdown_row(["---"] * len(head))]
    for declaration in declarations:
        marks = ("–" if law in declaration.declines else "✓" for law in LAWS)
        values = _values(declaration) + ("" if declaration.larger_is_better else ", less is better")
        lines.append(_markdown_row([f"`{declaration.name}`", values, *marks]))
    lines += ["", "## Why not", ""]
    for declaration in declarations:
        why = "; ".join(f"no {laws}: {reason}" for laws, reason in reasons(declaration))
        lines.append(f"- `{declaration.name}`: {why or 'nothing is missing'}.")
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _values(declaration: Declaration) -> str:
    low, high = declaration.usual_range
    return f"{low:g} to {high:g}"
