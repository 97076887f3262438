"""From bytes to lines of checked fields."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.decimals import is_decimal_bytes
from cranfield.errors import EngineError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.unpacking import refuse_wide

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
    fields = _fields_of(line.rstrip(b" \t\r"))
    is_row = line.startswith(b"#") and len(fields) == wanted and len(fields[0]) > 1
    if is_row and is_decimal_bytes(fields[4 if wanted == 6 else -1]):
        notice(facts, "commented-rows", line=number, value=cut_for_message(fields[0]))


def _fields_of(line: bytes) -> list[bytes]:
    return [field for field in line.replace(b"\t", b" ").split(b" ") if field]


def split_fields(number: int, line: bytes, wanted: int) -> list[bytes]:
    """The fields of a line, ``wanted`` of them.

    Raises:
        EngineError: the line holds a NUL byte, is no UTF-8, or has another number of fields.
    """
    if b"\0" in line:
        raise EngineError("nul", number)
    try:
        line.decode()
    except UnicodeDecodeError:
        raise EngineError("utf8", number) from None
    fields = _fields_of(line)
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
