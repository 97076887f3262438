"""Where each system puts each judged document of a topic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield._frozen import Frozen
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings

Small = NDArray[np.signedinteger]
"""Places of documents, in the smallest integers that hold them."""


class Places(Frozen):
    """Places of all judged documents in the lists of all systems, unjudged documents dropped.

    Args:
        systems: names, S of them.
        pool: the judgments of all T topics.
        place: from 0; ``absent`` where a document is not retrieved. [S, pool rows]
        rank: rank in the list with its unjudged documents, from 1; ``absent`` likewise. [S, pool rows]
        useful: a list ends after its last document that is useful, bool [pool rows].
        present: whether a system answered a topic, bool [S, T]; all True where an empty list is an answer too.
    """

    def __init__(
        self, systems: tuple[str, ...], pool: Pool, place: Small, rank: Small, useful: Mask, present: Mask
    ) -> None:
        self.systems = systems
        self.pool = pool
        self.place = place
        self.rank = rank
        self.useful = useful
        self.present = present
        for array in (place, rank, useful, present):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Places({len(self.systems)} systems x {len(self.pool.size)} topics)"

    @classmethod
    def of(cls, rankings: Rankings, systems: tuple[str, ...], rel: float, cutoff: int | None = None) -> Places:
        """Places in lists, by their systems' names, that are cut after rank ``cutoff`` before they are condensed."""
        if rankings.policy.hides_negative:
            rankings = rankings.without_negatives
        if rankings.policy.unjudged == "condense":
            rankings = rankings.condensed
        answered = (rankings.length > 0) | (rankings.policy.missing != "skip")
        rankings = rankings.top(cutoff)
        pool = rankings.pool
        depth = int(rankings.rank.max(initial=0))
        kind: type[np.int16 | np.int32] = np.int16 if depth < np.iinfo(np.int16).max else np.int32
        place: Small = np.full((len(systems), len(pool.grade)), np.iinfo(kind).max, dtype=kind)
        row = np.arange(len(rankings.rank)) - rankings.starts[rankings.segment]
        place[rankings.segment // len(pool.size), rankings.document] = row
        rank = place.copy()
        rank[rankings.segment // len(pool.size), rankings.document] = rankings.rank
        return cls(systems, pool, place, rank, pool.grade >= rel, answered.reshape(len(systems), -1))

    def of_systems(self, chosen: Ints | list[int]) -> Places:
        """The same of some systems, in the order of their numbers."""
        names = tuple(self.systems[number] for number in chosen)
        return Places(names, self.pool, self.place[chosen], self.rank[chosen], self.useful, self.present[chosen])

    def rows(self, topic: int) -> slice:
        """The judged documents of a topic."""
        return slice(int(self.pool.starts[topic]), int(self.pool.starts[topic + 1]))

    def labels(self, topic: int) -> Floats:
        """Their labels."""
        return self.pool.grade[self.rows(topic)]

    def ended(self, topic: int, order: Ints | None = None, depth: int | None = None) -> Small:
        """Places in lists that end after their last useful document, [S, documents of the topic].

        ``order`` deals the documents anew: document i gets what the systems made of document ``order[i]``, and lists
        end where they then end. With a random order nothing can be told from a place. Lists are cut after rank
        ``depth`` before they are ended.
        """
        useful = np.flatnonzero(self.useful[self.rows(topic)])
        place, absent = self._dealt(self.place, topic, order), np.iinfo(self.place.dtype).max
        if depth is not None:
            place = np.where(self._dealt(self.rank, topic, order) <= depth, place, absent)
        # One more than a place; what is absent wraps around to the least number there is.
        last = (place.take(useful, axis=1) + 1).max(axis=1, initial=0) - 1
        return np.where(place <= last[:, None], place, absent)

    def lists(self, policy: Policy) -> Rankings:
        """The lists that hold these documents at their ranks, what lies below the last of them being unknown."""
        system, document = np.nonzero(self.rank != np.iinfo(self.rank.dtype).max)
        segment, rank = system * len(self.pool.size) + self.pool.topic[document], self.rank[system, document]
        order = np.lexsort((rank, segment))
        rank, document = rank[order].astype(np.int64), document[order]
        length = np.zeros(len(self.systems) * len(self.pool.size), dtype=np.int64)
        np.maximum.at(length, segment[order], rank)
        return Rankings(
            systems=self.systems,
            pool=self.pool,
            length=length,
            starts=np.searchsorted(segment[order], np.arange(len(length) + 1)),
            rank=rank,
            document=document,
            grade=self.pool.grade[document],
            policy=policy,
        )

    def useful_ranks(self, topic: int, order: Ints | None = None) -> Ints:
        """The ranks at which any system retrieves a useful document, ascending: between them no ended list changes."""
        ranks: Ints = np.unique(self._dealt(self.rank, topic, order)[:, self.useful[self.rows(topic)]]).astype(np.int64)
        retrieved: Ints = ranks[ranks != np.iinfo(self.rank.dtype).max]
        return retrieved

    def _dealt(self, numbers: Small, topic: int, order: Ints | None) -> Small:
        """Places or ranks of a topic, [S, documents]; see ``ended`` for ``order``."""
        here: Small = numbers[:, self.rows(topic)]
        return here if order is None else here[:, order]
