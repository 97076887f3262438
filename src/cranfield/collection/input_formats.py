"""The names of the formats of files, without NumPy: the help of commands lists them."""

from __future__ import annotations

import functools
import os
from typing import TypeAlias

InputFormat: TypeAlias = str
"""One of ``input_formats()``."""
AUTO: InputFormat = "auto"
"""The format is detected from the content of a file."""
_FOLDER = os.path.join(os.path.dirname(__file__), "..", "io", "formats")  # noqa: PTH118, PTH120  (help waits for no more)


@functools.cache
def input_formats() -> tuple[InputFormat, ...]:
    """``auto``, TREC's, and the others in the order of their names: a format is a file of ``cranfield.io.formats``.

    None of these files is imported for that.
    """
    files = sorted(os.listdir(_FOLDER))  # noqa: PTH208
    names = [file.removesuffix(".py").replace("_", "-") for file in files if file.endswith(".py") and file[0] != "_"]
    return tuple(dict.fromkeys((AUTO, "trec", *names)))
