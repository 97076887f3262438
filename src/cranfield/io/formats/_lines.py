"""Lines of text files: with separators and a header, or an object of JSON on each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield._text import cut, quoted
from cranfield.errors import FormatError
from cranfield.io.formats._format import File
from cranfield.io.formats._nested import text_of
from cranfield.io.strict_json import parse_json


def objects_of(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of each line that holds anything, with the number of the line.

    Raises:
        InputError: a line is not an object of JSON.
    """
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if not line.strip():
            continue
        value = parse_json(file.location, line, line=number)
        if not isinstance(value, dict):
            text = f"{quoted(line.strip())} is no object of JSON"
            raise FormatError(text, file.location.at(number), code="layout", value=cut(line))
        yield number, value
