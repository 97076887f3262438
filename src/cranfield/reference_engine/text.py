"""From bytes to checked fields of lines, to the rows of a run by topic, and to the columns of judgments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from cranfield._validation import is_decimal_bytes
from cranfield.collection.qrels import group
from cranfield.engine.protocol import Facts, InputSource, QrelsColumns
from cranfield.errors import EngineError
from cranfield.findings.finding import notice
from cranfield.reference_engine.decompression import refuse_wide, unpack_signed_text

LONGEST_ID = 4096
SHOWN = 80
FIELDS = {"run": {"trec": 6, "beir": 6, "msmarco": 3}, "qrels": {"trec": 4, "msmarco": 4, "beir": 3}}
"""Fields of a line, by kind of file and layout."""


def data_lines(data: bytes, facts: Facts, wanted: int) -> Iterator[tuple[int, bytes]]:
    """Lines that hold data, numbered from 1, without blanks at either end; rows have ``wanted`` fields."""
    refuse_wide(data)
    facts["rows"] = facts["skipped"] = 0
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        stripped = line.rstrip(b" \t\r").lstrip(b" \t")
        if stripped and not line.startswith(b"#"):
            facts["rows"] += 1
            yield number, stripped
        else:
            facts["skipped"] += 1
            note_comment(number, line, wanted, facts)
    if not facts["rows"]:
        raise EngineError("empty")


def note_comment(number: int, line: bytes, wanted: int, facts: Facts) -> None:
    """Note a comment that is a row but for its topic, which begins as comments do."""
    fields = _split_fields(line.rstrip(b" \t\r"))
    is_row = line.startswith(b"#") and len(fields) == wanted and len(fields[0]) > 1
    if is_row and is_decimal_bytes(fields[4 if wanted == 6 else -1]):
        notice(facts, "commented-rows", line=number, value=cut_for_message(fields[0]))


def _split_fields(line: bytes) -> list[bytes]:
    return [field for field in line.replace(b"\t", b" ").split(b" ") if field]


def split_fields(number: int, line: bytes, wanted: int) -> list[bytes]:
    """The fields of a line, ``wanted`` of them.

    Raises:
        EngineError: the line holds a NUL byte, is not UTF-8, or has another number of fields.
    """
    if b"\0" in line:
        raise EngineError("nul", number)
    try:
        line.decode()
    except UnicodeDecodeError:
        raise EngineError("utf8", number) from None
    fields = _split_fields(line)
    if len(fields) != wanted:
        raise EngineError("fields", number, cut_for_message(line), len(fields), str(wanted))
    return fields


def cut_for_message(value: bytes) -> str:
    """The beginning of a value, as messages quote it."""
    return value.decode(errors="replace")[:SHOWN]


def checked_id(number: int, value: bytes, what: str) -> bytes:
    """An id on the line ``number``.

    Raises:
        EngineError: it is too long.
    """
    if len(value) > LONGEST_ID:
        raise EngineError("long", number, cut_for_message(value), len(value), what)
    return value


def checked_number(number: int, value: bytes, what: str) -> float:
    """A score or a label on the line ``number``.

    Raises:
        EngineError: it is not a decimal number, or too large for a double.
    """
    if not is_decimal_bytes(value):
        raise EngineError(what, number, cut_for_message(value))
    parsed = float(value)
    if np.isinf(parsed):
        raise EngineError("overflow", number, cut_for_message(value), more=what)
    return parsed


INTEGER = re.compile(rb"[+-]?\d+")


@dataclass(slots=True)
class RunRow:
    """A line of a run. ``rank`` is None where it is not an integer of at most 18 digits."""

    line: int
    document: bytes
    score: float
    rank: int | None


def rows_by_topic(text: bytes, layout: str, need_rank: bool, facts: Facts) -> dict[bytes, list[RunRow]]:
    """Topic -> rows in file order, topics in order of first appearance."""
    topics: dict[bytes, list[RunRow]] = {}
    before = None
    wanted = FIELDS["run"][layout]
    for number, line in data_lines(text, facts, wanted):
        fields = split_fields(number, line, wanted)
        topic = checked_id(number, fields[0], "topic")
        document = checked_id(number, fields[2 if wanted == 6 else 1], "document")
        rank_text = fields[3] if wanted == 6 else fields[2]
        rank = int(rank_text) if INTEGER.fullmatch(rank_text) and len(rank_text.lstrip(b"+-")) <= 18 else None
        if rank is None and (need_rank or layout == "msmarco"):
            raise EngineError("rank", number, cut_for_message(rank_text))
        if rank is None:
            notice(facts, "rank-text", line=number, value=cut_for_message(rank_text))
        if wanted == 6:
            score = checked_number(number, fields[4], "score")
            tag = fields[5].decode()
            if facts.setdefault("tag", tag) != tag:
                facts["noticed"].setdefault("mixed-tags", {"line": number, "value": tag, "first": facts["tag"]})
        else:
            assert rank is not None
            score = -float(rank)
        if topic in topics and topic != before:
            notice(facts, "scattered-topics", line=number, topic=topic.decode())
        before = topic
        topics.setdefault(topic, []).append(RunRow(number, document, score, rank))
    facts.setdefault("tag", "")
    return topics


def read_qrels(source: InputSource, layout: str, max_unpacked: int) -> QrelsColumns:
    """Read judgments; see ``Engine.read_qrels``."""
    facts: Facts = {"noticed": {}}
    wanted = FIELDS["qrels"][layout]
    header_passed = False
    lines: list[int] = []
    columns: tuple[list[Any], ...] = ([], [], [], [])
    text, digest = unpack_signed_text(source, max_unpacked)
    for number, line in data_lines(text, facts, wanted):
        fields = split_fields(number, line, wanted)
        if layout == "beir":
            if not header_passed and not is_decimal_bytes(fields[2]):
                facts["rows"], facts["skipped"], header_passed = 0, facts["skipped"] + 1, True
                continue
            header_passed = True
            fields.insert(1, b"0")
        topic, iteration = checked_id(number, fields[0], "topic"), checked_id(number, fields[1], "field 2")
        document, label = checked_id(number, fields[2], "document"), checked_number(number, fields[3], "label")
        if not label.is_integer():
            notice(facts, "fractional-labels", line=number, value=cut_for_message(fields[3]))
        lines.append(number)
        for column, field in zip(columns, (topic, iteration, document, label), strict=True):
            column.append(field)
    topics, iterations, documents, labels = columns
    return cast(QrelsColumns, group(topics, iterations, documents, labels, lines, facts) | {"sha256": digest})
