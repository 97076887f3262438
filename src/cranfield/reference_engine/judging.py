"""Ordering the lists of runs by a tie policy, reading complete runs, and judging: the ranks of judged documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TypeAlias

import numpy as np

from cranfield._typing import Bytes, Floats, Ints, Shorts
from cranfield.collection.ids import TextColumn
from cranfield.engine.protocol import Documents, Facts, InputSource, Judged, JudgedFile, RunColumns, RunIds
from cranfield.errors import EngineError
from cranfield.findings.finding import notice
from cranfield.reference_engine.decompression import unpack_signed_text
from cranfield.reference_engine.text import RunRow, rows_by_topic

Index: TypeAlias = dict[bytes, tuple[int, dict[bytes, int]]]
"""Topic -> (its number, document -> pool row)."""


def index(topics: list[str], starts: Ints, data: Bytes, offsets: Ints) -> Index:
    """Tables to look documents up in; see ``Engine.index``."""
    documents = TextColumn(data, offsets).tobytes()
    bounds = starts.tolist()
    return {
        topic.encode(): (number, {documents[row]: row for row in range(bounds[number], bounds[number + 1])})
        for number, topic in enumerate(topics)
    }


def judge_file(
    source: InputSource,
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
    text, digest = unpack_signed_text(source, max_unpacked, sign)
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
    rows = [RunRow(line, *row) for line, row in enumerate(zip(documents, score.tolist(), ranks, strict=True), start=1)]
    bounds = starts.tolist()

    def judged(order: str) -> Judged:
        groups = {topic.encode(): rows[bounds[i] : bounds[i + 1]] for i, topic in enumerate(topics)}
        return _judge(groups, index, order, on_duplicate, {"rows": len(rows), "tag": "", "skipped": 0, "noticed": {}})

    return [judged(order) for order in ties]


def _judge(topics: dict[bytes, list[RunRow]], index: Index, ties: str, on_duplicate: str, facts: Facts) -> Judged:
    note_repeats(topics, on_duplicate, facts)
    sort_lists(topics, ties)
    contradicting = [topic for topic, rows in topics.items() if contradicts_scores(rows)]
    if contradicting:
        notice(facts, "rank-contradicts-score", len(contradicting), topic=contradicting[0].decode())
    unjudged = [topic.decode() for topic in topics if topic not in index]
    if unjudged:
        notice(facts, "extra-topics", len(unjudged), names=unjudged[:5])
    length = np.zeros(len(index), dtype=np.int64)
    starts = np.zeros(len(index) + 1, dtype=np.int64)
    columns: dict[str, list[int]] = {"rank": [], "document": [], "first": [], "last": []}
    for topic, (number, pool) in index.items():
        rows = topics.get(topic, [])
        length[number] = len(rows)
        add_judged(columns, rows, pool, ties)
        starts[number + 1] = len(columns["rank"])
    rank, document, first, last = (np.array(column, dtype=np.int64) for column in columns.values())
    return {
        "length": length,
        "starts": starts,
        "rank": rank,
        "document": document,
        "first": first,
        "last": last,
        "facts": facts,
    }


def add_judged(columns: dict[str, list[int]], rows: list[RunRow], pool: dict[bytes, int], ties: str) -> None:
    """Add the judged documents of an ordered list to the columns of ``Judged``.

    Args:
        columns: ``rank``, ``document``, ``first`` and ``last``.
        rows: of the list.
        pool: document -> pool row.
        ties: the policy.
    """
    for rank, row in enumerate(rows, start=1):
        if row.document in pool:
            columns["rank"].append(rank)
            columns["document"].append(pool[row.document])
    if ties not in ("expected", "bounds"):
        return
    above = 0
    for _, group in groupby(rows, key=lambda row: row.score):
        tied = list(group)
        judged = sum(row.document in pool for row in tied)
        columns["first"] += [above + 1] * judged
        above += len(tied)
        columns["last"] += [above] * judged


def ordered_rows(rows: list[RunRow], ties: str) -> list[RunRow]:
    """Rows in the order of the policy."""
    if ties == "file":
        return list(rows)
    if ties == "rank":
        return sorted(rows, key=lambda row: row.rank or 0)
    by_id = sorted(rows, key=lambda row: row.document, reverse=ties != "docid")
    return sorted(by_id, key=lambda row: compute_value(row.score, ties), reverse=True)


def compute_value(score: float, ties: str) -> float:
    """The value by which a score is ordered."""
    if ties != "trec9":
        return score
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def contradicts_scores(rows: list[RunRow]) -> bool:
    """Tell whether a document of larger score has a larger rank number than one of smaller score."""
    ranked = sorted((row for row in rows if row.rank is not None), key=lambda row: (-row.score, row.rank))
    largest = None
    for before, row in pairwise(ranked):
        if before.score > row.score:
            largest = before.rank if largest is None else max(largest, before.rank or 0)
        if largest is not None and row.rank is not None and row.rank < largest:
            return True
    return False


def note_repeats(topics: dict[bytes, list[RunRow]], on_duplicate: str, facts: Facts) -> None:
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


def sort_lists(topics: dict[bytes, list[RunRow]], ties: str) -> None:
    """Put every list into the order of the policy, each document once; refuse equal ranks if ranks decide."""
    for topic, rows in topics.items():
        best: dict[bytes, RunRow] = {}
        for row in ordered_rows(rows, ties):
            best.setdefault(row.document, row)
        topics[topic] = list(best.values())
    if ties == "rank":
        pairs = (pair for rows in topics.values() for pair in pairwise(rows))
        equal = [(max(a.line, b.line), str(a.rank)) for a, b in pairs if a.rank == b.rank]
        if equal:
            raise EngineError("equal-ranks", *min(equal))


TIES = ("trec", "trec9", "docid", "file", "expected", "bounds")
MISFIT = "rows, documents and topics do not fit together, or ranks decide"


def order_lists(
    starts: Ints,
    topics: Ints,
    bounds: Ints,
    document: Shorts,
    score: Floats,
    rank: Ints | None,
    ties: str,
    into_document: Shorts,
    into_score: Floats,
) -> Ints | None:
    """See ``cranfield.engine.protocol.Engine.order_lists``."""
    if len(starts) != len(topics) + 1 or ties not in TIES:
        raise ValueError(MISFIT)
    if not len(document) == len(score) == len(into_document) == len(into_score) == starts[-1]:
        raise ValueError(MISFIT)
    ranks = [None] * len(document) if rank is None else rank.tolist()
    # Numbers of as many digits are in the order of the ids that they stand for.
    ids = [b"%010d" % number for number in document.tolist()]
    rows = [RunRow(line, *row) for line, row in enumerate(zip(ids, score.tolist(), ranks, strict=True), start=1)]
    lists: dict[int, list[RunRow]] = {}
    for topic, (begin, end) in zip(topics.tolist(), pairwise(starts.tolist()), strict=True):
        documents = document[begin:end]
        if not ((bounds[topic] <= documents) & (documents < bounds[topic + 1])).all():
            raise ValueError(MISFIT)
        if topic in lists or len(np.unique(documents)) < len(documents):
            return None
        lists[topic] = ordered_rows(rows[begin:end], ties)
    ordered = [row for topic in sorted(lists) for row in lists[topic]]
    into_document[:] = [int(row.document) for row in ordered]
    into_score[:] = [row.score for row in ordered]
    return np.array(
        [topic for topic, rows_of_topic in lists.items() if contradicts_scores(rows_of_topic)], dtype=np.int64
    )


def read_run(source: InputSource, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns:
    """Read a whole run; see ``Engine.read_run``."""
    facts: Facts = {"noticed": {}}
    text, digest = unpack_signed_text(source, max_unpacked)
    topics = rows_by_topic(text, layout, False, facts)
    note_repeats(topics, on_duplicate, facts)
    for topic, lines in topics.items():
        best: dict[bytes, RunRow] = {}
        for row in lines:
            if row.document not in best or row.score > best[row.document].score:
                best[row.document] = row
        topics[topic] = list(best.values())
    rows = [row for group in topics.values() for row in group]
    documents = TextColumn.from_bytes([row.document for row in rows])
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


def unite_documents(runs: Sequence[RunIds], topics: int) -> Documents:
    """See ``cranfield.engine.protocol.Engine.unite_documents``."""
    rows = [np.empty(len(offsets) - 1, dtype=np.int32) for _, offsets, _, _ in runs]
    blocks: list[list[tuple[int, int, int]]] = [[] for _ in range(topics)]
    for run, (_, _, bounds, numbers) in enumerate(runs):
        for topic, (begin, end) in zip(numbers.tolist(), pairwise(bounds.tolist()), strict=True):
            blocks[topic].append((run, begin, end))
    names: list[bytes] = []
    starts = [0]
    for block in blocks:
        ids = [_ids(*runs[run][:2], begin, end) for run, begin, end in block]
        names_here = sorted({name for ids_of_run in ids for name in ids_of_run})
        number = {name: index for index, name in enumerate(names_here, start=len(names))}
        for (run, begin, end), ids_of_run in zip(block, ids, strict=True):
            rows[run][begin:end] = [number[name] for name in ids_of_run]
        names += names_here
        starts.append(len(names))
    text = TextColumn.from_bytes(names)
    return {"data": text.data, "offsets": text.offsets, "starts": np.array(starts, dtype=np.int64), "rows": rows}


def _ids(data: Bytes, offsets: Ints, begin: int, end: int) -> list[bytes]:
    """Some strings of a column as UTF-8."""
    bounds = offsets[begin : end + 1].tolist()
    blob = data[bounds[0] : bounds[-1]].tobytes()
    return [blob[a - bounds[0] : b - bounds[0]] for a, b in pairwise(bounds)]
