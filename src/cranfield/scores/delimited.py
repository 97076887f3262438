"""Text files of scores, whose format is recognised by content: a matrix, or rows in tsv, csv or json."""

from __future__ import annotations

from cranfield import escaping
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.delimited import delimited_lines, has_commas
from cranfield.scores.matrix_text import read_matrix
from cranfield.scores.rows import column_of, is_header, read_json, read_table
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
    is_csv, lines = has_commas(text), delimited_lines(file, text)
    header = next(lines, None)
    if header is None:
        raise InputError("the file is empty; expected a header and scores", file, code="empty")
    if is_header(header[1]):
        guarded = [
            number for number, column in enumerate(header[1]) if column_of(column) in ("system", "topic") and is_csv
        ]
        plain = (
            (line, [escaping.unguarded(text) if number in guarded else text for number, text in enumerate(fields)])
            for line, fields in lines
        )
        return read_table(file, header[1], plain)
    return read_matrix(file, measure, header[1], lines, is_csv=is_csv)
