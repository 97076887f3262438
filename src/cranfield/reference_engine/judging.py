"""Runs seen through judgments: the ranks of their judged documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.collection.text import TextColumn
from cranfield.contract import Judged, JudgedFile, Source
from cranfield.errors import EngineError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.reference_engine.ordering import contradicts_scores, note_repeats, sort_lists
from cranfield.reference_engine.rows import Row, rows_by_topic
from cranfield.unpacking import signed_text_of


@dataclass(slots=True)
class Index:
    """Topic -> (its number, document -> pool row)."""

    topics: dict[bytes, tuple[int, dict[bytes, int]]]


def index(topics: list[str], starts: Ints, data: Bytes, offsets: Ints) -> Index:
    """Tables to look documents up in; see ``Engine.index``."""
    documents = TextColumn(data, offsets).tobytes()
    bounds = starts.tolist()
    return Index(
        {
            topic.encode(): (number, {documents[row]: row for row in range(bounds[number], bounds[number + 1])})
            for number, topic in enumerate(topics)
        }
    )


def judge_file(
    source: Source,
    layout: str,
    max_unpacked: int,
    index: Index,
    ties: str,
    on_duplicate: str,
    threads: int,
    sign: bool,
) -> JudgedFile:
    """From file bytes to judged ranks; see ``Engine.judge_file``. ``threads`` changes nothing here."""
    facts: Facts = {"noticed": {}}
    text, digest = signed_text_of(source, max_unpacked, sign)
    topics = rows_by_topic(text, layout, ties == "rank", facts)
    facts["noticed"].pop("scattered-topics", None)
    return {**_judge(topics, index, ties, on_duplicate, facts), "sha256": digest}


def judge_run(
    topics: list[str],
    starts: Ints,
    data: Bytes,
    offsets: Ints,
    score: Floats,
    rank: Ints | None,
    index: Index,
    ties: Sequence[str],
    on_duplicate: str,
) -> list[Judged]:
    """From a run in memory to judged ranks; see ``Engine.judge_run``."""
    if "rank" in ties and rank is None:
        raise EngineError("no-ranks")
    documents = TextColumn(data, offsets).tobytes()
    ranks = rank.tolist() if rank is not None else [None] * len(documents)
    rows = [Row(line, *row) for line, row in enumerate(zip(documents, score.tolist(), ranks, strict=True), start=1)]
    bounds = starts.tolist()

    def judged(order: str) -> Judged:
        groups = {topic.encode(): rows[bounds[i] : bounds[i + 1]] for i, topic in enumerate(topics)}
        return _judge(groups, index, order, on_duplicate, {"rows": len(rows), "tag": "", "skipped": 0, "noticed": {}})

    return [judged(order) for order in ties]


def _judge(topics: dict[bytes, list[Row]], index: Index, ties: str, on_duplicate: str, facts: Facts) -> Judged:
    note_repeats(topics, on_duplicate, facts)
    sort_lists(topics, ties)
    contradicting = [topic for topic, rows in topics.items() if contradicts_scores(rows)]
    if contradicting:
        notice(facts, "rank-contradicts-score", len(contradicting), topic=contradicting[0].decode())
    unjudged = [topic.decode() for topic in topics if topic not in index.topics]
    if unjudged:
        notice(facts, "extra-topics", len(unjudged), names=unjudged[:5])
    length = np.zeros(len(index.topics), dtype=np.int64)
    starts = np.zeros(len(index.topics) + 1, dtype=np.int64)
    ranks, rows_of_pool, firsts, lasts = [], [], [], []
    for topic, (number, pool) in index.topics.items():
        rows = topics.get(topic, [])
        length[number] = len(rows)
        for rank, row in enumerate(rows, start=1):
            if row.document in pool:
                ranks.append(rank)
                rows_of_pool.append(pool[row.document])
        if ties in ("expected", "bounds"):
            above = 0
            for _, group in groupby(rows, key=lambda row: row.score):
                tied = list(group)
                judged = sum(row.document in pool for row in tied)
                firsts += [above + 1] * judged
                above += len(tied)
                lasts += [above] * judged
        starts[number + 1] = len(ranks)
    return {
        "length": length,
        "starts": starts,
        "rank": np.array(ranks, dtype=np.int64),
        "document": np.array(rows_of_pool, dtype=np.int64),
        "first": np.array(firsts, dtype=np.int64),
        "last": np.array(lasts, dtype=np.int64),
        "facts": facts,
    }
