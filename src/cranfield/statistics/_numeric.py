"""Division that is undefined, rather than infinite, where the denominator is zero.

Numbers that may be undefined: what is defined is used, and none at all is refused.

Matrix products for code that spreads over threads of its own.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield.errors import InputError

PIECE = 1 << 18
"""Multiplications of one piece; OpenBLAS uses threads of its own from twice as many on."""
ROWS = 32
"""Rows of one piece: blocks of so many rows, or of a multiple, have the same product alone as among others."""
CALL = 1 << 27
"""Multiplications of one call, which no signal interrupts."""


def ratio_or(part: Floats, whole: Floats, otherwise: float) -> Floats:
    """part / whole, cell by cell; ``otherwise`` where the whole, which is not negative, is 0.

    Args:
        part: of the same shape as ``whole``.
        whole: [...].
        otherwise: a number, or NaN.
    """
    if np.count_nonzero(whole) == whole.size:  # all() takes several times as long
        return part / whole
    quotient: Floats = np.divide(part, whole, out=np.full(whole.shape, otherwise), where=whole > 0)
    return quotient


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, cell by cell; NaN where the whole is 0.

    Args:
        part: of the same shape as ``whole``.
        whole: [...].

    Returns:
        float64 [...].
    """
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    quotient: Floats
    if np.count_nonzero(whole) == whole.size:  # all() takes several times as long
        quotient = part / whole
        return quotient
    quotient = np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole != 0)
    return quotient


def finite(values: ArrayLike, what: str, why: str) -> Floats:
    """The finite ones among numbers, in one row.

    Args:
        values: numbers.
        what: names them, with a verb.
        why: a clause on why none is finite.

    Raises:
        InputError: none is finite.
    """
    flat = np.asarray(values, dtype=np.float64).ravel()
    numbers: Floats = flat[np.isfinite(flat)]
    if not len(numbers):
        raise InputError(f"{what} undefined: {why}")
    return numbers


def on_one_thread() -> bool:
    """Whether OpenBLAS was told, before it was loaded, to stay on the thread that asks: pieces are not needed then."""
    return os.environ.get("OPENBLAS_NUM_THREADS") == "1"


def product(left: Floats, right: Floats, out: Floats | None = None) -> Floats:
    """left @ right in pieces that a BLAS library computes on the thread that asks.

    Called from several threads at once, or on a busy machine, a library with threads of its own makes them wait for
    each other in busy loops: measured, ten times the processor time of the product. In small pieces it costs up to two
    fifths more than in one.

    Args:
        left: [rows, inner].
        right: [inner, columns].
        out: where it goes, whole and in order; a new array where None.

    Returns:
        [rows, columns].
    """
    rows, inner = left.shape
    out = np.empty((rows, right.shape[1])) if out is None else out
    width = max(1, PIECE // (ROWS * max(1, inner)))
    whole = rows - rows % ROWS
    blocks = out[:whole].reshape(whole // ROWS, ROWS, right.shape[1])  # the same memory
    stacked = np.ascontiguousarray(left[:whole]).reshape(whole // ROWS, ROWS, inner)
    for start in range(0, right.shape[1], width):
        columns = slice(start, start + width)
        piece = np.ascontiguousarray(right[:, columns])
        height = max(1, CALL // max(1, ROWS * piece.size))
        for begin in range(0, len(stacked), height):
            some = slice(begin, begin + height)
            np.matmul(stacked[some], piece, out=blocks[some, :, columns])
        out[whole:, columns] = left[whole:] @ piece
    return out


def ridged(bend: Floats, share: float = 1e-9) -> Floats:
    """A curvature with an inverse: predictors that are equal, or that separate the signs, leave it without."""
    ridge = 1e-12 + share * float(bend.diagonal().max(initial=0.0))
    with_inverse = bend.copy()
    with_inverse.ravel()[:: len(bend) + 1] += ridge
    return with_inverse
