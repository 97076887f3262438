"""Reading a whole run."""

from __future__ import annotations

import numpy as np

from cranfield.collection.text import TextColumn
from cranfield.contract import RunColumns, Source
from cranfield.facts import Facts
from cranfield.reference_engine.ordering import note_repeats
from cranfield.reference_engine.rows import Row, rows_by_topic
from cranfield.unpacking import signed_text_of


def read_run(source: Source, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns:
    """Read a whole run; see ``Engine.read_run``."""
    facts: Facts = {"noticed": {}}
    text, digest = signed_text_of(source, max_unpacked)
    topics = rows_by_topic(text, layout, False, facts)
    note_repeats(topics, on_duplicate, facts)
    for topic, lines in topics.items():
        best: dict[bytes, Row] = {}
        for row in lines:
            if row.document not in best or row.score > best[row.document].score:
                best[row.document] = row
        topics[topic] = list(best.values())
    rows = [row for group in topics.values() for row in group]
    documents = TextColumn.of_bytes([row.document for row in rows])
    ranks = [row.rank for row in rows]
    return {
        "topics": [topic.decode() for topic in topics],
        "starts": np.cumsum([0, *map(len, topics.values())], dtype=np.int64),
        "data": documents.data,
        "offsets": documents.offsets,
        "score": np.array([row.score for row in rows]),
        "rank": None if None in ranks else np.array(ranks, dtype=np.int64),
        "facts": facts,
        "sha256": digest,
    }
