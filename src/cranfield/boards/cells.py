"""One cell of a board, as readers pass it on, and the number that stands in it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from cranfield._message import setting
from cranfield._text import cut, quoted
from cranfield._validation import is_decimal
from cranfield.errors import FormatError
from cranfield.findings.location import Location

MISSING = ("", "nan", "na", "<na>", "n/a", "null", "none", "-")
"""How an empty cell is written, in small letters."""
INFINITE = ("inf", "infinity")


class Cell(NamedTuple):
    """A score.

    Args:
        where: it stands.
        system: that has it.
        task: that it is of.
        query: empty for the task as a whole.
        score: NaN where there is none.
        error: standard error of the score; NaN where none is stated.
    """

    where: Location
    system: str
    task: str
    query: str
    score: float
    error: float


def is_missing(value: Any) -> bool:
    """Whether a cell is empty."""
    return value is None or str(value).strip().lower() in MISSING


def is_number(value: Any) -> bool:
    """Whether a cell holds a decimal number; other digits than 0 to 9 and ``1_0`` are none."""
    return is_decimal(value.strip()) if isinstance(value, str) else _as_float(value) is not None


def parse_score(value: Any, where: Location, column: str = "") -> float:
    """A score; NaN where the cell is empty.

    Args:
        value: of the cell.
        where: it stands.
        column: of a matrix that it stands in.

    Raises:
        FormatError: it is not a number, or infinite.
    """
    if is_missing(value):
        return math.nan
    text = str(value).strip()
    finite = text.lower().lstrip("+-") not in INFINITE
    number = (float(text) if is_decimal(text) else None) if isinstance(value, str) else _as_float(value)
    if number is None and finite:
        message = f"{quoted(text)} is not a number such as 0.25"
        if column:
            message += f": it is in column {quoted(column)}; {setting('not_tasks', column)} leaves that out"
        raise FormatError(message, where, code="score", value=cut(text))
    if number is None or math.isinf(number):
        raise FormatError(f"{quoted(text)} is not finite", where, code="score", value=cut(text))
    return number


def _as_float(value: Any) -> float | None:
    if isinstance(value, (str, bytes, bool)):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return math.inf
