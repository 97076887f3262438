"""Ratings of the Rated Ranking Evaluator: topics, groups of queries, and the documents of each with their gains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield._text import quoted
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import name_kind, object_in
from cranfield.io.formats._search_tools import Rated, field_in, list_in, load_rated, text_in

SHAPE = (
    '"topics": [{"query_groups": [{"name": ..., "relevant_documents": {"d1": {"gain": 2}}}]}], or by grade: '
    '{"2": ["d1"]}'
)


def _qrels(file: File) -> Loaded:
    groups = list(_list_groups(object_in(file), file.location))
    names = [_name(group, where) for group, where in groups]
    rated = (
        rated
        for (group, where), name in zip(groups, names, strict=True)
        for rated in _read_group(group, name, where.within(f"query group {quoted(str(name))}"))
    )
    return load_rated(file, rated, names)


def _list_groups(held: dict[str, Any], where: Location) -> Iterator[tuple[Any, Location]]:
    """The groups of queries, in topics or without."""
    topics = list_in(held, "topics", where, SHAPE) if "query_groups" not in held else [held]
    for number, topic in enumerate(topics, 1):
        place = where if topic is held else where.within(f"topic {number}")
        for at, group in enumerate(list_in(topic, "query_groups", place, SHAPE), 1):
            yield group, place.within(f"query group {at}")


def _name(group: Any, where: Location) -> Any:
    """The name of a group; of one without a name that of its first query."""
    if isinstance(group, dict) and "name" not in group:
        queries = list_in(group, "queries", where, SHAPE)
        placeholders = queries[0].get("placeholders") if queries and isinstance(queries[0], dict) else None
        if isinstance(placeholders, dict) and "$query" in placeholders:
            return placeholders["$query"]
    return text_in(group, ["name"], where, SHAPE)


def _read_group(group: Any, topic: Any, where: Location) -> Iterator[Rated]:
    documents = field_in(group, "relevant_documents", where, SHAPE)
    if isinstance(documents, list):
        pairs = [pair for entry in documents for pair in (entry.items() if isinstance(entry, dict) else [(entry, {})])]
    elif isinstance(documents, dict):
        pairs = [*documents.items()]
    else:
        text = f"'relevant_documents' holds a {name_kind(documents)}, expected an object: {SHAPE}"
        raise InputError(text, where, code="layout", value="relevant_documents")
    for key, held in pairs:
        here = where.within(f"relevant_documents {quoted(str(key))}")
        if isinstance(held, list):  # documents by their grade
            for document in held:
                yield Rated(here, topic, document, key)
        else:
            yield Rated(here, topic, key, held if _is_gain(held) else field_in(held, "gain", here, SHAPE))


def _is_gain(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


FORMAT = Format(
    holds="ratings of the Rated Ranking Evaluator; a group of queries is a topic",
    recognized_by="an object of JSON with the keys `query_groups` and `relevant_documents`",
    example="evaluate rre.json mine.run",
    is_here=lambda file: (
        file.kind == "qrels"
        and file.bare_text.startswith(b"{")
        and b'"relevant_documents"' in file.text
        and b'"query_groups"' in file.text
    ),
    qrels=_qrels,
    layout={"run": "trec"},
)
