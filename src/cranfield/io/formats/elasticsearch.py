"""Elasticsearch's ranking evaluation (``_rank_eval``): the request holds judgments, the response a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield._text import quoted
from cranfield._validation import is_number
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import name_kind, note_empty, object_in
from cranfield.io.formats._rows import FileRows, make_run
from cranfield.io.formats._search_tools import QueryKeys, field_in, list_in, load_queries

REQUEST = '"requests": [{"id": ..., "ratings": [{"_index": ..., "_id": ..., "rating": 1}]}]'
REQUEST_KEYS = QueryKeys("request", "id", "_id", REQUEST)
RESPONSE = '"details": {"query": {"hits": [{"hit": {"_id": ..., "_score": 1.5}, "rating": 1}]}}'


def _qrels(file: File) -> Loaded:
    held = object_in(file)
    if "requests" not in held and "details" in held:
        text = "is the response of _rank_eval, which is a run: the judgments are in the request"
        raise InputError(text, file.location, code="layout", value="details")
    queries = list_in(held, "requests", file.location, REQUEST)
    return load_queries(file, queries, file.location, REQUEST_KEYS)


def _run(file: File) -> Loaded:
    """The hits; scores that do not fall along the list are left for minus the ranks."""
    held = object_in(file)
    if "details" not in held and "requests" in held:
        text = "is the request of _rank_eval, which holds judgments: the run is the response"
        raise InputError(text, file.location, code="layout", value="requests")
    details = field_in(held, "details", file.location, RESPONSE)
    if not isinstance(details, dict):
        text = f"'details' holds a {name_kind(details)}, expected an object: {RESPONSE}"
        raise InputError(text, file.location, code="layout", value="details")
    facts: Facts = {"noticed": {}}
    hits: list[tuple[Location, str, Any, Any, int]] = []
    scored = True
    for topic, detail in details.items():
        where = file.location.within(f"details {quoted(topic)}")
        own = [*_read_hits(detail, topic, where)]
        if not own:
            note_empty(facts, topic)
        scores = [score for *_, score, _ in own]
        scored &= all(map(is_number, scores)) and sorted(scores, reverse=True) == scores
        hits += own
    if not scored:
        notice(facts, "ranks-alone", len(hits))
    rows = FileRows(
        topic=[hit[1] for hit in hits],
        document=[hit[2] for hit in hits],
        number=[hit[3] if scored else -float(hit[4]) for hit in hits],
        extra=[hit[4] for hit in hits],
        where=lambda row, part: hits[row][0],
        facts=facts,
    )
    return make_run(file, rows)


def _read_hits(detail: Any, topic: str, where: Location) -> Iterator[tuple[Location, str, Any, Any, int]]:
    """Yield the location, topic, document, score and rank of each hit."""
    for rank, hit in enumerate(list_in(detail, "hits", where, RESPONSE), 1):
        here = where.within(f"hit {rank}")
        inner = field_in(hit, "hit", here, RESPONSE)
        document = field_in(inner, "_id", here, RESPONSE)
        yield here, topic, document, inner.get("_score"), rank


FORMAT = Format(
    holds="Elasticsearch's ranking evaluation: of the request of `_rank_eval` the ratings are judgments, of the "
    "response the hits are a run",
    recognized_by="an object of JSON with `requests` and `ratings`, or with `details` and `hits`",
    example="evaluate rank_eval.request.json rank_eval.response.json",
    is_here=lambda file: (
        file.bare_text.startswith(b"{")
        and (
            (b'"requests"' in file.text and b'"ratings"' in file.text)
            or (b'"details"' in file.text and b'"hits"' in file.text and b'"hit"' in file.text)
        )
    ),
    run=_run,
    qrels=_qrels,
)
