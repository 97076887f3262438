"""Judgments of OpenSearch's Search Relevance Workbench: queries with ratings, which are text."""

from __future__ import annotations

from typing import Any

from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import object_in
from cranfield.io.formats._search_tools import QueryKeys, field_in, list_in, load_queries

SHAPE = '"judgmentRatings": [{"query": ..., "ratings": [{"docId": ..., "rating": "1.0"}]}]'
KEYS = QueryKeys("judgmentRatings", "query", "docId", SHAPE)


def _qrels(file: File) -> Loaded:
    held, where = _find_judgments(object_in(file), file.location)
    return load_queries(file, list_in(held, "judgmentRatings", where, SHAPE), where, KEYS)


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
