"""The properties of measures as tables: what holds, and why the rest does not."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.measures._declaration import Declaration
from cranfield.measures.describe import WIDTH, reasons
from cranfield.measures.laws import CHANGES, INVARIANCES, LAWS, MOFFAT, MeasureLaw

HEADER = ("measure", "property", "holds", "because")


def rows(declarations: Sequence[Declaration]) -> Iterator[tuple[str, str, str, str]]:
    """(measure, property, yes or no, why it does not hold)."""
    for declaration in declarations:
        for law in LAWS:
            why = declaration.declines.get(law)
            yield declaration.name, law, "yes" if why is None else "no", why or ""


def plain(declarations: Sequence[Declaration]) -> dict[str, Any]:
    """Return plain data: {"properties": {name: what it demands}, "measures": [...]}; an infinite bound is None."""
    return {
        "properties": {law.name: law.says for law in LAWS.values()},
        "measures": [
            {
                "measure": declaration.name,
                "values": [end if math.isfinite(end) else None for end in declaration.usual_range],
                "larger_is_better": declaration.larger_is_better,
                "effectiveness": declaration.effectiveness,
                "consistent": declaration.consistent is not None,
                "holds": [law for law in LAWS if law not in declaration.declines],
                "does_not_hold": {law: declaration.declines[law] for law in LAWS if law in declaration.declines},
            }
            for declaration in declarations
        ],
    }


def table(declarations: Sequence[Declaration], room: int | None = None) -> str:
    """A row for each measure, a column for each property, for a terminal.

    Args:
        declarations: of the measures.
        room: letters in a line; properties that find no place in it follow below, behind the measures again. None for
            as many as it takes.
    """
    names = ["measure", *(declaration.name for declaration in declarations)]
    values = ["values", *map(_values, declarations)]
    longest, widest = max(map(len, names)), max(map(len, values))
    leads = [f"{name:<{longest}}  {value:<{widest}}" for name, value in zip(names, values, strict=True)]
    if room is not None and len(leads[0]) + len("  ABC") > room:
        leads = [f"{name:<{longest}}" for name in names]
    blocks = []
    for groups in _folded(None if room is None else room - len(leads[0])):
        heads = [" ".join(law.short for law in group) for group in groups]
        lines = [f"{leads[0]}  {'  '.join(heads)}".rstrip()]
        for lead, declaration in zip(leads[1:], declarations, strict=True):
            marks = (" ".join(_mark(declaration, law) for law in group) for group in groups)
            lines.append(f"{lead}  {'  '.join(marks)}".rstrip())
        blocks.append("\n".join(lines))
    width = WIDTH if room is None else min(WIDTH, room)
    says = "+ holds, - does not; with default parameters, S(k) being the score at depth k:"
    meanings = (
        textwrap.fill(f"  {law.short}  {law.name}: {law.says}", width, subsequent_indent=" " * 7)
        for law in LAWS.values()
    )
    blocks.append("\n".join([textwrap.fill(says, width), *meanings]))
    blocks.append(textwrap.fill("`cranfield measures NAME` says why one does not hold.", width))
    return "\n\n".join(blocks) + "\n"


def _folded(room: int | None) -> list[list[list[MeasureLaw]]]:
    """Groups of properties that go beside each other within ``room`` letters; a wider group is divided."""
    blocks: list[list[list[MeasureLaw]]] = [[]]
    used = 0
    for group in (MOFFAT, INVARIANCES, CHANGES):
        for number, law in enumerate(group):
            apart = 1 if number else 2
            if room is not None and blocks[-1] and used + apart + len(law.short) > room:
                blocks.append([])
                used, apart = 0, 2
            if apart == 2:
                blocks[-1].append([])
            blocks[-1][-1].append(law)
            used += apart + len(law.short)
    return blocks


def _mark(declaration: Declaration, law: MeasureLaw) -> str:
    """Return whether it holds, below the head of its column."""
    return f"{'-' if law.name in declaration.declines else '+':^{len(law.short)}}"


def markdown(declarations: Sequence[Declaration]) -> str:
    """The tables of the documentation: what holds, and the reasons."""
    head = ("Measure", "Values", *(law.adjective for law in LAWS.values()), "consistent")
    lines = [_markdown_row(head), _markdown_row(["---"] * len(head))]
    for declaration in declarations:
        marks = ("–" if law in declaration.declines else "✓" for law in LAWS)
        values = _values(declaration) + ("" if declaration.larger_is_better else ", less is better")
        consistent = "–" if declaration.consistent is None else "✓"
        lines.append(_markdown_row([f"`{declaration.name}`", values, *marks, consistent]))
    lines += ["", "## Why not", ""]
    for declaration in declarations:
        why = "; ".join(f"no {laws}: {reason}" for laws, reason in reasons(declaration.declines))
        lines.append(f"- `{declaration.name}`: {why or 'nothing is missing'}.")
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _values(declaration: Declaration) -> str:
    low, high = declaration.usual_range
    return f"{low:g} to {high:g}"
