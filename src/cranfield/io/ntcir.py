"""The lines of NTCIREVAL's files, and files of intent probabilities, its Iprob and DINprob among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cranfield._text import counted, cut, shown
from cranfield._typing import PathLike
from cranfield._validation import is_decimal
from cranfield.collection.intent_weights import IntentWeights
from cranfield.errors import FormatError, InputError, Located
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Location
from cranfield.io.source import as_text, read_whole
from cranfield.io.system_names import stem

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts

WEIGHTS_LINE = "topic intent probability, and perhaps inf or nav"


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
    data, digest = read_whole(source, "qrels")
    for location, fields in read_fields(data, Location(source), facts, lambda fields: is_decimal(fields[2])):
        if len(fields) not in (3, 4):
            raise wrong_fields(location, fields, WEIGHTS_LINE)
        if not is_decimal(fields[2]):
            text = f"the probability '{shown(fields[2])}' is not a number such as 0.25"
            raise FormatError(text, location, code="probability", value=cut(fields[2]))
        rows.append((fields[0], fields[1], float(fields[2]), fields[3] if len(fields) == 4 else None, location))
    if not rows:
        raise InputError(f"the file holds no rows, expected {WEIGHTS_LINE}", Location(source), code="empty")
    warn_of(facts, Location(source))
    return IntentWeights.from_rows(rows, stem(source), source, digest)


def wrong_fields(location: Location, fields: list[str], expected: str) -> FormatError:
    """The error about a line with another number of fields."""
    line = " ".join(fields)
    text = f"{counted(len(fields), 'field')}, expected {expected}: '{shown(line)}'"
    return FormatError(text, location, code="fields", value=cut(line))


def read_fields(
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
