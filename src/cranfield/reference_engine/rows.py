"""The lines of a run as rows, topic by topic, in the order of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cranfield.errors import EngineError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.reference_engine.lines import (
    FIELDS,
    checked_id,
    checked_number,
    cut_for_message,
    data_lines,
    split_fields,
)

WHOLE = re.compile(rb"[+-]?\d+")


@dataclass(slots=True)
class Row:
    """A line of a run. ``rank`` is None where it is no whole number of at most 18 digits."""

    line: int
    document: bytes
    score: float
    rank: int | None


def rows_by_topic(text: bytes, layout: str, need_rank: bool, facts: Facts) -> dict[bytes, list[Row]]:
    """Topic -> rows in file order, topics in order of first appearance."""
    topics: dict[bytes, list[Row]] = {}
    before = None
    wanted = FIELDS["run"][layout]
    for number, line in data_lines(text, facts, wanted):
        fields = split_fields(number, line, wanted)
        topic = checked_id(number, fields[0], "topic")
        document = checked_id(number, fields[2 if wanted == 6 else 1], "document")
        rank_text = fields[3] if wanted == 6 else fields[2]
        rank = int(rank_text) if WHOLE.fullmatch(rank_text) and len(rank_text.lstrip(b"+-")) <= 18 else None
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
        topics.setdefault(topic, []).append(Row(number, document, score, rank))
    facts.setdefault("tag", "")
    return topics
