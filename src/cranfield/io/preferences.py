"""Preference judgments in text files: a line ``topic better worse`` for each pair of documents."""

from __future__ import annotations

from cranfield.collection.preferences import Preferences
from cranfield.errors import FormatError
from cranfield.io.names import stem
from cranfield.io.source import as_text, display_name, read_numbered
from cranfield.io.trec import PathLike
from cranfield.wording import Remark, in_full, quoted, warn


def read_preferences(path: PathLike) -> Preferences:
    """Read preference judgments: ``topic better worse`` on a line, separated by blanks; compressed or not.

    Blank lines and lines that begin with ``#`` are skipped. ``"-"`` is standard input. A pair that stands twice is
    counted once, with a warning.

    Raises:
        FormatError: a line has not three fields.
        InputError: the file cannot be read, or two lines contradict each other.
    """
    source = as_text(path)
    where = in_full(display_name(source))
    lines, rows = [], []
    for number, line in read_numbered(source):
        fields = [field for field in line.replace("\t", " ").split(" ") if field]
        if len(fields) != 3:
            raise FormatError(f"{where}:{number}: {quoted(line)} is not three fields: topic better worse")
        lines.append(number)
        rows.append(fields)
    found = Preferences.of(rows, name=where, lines=lines)
    if found.repeated:
        lines_of = "1 line" if found.repeated == 1 else f"{found.repeated:,} lines"
        warn(str(Remark(where, f"{lines_of} of preferences that stand above already, ignored")))
    return Preferences(found.pairs, name=stem(source), repeated=found.repeated)
