"""The preferences of the majority of runs: CondorcetFuse, and the relations that the bounds are built from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Ints
from cranfield.fusion.lists import TopicLists
from cranfield.fusion.methods import by_rank
from cranfield.fusion.pairwise_sorting import Cycles, Relation, ordered
from cranfield.statistics.majority_order import votes

Ranks = NDArray[np.int16] | NDArray[np.int32]
"""From 1, [documents, runs]; the largest number of the type where a run does not retrieve a document."""


def majority(rank: Ranks) -> Relation:
    """A document beats another if more runs rank it above than below."""

    def relation(one: Ints, other: Ints) -> NDArray[np.int8]:
        won, lost = votes(rank, one, other)
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
    def of(cls, lists: TopicLists) -> RankedTopic:
        """From the lists of a topic."""
        order: Ints = np.argsort(-by_rank(lists, lambda rank: 1.0 / rank), kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        kind: Any = np.int16 if lists.rank.max(initial=0) < np.iinfo(np.int16).max else np.int32
        table: Ranks = np.full((lists.documents, lists.runs), np.iinfo(kind).max, dtype=kind)
        table[place[lists.document], lists.run] = lists.rank
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
    """The tables one after the other, in integers that hold all their ranks."""
    if len(tables) == 1:
        return tables[0]
    kind = max((table.dtype for table in tables), key=lambda dtype: dtype.itemsize)
    rank: Ranks = np.concatenate(
        [
            table if table.dtype == kind else np.where(table == absent(table), np.iinfo(kind).max, table.astype(kind))
            for table in tables
        ]
    )
    return rank


def absent(rank: Ranks) -> int:
    """The value used instead of a rank for a document that a run does not retrieve."""
    return int(np.iinfo(rank.dtype).max)
