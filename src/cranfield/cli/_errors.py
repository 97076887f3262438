"""Lines on standard error, and streams that cannot be written to any more.

What nobody foresaw, in one line: what the system refuses, and faults of the program with how to report them.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from cranfield._sanitize import printable, remove_credentials
from cranfield._text import in_full, shown
from cranfield.errors import TRACEBACK, print_traceback
from cranfield.results.table_text import columns_of_errors, wrapped


def complain(text: str) -> None:
    """Print a line on standard error, as wide as a terminal; where that is closed or full, there is nobody to tell."""
    if sys.stderr is None:
        return
    text = printable(remove_credentials(text), keep="\n\t")
    try:
        print(wrapped(text, columns_of_errors()), file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Let what is left in a stream's buffer go nowhere, so that the interpreter does not stumble over it at its end."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


NO_ROOM = ("failed to map segment", "cannot allocate memory")
"""What the system says of a library that it has no memory for."""


def of_system(error: OSError) -> str:
    """What the system refused: of a file that the error names, else of standard output."""
    print_traceback(error)
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{in_full(os.fsdecode(error.filename))}: {reason}"
    silence(sys.stdout)
    return f"standard output cannot be written: {reason}"


def unexpected(error: BaseException) -> str:
    """An error that no command words itself: memory that the system refuses, or a fault of the program."""
    traced = print_traceback(error)
    name, text = type(error).__name__, shown(" ".join(str(error).split()), 400)
    said = f"{name}: {text}" if text else name
    unloaded = isinstance(error, ImportError) and any(words in str(error) for words in NO_ROOM)
    if isinstance(error, MemoryError) or unloaded:
        return (
            f"the system refuses the memory that this takes ({said}); give the process more (`ulimit -v` shows its "
            f"limit), or read fewer files at once{'' if traced else f' ({TRACEBACK}=1 shows where)'}"
        )
    where = "the traceback above" if traced else f"what it prints with {TRACEBACK}=1 in the environment"
    return f"{said}; this is a fault of cranfield: please report it with the call, `cranfield --version` and {where}"
