"""Text files of scores, whose format is recognised by content: a matrix, or rows in tsv, csv or json."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from cranfield import escaping
from cranfield.errors import FormatError, InputError
from cranfield.findings.place import Place
from cranfield.scores.matrix_text import read_matrix
from cranfield.scores.rows import is_header, read_json, read_table
from cranfield.scores.table import ScoreTable


def table_in(file: Place, measure: str, text: str) -> ScoreTable:
    """What a text holds.

    Args:
        file: that it is read from.
        measure: what the scores of a matrix are called.
        text: the whole of it.

    Raises:
        FormatError: a line is not in its format.
        InputError: there is no score.
    """
    if text.lstrip()[:1] == "{":
        return read_json(file, text)
    is_csv = _separator(text) == ","
    lines = _csv_lines(file, text) if is_csv else _tsv_lines(text)
    header = next(lines, None)
    if header is None:
        raise InputError("the file is empty; expected a header and scores", file, code="empty")
    if is_header(header[1]):
        guarded = [number for number, column in enumerate(header[1]) if column in ("system", "run", "topic") and is_csv]
        plain = (
            (line, [escaping.unguarded(text) if number in guarded else text for number, text in enumerate(fields)])
            for line, fields in lines
        )
        return read_table(file, header[1], plain)
    return read_matrix(file, measure, header[1], lines, is_csv=is_csv)


def _separator(text: str) -> str:
    """Comma or tab: which comes first in the first line that holds anything, quoted names apart."""
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = re.search(r"[,\t]", re.sub(r'"[^"]*"', "", first))
    return separator[0] if separator else ","


def _tsv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.strip():
            yield number, line.split("\t")


def _csv_lines(file: Place, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
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
