"""NTCIREVAL's judgments, whose labels are L0 to L9."""

from __future__ import annotations

import re

from cranfield._text import cut, shown
from cranfield.collection.qrels import Qrels
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._rows import JudgmentColumns, group_lines
from cranfield.io.ntcir import read_fields, wrong_fields

LEVEL = r"L[0-9]"
LINE = "topic intent document L0 to L9, or topic document L0 to L9"


def _is_here(file: File) -> bool:
    """Return whether the first label is one of L0 to L9, which are nothing but NTCIREVAL's."""
    if file.kind != "qrels":
        return False
    try:
        _, fields = next(read_fields(file.text, Location(), {}), (None, [""]))
    except InputError:
        return False
    return _has_level(fields)


def _has_level(fields: list[str]) -> bool:
    return re.fullmatch(LEVEL, fields[-1]) is not None


def _qrels(file: File) -> Loaded:
    """Judgments ``topic intent document L2`` or ``topic document L2``.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: there is no line.
    """
    columns: JudgmentColumns = ([], [], [], [], [])
    facts: Facts = {}
    for location, raw in read_fields(file.text, file.location, facts, _has_level):
        fields = raw if len(raw) != 3 else [raw[0], "0", *raw[1:]]
        if len(fields) != 4:
            raise wrong_fields(location, raw, LINE)
        if not _has_level(fields):
            text = f"the label '{shown(fields[3])}' is none of L0 to L9"
            raise FormatError(text, location, code="label", value=cut(fields[3]))
        for column, field in zip(columns[:3], fields[:3], strict=True):
            column.append(field.encode())
        columns[3].append(float(fields[3][1:]))
        columns[4].append(location.line or 0)
    read = group_lines(file, columns, facts, LINE)
    return Qrels.from_columns(read, name=file.name, path=file.location.path, sha256=file.sha256), facts


FORMAT = Format(
    holds="NTCIREVAL's judgments: `topic intent document L2`, with labels L0 to L9. Runs are TREC's",
    recognized_by="the first label is one of L0 to L9",
    example="evaluate ntcir.qrels mine.run",
    is_here=_is_here,
    qrels=_qrels,
    layout={"run": "trec"},
)
