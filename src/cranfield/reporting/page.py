"""A page as one file that works anywhere: data, script, style and chart runtime inside, everything else forbidden."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from cranfield import escaping
from cranfield.plot.naming import label
from cranfield.plot.page import for_script, policy, runtime
from cranfield.reporting.content import Cell, Column, Content, Figure, Section, Table
from cranfield.wording import shown

LONGEST = 80
"""Characters of a name that a page shows; its CSV files hold the whole."""

Numbers = Mapping[str, Mapping[str, int]]
"""The number of each name, for systems and topics."""


def page(content: Content) -> str:
    """The page as HTML.

    Text from files occurs in a block of JSON only, which the page's own script shows as text; the policy in the head
    lets nothing run or load that is not in this file.
    """
    style, script, charts = _part("page.css"), _part("page.js"), runtime()
    data = for_script(_plain(content))
    return Template(_part("page.html")).substitute(
        policy=policy((charts, script), style),
        title=escaping.html(content.title, 200),
        style=style,
        data=data,
        runtime=charts,
        script=script,
    )


def _plain(content: Content) -> dict[str, Any]:
    """What the script reads; names occur there once, and cells refer to them by number."""
    numbers = {
        "system": {name: number for number, name in enumerate(content.systems)},
        "topic": {name: number for number, name in enumerate(content.topics)},
    }
    return {
        "title": shown(content.title, 200),
        "systems": [_name(name) for name in content.systems],
        "topics": [_name(name) for name in content.topics],
        "measures": [_text(name) for name in content.measures],
        "scores": content.scores,
        "signature": json.dumps(content.signature, indent=1),
        "sections": [_section(section, numbers) for section in content.sections],
    }


def _section(section: Section, numbers: Numbers) -> dict[str, Any]:
    return {
        "id": section.id,
        "title": section.title,
        "words": section.words,
        "command": section.command,
        "missing": [shown(str(gap), 1000) for gap in section.missing],
        "figures": [_figure(figure) for figure in section.figures],
        "tables": [_table(table, numbers) for table in section.tables],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "id": figure.id,
        "title": figure.title,
        "description": figure.description,
        "spec": figure.spec,
        "narrow": figure.narrow,
    }


def _table(table: Table, numbers: Numbers) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": table.title,
        "columns": [
            {"name": _text(column.name), "kind": column.kind, "meaning": column.meaning} for column in table.columns
        ],
        "rows": [
            [_cell(cell, column, numbers) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
    }


def _cell(cell: Cell, column: Column, numbers: Numbers) -> Cell | list[str]:
    """A number, a number of a name, or text."""
    if isinstance(cell, str):
        return numbers.get(column.kind, {}).get(cell, _text(cell))
    return cell


def _text(text: str) -> str | list[str]:
    """Text to show, with its form in CSV where that differs."""
    safe, field = shown(text, 4 * LONGEST), escaping.csv(text)
    return safe if safe == text == field else [safe, field]


def _name(name: str) -> list[str]:
    """A name as it is shown, as CSV writes it, and as charts call it."""
    return [shown(name, LONGEST), escaping.csv(name), label(name)]


def _part(name: str) -> str:
    return files("cranfield.reporting").joinpath(name).read_text(encoding="utf-8")
