"""A page as one file that works anywhere: data, script and style inside, everything else forbidden."""

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
from cranfield.reporting.content import Cell, Column, Content, Figure, Section, Table
from cranfield.threads import beside

LONGEST = 80
"""Characters of a name that a page shows; its CSV files hold the whole."""
LONGEST_WORDS = 3_000
"""Characters of a paragraph."""
PROSE = 1_000
"""Characters of a text in a cell."""
SCRIPTS = ("base", "tables", "axes", "charts", "topic_charts", "routes", "views", "page")
"""Files of the page's script, in their order."""

Numbers = Mapping[str, Mapping[str, int]]
"""The number of each name, for systems and topics."""


def page(content: Content) -> str:
    """The page as HTML.

    Text from files occurs in blocks of data only, which the page's own script shows as text; the policy in the head
    lets nothing run or load that is not in this file.
    """
    packed = beside(lambda: _packed(_more(content)))
    style, script = _part("style.css"), "\n".join(_part(f"{name}.js") for name in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}\n}})();\n'
    return Template(_part("page.html")).substitute(
        policy=policy((script,), style),
        title=escaping.html(content.title, 200),
        style=style,
        data=for_script(_plain(content)),
        packed=packed.result(),
        script=script,
    )


def _plain(content: Content) -> dict[str, Any]:
    """What the script reads first; names occur there once, and cells refer to them by number."""
    numbers = {
        "system": {name: number for number, name in enumerate(content.systems)},
        "topic": {name: number for number, name in enumerate(content.topics)},
    }
    facts = [content.facts.get(name) for name in content.systems]
    return {
        "title": shown(content.title, 200),
        "head": {
            "track": shown(content.head.track, 200),
            "date": shown(content.head.date),
            "line": shown(content.head.line, PROSE),
            "verdict": shown(content.head.verdict, PROSE),
            "notices": content.head.notices,
        },
        "systems": [_name(name) for name in content.systems],
        "topics": [_name(name) for name in content.topics],
        "measures": [_text(name) for name in content.measures],
        "smaller": [name in content.smaller for name in content.measures],
        "without_scores": [_text(name) for name in content.without_scores],
        "facts": [one and [shown(one.team), shown(one.type), shown(one.description, 500)] for one in facts],
        "alike": {str(numbers["system"][name]): said for name, said in content.alike.items()},
        "signature": json.dumps(content.signature, indent=1),
        "sections": [_section(section, numbers) for section in content.sections],
    }


def _more(content: Content) -> dict[str, Any]:
    """What the script reads when a page of a system or a topic, or a chart of all scores, is drawn."""
    found = content.retrieved
    number = {name: at for at, name in enumerate(content.topics)}
    lists = None
    if found is not None:
        documents = [[shown(name, LONGEST) for name in names] for names in found.documents]
        lists = {"systems": found.systems, "documents": documents, "labels": found.labels, "lists": found.lists}
    return {
        "scores": content.scores,
        "texts": {str(number[name]): text for name, text in content.texts.items()},
        "retrieved": lists,
        "tested": content.tested,
    }


def _packed(value: Any) -> str:
    """JSON, packed so that a page of many runs stays small; letters and signs that end no element."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def _section(section: Section, numbers: Numbers) -> dict[str, Any]:
    return {
        "id": section.id,
        "title": section.title,
        "words": [shown(word, LONGEST_WORDS) for word in section.words],
        "act": section.act,
        "command": section.command,
        "tail": section.tail,
        "missing": [shown(str(gap), 1000) for gap in section.missing],
        "figures": [_figure(figure) for figure in section.figures],
        "tables": [_table(table, numbers) for table in section.tables],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "id": figure.id,
        "title": shown(figure.title, 200),
        "seen": shown(figure.seen, 1000),
        "notes": shown(figure.notes, LONGEST_WORDS),
        **_safe(figure.form),
    }


def _safe(value: Any) -> Any:
    """Plain data whose texts are shown as names are."""
    if isinstance(value, dict):
        return {key: _safe(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_safe(item) for item in value]
    return shown(value, LONGEST) if isinstance(value, str) else value


def _table(table: Table, numbers: Numbers) -> dict[str, Any]:
    place = {column.name: at for at, column in enumerate(table.columns)}
    return {
        "id": table.id,
        "title": shown(table.title, 300),
        **({"group": shown(table.group, LONGEST), "note": table.note} if table.group else {}),
        "columns": [
            {"name": _text(one.name), "kind": one.kind, "meaning": shown(one.meaning, 500), "hidden": one.hidden}
            for one in table.columns
        ],
        "rows": [
            [_cell(cell, column, numbers) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
        "pictures": [
            {
                "name": shown(one.name, 200),
                "columns": [place[name] for name in one.columns],
                "before": place[one.before],
            }
            for one in table.pictures
        ],
    }


def _cell(cell: Cell, column: Column, numbers: Numbers) -> Cell | list[str]:
    """A number, a number of a name, or text."""
    if isinstance(cell, str):
        return numbers.get(column.kind, {}).get(cell, _text(cell))
    return cell


def _text(text: str) -> str | list[str]:
    """Text to show, with its form in CSV where that differs."""
    safe, field = shown(text, PROSE), escaping.csv(text)
    return safe if safe == text == field else [safe, field]


def _name(name: str) -> list[str]:
    """A name as it is shown, as CSV writes it and, where it is shown otherwise, as it is: addresses have the last."""
    seen = shown(name, LONGEST)
    return [seen, escaping.csv(name), *([] if seen == name else [name.encode("utf-8", "replace").decode()])]


def _part(name: str) -> str:
    return files("cranfield.reporting").joinpath("web", name).read_text(encoding="utf-8")
