"""What the majority of runs prefers: CondorcetFuse, and the relations between documents that bounds are made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.pool import Floats, Ints
from cranfield.fusion.ordering import Cycles, Relation, ordered

Ranks = NDArray[np.int32]
ABSENT = np.iinfo(np.int32).max

Votes = tuple[NDArray[np.int64], NDArray[np.int64]]


def votes(rank: Ranks, one: Ints, other: Ints) -> Votes:
    """Runs that put the first document of each pair before the second, and runs that do the opposite.

    A retrieved document stands before one that is not; where a run retrieves neither, it abstains.

    Args:
        rank: ``ABSENT`` where a run does not retrieve a document, int32 [documents, runs].
        one, other: rows of ``rank``, arrays that broadcast.
    """
    first, second = rank[one], rank[other]
    return (first < second).sum(axis=-1), (first > second).sum(axis=-1)


def majority(rank: Ranks) -> Relation:
    """A document beats another if more runs put it first than last."""

    def relation(one: Ints, other: Ints) -> NDArray[np.int8]:
        won, lost = votes(rank, one, other)
        return (won > lost).astype(np.int8) - (won < lost).astype(np.int8)

    return relation


def canonical(rank: Ranks, starts: Ints, grade: Floats | None = None) -> Ints:
    """The order that sorting starts from: label descending where given, sum of 1 / rank descending, id ascending.

    Args:
        rank: documents of a topic in id byte order, [documents, runs].
        starts: of the topics, int64 [topics + 1].
        grade: labels, [documents].
    """
    # Summed from the largest rank on, so that the order of the runs does not move the last bit.
    heights = np.sort(np.where(rank == ABSENT, 0.0, 1.0 / rank), axis=1).sum(axis=1)
    topic = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    keys = (-heights, topic) if grade is None else (-heights, -grade, topic)
    order: Ints = np.lexsort(keys)
    return order


def condorcet(tables: Sequence[Floats], cycles: Cycles = "sort") -> list[Ints]:
    """CondorcetFuse: documents in the order of the majority of runs, for many topics at once.

    Args:
        tables: ranks of each topic, inf where a run does not retrieve a document, [runs, documents] in id byte order.
        cycles: what decides where the majority has cycles; see ``ordered``.

    Returns:
        Documents of each topic, best first.
    """
    if not tables:
        return []
    starts = np.concatenate([[0], np.cumsum([table.shape[1] for table in tables])])
    runs = max(len(table) for table in tables)
    rank = np.full((starts[-1], runs), ABSENT, dtype=np.int32)
    for table, begin, end in zip(tables, starts[:-1], starts[1:], strict=True):
        rank[begin:end, : len(table)] = np.where(np.isinf(table), ABSENT, table).T
    order = canonical(rank, starts)
    found = order[ordered(starts, majority(rank[order]), cycles)]
    return [found[begin:end] - begin for begin, end in pairwise(starts.tolist())]
