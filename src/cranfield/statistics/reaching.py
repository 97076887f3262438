"""How many samples reach what was observed of each of many pairs, alone and beside the pairs before it, in NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.sampling_contract import Reached

Count = Callable[[Floats, Ints, Ints, bool, Floats, Floats | None, Floats, Floats], Reached]
"""``cranfield.contract.Engine.count_reached``."""


def count_reached(
    sums: Floats,
    left: Ints,
    right: Ints,
    signed: bool,
    scale: Floats,
    squares: Floats | None,
    levels: Floats,
    largest: Floats,
) -> Reached:
    """See ``cranfield.contract.Engine.count_reached``."""
    alone, together = np.zeros((2, len(left)), dtype=np.int64)
    largest = largest.copy()
    value, hit = np.empty(len(largest)), np.empty(len(largest), dtype=np.bool_)
    for pair, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        np.subtract(sums[one], sums[other], out=value)
        if not signed:
            value *= value
        value *= scale[pair]
        if squares is not None:
            value /= squares[pair]
        np.greater_equal(value, levels[pair], out=hit)
        alone[pair] = np.count_nonzero(hit)
        np.maximum(largest, value, out=largest)
        np.greater_equal(largest, levels[pair], out=hit)
        together[pair] = np.count_nonzero(hit)
    return {"alone": alone, "together": together, "largest": largest}
