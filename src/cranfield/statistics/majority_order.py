"""Items in the order of several rankings, by their majority or by so many votes, in NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints, Mask
from cranfield.engine.protocol import Table
from cranfield.statistics.merge_sort import merge_sort


def votes(rank: Table, one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """How many runs rank the first document of each pair above the second, and how many below it.

    A retrieved document is ranked above one that is not; a run that retrieves neither abstains.

    Args:
        rank: of the documents in the runs, [documents, runs].
        one, other: rows of ``rank``, arrays that broadcast.
    """
    first, second = rank[one], rank[other]
    return (first < second).sum(axis=-1), (first > second).sum(axis=-1)


def decided(rank: Table, label: Floats, need: int, one: Ints, other: Ints) -> NDArray[np.int8]:
    """1 where ``need`` runs put the first document first and fewer the second; -1 the other way round; else by label.

    Args:
        rank: as in ``votes``.
        label: of each document; the larger one comes first.
        need: votes.
        one, other: as in ``votes``.
    """
    won, lost = (count >= need for count in votes(rank, one, other))
    by_label = np.sign(label[one] - label[other]).astype(np.int8)
    decision: NDArray[np.int8] = np.where(won == lost, by_label, np.where(won, np.int8(1), np.int8(-1)))
    return decision


def majority_order(rank: Table, starts: Ints) -> Ints:
    """See ``cranfield.engine.protocol.Engine.majority_order``."""

    def stays(one: Ints, other: Ints) -> Mask:
        won, lost = votes(rank, one, other)
        agrees: Mask = won >= lost
        return agrees

    return merge_sort(starts, stays)


def order_by_votes(rank: Table, starts: Ints, label: Floats, need: int) -> Ints:
    """See ``cranfield.engine.protocol.Engine.order_by_votes``."""
    return merge_sort(starts, lambda one, other: decided(rank, label, need, one, other) >= 0)
