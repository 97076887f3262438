"""Judgments of OpenSearch's Search Relevance Workbench: queries with ratings, which are text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import object_in
from cranfield.io.formats._search_tools import Rated, field_in, list_in, load_rated

SHAPE = '"judgmentRatings": [{"query": ..., "ratings": [{"docId": ..., "rating": "1.0"}]}]'


def _qrels(file: File) -> Loaded:
    held, where = _find_judgments(object_in(file), file.location)
    queries = list_in(held, "judgmentRatings", where, SHAPE)
    places = [where.within(f"judgmentRatings {number}") for number in range(1, len(queries) + 1)]
    topics = [field_in(query, "query", place, SHAPE) for query, place in zip(queries, places, strict=True)]
    rated = (
        rated
        for query, topic, place in zip(queries, topics, places, strict=True)
        for rated in _read_ratings(query, topic, place)
    )
    return load_rated(file, rated, topics)


def _read_ratings(query: Any, topic: Any, where: Location) -> Iterator[Rated]:
    for number, rating in enumerate(list_in(query, "ratings", where, SHAPE), 1):
        here = where.within(f"rating {number}")
        yield Rated(here, topic, field_in(rating, "docId", here, SHAPE), field_in(rating, "rating", here, SHAPE))


def _find_judgments(held: dict[str, Any], where: Location) -> tuple[Any, Location]:
    """The object that holds the ratings: what is sent, or what the first hit of the answer holds."""
    if "judgmentRatings" in held:
        return held, where
    if "_source" in held:
        return held["_source"], where.within("_source")
    hits = list_in(held.get("hits"), "hits", where.within("hits"), SHAPE)
    place = where.within("hit 1")
    return field_in(hits[0] if hits else None, "_source", place, SHAPE), place


FORMAT = Format(
    holds="judgments of OpenSearch's Search Relevance Workbench, as they are imported, or as its API gives one list",
    recognized_by="an object of JSON with the key `judgmentRatings`",
    example="evaluate opensearch.json mine.run",
    is_here=lambda file: file.kind == "qrels" and file.bare_text.startswith(b"{") and b'"judgmentRatings"' in file.text,
    qrels=_qrels,
    layout={"run": "trec"},
)
