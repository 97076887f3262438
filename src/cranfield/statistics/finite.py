"""Numbers that may be undefined: what is defined is used, and none at all is refused."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield.errors import InputError


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
