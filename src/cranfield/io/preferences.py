"""Preference judgments in text files: a line ``topic better worse`` for each pair of documents."""

from __future__ import annotations

from cranfield._text import cut, quoted, warn
from cranfield._typing import PathLike
from cranfield.collection.preferences import Preferences
from cranfield.errors import FormatError, InputError
from cranfield.findings.finding import finding
from cranfield.findings.location import Location
from cranfield.io.delimited import split_at_blanks
from cranfield.io.source import as_text, read_numbered
from cranfield.io.system_names import stem


def read_preferences(path: PathLike) -> Preferences:
    """Read preference judgments: ``topic better worse`` on a line, separated by blanks; compressed or not.

    Blank lines and lines that begin with ``#`` are skipped; a comment with three fields is warned of, because a topic
    may begin with ``#``. ``"-"`` is standard input. A pair that occurs twice is counted once, with a warning.

    Raises:
        FormatError: a line has not three fields.
        InputError: the file cannot be read, or two lines contradict each other.
    """
    source = as_text(path)
    file = Location(source)
    lines, rows = [], []
    for number, line in read_numbered(source, lambda comment: len(split_at_blanks(comment)) == 3):
        fields = split_at_blanks(line)
        if len(fields) != 3:
            text = f"{quoted(line)} is not three fields: topic better worse"
            raise FormatError(text, file.at(number), code="fields", value=cut(line))
        lines.append(file.at(number))
        rows.append(fields)
    if not rows:
        raise InputError("holds no preferences", file, code="empty")
    preferences = Preferences.of(rows, name=file.file, lines=lines)
    if preferences.repeated:
        warn(str(finding("preferred-twice", file, count=preferences.repeated)))
    return Preferences(preferences.pairs, name=stem(source), repeated=preferences.repeated)
