"""Documents in order of the preferences of the majority of runs, which may have cycles: CondorcetFuse.

Other relations between documents, such as those of the bounds on fusion, are sorted by ``ordered`` too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Ints
from cranfield.fusion.lists import RankedTopicLists
from cranfield.fusion.methods import by_rank
from cranfield.statistics.kernels.majority_order import merge_sort, votes

Ranks = NDArray[np.int16] | NDArray[np.int32]
"""From 1, [documents, runs]; the largest number of the type where a run does not retrieve a document."""
Relation = Callable[[Ints, Ints], NDArray[np.signedinteger[Any]]]
"""1, 0, -1 as the first document of each pair beats the second, neither does, or is beaten; arrays that broadcast."""
Cycles = Literal["sort", "components"]
"""The rule where the relation has cycles: the textbook's merge sort, or the components of the relation."""


def majority(rank: Ranks) -> Relation:
    """A document beats another if more runs rank it above than below."""

    def relation(left: Ints, right: Ints) -> NDArray[np.int8]:
        won, lost = votes(rank, left, right)
        return (won > lost).astype(np.int8) - (won < lost).astype(np.int8)

    return relation


@dataclass(frozen=True)
class RankedTopic:
    """A topic's documents in the order that sorting starts from: sum of 1 / rank descending, id ascending.

    Args:
        order: documents in id byte order, int64 [documents].
        rank: of the ordered documents.
    """

    order: Ints
    rank: Ranks

    @classmethod
    def from_lists(cls, lists: RankedTopicLists) -> RankedTopic:
        """Rank the documents of a topic."""
        order: Ints = np.argsort(-by_rank(lists, lambda rank: 1.0 / rank), kind="stable")
        position = np.empty_like(order)
        position[order] = np.arange(len(order))
        kind: Any = np.int16 if lists.rank.max(initial=0) < np.iinfo(np.int16).max else np.int32
        table: Ranks = np.full((lists.documents, lists.runs), np.iinfo(kind).max, dtype=kind)
        table[position[lists.document], lists.run] = lists.rank
        return cls(order, table)


def condorcet(topics: Sequence[RankedTopic], cycles: Cycles = "sort") -> list[Ints]:
    """CondorcetFuse: documents in the order of the majority of runs, for many topics at once.

    Args:
        topics: with the ranks of their documents.
        cycles: what decides where the majority has cycles; see ``ordered``.

    Returns:
        Documents of each topic, best first.
    """
    if not topics:
        return []
    starts = np.concatenate([[0], np.cumsum([len(topic.order) for topic in topics])])
    rank = _together([topic.rank for topic in topics])
    if cycles == "sort":
        by_majority = engine.current().majority_order(rank, starts)
    else:
        by_majority = ordered(starts, majority(rank), cycles)
    return [
        topic.order[by_majority[begin:end] - begin]
        for topic, (begin, end) in zip(topics, pairwise(starts.tolist()), strict=True)
    ]


def _together(tables: Sequence[Ranks]) -> Ranks:
    """Concatenate the tables, in integers that hold all their ranks."""
    if len(tables) == 1:
        return tables[0]
    kind = max((table.dtype for table in tables), key=lambda dtype: dtype.itemsize)
    # The largest integer is used instead of a rank for a document that a run does not retrieve.
    not_retrieved = kind.type(np.iinfo(kind).max)
    rank: Ranks = np.concatenate(
        [np.where(table == np.iinfo(table.dtype).max, not_retrieved, table) for table in tables]
    )
    return rank


def ordered(starts: Ints, relation: Relation, cycles: Cycles = "sort") -> Ints:
    """Documents of every topic in order, int64 [documents].

    ``sort`` is the published practice: top-down merge sort from the order in which the documents are given, of which
    the outcome depends on that order where the relation has cycles or indifference. ``components`` asks the relation
    alone: no document stands before one that beats it unless they are on a cycle; on a cycle those that beat more of it
    come first; what is still open is decided by the order given. It compares all documents: n^2 steps a topic.

    Args:
        starts: topic t has the documents ``starts[t]:starts[t + 1]``, int64 [topics + 1].
        relation: between documents.
        cycles: what decides where it has cycles.
    """
    if cycles == "sort":
        return merge_sort(starts, lambda left, right: relation(left, right) >= 0)
    parts = [
        begin + by_components(relation(rows[:, None], rows[None, :]) > 0)
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        for rows in (np.arange(begin, end),)
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def by_components(beats: NDArray[np.bool_]) -> Ints:
    """Order of one topic's documents from who beats whom, bool [documents, documents]."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    size = len(beats)
    if size == 0:
        return np.zeros(0, dtype=np.int64)
    count, component = connected_components(csr_matrix(beats), connection="strong")
    wins = (beats & (component[:, None] == component[None, :])).sum(axis=1)
    inside = np.lexsort((np.arange(size), -wins, component))
    first = np.full(count, size)
    np.minimum.at(first, component, np.arange(size))
    reaches = np.zeros((count, count), dtype=np.bool_)
    winner, loser = np.nonzero(beats)
    reaches[component[winner], component[loser]] = True
    np.fill_diagonal(reaches, False)
    turn = np.empty(count, dtype=np.int64)
    waits = reaches.sum(axis=0).astype(np.int64)
    for rank in range(count):
        # Of the components that nothing left beats, the one whose first document comes first.
        free = np.where(waits == 0, first, size + 1)
        chosen = int(free.argmin())
        turn[chosen] = rank
        waits -= reaches[chosen]
        waits[chosen] = -1
    order: Ints = inside[np.argsort(turn[component[inside]], kind="stable")]
    return order
