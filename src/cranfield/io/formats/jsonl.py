"""Rows of a table as objects of JSON, one a line: data sets of BEIR and HuggingFace, frames saved as JSON lines."""

from __future__ import annotations

from typing import Any

from cranfield._text import cut, quoted
from cranfield.errors import FormatError, InputError
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_objects
from cranfield.io.formats._rows import load_rows
from cranfield.io.formats._tables import has_columns, read_table_rows


def _read(file: File) -> Loaded:
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for line, row in read_objects(file):
        if not lines:
            columns = {name: [] for name in row}
        if row.keys() != columns.keys():
            odd = next(iter(row.keys() ^ columns.keys()))
            text = f"the key {quoted(odd)} is not in every line; the first has {', '.join(map(quoted, columns))}"
            raise FormatError(text, file.location.at(line), code="fields", value=cut(odd))
        lines.append(line)
        for name, value in row.items():
            columns[name].append(value)
    header = file.location.at(lines[0]) if lines else file.location
    return load_rows(file, read_table_rows(file, list(columns), columns.__getitem__, header, lines))


def refuse_nested_lines(file: File) -> None:
    """Refuse objects of JSON, one a line, with objects or lists as values, which no format of lines has.

    Raises:
        InputError: the file holds them.
    """
    row = file.first_object
    nested = [name for name, value in row.items() if isinstance(value, (dict, list))]
    if nested and (has_columns(file, list(row)) or file.has_more_objects):
        text = (
            f"holds objects of JSON, one a line, and {quoted(nested[0])} is neither text nor a number: give a row for "
            f"each document, or one object, topic -> document -> {file.number}"
        )
        raise InputError(text, file.location, code="layout", value=cut(nested[0]))


def _is_here(file: File) -> bool:
    row = file.first_object
    return has_columns(file, list(row)) and not any(isinstance(value, (dict, list)) for value in row.values())


FORMAT = Format(
    holds='objects of JSON, one a line, with the names of columns: `{"query-id": "q1", "corpus-id": "d1", "score": 1}`',
    recognized_by="the first line is an object with a column of topics and one of documents",
    example="evaluate rows-qrels.jsonl rows-run.jsonl",
    is_here=_is_here,
    run=_read,
    qrels=_read,
)
