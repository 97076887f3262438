"""Arithmetic for the other modules: ratios that may be undefined, finite values, matrix products, and sums by row."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PIECE = 1 << 18
"""Multiplications of one piece; OpenBLAS starts threads of its own from twice as many."""
CELLS = 1 << 20
"""Numbers in one working array."""
ROWS = 32
"""Rows of one piece: blocks of a multiple of this number of rows have the same product alone as among others."""
CALL = 1 << 27
"""Multiplications of one call, which no signal interrupts."""


def ratio_or(numerator: Floats, denominator: Floats, otherwise: float) -> Floats:
    """part / whole, cell by cell; ``otherwise`` where the whole is 0.

    Args:
        numerator: of the same shape as ``denominator``.
        denominator: [...].
        otherwise: a number, or NaN.
    """
    if np.count_nonzero(denominator) == denominator.size:  # all() takes several times as long
        return numerator / denominator
    out = np.full(denominator.shape, otherwise)
    quotient: Floats = np.divide(numerator, denominator, out=out, where=denominator != 0)
    return quotient


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """part / whole, cell by cell; NaN where the whole is 0.

    Args:
        numerator: of the same shape as ``denominator``.
        denominator: [...].

    Returns:
        float64 [...].
    """
    return ratio_or(np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64), np.nan)


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
    """Return whether OpenBLAS was limited to one thread before it was loaded; then no pieces are needed."""
    return os.environ.get("OPENBLAS_NUM_THREADS") == "1"


def product(left: Floats, right: Floats, out: Floats | None = None) -> Floats:
    """left @ right in pieces that a BLAS library computes on the calling thread.

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
    full = rows - rows % ROWS
    blocks = out[:full].reshape(full // ROWS, ROWS, right.shape[1])  # the same memory
    stacked = np.ascontiguousarray(left[:full]).reshape(full // ROWS, ROWS, inner)
    for start in range(0, right.shape[1], width):
        columns = slice(start, start + width)
        piece = np.ascontiguousarray(right[:, columns])
        height = max(1, CALL // max(1, ROWS * piece.size))
        for begin in range(0, len(stacked), height):
            call = slice(begin, begin + height)
            np.matmul(stacked[call], piece, out=blocks[call, :, columns])
        out[full:, columns] = left[full:] @ piece
    return out


def ridged(bend: Floats, share: float = 1e-9) -> Floats:
    """A curvature with a ridge added, so that it has an inverse.

    It has none without where predictors are equal or separate the signs."""
    ridge = 1e-12 + share * float(bend.diagonal().max(initial=0.0))
    with_inverse = bend.copy()
    with_inverse.ravel()[:: len(bend) + 1] += ridge
    return with_inverse


def sum_ascending(row: Ints, values: Floats, rows: int) -> Floats:
    """Sum the values of each of ``rows`` rows, from the smallest on, one after the other.

    So the order in which values are given changes no bit.
    """
    ascending = np.argsort(values)
    sums = np.bincount(row[ascending], values[ascending], rows)
    return sums.astype(np.float64, copy=False)
