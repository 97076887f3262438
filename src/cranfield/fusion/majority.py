"""The preferences of the majority of runs: CondorcetFuse, and the relations that the bounds are built from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield.arrays import Floats, Ints
from cranfield.fusion.lists import TopicLists
from cranfield.fusion.ordering import Cycles, Relation, ordered

Ranks = NDArray[np.int16] | NDArray[np.int32]
"""From 1, [documents, runs]; the largest number of the type where a run does not retrieve a document."""

Votes = tuple[NDArray[np.int64], NDArray[np.int64]]


def votes(rank: Ranks, one: Ints, other: Ints) -> Votes:
    """How many runs rank the first document of each pair above the second, and how many below it.

    A retrieved document is ranked above one that is not; a run that retrieves neither abstains.

    Args:
        rank: of the documents in the runs.
        one, other: rows of ``rank``, arrays that broadcast.
    """
    first, second = rank[one], rank[other]
    return (first < second).sum(axis=-1), (first > second).sum(axis=-1)


def majority(rank: Ranks) -> Relation:
    """A document beats another if more runs rank it above than below."""

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
    heights = _heights(rank)
    topic = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    keys = (-heights, topic) if grade is None else (-heights, -grade, topic)
    order: Ints = np.lexsort(keys)
    return order


def _heights(rank: Ranks) -> Floats:
    """Sum of 1 / rank of each document."""
    # Summed from the largest rank on, so that the order of the runs does not move the last bit.
    retrieved = np.flatnonzero(rank != absent(rank))
    return engine.current().sum_ascending(retrieved // rank.shape[1], 1.0 / rank.ravel()[retrieved], len(rank))


def condorcet(tables: Sequence[Ranks], cycles: Cycles = "sort") -> list[Ints]:
    """CondorcetFuse: documents in the order of the majority of runs, for many topics at once.

    Args:
        tables: ranks of each topic, documents in id byte order, see ``whole_ranks``.
        cycles: what decides where the majority has cycles; see ``ordered``.

    Returns:
        Documents of each topic, best first.
    """
    if not tables:
        return []
    kind = max((table.dtype for table in tables), key=lambda dtype: dtype.itemsize)
    starts = np.concatenate([[0], np.cumsum([len(table) for table in tables])])
    rank = np.empty((starts[-1], tables[0].shape[1]), dtype=kind)
    order = np.empty(len(rank), dtype=np.int64)
    for table, begin, end in zip(tables, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        of_topic = canonical(table, np.array([0, len(table)]))
        order[begin:end] = begin + of_topic
        if table.dtype == rank.dtype:
            np.take(table, of_topic, axis=0, out=rank[begin:end])
        else:
            ranked = table[of_topic]
            rank[begin:end] = np.where(ranked == absent(ranked), absent(rank), ranked)
    if cycles == "sort":
        by_majority = order[engine.current().majority_order(rank, starts)]
    else:
        by_majority = order[ordered(starts, majority(rank), cycles)]
    return [by_majority[begin:end] - begin for begin, end in pairwise(starts.tolist())]


def whole_ranks(lists: TopicLists) -> Ranks:
    """Ranks of a topic as ``votes`` takes them, [documents, runs], in the smallest integers that do."""
    kind: Any = np.int16 if lists.rank.max(initial=0) < np.iinfo(np.int16).max else np.int32
    table: Ranks = np.full((lists.documents, lists.runs), np.iinfo(kind).max, dtype=kind)
    table[lists.document, lists.run] = lists.rank
    return table


def absent(rank: Ranks) -> int:
    """The value used instead of a rank for a document that a run does not retrieve."""
    return int(np.iinfo(rank.dtype).max)
