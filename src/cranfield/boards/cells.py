"""One cell of a board, as readers pass it on, and the number that stands in it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from cranfield._message import setting
from cranfield._text import cut, quoted
from cranfield._validation import explain_number, is_decimal
from cranfield.errors import FormatError
from cranfield.findings.location import Location

MISSING = ("", "nan", "na", "<na>", "n/a", "null", "none", "-")
"""The texts of an empty cell, in small letters."""
INFINITE = ("inf", "infinity")


class BoardCell(NamedTuple):
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


def read_number(value: Any) -> float | None:
    """The number in a cell, NaN where it is empty; None where it holds anything else: ``1_0``, an infinity."""
    if isinstance(value, str):
        text = value.strip()
        if is_decimal(text):
            number = float(text)
        else:
            return math.nan if text.lower() in MISSING else None
    elif value is None or isinstance(value, (bytes, bool)):
        return math.nan if value is None else None
    else:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return math.nan if str(value).lower() in MISSING else None
    return None if math.isinf(number) else number


def parse_score(value: Any, where: Location, column: str = "") -> float:
    """A score; NaN where the cell is empty.

    Args:
        value: of the cell.
        where: it stands.
        column: of a matrix that it stands in.

    Raises:
        FormatError: it is not a number, or infinite.
    """
    number = read_number(value)
    if number is not None:
        return number
    text = str(value).strip()
    is_infinite = is_decimal(text) or text.lower().lstrip("+-") in INFINITE
    message = f"{quoted(text)} is {'not finite' if is_infinite else 'not a number such as 0.25'}"
    message += explain_number(text)
    if column:
        message += f": it is in column {quoted(column)}, which {setting('not_tasks')} can leave out"
    raise FormatError(message, where, code="score", value=cut(text))
