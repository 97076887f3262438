"""Formats of runs and judgments: one file each, which declares itself as ``FORMAT``.

The name of a format is that of its file. To add a format, add a file: the option ``--input-format``, Python, ``check``,
detection by content and the table of the documentation list the files that are there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cranfield.collection.input_formats import AUTO, InputFormat, input_formats

if TYPE_CHECKING:
    from cranfield.io.formats._format import Format


def format_called(name: InputFormat) -> Format:
    """The declaration of a format."""
    declared: Format = import_module(f"{__name__}.{name.replace('-', '_')}").FORMAT
    return declared


def all_formats() -> dict[InputFormat, Format]:
    """Every format by its name."""
    return {name: format_called(name) for name in input_formats() if name != AUTO}
