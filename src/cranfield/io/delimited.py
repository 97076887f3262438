"""Lines of fields with commas or tabs between them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from cranfield.errors import FormatError
from cranfield.findings.location import Location

BLANKS = " \t\r\n"
"""Characters stripped around names: those between the fields of a run. Other blanks of Unicode belong to names."""


def split_at_blanks(line: str, times: int = 0) -> list[str]:
    """The fields of a line with blanks between, as a run has them, split at most that many times; 0 for all."""
    bare = line.strip(BLANKS)
    return re.split(f"[{BLANKS}]+", bare, maxsplit=times) if bare else []


def has_commas(text: str) -> bool:
    """Tell if a text has commas, not tabs: which comes first in the first line that holds anything, quotes apart."""
    return _first_separator(text, ",\t") in ("", ",")


def _first_separator(text: str, marks: str) -> str:
    """Find the first of the marks in the first line that holds anything, quotes apart; empty for none."""
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = re.search(f"[{marks}]", re.sub(r'"[^"]*"', "", first))
    return "" if separator is None else separator[0]


def explain_semicolons(fields: Sequence[str]) -> str:
    """Explain what to do with semicolons between columns, as spreadsheets write them in many countries; else empty."""
    if len(fields) == 1 and ";" in fields[0]:
        return "; separate columns with commas, not semicolons, and write numbers with a point, as 0.25"
    return ""


def delimited_lines(file: Location, text: str, *, semicolons: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that holds anything, with its number.

    Args:
        file: for messages.
        text: of it.
        semicolons: whether they separate fields where they come first in the first line.

    Raises:
        FormatError: a line is not CSV.
    """
    if semicolons and (first := _first_separator(text, ";,\t")) == ";":
        return _csv_lines(file, text, first)
    return _csv_lines(file, text) if has_commas(text) else _tsv_lines(text)


def _tsv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(io.StringIO(text.replace("\r\n", "\n"), newline="\n"), 1):
        if line.strip():
            yield number, line.removesuffix("\n").split("\t")


def _csv_lines(file: Location, text: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise FormatError(f"is not CSV: {error}", file.at(line), code="csv") from None
        if fields is None:
            return
        if fields and any(text.strip() for text in fields):
            yield line, fields
        line = reader.line_num + 1
