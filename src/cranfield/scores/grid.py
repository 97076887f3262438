"""Scores read from a file, in plain arrays, and how one cell is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.arrays import Floats
from cranfield.collection.identifier import identifier
from cranfield.decimals import is_decimal
from cranfield.errors import FormatError, InputError
from cranfield.wording import counted, in_full, quoted

MISSING = ("", "nan", "NaN", "NA")
"""How files write that a cell has no score."""

ALWAYS, SPARSEST = 1_000_000, 100
"""Cells that a file may always have, and cells that it may have for each of its scores besides."""


@dataclass(frozen=True)
class ScoreGrid:
    """One score of every system on every topic, by one or several measures.

    Args:
        topics: in order of first appearance.
        systems: in order of first appearance.
        measures: names, as written.
        values: float64 [measures, topics, systems]; NaN where there is no score.
        signature: of the evaluation that made them, where the file holds it.
    """

    topics: Sequence[str]
    systems: Sequence[str]
    measures: Sequence[str]
    values: Floats
    signature: object = None


def number(text: str, where: str) -> float:
    """A cell's score; NaN for a missing one.

    Raises:
        FormatError: anything but a finite decimal number.
    """
    bare = text.strip()
    if bare in MISSING:
        return math.nan
    if not is_decimal(bare):
        raise FormatError(f"{where}: {quoted(text)} is not a number such as 0.25; a missing score is nan")
    value = float(bare)
    if not math.isfinite(value):
        raise FormatError(f"{where}: the score {quoted(text)} is too large for a double")
    return value


def named(text: str, what: str, where: str) -> str:
    """A topic's or system's name.

    Raises:
        FormatError: it is empty, too long, or holds a NUL.
    """
    if not text:
        raise FormatError(f"{where}: a {what} has no name")
    try:
        identifier(text, what, where)
    except InputError as error:
        raise FormatError(str(error)) from None
    return text


def place(name: str, line: int) -> str:
    """``FILE:LINE``."""
    return f"{in_full(name)}:{line}"


def check_density(name: str, scores: int, shape: tuple[int, int, int]) -> None:
    """Refuse a few scores spread over so many systems, topics and measures that their table would fill the memory.

    Args:
        name: of the file.
        scores: that it holds.
        shape: numbers of systems, topics and measures.

    Raises:
        InputError: it is so.
    """
    cells = math.prod(shape)
    if cells > ALWAYS + SPARSEST * scores:
        sizes = " x ".join(map(counted, shape, ("system", "topic", "measure")))
        raise InputError(
            f"{in_full(name)}: {sizes} are {cells:,} cells, and only {counted(scores, 'score')} would fill them "
            f"({scores / cells:.1g} of all): put what was scored together in a file of its own"
        )
