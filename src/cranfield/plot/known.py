"""What can be drawn of results that may be undefined: a chart shows what is known, and is refused where nothing is."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import InputError


def known(values: Any, what: str, why: str) -> Floats:
    """The finite ones among numbers, in one row.

    Args:
        values: numbers.
        what: names them, with a verb.
        why: a clause on how it comes that none is finite.

    Raises:
        InputError: none is finite.
    """
    flat = np.asarray(values, dtype=np.float64).ravel()
    found: Floats = flat[np.isfinite(flat)]
    if not len(found):
        raise InputError(f"{what} undefined: {why}")
    return found
