"""A matrix of scores in text: topics in rows, systems in columns, one measure a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from cranfield import escaping
from cranfield._text import counted, cut, quoted
from cranfield._typing import Floats
from cranfield._validation import is_decimal
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.delimited import explain_semicolons
from cranfield.scores.labels import labels, named
from cranfield.scores.layout import TOPIC_COLUMN, has_systems_in_rows, refuse_topic_numbers, transpose
from cranfield.scores.rows import HEADER, MISSING, decimal, number
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable


def as_matrix(table: ScoreTable) -> str:
    """CSV with a first column ``topic``.

    Raises:
        UsageError: several measures.
    """
    refuse_several(table.names)
    return matrix_header(table.systems) + matrix_lines(table.topics, table.values[0])


def refuse_several(measures: Sequence[str]) -> None:
    """Raises: UsageError: several measures."""
    if len(measures) != 1:
        raise UsageError(f"a matrix holds one measure, not {len(measures)} ({', '.join(measures)})")


def matrix_header(systems: Sequence[str]) -> str:
    """The first line."""
    return ",".join(["topic", *map(escaping.csv, systems)]) + "\n"


def matrix_lines(topics: Sequence[str], values: Floats) -> str:
    """The lines of some topics, [topics, systems]."""
    return "".join(
        ",".join([escaping.csv(topic), *map(decimal, row)]) + "\n"
        for topic, row in zip(topics, values.tolist(), strict=True)
    )


def read_matrix(
    file: Location, measure: str, header: Sequence[str], lines: Iterable[tuple[int, Sequence[str]]], *, is_csv: bool
) -> ScoreTable:
    """A matrix, after its header.

    Its first column holds topics where it is headed by one of ``TOPIC_COLUMN``, or by nothing because the header is
    one field shorter than the rows; without such a column, topics are called 1, 2, ... A first column that holds
    systems, such as ``model``, transposes the table: systems are in rows, and topics in columns.

    Args:
        file: that it is read from.
        measure: what its scores are called.
        header: its fields.
        lines: line number and fields of every row.
        is_csv: names may be guarded from spreadsheets.

    Raises:
        FormatError: a row or the header is not in its format, or a name occurs twice.
        InputError: there is no row.
    """
    rows = list(lines)
    if not rows:
        text = "the file holds no scores; expected a header and a row for each topic"
        raise InputError(text, file, code="empty")
    headless = len(rows[0][1]) == len(header) + 1
    if not headless and has_systems_in_rows(header[0], [fields[0] for _, fields in rows if fields]):
        by_topic = read_matrix(file, measure, ["topic", *header[1:]], rows, is_csv=is_csv)
        return transpose(by_topic, header[0], file)
    with_topics = headless or header[0].strip().lower() in TOPIC_COLUMN
    systems = list(header) if headless or not with_topics else list(header[1:])
    if is_csv:
        systems = [escaping.unguarded(system) for system in systems]
    _check_systems(file.at(1), systems, with_topics)
    topics: dict[str, int] = {}
    values = np.empty((len(rows), len(systems)))
    for row, (line, fields) in enumerate(rows):
        where = file.at(line)
        if len(fields) != len(systems) + with_topics:
            expected = f"{len(systems) + with_topics} ({'a topic and ' if with_topics else ''}{len(systems)} systems)"
            text = f"{counted(len(fields), 'field')}, expected {expected}{_glued(fields) or explain_semicolons(header)}"
            raise FormatError(text, where, code="fields")
        topic = (escaping.unguarded(fields[0]) if is_csv else fields[0]) if with_topics else str(row + 1)
        if named(topic, "topic", where) in topics:
            raise FormatError(f"topic {quoted(topic)} occurs twice", where, code="duplicate", value=cut(topic))
        topics[topic] = row
        try:
            values[row] = [number(text, where) for text in fields[with_topics:]]
        except FormatError as error:
            text = error.text + _hint(header, fields, with_topics)
            raise FormatError(text, where, code=error.code, value=error.value) from None
    refuse_topic_numbers(systems, values, file.at(1), first=not with_topics)
    return ScoreTable(tuple(topics), tuple(systems), (Scale.called(measure),), values[None])


def _check_systems(where: Location, systems: Sequence[str], with_topics: bool) -> None:
    if not systems:
        raise FormatError("the header names no system", where, code="fields")
    if not with_topics and all(is_decimal(text) and "." in text for text in systems):
        text = f"the first line should name the systems, and {quoted(systems[0])} is a number"
        raise FormatError(text, where, code="fields", value=cut(systems[0]))
    for system in systems:
        named(system, "system", where)
    labels(systems, "system", where)


def _glued(fields: Sequence[str]) -> str:
    """Suggest a remedy for a line without separators; empty where none is known."""
    if remedy := explain_semicolons(fields):
        return remedy
    if len(fields) == 1 and len(fields[0].split()) in (4, 6):
        return "; is this a run or a qrels file? Give those as QRELS RUN..."
    return ""


def _hint(header: Sequence[str], fields: Sequence[str], with_topics: bool) -> str:
    if len(header) == 1 and _glued(fields):
        return _glued(fields)
    if len(set(HEADER) & set(header)) > 1:
        return f"; rows of single scores have the header {' '.join(HEADER)}"
    first_is_text = not re.fullmatch(r"[+-]?[\d.]+([eE][+-]?\d+)?", fields[0].strip()) and fields[0] not in MISSING
    if not first_is_text or with_topics:
        return ""
    return "; if the first column holds topics, call it 'topic', and if it holds systems, 'system'"
