"""Lines on standard error, and streams that cannot be written to any more."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from cranfield._sanitize import printable, remove_credentials
from cranfield.results.table_text import columns_of_errors, wrapped


def complain(text: str, *, as_it_is: bool = False) -> None:
    """Print a line on standard error, as wide as a terminal; where that is closed or full, there is nobody to tell.

    Args:
        text: of a line or more.
        as_it_is: whether lines keep their ends, as code does.
    """
    if sys.stderr is None:
        return
    text = printable(remove_credentials(text), keep="\n\t")
    try:
        print(text if as_it_is else wrapped(text, columns_of_errors()), file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Let what is left in a stream's buffer go nowhere, so that the interpreter does not stumble over it at its end."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
