"""Lines on standard error, and streams that cannot be written to any more."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def complain(text: str) -> None:
    """Print a line on standard error; where that is closed or full, there is nobody to tell."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Let what is left in a stream's buffer go nowhere, so that the interpreter does not stumble over it at its end."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
