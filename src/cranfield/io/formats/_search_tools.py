"""Judgments and results of search tools: lists of objects within objects of JSON, whose place errors name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield._text import cut, quoted
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Loaded
from cranfield.io.formats._nested import name_kind, note_empty
from cranfield.io.formats._rows import Rows, load_rows


@dataclass(frozen=True)
class Rated:
    """A document of a topic, and where it stands.

    Args:
        where: it stands.
        topic: its id, or the text of the query.
        document: its id.
        number: label or score; None where nobody gave one.
    """

    where: Location
    topic: Any
    document: Any
    number: Any


def load_rated(file: File, rated: Iterable[Rated], topics: Iterable[Any] = (), facts: Facts | None = None) -> Loaded:
    """Documents as judgments or as a run; those without a label are not judged, which is noted.

    Args:
        file: that holds them.
        rated: the documents.
        topics: all topics, of which those without a document are noted.
        facts: what was noticed before.

    Raises:
        InputError: no document has a label, or an id or a number cannot be used.
    """
    facts = {"noticed": {}} if facts is None else facts
    every = list(rated)
    kept = [one for one in every if one.number is not None]
    if len(kept) < len(every):
        notice(facts, "unrated", len(every) - len(kept))
    if every and not kept:
        text = "no document has a rating: rate some, or export the ratings with them"
        raise InputError(text, file.location, code="empty")
    rows = [one.topic for one in kept]
    for topic in dict.fromkeys(map(str, topics)):
        if topic not in set(map(str, rows)):
            note_empty(facts, topic)

    def where(row: int, part: str) -> Location:
        return kept[row].where

    documents, numbers = [one.document for one in kept], [one.number for one in kept]
    return load_rows(file, Rows(topic=rows, document=documents, number=numbers, where=where, texts=True, facts=facts))


def list_in(value: Any, key: str, where: Location, shape: str) -> Sequence[Any]:
    """The list below a key of an object.

    Raises:
        InputError: there is none.
    """
    held = field_in(value, key, where, shape)
    if not isinstance(held, list):
        text = f"{quoted(key)} holds a {name_kind(held)}, expected a list: {shape}"
        raise InputError(text, where, code="layout", value=key)
    return held


def field_in(value: Any, key: str, where: Location, shape: str) -> Any:
    """What an object has below a key.

    Raises:
        InputError: it is not an object, or lacks the key.
    """
    if not isinstance(value, dict):
        raise InputError(
            f"is a {name_kind(value)}, expected an object: {shape}", where, code="layout", value=cut(str(value))
        )
    if key not in value:
        text = f"has no {quoted(key)}, expected {shape}"
        raise InputError(text, where, code="layout", value=key)
    return value[key]


def text_in(value: Any, keys: Sequence[str], where: Location, shape: str) -> Any:
    """The id or text below the first key that is there.

    Raises:
        InputError: there is none.
    """
    key = next((key for key in keys if isinstance(value, dict) and key in value), keys[0])
    return field_in(value, key, where, shape)
