"""Tables as text with commas or tabs: a header with names of columns, then a row for each document."""

from __future__ import annotations

from cranfield._text import counted, cut
from cranfield.collection.column_names import NAMES, find
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError, InputError
from cranfield.findings.finding import notice, notice_all
from cranfield.io.delimited import delimited_lines
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import note_empty, read_text
from cranfield.io.formats._rows import load_rows
from cranfield.io.formats._tables import has_columns, read_table_rows, usable_columns

ROLES = ("topic", "document", "label")
CsvLine = tuple[int, list[str]]
"""The fields of a row and the number of its line."""


def read_delimited(file: File) -> Loaded:
    """The run or the judgments that a table holds, whose columns may be named by ``columns``.

    Judgments in whose rows the label is left blank are not judged, which is noted.
    """
    table = delimited_lines(file.location, read_text(file))
    line, names = next(table, (0, []))
    names = [name.strip() for name in names]
    rows: list[CsvLine] = []
    for number, fields in table:
        if len(fields) != len(names):
            text = f"{counted(len(fields), 'field')}, expected {len(names)} ({' '.join(names)})"
            raise FormatError(text, file.location.at(number), code="fields", value=cut(" ".join(fields)))
        rows.append((number, [field.strip() for field in fields]))
    header = file.location.at(line) if line else file.location
    rated, facts = _leave_out_unrated(file, names, rows)
    columns = {name: [fields[at] for _, fields in rated] for at, name in enumerate(names)}
    read = read_table_rows(file, names, columns.__getitem__, header, [number for number, _ in rated])
    notice_all(read.facts, facts)
    return load_rows(file, read)


def _leave_out_unrated(file: File, names: list[str], rows: list[CsvLine]) -> tuple[list[CsvLine], Facts]:
    """The rows that have a label, and what is noted about the others.

    Raises:
        InputError: no row has a label.
    """
    facts: Facts = {"noticed": {}}
    places = _places(file, names) if file.kind == "qrels" else None
    if places is None:
        return rows, facts
    topic, document, label = places
    rated = [row for row in rows if row[1][label]]
    if len(rated) == len(rows):
        return rows, facts
    if not rated:
        raise InputError("no row has a rating: rate some documents", file.location, code="empty")
    unrated = [fields for _, fields in rows if not fields[label]]
    if count := sum(bool(fields[document]) for fields in unrated):
        notice(facts, "unrated", count)
    judged = {fields[topic] for _, fields in rated}
    for name in dict.fromkeys(fields[topic] for fields in unrated):
        if name not in judged:
            note_empty(facts, name)
    return rated, facts


def _places(file: File, names: list[str]) -> list[int] | None:
    """Find the columns of topics, documents and labels; return None if one is ambiguous or labels are missing."""
    usable = usable_columns(file, names)
    try:
        found = [find(usable, role, file.columns) for role in ROLES]
    except InputError:
        return None  # refused by what reads the rows
    return None if None in found else [names.index(str(name)) for name in found]


def is_quepid_table(file: File, names: list[str]) -> bool:
    """Return whether these are judgments under Quepid's names, of which ``rating`` is otherwise a score."""
    found = {name.lower() for name in names}
    return file.kind == "qrels" and found >= {"query", "docid", "rating"} and not found & {*NAMES["label"]} - {"score"}


def _is_here(file: File) -> bool:
    try:
        _, names = next(delimited_lines(file.location, file.first_line.decode()), (0, []))
    except (UnicodeDecodeError, FormatError):
        return False
    names = [name.strip() for name in names]
    return has_columns(file, names) and not is_quepid_table(file, names)


FORMAT = Format(
    holds="text with commas or tabs under a header with the names of columns, as data frames write it",
    recognized_by="the first line names a column of topics and one of documents",
    example="evaluate frame-qrels.csv frame-run.csv",
    is_here=_is_here,
    run=read_delimited,
    qrels=read_delimited,
)
