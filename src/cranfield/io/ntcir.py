"""NTCIREVAL's judgments (labels L0 to L9), and files of intent probabilities, its Iprob and DINprob among them."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator

from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.judgments import group
from cranfield.collection.qrels import Qrels
from cranfield.contract import Facts
from cranfield.decimals import is_decimal
from cranfield.errors import EngineError, FormatError, InputError
from cranfield.io.names import stem
from cranfield.io.source import Kind, as_text, display_name, max_unpacked, read
from cranfield.wording import counted, in_full, shown

PathLike = str | os.PathLike[str]

LEVEL = re.compile(r"L[0-9]")
WEIGHTS_LINE = "topic intent probability, and perhaps inf or nav"
QRELS_LINE = "topic intent document L0 to L9, or topic document L0 to L9"


def read_intent_weights(path: PathLike) -> IntentWeights:
    """Read P(i|q) from a file: lines ``topic intent probability``, and perhaps ``inf`` or ``nav``; compressed or not.

    NTCIREVAL's Iprob and DINprob files are such files. Fields are separated by blanks, or by semicolons.

    Raises:
        FormatError: a line is not in its format, a probability is negative, or an intent stands twice.
        InputError: the file is not there, empty, damaged or not text.
    """
    source = as_text(path)
    rows: list[tuple[str, str, float, str | None, str]] = []
    digest, lines = _rows(source, "qrels")
    for where, fields in lines:
        if len(fields) not in (3, 4):
            raise FormatError(
                f"{where}: {counted(len(fields), 'field')}, expected {WEIGHTS_LINE}: '{shown(' '.join(fields))}'"
            )
        if not is_decimal(fields[2]):
            raise FormatError(f"{where}: the probability '{shown(fields[2])}' is not a number such as 0.25")
        rows.append((fields[0], fields[1], float(fields[2]), fields[3] if len(fields) == 4 else None, where))
    if not rows:
        raise InputError(f"{in_full(display_name(source))}: the file holds no rows, expected {WEIGHTS_LINE}")
    try:
        return IntentWeights.from_rows(rows, stem(source), source, digest)
    except InputError as error:
        raise FormatError(str(error)) from None


def has_levels(path: str) -> bool:
    """Whether the first label of a file is one of L0 to L9, which are nothing but NTCIREVAL's."""
    try:
        return any(LEVEL.fullmatch(fields[-1]) for _, fields in itertools.islice(_rows(path, "qrels")[1], 1))
    except InputError:
        return False


def load_ntcir_qrels(path: str) -> tuple[Qrels, Facts]:
    """Judgments ``topic intent document L2`` or ``topic document L2``, and what was noticed while reading.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: the file is not there, empty, damaged or not text.
    """
    name = in_full(display_name(path))
    columns: tuple[list[bytes], list[bytes], list[bytes], list[float], list[int]] = ([], [], [], [], [])
    facts: Facts = {}
    digest, lines = _rows(path, "qrels")
    for where, given in lines:
        fields = given if len(given) != 3 else [given[0], "0", *given[1:]]
        if len(fields) != 4:
            raise FormatError(
                f"{where}: {counted(len(given), 'field')}, expected {QRELS_LINE}: '{shown(' '.join(given))}'"
            )
        if not LEVEL.fullmatch(fields[3]):
            raise FormatError(f"{where}: the label '{shown(fields[3])}' is none of L0 to L9")
        for column, field in zip(columns[:3], fields[:3], strict=True):
            column.append(field.encode())
        columns[3].append(float(fields[3][1:]))
        columns[4].append(int(where.rpartition(":")[2]))
    if not columns[0]:
        raise InputError(f"{name}: the file holds no rows, expected {QRELS_LINE}")
    try:
        read_columns = group(*columns, facts)
    except EngineError as error:
        raise FormatError(
            f"{name}:{error.line}: document '{shown(error.more)}' of topic '{shown(error.value)}' has another label on "
            f"line {error.number}; keep one of them"
        ) from None
    return Qrels.from_columns(read_columns, name=stem(path), path=path, sha256=digest), facts


def _rows(path: str, kind: Kind) -> tuple[str, Iterator[tuple[str, list[str]]]]:
    """The SHA-256 of a file, and (FILE:LINE, fields) of every line that holds data."""
    from cranfield.unpacking import signed_text_of

    data, digest = read(path, kind, "trec", lambda source: signed_text_of(source, max_unpacked()))
    return digest, _fields(data, in_full(display_name(path)))


def _fields(data: bytes, name: str) -> Iterator[tuple[str, list[str]]]:
    separator = None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        where = f"{name}:{number}"
        try:
            line = raw.decode().strip(" \t\r")
        except UnicodeDecodeError:
            raise FormatError(f"{where}: the line is not valid UTF-8") from None
        if not line or line.startswith("#"):
            continue
        if "\0" in line:
            raise FormatError(f"{where}: the line holds a NUL byte; is this a text file?")
        if separator is None:
            separator = ";" if ";" in line and len(re.split(r"[ \t]+", line)) == 1 else r"[ \t]+"
        yield where, re.split(separator, line)
