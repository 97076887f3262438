"""What resamples say of pairs of columns: how often they reach what was observed, and which are large, in NumPy."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cranfield.arrays import Floats, Ints


class Largest(Protocol):
    """``cranfield.contract.Engine.largest_statistics``."""

    def __call__(
        self,
        moments: Floats,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begins: Ints,
        ends: Ints,
        kth: Ints,
        /,
    ) -> tuple[Ints, Ints]:
        """Count resamples, and find the k-th largest."""
        ...


def largest_statistics(
    moments: Floats,
    squares: Floats,
    limit: Floats,
    floor: Floats,
    cap: float,
    begins: Ints,
    ends: Ints,
    kth: Ints,
) -> tuple[Ints, Ints]:
    """See ``cranfield.contract.Engine.largest_statistics``."""
    above = moments**2
    ratio = np.divide(above, squares, out=np.zeros_like(squares), where=squares > floor)
    values = np.ascontiguousarray(np.minimum(ratio, cap, out=ratio).T)
    found = np.empty((len(begins), len(values)), dtype=np.int64)
    for part, (begin, end, rank) in enumerate(zip(begins.tolist(), ends.tolist(), kth.tolist(), strict=True)):
        some = values[:, begin:end]
        level = np.partition(some, end - begin - rank, axis=1)[:, end - begin - rank, None]
        found[part] = begin + np.argmax(some == level, axis=1)
    hits: Ints = (above >= squares * limit + floor).sum(axis=0)
    return hits, found
