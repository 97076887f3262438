"""What nobody foresaw, in one line: what the system refuses, and faults of the program with how to report them."""

from __future__ import annotations

import os
import sys

from cranfield._text import in_full, shown
from cranfield.cli.complaints import complain, silence

NO_ROOM = ("failed to map segment", "cannot allocate memory")
"""What the system says of a library that it has no memory for."""
TRACEBACK = "CRANFIELD_TRACEBACK"
"""The environment variable that asks for the traceback as well."""


def of_system(error: OSError) -> str:
    """What the system refused: of a file that the error names, else of standard output."""
    _trace(error)
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{in_full(os.fsdecode(error.filename))}: {reason}"
    silence(sys.stdout)
    return f"standard output cannot be written: {reason}"


def unexpected(error: BaseException) -> str:
    """An error that no command words itself: memory that the system refuses, or a fault of the program."""
    traced = _trace(error)
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


def _trace(error: BaseException) -> bool:
    """Print the traceback where it is asked for; whether it is."""
    if os.environ.get(TRACEBACK, "") in ("", "0"):
        return False
    import traceback

    complain("".join(traceback.format_exception(error)).rstrip("\n"), as_it_is=True)
    return True
