"""Rows ``system topic measure value`` as text, some topics at a time: the text of a million topics is never whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from cranfield import escaping
from cranfield._typing import Bytes, Floats, Ints
from cranfield.collection.ids import TextColumn, encode_ids
from cranfield.engine.kernels import kernel
from cranfield.scores.named_direction import ENDS
from cranfield.scores.rows import ALL, HEADER, Seal, as_text, decimal, has_summary, header, signed_head
from cranfield.scores.table import ScoreTable

TOPICS = 1 << 16
"""Topics of a block."""


@dataclass(frozen=True)
class RowForm:
    """A format of rows.

    Args:
        named: a system, topic or measure as it is written.
        between: what stands before the system, the topic, the measure, the value and the ends of its interval.
        end: of a row.
        missing: what stands for NaN.
        last: what ends the last row instead.
    """

    named: Callable[[str], str]
    between: tuple[str, ...]
    end: str
    missing: str
    last: str


def _get_form(format: str) -> RowForm:
    if format == "tsv":
        return RowForm(str, ("", *["\t"] * 5), "\n", "nan", "\n")
    if format == "csv":
        return RowForm(escaping.csv, ("", *[","] * 5), "\n", "nan", "\n")
    import json  # here: a call for the others does not wait for it

    first, *following = (f"{json.dumps(name)}: " for name in (*HEADER, *ENDS))
    keys = "  {" + first, *(", " + name for name in following)
    return RowForm(json.dumps, keys, "},\n", "null", "}\n")


def row_blocks(table: ScoreTable, format: str, *, by_topic: bool, summary: bool = False) -> Iterable[bytes]:
    """Return the text of ``as_text`` in blocks of UTF-8, each made when it is asked for.

    Raises:
        InputError: see ``as_text``; before this returns.
    """
    if _is_plain(table, format, by_topic=by_topic):
        summaries = np.stack([table.summarize(cells) for _, cells in table.parts])
        if not np.isinf(summaries).any():
            summary = has_summary(table, format, by_topic=by_topic, summary=summary)
            return _blocks(table, format, summaries if summary else None, by_topic=by_topic)
    return [_encoded(as_text(table, format, by_topic=by_topic, summary=summary))]


def _is_plain(table: ScoreTable, format: str, *, by_topic: bool) -> bool:
    """Tell whether the format can hold each name and score, so that nothing is refused and blocks may be written."""
    topics = table.topics if by_topic else ()
    names = "".join((*table.systems, *topics)) if format == "tsv" else ""
    if ALL in topics or any(char in names for char in "\t\n\r"):
        return False
    return not (by_topic and any(np.isinf(cells).any() for _, cells in table.parts))


def _blocks(table: ScoreTable, format: str, summaries: Floats | None, *, by_topic: bool) -> Iterator[bytes]:
    form, parts = _get_form(format), [cells for _, cells in table.parts]
    measures = [_encoded(form.between[2] + form.named(name) + form.between[3]) for name in table.names]
    of_topics = [number for number, scale in enumerate(table.scales) if by_topic and scale.has_topics]
    topics = TextColumn.from_bytes([_encoded(form.named(topic)) for topic in table.topics] if of_topics else [])
    summary = TextColumn.from_strings([form.named(ALL)])
    seal = Seal(table.source) if format == "json" else None
    yield _encoded(signed_head(table.source) if format == "json" else header(format, ends=len(parts) > 1))
    for column, system in enumerate(table.systems):
        lead = form.between[0] + form.named(system) + form.between[1]
        for first in range(0, len(topics), TOPICS):
            bounds = topics.offsets[first : first + TOPICS + 1]
            block = TextColumn(topics.data[bounds[0] : bounds[-1]], bounds - bounds[0])
            cells = np.stack([part[of_topics, first : first + TOPICS, column] for part in parts])
            rows = _rows(form, block, lead, [measures[number] for number in of_topics], cells)
            if seal is not None:
                seal.add(rows)
            yield rows
        if summaries is None:
            continue
        rows = _rows(form, summary, lead, measures, summaries[:, :, None, column])
        if seal is not None:
            seal.add(rows)
        is_last = column == len(table.systems) - 1
        yield rows.removesuffix(_encoded(form.end)) + _encoded(form.last) if is_last else rows
    if seal is not None:
        yield _encoded(seal.tail())


def _rows(form: RowForm, topics: TextColumn, lead: str, measures: list[bytes], cells: Floats) -> bytes:
    """Rows of some topics of a system; cells [parts, measures, topics], and what stands around each measure's name."""
    flat = np.ascontiguousarray(cells.T).ravel()
    ends = [_encoded(text) for text in (*form.between[4 : 3 + len(cells)], form.end)]
    missing = _encoded(form.missing)
    return score_rows(topics.data, topics.offsets, flat, _encoded(lead), measures, ends, missing)


@kernel
def score_rows(
    data: Bytes, offsets: Ints, cells: Floats, lead: bytes, measures: list[bytes], ends: list[bytes], missing: bytes
) -> bytes:
    """Rows of scores, ``cells`` [topics, measures, numbers of a row]; none is infinite.

    A row is the lead, the topic, the measure, and each number with what ends it.
    """
    rows = []
    scores = cells.reshape(-1, len(measures), len(ends)).tolist()
    for topic, scores_of_topic in zip(encode_ids((data, offsets)), scores, strict=True):
        for measure, numbers in zip(measures, scores_of_topic, strict=True):
            texts = (missing if math.isnan(number) else decimal(number).encode() for number in numbers)
            rows.append(lead + topic + measure + b"".join(text + end for text, end in zip(texts, ends, strict=True)))
    return b"".join(rows)


def _encoded(text: str) -> bytes:
    """Encode text as UTF-8; bytes of ids that were not UTF-8 come out as they came in."""
    return text.encode("utf-8", "surrogateescape")
