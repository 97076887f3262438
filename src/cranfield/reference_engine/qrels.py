"""Reading judgments."""

from __future__ import annotations

from typing import Any, cast

from cranfield.collection.judgments import group
from cranfield.contract import QrelsColumns, Source
from cranfield.decimals import is_decimal_bytes
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
from cranfield.unpacking import signed_text_of


def read_qrels(source: Source, layout: str, max_unpacked: int) -> QrelsColumns:
    """Read judgments; see ``Engine.read_qrels``."""
    facts: Facts = {"noticed": {}}
    wanted = FIELDS["qrels"][layout]
    header_passed = False
    lines: list[int] = []
    columns: tuple[list[Any], ...] = ([], [], [], [])
    text, digest = signed_text_of(source, max_unpacked)
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
