"""Judgments and results of search tools: lists of objects within objects of JSON, whose place errors name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield._text import cut, quoted
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Loaded
from cranfield.io.formats._nested import name_kind, note_empty
from cranfield.io.formats._rows import FileRows, load_rows


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


@dataclass(frozen=True)
class QueryKeys:
    """Keys of a list of queries, each with its ``ratings``.

    Args:
        query: what a query's place is called.
        topic: below which a query has its id or text.
        document: below which a rating has the document's id.
        shape: of the file, for errors.
    """

    query: str
    topic: str
    document: str
    shape: str


def load_queries(file: File, queries: Sequence[Any], where: Location, keys: QueryKeys) -> Loaded:
    """Load the judgments of a list of queries, each with its ``ratings``.

    Raises:
        InputError: a query or a rating lacks something, or as ``load_rated``.
    """
    places = [where.within(f"{keys.query} {number}") for number in range(1, len(queries) + 1)]
    topics = [field_in(query, keys.topic, place, keys.shape) for query, place in zip(queries, places, strict=True)]
    rated = (
        rated
        for query, topic, place in zip(queries, topics, places, strict=True)
        for rated in _read_ratings(query, topic, place, keys)
    )
    return load_rated(file, rated, topics)


def _read_ratings(query: Any, topic: Any, where: Location, keys: QueryKeys) -> Iterator[Rated]:
    for number, rating in enumerate(list_in(query, "ratings", where, keys.shape), 1):
        here = where.within(f"rating {number}")
        document = field_in(rating, keys.document, here, keys.shape)
        yield Rated(here, topic, document, field_in(rating, "rating", here, keys.shape))


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
    return load_rows(
        file, FileRows(topic=rows, document=documents, number=numbers, where=where, texts=True, facts=facts)
    )


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
    """Return the value of an object below a key.

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
