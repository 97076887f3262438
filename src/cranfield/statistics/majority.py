"""Items in the order of the majority of several rankings, in NumPy."""

from __future__ import annotations

from cranfield.arrays import Ints, Mask
from cranfield.contract import Table
from cranfield.statistics.merge_sort import merge_sort


def majority_order(rank: Table, starts: Ints) -> Ints:
    """See ``cranfield.contract.Engine.majority_order``."""

    def stays(one: Ints, other: Ints) -> Mask:
        first, second = rank[one], rank[other]
        agrees: Mask = (first < second).sum(axis=-1) >= (first > second).sum(axis=-1)
        return agrees

    return merge_sort(starts, stays)
