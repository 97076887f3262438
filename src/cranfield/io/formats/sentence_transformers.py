"""Predictions of sentence-transformers: an object of JSON on each line, a query with its results."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from cranfield._text import cut, quoted
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import note_empty, read_objects
from cranfield.io.formats._rows import FileRows, make_run


def _run(file: File) -> Loaded:
    lines: dict[Any, int] = {}
    results: list[tuple[Any, Any, Any]] = []
    result_lines: list[tuple[int, int]] = []
    facts: Facts = {"noticed": {}}
    for line, held in read_objects(file):
        topic, hits = _query(held, file.location.at(line))
        if topic in lines:
            text = f"the query {quoted(topic)} is on line {lines[topic]} already: keep one of them"
            raise FormatError(text, file.location.at(line), code="duplicate", value=cut(topic))
        lines[topic] = line
        rows = [(topic, *_result(result, file.location.at(line), number)) for number, result in enumerate(hits, 1)]
        if not rows:
            note_empty(facts, topic)
        result_lines += [(line, number) for number in range(1, len(rows) + 1)]
        results += rows

    def where(row: int, role: str) -> Location:
        line, number = result_lines[row]
        return file.location.at(line) if role == "topic" else file.location.at(line).within(f"result {number}")

    topics, documents, scores = zip(*results, strict=True) if results else ((), (), ())
    lines_of_rows = [line for line, _ in result_lines]
    rows_of_run = FileRows(
        topic=topics, document=documents, number=scores, where=where, lines=lines_of_rows, facts=facts
    )
    run, facts = make_run(file, rows_of_run)
    lists = (run.score[a:b] for a, b in pairwise(run.starts.tolist()))
    tied = sum(len(np.unique(scores)) < len(scores) for scores in lists)
    if tied:
        notice(facts, "tool-ties", tied)
    return run, facts


def _query(held: dict[str, Any], location: Location) -> tuple[str, list[Any]]:
    topic, results = str(held.get("query_id")), held.get("results")
    if isinstance(held.get("query_id"), bool) or not isinstance(held.get("query_id"), (str, int)):
        raise FormatError(
            f"the query_id {quoted(topic)} is not text; ids are strings", location, code="id", value=cut(topic)
        )
    if not isinstance(results, list):
        text = 'expected "results": [{"corpus_id": ..., "score": ...}, ...] of the query ' + quoted(topic)
        raise FormatError(text, location, code="layout", value=cut(topic))
    return topic, results


def _result(result: Any, location: Location, number: int) -> tuple[Any, Any]:
    if not isinstance(result, dict) or not {"corpus_id", "score"} <= result.keys():
        text = f'{quoted(str(result))} is not {{"corpus_id": ..., "score": ...}}'
        raise FormatError(text, location.within(f"result {number}"), code="layout", value=cut(str(result)))
    return result["corpus_id"], result["score"]


FORMAT = Format(
    holds="predictions of sentence-transformers' `InformationRetrievalEvaluator`: a query with its results on each "
    "line. It orders equal scores by document id: `--ties docid` gives its numbers",
    recognized_by="the first line is an object of JSON with `query_id` and `results`",
    example="evaluate --ties docid qrels.txt predictions.jsonl",
    is_here=lambda file: {"query_id", "results"} <= file.first_object.keys(),
    run=_run,
)
