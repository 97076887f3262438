"""Tables as text with commas or tabs: a header with names of columns, then a row for each document."""

from __future__ import annotations

from cranfield._text import counted, cut
from cranfield.errors import FormatError
from cranfield.io.delimited import delimited_lines
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_text
from cranfield.io.formats._rows import load_rows
from cranfield.io.formats._tables import has_columns, read_table_rows


def read_delimited(file: File) -> Loaded:
    """The run or the judgments that a table holds, whose columns may be named by ``columns``."""
    rows = delimited_lines(file.location, read_text(file))
    line, names = next(rows, (0, []))
    names = [name.strip() for name in names]
    columns: list[list[str]] = [[] for _ in names]
    lines: list[int] = []
    for number, fields in rows:
        if len(fields) != len(names):
            text = f"{counted(len(fields), 'field')}, expected {len(names)} ({' '.join(names)})"
            raise FormatError(text, file.location.at(number), code="fields", value=cut(" ".join(fields)))
        lines.append(number)
        for column, field in zip(columns, fields, strict=True):
            column.append(field.strip())
    header = file.location.at(line) if line else file.location
    return load_rows(file, read_table_rows(file, names, lambda name: columns[names.index(name)], header, lines))


def _is_here(file: File) -> bool:
    try:
        _, names = next(delimited_lines(file.location, file.first_line.decode()), (0, []))
    except (UnicodeDecodeError, FormatError):
        return False
    if file.kind == "qrels" and [name.strip().lower() for name in names] == ["query", "docid", "rating"]:
        return False  # Quepid's, with documents that are not rated
    return has_columns(file, [name.strip() for name in names])


FORMAT = Format(
    holds="text with commas or tabs under a header with the names of columns, as data frames write it",
    recognized_by="the first line names a column of topics and one of documents",
    example="evaluate frame-qrels.csv frame-run.csv",
    is_here=_is_here,
    run=read_delimited,
    qrels=read_delimited,
)
