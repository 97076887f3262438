"""Why something is not on a page: an analysis that refuses says so itself, and a bug is called one."""

from __future__ import annotations

import traceback

from cranfield._text import shown
from cranfield.errors import CranfieldError

LONGEST = 300
"""Characters of the message of an unforeseen exception."""


def reason(error: Exception) -> str:
    """What an error says to those who read the page: a clause.

    Nothing is hidden: an error that is not the package's own is named, with its one line.
    """
    if isinstance(error, CranfieldError):
        return str(error)
    line = " ".join(traceback.format_exception_only(error)[-1].split())
    return f"it failed unexpectedly ({shown(line, LONGEST)}), which is a bug in cranfield: please report it"
