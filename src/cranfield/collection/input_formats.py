"""The names of the formats of files: one for each file of ``cranfield.io.formats``, none of which is imported here."""

from __future__ import annotations

import functools
import pkgutil
from pathlib import Path
from typing import TypeAlias

InputFormat: TypeAlias = str
"""One of ``input_formats()``."""
AUTO: InputFormat = "auto"
"""The format is told by the content of a file."""
_FOLDER = Path(__file__).parents[1] / "io" / "formats"


@functools.cache
def input_formats() -> tuple[InputFormat, ...]:
    """``auto``, TREC's, and the others in the order of their names."""
    files = sorted(entry.name for entry in pkgutil.iter_modules([str(_FOLDER)]) if not entry.name.startswith("_"))
    names = (name.replace("_", "-") for name in files)
    return tuple(dict.fromkeys((AUTO, "trec", *names)))
