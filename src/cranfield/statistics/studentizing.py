"""What resamples say of pairs of columns: how often they reach what was observed, and which are large, in NumPy."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cranfield.arrays import Floats, Ints


class Largest(Protocol):
    """``cranfield.contract.Engine.largest_statistics``."""

    def __call__(
        self,
        sums: Floats,
        left: Ints,
        right: Ints,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begins: Ints,
        ends: Ints,
        kth: Ints,
        /,
    ) -> tuple[Ints, Floats]:
        """Count resamples, and find the k-th largest."""
        ...


def largest_statistics(
    sums: Floats,
    left: Ints,
    right: Ints,
    squares: Floats,
    limit: Floats,
    floor: Floats,
    cap: float,
    begins: Ints,
    ends: Ints,
    kth: Ints,
) -> tuple[Ints, Floats]:
    """See ``cranfield.contract.Engine.largest_statistics``."""
    moments, by_pair = sums[left] - sums[right], squares.T
    above, edge = moments**2, floor[:, None]
    ratio = np.divide(above, by_pair, out=np.zeros_like(above), where=by_pair > edge)
    np.minimum(ratio, cap, out=ratio)
    found, pair = np.empty((len(begins), len(left))), np.arange(len(left))
    for part, (begin, end, rank) in enumerate(zip(begins.tolist(), ends.tolist(), kth.tolist(), strict=True)):
        some = ratio[:, begin:end]
        level = np.partition(some, end - begin - rank, axis=1)[:, end - begin - rank, None]
        found[part] = moments[pair, begin + np.argmax(some == level, axis=1)]
    hits: Ints = (above >= by_pair * limit[:, None] + edge).sum(axis=1)
    return hits, found
