"""One cell of a board, as readers pass it on, and the number that stands in it."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from cranfield._text import quoted
from cranfield.errors import FormatError
from cranfield.findings.location import Location

Cell: TypeAlias = tuple[Location, str, str, str, float, float]
"""Where it stands, system, task, query (empty: the task as a whole), score and its standard error (NaN: not stated)."""
MISSING = ("", "nan", "na", "n/a", "null", "none", "-")
"""How an empty cell is written, in small letters."""


def parse_score(value: Any, where: Location) -> float:
    """A score; NaN where the cell is empty.

    Raises:
        FormatError: it is not a number, or infinite.
    """
    if value is None or (isinstance(value, str) and value.strip().lower() in MISSING):
        return math.nan
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise FormatError(f"{quoted(str(value))} is not a number such as 0.25", where, code="score") from None
    if math.isinf(number):
        raise FormatError(f"{quoted(str(value))} is not finite", where, code="score", value=str(value))
    return number
