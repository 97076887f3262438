"""One cell of a score file, and how many a file may spread over."""

from __future__ import annotations

import math

from cranfield._text import counted, cut, quoted
from cranfield._validation import is_decimal
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Place

MISSING = ("", "nan", "NaN", "NA")
"""How files write that a cell has no score."""

ALWAYS, SPARSEST = 1_000_000, 100
"""Cells that a file may always have, and cells that it may have for each of its scores besides."""


def number(text: str, where: Place | str) -> float:
    """A cell's score; NaN for a missing one.

    Raises:
        FormatError: anything but a finite decimal number.
    """
    bare = text.strip()
    if bare in MISSING:
        return math.nan
    if not is_decimal(bare):
        said = f"{quoted(text)} is not a number such as 0.25; a missing score is nan"
        raise FormatError(said, where, code="score", value=cut(text))
    value = float(bare)
    if not math.isfinite(value):
        raise FormatError(
            f"the score {quoted(text)} is too large for a double", where, code="overflow", value=cut(text)
        )
    return value


def check_density(file: Place, scores: int, shape: tuple[int, int, int]) -> None:
    """Refuse a few scores spread over so many systems, topics and measures that their table would fill the memory.

    Args:
        file: that holds them.
        scores: how many it holds.
        shape: numbers of systems, topics and measures.

    Raises:
        InputError: it is so.
    """
    cells = math.prod(shape)
    if cells > ALWAYS + SPARSEST * scores:
        sizes = " x ".join(map(counted, shape, ("system", "topic", "measure")))
        raise InputError(
            f"{sizes} are {cells:,} cells, and only {counted(scores, 'score')} would fill them "
            f"({scores / cells:.1g} of all): put what was scored together in a file of its own",
            file,
            code="sparse",
        )
