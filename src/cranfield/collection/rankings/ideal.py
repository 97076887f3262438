"""The best lists that the judgments of a topic allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.array_sorting import distinct, stable_order
from cranfield.collection.pool import Pool
from cranfield.collection.rankings.segments import places
from cranfield.engine import compiled


class Orders(NamedTuple):
    """Documents of the pool in an order of their own, one list for each topic.

    Args:
        length: documents of each list, int64 [topics].
        starts: list t holds the rows ``starts[t]:starts[t + 1]``, int64 [topics + 1].
        rank: rank of each document, int64 [rows].
        document: its row in the pool, int64 [rows].
    """

    length: Ints
    starts: Ints
    rank: Ints
    document: Ints


def with_gain(pool: Pool, gain: Callable[[Floats], Floats]) -> Orders:
    """The documents with a gain above 0, by gain descending; made once for a gain."""

    def best_first() -> Orders:
        rows = np.flatnonzero(gain(pool.grade) > 0)
        losses = -gain(pool.labels)
        levels = distinct(losses)
        level = np.searchsorted(levels, losses)[np.searchsorted(pool.labels, pool.grade[rows])]
        document = rows[stable_order(pool.topic[rows] * len(levels) + level)]
        length = np.bincount(pool.topic[document], minlength=len(pool.size))
        starts = np.concatenate([[0], np.cumsum(length)])
        return Orders(length, starts, places(starts), document)

    return pool.shared(("ideal lists", gain(pool.labels).tobytes()), best_first)


def all_judged(pool: Pool) -> Orders:
    """All judged documents, those of larger label first."""
    return Orders(pool.size, pool.starts, places(pool.starts), pool.by_label(best_first=True))


@dataclass(frozen=True, slots=True)
class RunningIdeal:
    """A sum down the best list of each topic.

    Args:
        length: documents of each best list, int64 [topics].
        before: row in front of its first one, int64 [topics].
        sums: the sum down to each row, and a 0 behind all of them, float64 [rows + 1].
    """

    length: Ints
    before: Ints
    sums: Floats

    @classmethod
    def of(cls, length: Ints, starts: Ints, sums: Floats) -> RunningIdeal:
        """The sums ``sums`` down the lists that begin at ``starts``."""
        # A topic whose best list is empty reads the 0 behind all sums.
        before = np.where(length > 0, starts[:-1] - 1, -1)
        return cls(length, before, np.append(sums, 0.0))

    def down(self, rank: Ints, starts: Ints, per_topic: Callable[[Ints], Ints]) -> Floats:
        """The sum down to each rank, which stays what it is below the end, float64 [ranks].

        Args:
            rank: of lists of all topics, one after the other.
            starts: where each list begins.
            per_topic: repeats a fact of each topic for each list.
        """
        engine = compiled()
        if engine is not None:
            return engine.best_down(starts, np.ascontiguousarray(rank), self.before, self.length, self.sums)
        before, length = (np.repeat(per_topic(fact), np.diff(starts)) for fact in (self.before, self.length))
        return self.sums.take(before + np.minimum(rank, length))
