"""Division that is undefined, rather than infinite, where the denominator is zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield._typing import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
