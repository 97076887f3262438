"""Renders a page as one file that works anywhere: data, script and style are inside, all else is forbidden."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from cranfield import escaping
from cranfield._html import for_script, policy
from cranfield._text import shown
from cranfield.charts import pairs, standings
from cranfield.reporting.content import CellContent, Content, Figure, PageColumn, Section, Table, map_plain
from cranfield.threads import beside

MAX_NAME = 80
"""Characters of a name that a page shows; its CSV files hold the complete name."""
MAX_PARAGRAPH = 3_000
"""Characters of a paragraph."""
MAX_CELL = 1_000
"""Characters of a text in a cell."""
SCRIPTS = ("base", "tables", "axes", "charts", "topic_charts", "routes", "pair_tests", "views", "page")
"""Files of the page's script, in their order."""

ColumnNumbers = Mapping[str, Mapping[str, int]]
"""Kind of name -> name -> its number, for systems and topics."""


def render_page(content: Content) -> str:
    """Render a page as HTML.

    Text from files occurs in blocks of data only, which the page's own script shows as text; the policy in the head
    lets nothing run or load that is not in this file.
    """
    details = beside(lambda: _compress(_list_details(content)))
    style, script = _read_asset("style.css"), "\n".join(_read_asset(f"{name}.js") for name in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}\n}})();\n'
    return Template(_read_asset("page.html")).substitute(
        policy=policy((script,), style),
        title=escaping.html(content.title, 200),
        style=style,
        data=for_script(_list_overview(content)),
        packed=details.result(),
        script=script,
    )


def _list_overview(content: Content) -> dict[str, Any]:
    """Return what the script reads first; names occur there once, and cells refer to them by number."""
    numbers = {
        "system": {name: number for number, name in enumerate(content.systems)},
        "topic": {name: number for number, name in enumerate(content.topics)},
    }
    entries = [content.entries.get(name) for name in content.systems]
    return {
        "title": shown(content.title, 200),
        "head": {
            "track": shown(content.head.track, 200),
            "date": shown(content.head.date),
            "line": shown(content.head.line, MAX_CELL),
            "verdict": shown(content.head.verdict, MAX_CELL),
            "premises": [shown(text, MAX_PARAGRAPH) for text in content.head.premises],
            "notices": content.head.notices,
            "footer": shown(content.head.footer, MAX_CELL),
        },
        "systems": [_show_name(name) for name in content.systems],
        "topics": [_show_name(name) for name in content.topics],
        "unit": content.unit,
        "measures": [_show_text(name) for name in content.measures],
        "smaller": [name in content.smaller_is_better for name in content.measures],
        "without_scores": [_show_text(name) for name in content.without_scores],
        "facts": [entry and [shown(entry.team), shown(entry.type), shown(entry.description, 500)] for entry in entries],
        "alike": {str(numbers["system"][name]): clause for name, clause in content.duplicates.items()},
        "signature": json.dumps(content.signature, indent=1),
        "words": {**pairs.WORDS, **standings.WORDS},
        "sections": [_list_section(section, numbers) for section in content.sections],
    }


def _list_details(content: Content) -> dict[str, Any]:
    """Return what the script reads when a page of a system or a topic, or a chart of all scores, is drawn."""
    retrieved = content.retrieved
    numbers = {name: number for number, name in enumerate(content.topics)}
    lists = None
    if retrieved is not None:
        documents = [[shown(name, MAX_NAME) for name in names] for names in retrieved.documents]
        lists = {
            "systems": retrieved.systems,
            "documents": documents,
            "labels": retrieved.labels,
            "lists": retrieved.lists,
            "intents": retrieved.intents and map_plain(retrieved.intents, _show_in_chart),
        }
    return {
        "scores": content.scores,
        "texts": {str(numbers[name]): text for name, text in content.texts.items()},
        "retrieved": lists,
        "tested": content.pair_tests,
    }


def _compress(value: Any) -> str:
    """Return compressed JSON in base64, so that a page of many runs stays small and no character ends an element."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def _list_section(section: Section, numbers: ColumnNumbers) -> dict[str, Any]:
    return {
        "id": section.id,
        "title": section.title,
        "words": [shown(paragraph, MAX_PARAGRAPH) for paragraph in section.paragraphs],
        "act": section.hint,
        "command": section.command,
        "tail": section.appendix,
        "missing": [shown(str(gap), 1000) for gap in section.missing],
        "figures": [_list_figure(figure) for figure in section.figures],
        "tables": [_list_table(table, numbers) for table in section.tables],
    }


def _list_figure(figure: Figure) -> dict[str, Any]:
    return {
        "id": figure.id,
        "title": shown(figure.title, 200),
        "seen": shown(figure.observation, 1000),
        "notes": shown(figure.notes, MAX_PARAGRAPH),
        **map_plain(figure.form, _show_in_chart),
    }


def _show_in_chart(value: object) -> object:
    """Return a text as names are written, and a number as it is."""
    return shown(value, MAX_NAME) if isinstance(value, str) else value


def _list_table(table: Table, numbers: ColumnNumbers) -> dict[str, Any]:
    index = {column.name: number for number, column in enumerate(table.columns)}
    return {
        "id": table.id,
        "title": shown(table.title, 300),
        **({"bands": index[table.bands]} if table.bands else {}),
        **({"group": shown(table.group, MAX_NAME), "note": table.note} if table.group else {}),
        "columns": [
            {
                "name": _show_text(column.name),
                "kind": column.kind,
                "meaning": shown(column.meaning, 500),
                "hidden": column.hidden,
            }
            for column in table.columns
        ],
        "rows": [
            [_show_cell(cell, column, numbers) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
        "pictures": [
            {
                "name": shown(picture.name, 200),
                "columns": [index[name] for name in picture.columns],
                "before": index[picture.before],
            }
            for picture in table.pictures
        ],
    }


def _show_cell(cell: CellContent, column: PageColumn, numbers: ColumnNumbers) -> CellContent | list[str]:
    """Return a value, the number of a name, or text."""
    if isinstance(cell, str):
        return numbers.get(column.kind, {}).get(cell, _show_text(cell))
    return cell


def _show_text(text: str) -> str | list[str]:
    """Return a text as the page shows it, with its form in CSV where that differs."""
    safe, field = shown(text, MAX_CELL), escaping.csv(text)
    return safe if safe == text == field else [safe, field]


def _show_name(name: str) -> list[str]:
    """Return a name as the page shows it, as CSV writes it and, for addresses, in full where the page changes it."""
    safe = shown(name, MAX_NAME)
    return [safe, escaping.csv(name), *([] if safe == name else [name.encode("utf-8", "replace").decode()])]


def _read_asset(name: str) -> str:
    return files("cranfield.reporting").joinpath("web", name).read_text(encoding="utf-8")
