"""The engine's contract (``cranfield.contract``) in plain Python, written to be read.

It is the witness that the compiled engine is tested against: on any bytes both accept or refuse alike, with the same
line, and give the same arrays. It also makes the package work where nothing can be compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, cast

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.collection import union
from cranfield.collection.judgments import group
from cranfield.collection.text import TextColumn
from cranfield.contract import Facts, Judged, JudgedFile, QrelsColumns, RunColumns, Source
from cranfield.decimals import is_decimal_bytes
from cranfield.errors import EngineError
from cranfield.findings.noticing import notice
from cranfield.statistics import majority, outcomes
from cranfield.unpacking import signed_text_of

NAME = "reference"

count_outcomes = outcomes.count_outcomes
majority_order = majority.majority_order
unite_documents = union.unite_documents

LONGEST_ID = 4096
SHOWN = 80
WHOLE = re.compile(rb"[+-]?\d+")
FIELDS = {"run": {"trec": 6, "beir": 6, "msmarco": 3}, "qrels": {"trec": 4, "msmarco": 4, "beir": 3}}


@dataclass(slots=True)
class Row:
    """A line of a run. ``rank`` is None where it is no whole number of at most 18 digits."""

    line: int
    document: bytes
    score: float
    rank: int | None


# ---- bytes to lines


def _lines(data: bytes, facts: Facts) -> Iterator[tuple[int, bytes]]:
    """Lines that hold data, numbered from 1, without blanks at either end."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise EngineError("utf16")
    facts["rows"] = facts["skipped"] = 0
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        stripped = line.rstrip(b" \t\r").lstrip(b" \t")
        if stripped and not line.startswith(b"#"):
            facts["rows"] += 1
            yield number, stripped
        else:
            facts["skipped"] += 1
    if not facts["rows"]:
        raise EngineError("empty")


def _split(number: int, line: bytes, wanted: int) -> list[bytes]:
    if b"\0" in line:
        raise EngineError("nul", number)
    try:
        line.decode()
    except UnicodeDecodeError:
        raise EngineError("utf8", number) from None
    fields = re.split(rb"[ \t]+", line)
    if len(fields) != wanted:
        raise EngineError("fields", number, _shown(line), len(fields), str(wanted))
    return fields


def _shown(value: bytes) -> str:
    return value.decode(errors="replace")[:SHOWN]


def _id(number: int, value: bytes, what: str) -> bytes:
    if len(value) > LONGEST_ID:
        raise EngineError("long", number, _shown(value), len(value), what)
    return value


def _number(number: int, value: bytes, what: str) -> float:
    if not is_decimal_bytes(value):
        raise EngineError(what, number, _shown(value))
    parsed = float(value)
    if np.isinf(parsed):
        raise EngineError("overflow", number, _shown(value), more=what)
    return parsed


# ---- runs


def _rows(text: bytes, layout: str, need_rank: bool, facts: Facts) -> dict[bytes, list[Row]]:
    """Topic -> rows in file order, topics in order of first appearance."""
    topics: dict[bytes, list[Row]] = {}
    before = None
    wanted = FIELDS["run"][layout]
    for number, line in _lines(text, facts):
        fields = _split(number, line, wanted)
        topic, document = _id(number, fields[0], "topic"), _id(number, fields[2 if wanted == 6 else 1], "document")
        rank_text = fields[3] if wanted == 6 else fields[2]
        rank = int(rank_text) if WHOLE.fullmatch(rank_text) and len(rank_text.lstrip(b"+-")) <= 18 else None
        if rank is None and (need_rank or layout == "msmarco"):
            raise EngineError("rank", number, _shown(rank_text))
        if rank is None:
            notice(facts, "rank-text", line=number, value=_shown(rank_text))
        if wanted == 6:
            score = _number(number, fields[4], "score")
            tag = fields[5].decode()
            if facts.setdefault("tag", tag) != tag:
                facts["noticed"].setdefault("mixed-tags", {"line": number, "value": tag, "first": facts["tag"]})
        else:
            assert rank is not None
            score = -float(rank)
        if topic in topics and topic != before:
            notice(facts, "scattered-topics", line=number, topic=topic.decode())
        before = topic
        topics.setdefault(topic, []).append(Row(number, document, score, rank))
    facts.setdefault("tag", "")
    return topics


def _ordered(rows: list[Row], ties: str) -> list[Row]:
    if ties == "file":
        return list(rows)
    if ties == "rank":
        return sorted(rows, key=lambda row: row.rank or 0)
    by_id = sorted(rows, key=lambda row: row.document, reverse=ties != "docid")
    if ties == "trec9":
        with np.errstate(over="ignore"):
            return sorted(by_id, key=lambda row: float(np.float32(row.score)), reverse=True)
    return sorted(by_id, key=lambda row: row.score, reverse=True)


def _contradicts(rows: list[Row]) -> bool:
    """Whether a document of larger score has a larger rank number than one of smaller score."""
    ranked = sorted((row for row in rows if row.rank is not None), key=lambda row: (-row.score, row.rank))
    largest = None
    for before, row in pairwise(ranked):
        if before.score > row.score:
            largest = before.rank if largest is None else max(largest, before.rank or 0)
        if largest is not None and row.rank is not None and row.rank < largest:
            return True
    return False


def _note_repeats(topics: dict[bytes, list[Row]], on_duplicate: str, facts: Facts) -> None:
    """Refuse documents that occur twice in a topic, or count the lines that are to be dropped."""
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


def _order(topics: dict[bytes, list[Row]], ties: str) -> None:
    """Put every list into the order of the policy, each document once; refuse equal ranks if ranks decide."""
    for topic, rows in topics.items():
        best: dict[bytes, Row] = {}
        for row in _ordered(rows, ties):
            best.setdefault(row.document, row)
        topics[topic] = list(best.values())
    if ties == "rank":
        pairs = (pair for rows in topics.values() for pair in pairwise(rows))
        equal = [(max(a.line, b.line), str(a.rank)) for a, b in pairs if a.rank == b.rank]
        if equal:
            raise EngineError("equal-ranks", *min(equal))


def read_run(source: Source, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns:
    """Read a whole run; see ``Engine.read_run``."""
    facts: Facts = {"noticed": {}}
    text, digest = signed_text_of(source, max_unpacked)
    topics = _rows(text, layout, False, facts)
    _note_repeats(topics, on_duplicate, facts)
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


# ---- judgments


def read_qrels(source: Source, layout: str, max_unpacked: int) -> QrelsColumns:
    """Read judgments; see ``Engine.read_qrels``."""
    facts: Facts = {"noticed": {}}
    wanted = FIELDS["qrels"][layout]
    header_passed = False
    lines: list[int] = []
    columns: tuple[list[Any], ...] = ([], [], [], [])
    text, digest = signed_text_of(source, max_unpacked)
    for number, line in _lines(text, facts):
        fields = _split(number, line, wanted)
        if layout == "beir":
            if not header_passed and not is_decimal_bytes(fields[2]):
                facts["rows"], facts["skipped"], header_passed = 0, facts["skipped"] + 1, True
                continue
            header_passed = True
            fields.insert(1, b"0")
        topic, iteration = _id(number, fields[0], "topic"), _id(number, fields[1], "field 2")
        document, label = _id(number, fields[2], "document"), _number(number, fields[3], "label")
        if not label.is_integer():
            notice(facts, "fractional-labels", line=number, value=_shown(fields[3]))
        lines.append(number)
        for column, field in zip(columns, (topic, iteration, document, label), strict=True):
            column.append(field)
    topics, iterations, documents, labels = columns
    return cast(QrelsColumns, group(topics, iterations, documents, labels, lines, facts) | {"sha256": digest})


# ---- runs seen through judgments


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
    topics = _rows(text, layout, ties == "rank", facts)
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
    ties: str,
    on_duplicate: str,
) -> Judged:
    """From a run in memory to judged ranks; see ``Engine.judge_run``."""
    if ties == "rank" and rank is None:
        raise EngineError("no-ranks")
    documents = TextColumn(data, offsets).tobytes()
    ranks = rank.tolist() if rank is not None else [None] * len(documents)
    rows = [Row(line, *row) for line, row in enumerate(zip(documents, score.tolist(), ranks, strict=True), start=1)]
    bounds = starts.tolist()
    groups = {topic.encode(): rows[bounds[i] : bounds[i + 1]] for i, topic in enumerate(topics)}
    return _judge(groups, index, ties, on_duplicate, {"rows": len(rows), "tag": "", "skipped": 0, "noticed": {}})


def _judge(topics: dict[bytes, list[Row]], index: Index, ties: str, on_duplicate: str, facts: Facts) -> Judged:
    _note_repeats(topics, on_duplicate, facts)
    _order(topics, ties)
    contradicting = [topic for topic, rows in topics.items() if _contradicts(rows)]
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
