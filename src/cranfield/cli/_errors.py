"""Lines on standard error, among them those for unforeseen errors: what the system refuses, and faults of ours."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from cranfield._message import printable, remove_credentials
from cranfield._text import in_full, shown
from cranfield.errors import TRACEBACK, print_traceback
from cranfield.memory import SHOW_LIMIT
from cranfield.results.table_text import measure_error_columns, wrapped


def print_to_stderr(text: str) -> None:
    """Print to standard error, wrapped to the terminal; do nothing where it is closed or full."""
    if sys.stderr is None:
        return
    text = printable(remove_credentials(text), keep="\n\t")
    try:
        print(wrapped(text, measure_error_columns()), file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Redirect a stream to the null device, so that the interpreter does not fail to flush it at exit."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


NO_ROOM = ("failed to map segment", "cannot allocate memory")
"""Parts of the messages with which the system refuses to load a library for lack of memory."""


def describe_os_error(error: OSError) -> str:
    """Describe what the system refused: the file that the error names, or else standard output."""
    print_traceback(error)
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{in_full(os.fsdecode(error.filename))}: {reason}"
    silence(sys.stdout)
    return f"standard output cannot be written: {reason}"


def describe_fault(error: BaseException) -> str:
    """Describe an error that no command foresaw: memory that the system refuses, or a fault of the program."""
    traced = print_traceback(error)
    name, text = type(error).__name__, shown(" ".join(str(error).split()), 400)
    summary = f"{name}: {text}" if text else name
    unloaded = isinstance(error, ImportError) and any(phrase in str(error) for phrase in NO_ROOM)
    if isinstance(error, MemoryError) or unloaded:
        return (
            f"the system refuses the memory that this needs ({summary}); give the process more{SHOW_LIMIT}, "
            f"or read fewer files at once{'' if traced else f' ({TRACEBACK}=1 shows where)'}"
        )
    where = "the traceback above" if traced else f"what it prints with {TRACEBACK}=1 in the environment"
    return f"{summary}; this is a fault of cranfield: please report it with the call, `cranfield --version` and {where}"
