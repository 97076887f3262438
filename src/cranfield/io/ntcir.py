"""NTCIREVAL's judgments (labels L0 to L9), and files of intent probabilities, its Iprob and DINprob among them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cranfield._text import counted, cut, shown
from cranfield._validation import is_decimal
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.qrels import Qrels, group
from cranfield.errors import EngineError, FormatError, InputError, Located
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Location
from cranfield.io.error_messages import refusal
from cranfield.io.source import PathLike, as_text, read_whole
from cranfield.io.system_names import stem

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts

LEVEL = r"L[0-9]"
WEIGHTS_LINE = "topic intent probability, and perhaps inf or nav"
QRELS_LINE = "topic intent document L0 to L9, or topic document L0 to L9"


def read_intent_weights(path: PathLike) -> IntentWeights:
    """Read P(i|q) from a file: lines ``topic intent probability``, and perhaps ``inf`` or ``nav``; compressed or not.

    NTCIREVAL's Iprob and DINprob files are such files. Fields are separated by blanks, or by semicolons.

    Raises:
        FormatError: a line is not in its format, a probability is negative, or an intent occurs twice.
        InputError: the file is not there, empty, damaged or not text.
    """
    source = as_text(path)
    rows: list[tuple[Any, Any, Any, Any, Located | str]] = []
    facts: Facts = {}
    digest, lines = _rows(source, facts)
    for location, fields in lines:
        if len(fields) not in (3, 4):
            raise _wrong_fields(location, fields, WEIGHTS_LINE)
        if not is_decimal(fields[2]):
            text = f"the probability '{shown(fields[2])}' is not a number such as 0.25"
            raise FormatError(text, location, code="probability", value=cut(fields[2]))
        rows.append((fields[0], fields[1], float(fields[2]), fields[3] if len(fields) == 4 else None, location))
    if not rows:
        raise InputError(f"the file holds no rows, expected {WEIGHTS_LINE}", Location(source), code="empty")
    warn_of(facts, Location(source))
    return IntentWeights.from_rows(rows, stem(source), source, digest)


def has_levels(text: bytes) -> bool:
    """Whether the first label of a text is one of L0 to L9, which are nothing but NTCIREVAL's."""
    try:
        return any(re.fullmatch(LEVEL, fields[-1]) for _, fields in itertools.islice(_fields(text, Location(), {}), 1))
    except InputError:
        return False


def load_ntcir_qrels(file: Location, name: str, text: bytes, sha256: str) -> tuple[Qrels, Facts]:
    """Judgments ``topic intent document L2`` or ``topic document L2``, and what was noticed while reading.

    Args:
        file: that is read.
        name: of the judgments.
        text: of the file, unpacked.
        sha256: of the file as it was read.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: there is no line.
    """
    columns: tuple[list[bytes], list[bytes], list[bytes], list[float], list[int]] = ([], [], [], [], [])
    facts: Facts = {}
    for location, raw in _fields(text, file, facts, lambda fields: bool(re.fullmatch(LEVEL, fields[-1]))):
        fields = raw if len(raw) != 3 else [raw[0], "0", *raw[1:]]
        if len(fields) != 4:
            raise _wrong_fields(location, raw, QRELS_LINE)
        if not re.fullmatch(LEVEL, fields[3]):
            text_ = f"the label '{shown(fields[3])}' is none of L0 to L9"
            raise FormatError(text_, location, code="label", value=cut(fields[3]))
        for column, field in zip(columns[:3], fields[:3], strict=True):
            column.append(field.encode())
        columns[3].append(float(fields[3][1:]))
        columns[4].append(location.line or 0)
    if not columns[0]:
        raise InputError(f"the file holds no rows, expected {QRELS_LINE}", file, code="empty")
    try:
        read_columns = group(*columns, facts)
    except EngineError as error:
        raise refusal(error, file, "qrels", "trec") from None
    return Qrels.from_columns(read_columns, name=name, path=file.path, sha256=sha256), facts


def _wrong_fields(location: Location, fields: list[str], expected: str) -> FormatError:
    line = " ".join(fields)
    text = f"{counted(len(fields), 'field')}, expected {expected}: '{shown(line)}'"
    return FormatError(text, location, code="fields", value=cut(line))


def _rows(path: str, facts: Facts) -> tuple[str, Iterator[tuple[Location, list[str]]]]:
    """The SHA-256 of a file, and (location, fields) of every line that holds data."""
    data, digest = read_whole(path, "qrels")
    return digest, _fields(data, Location(path), facts, lambda fields: is_decimal(fields[2]))


def _fields(
    data: bytes, file: Location, facts: Facts, is_row: Callable[[list[str]], bool] = lambda fields: False
) -> Iterator[tuple[Location, list[str]]]:
    """The location and fields of each line of data; comments of three or four fields that are rows are noted."""
    separator = None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        location = file.at(number)
        try:
            line = raw.decode().strip(" \t\r")
        except UnicodeDecodeError:
            raise FormatError("the line is not valid UTF-8", location, code="utf8") from None
        if not line or line.startswith("#"):
            fields = line.split()
            if len(fields) in (3, 4) and len(fields[0]) > 1 and is_row(fields):
                notice(facts, "commented-rows", line=number, value=cut(fields[0]))
            continue
        if "\0" in line:
            raise FormatError("the line holds a NUL byte; is this a text file?", location, code="nul")
        if separator is None:
            separator = ";" if ";" in line and len(re.split(r"[ \t]+", line)) == 1 else r"[ \t]+"
        yield location, re.split(separator, line)
