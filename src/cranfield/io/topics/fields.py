"""A topic as it is read: its id, and its fields as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield._text import quoted
from cranfield.errors import refusal
from cranfield.findings.location import Place

IDS = ("qid", "query_id", "query-id", "q_id", "topic_id", "topic", "_id", "id", "num", "number")
"""What the id of a topic is called; where several are there, the first of these."""
NUMBERED = ("number", "id", "num")
"""What the number of a subtopic is called."""


@dataclass(frozen=True, slots=True)
class Row:
    """A topic.

    Args:
        topic: its id.
        fields: name -> text.
        line: of the file; None where it is not made of lines.
        query: what a user would type, where the source says so.
    """

    topic: str
    fields: Mapping[str, str]
    line: int | None = None
    query: str | None = None


def topic_of(given: Mapping[str, Any], topic: str, line: int | None = None, query: str | None = None) -> Row:
    """A topic of values that may be anything: text and numbers, and lists of them or of objects, are kept.

    Args:
        given: name -> value.
        topic: the id.
        line: of the file.
        query: what a user would type, where the source says so.
    """
    fields: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            fields |= _of_list(str(name).removesuffix("s"), value)
        elif isinstance(value, Mapping):
            fields |= {f"{name} {inner}": text for inner, one in value.items() if (text := text_of_value(one))}
        elif text := text_of_value(value):
            fields[str(name)] = text
    return Row(topic, fields, line, query)


def text_of_value(value: Any) -> str:
    """A value as text in one line; empty where it is neither text nor a number."""
    if isinstance(value, float) and math.isnan(value):  # what a frame has where nothing is
        return ""
    return one_line(str(value)) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def one_line(text: str) -> str:
    """A text with single blanks between its words."""
    return " ".join(text.split())


def column_of_ids(names: Sequence[str], place: Place) -> str:
    """The column, or key, that holds the id.

    Raises:
        InputError: there is none.
    """
    for known in IDS:
        if known in names:
            return known
    held = ", ".join(map(quoted, names))
    raise refusal(f"has no id of the topic ({', '.join(IDS)}); it has {held}", place, code="column", value="topic")


def _of_list(name: str, values: Sequence[Any]) -> dict[str, str]:
    """The members of a list, each by its number: subtopics are objects or tuples with a number of their own."""
    fields: dict[str, str] = {}
    for position, value in enumerate(values, 1):
        held = value._asdict() if hasattr(value, "_asdict") else value
        number: Any = position
        if isinstance(held, Mapping):
            number = next((held[key] for key in NUMBERED if key in held), position)
            held = next((held[key] for key in ("text", "query", "description", "title") if key in held), None)
        if text := text_of_value(held):
            fields[f"{name} {number}"] = text
    return fields
