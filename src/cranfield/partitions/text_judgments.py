"""Judgments in several files of text, which are read as if they were one file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield._text import quoted
from cranfield.collection.qrels import Qrels, group
from cranfield.engine.protocol import Facts
from cranfield.errors import EngineError, InputError
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Place
from cranfield.io.topic_filter import of_chosen_topics
from cranfield.io.trec import load_qrels


def read_together(paths: Sequence[str], path: str, name: str, how: Mapping[str, Any]) -> Qrels:
    """Judgments of all files; what is odd is warned of.

    Args:
        paths: of the files.
        path: of all of them, as the user named it.
        name: of the judgments.
        how: files are read: ``input_format`` and ``columns``.

    Raises:
        InputError: a file cannot be read, or a document of a topic has another label in another file.
    """
    ends: list[int] = []
    topics: list[str] = []
    iterations: list[str] = []
    documents: list[str] = []
    labels: list[float] = []
    facts: Facts = {}
    for one in paths:
        read, noticed = load_qrels(one, **how)
        warn_of(noticed, Place(one))
        of_topic, of_iteration, of_document, label = read.rows()
        topics += of_topic
        iterations += of_iteration
        documents += of_document
        labels += label.tolist()
        ends.append(len(labels))
    ids = [text.encode() for text in topics], [text.encode() for text in iterations]
    try:
        found = group(*ids, [text.encode() for text in documents], labels, range(1, len(labels) + 1), facts)
    except EngineError as error:
        if error.code != "conflict":
            raise
        one, other = (paths[bisect_right(ends, number - 1)] for number in (error.line, error.number))
        text = f"document {quoted(error.more)} of topic {quoted(error.value)} has another label in {other}"
        raise InputError(f"{text}; keep one of them", Place(one), code="conflict", value=error.more) from None
    warn_of(_without_lines(facts), Place(path))
    return of_chosen_topics(Qrels.from_columns(found, name=name, path=path))


def _without_lines(facts: Facts) -> Facts:
    """What was noticed of all files, without numbers of rows, which are lines of no file."""
    kept: Facts = {}
    for code, fact in facts.get("noticed", {}).items():
        parts: dict[str, Any] = {name: value for name, value in fact.items() if name not in ("count", "line")}
        notice(kept, code, fact["count"], **parts)
    return kept
