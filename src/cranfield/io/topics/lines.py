"""Topics in lines of fields: ``id text``, or a table whose first line names its columns."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield._text import counted, cut, quoted
from cranfield.errors import FormatError
from cranfield.findings.location import Place
from cranfield.io.delimited_text import delimited_lines
from cranfield.io.topics.fields import IDS, Row, column_of_ids, topic_of


def topics_in_lines(place: Place, text: str) -> Iterator[Row]:
    """The topics of a text with tabs or commas between the fields of a line.

    Raises:
        FormatError: a line has too few fields or too many.
    """
    names: list[str] | None = None
    for number, (line, given) in enumerate(delimited_lines(place, text)):
        fields = [field.strip() for field in given]
        if not number and fields[0].lower() in IDS and len(fields) > 1:
            names = [field.lower() for field in fields]
            continue
        if names is None:
            if len(fields) != 2:
                raise _wrong(place.at(line), fields, "two: id and text, with a tab or a comma between them")
            yield topic_of({"text": fields[1]}, fields[0], line)
        elif len(fields) != len(names):
            raise _wrong(place.at(line), fields, f"{len(names)}: {', '.join(names)}")
        else:
            held = dict(zip(names, fields, strict=True))
            yield topic_of(held, held.pop(column_of_ids(names, place)), line)


def _wrong(place: Place, fields: list[str], expected: str) -> FormatError:
    line = " ".join(fields)
    said = f"{counted(len(fields), 'field')}, expected {expected}: {quoted(line)}"
    return FormatError(said, place, code="fields", value=cut(line))
