"""Lists in the order that decides, each document once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cranfield.errors import EngineError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.reference_engine.rows import Row


def ordered_rows(rows: list[Row], ties: str) -> list[Row]:
    """Rows in the order of the policy."""
    if ties == "file":
        return list(rows)
    if ties == "rank":
        return sorted(rows, key=lambda row: row.rank or 0)
    by_id = sorted(rows, key=lambda row: row.document, reverse=ties != "docid")
    return sorted(by_id, key=lambda row: value_of(row.score, ties), reverse=True)


def value_of(score: float, ties: str) -> float:
    """What a score is ordered by."""
    if ties != "trec9":
        return score
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def contradicts_scores(rows: list[Row]) -> bool:
    """Whether a document of larger score has a larger rank number than one of smaller score."""
    ranked = sorted((row for row in rows if row.rank is not None), key=lambda row: (-row.score, row.rank))
    largest = None
    for before, row in pairwise(ranked):
        if before.score > row.score:
            largest = before.rank if largest is None else max(largest, before.rank or 0)
        if largest is not None and row.rank is not None and row.rank < largest:
            return True
    return False


def note_repeats(topics: dict[bytes, list[Row]], on_duplicate: str, facts: Facts) -> None:
    """Refuse documents that occur twice in a topic, or count the lines to drop."""
    repeats = []
    for topic, rows in topics.items():
        seen: set[bytes] = set()
        for row in rows:
            if row.document in seen:
                repeats.append((row.line, topic.decode(), row.document.decode()))
            seen.add(row.document)
    if repeats:
        line, name, document = min(repeats)
        if on_duplicate == "error":
            raise EngineError("duplicate", line, name, more=document)
        notice(facts, "duplicate", len(repeats), line=line, topic=name, document=document)


def sort_lists(topics: dict[bytes, list[Row]], ties: str) -> None:
    """Put every list into the order of the policy, each document once; refuse equal ranks if ranks decide."""
    for topic, rows in topics.items():
        best: dict[bytes, Row] = {}
        for row in ordered_rows(rows, ties):
            best.setdefault(row.document, row)
        topics[topic] = list(best.values())
    if ties == "rank":
        pairs = (pair for rows in topics.values() for pair in pairwise(rows))
        equal = [(max(a.line, b.line), str(a.rank)) for a, b in pairs if a.rank == b.rank]
        if equal:
            raise EngineError("equal-ranks", *min(equal))
