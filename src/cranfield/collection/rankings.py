"""Rankings: runs seen through qrels, the only thing a measure sees.

Of each (system, topic) list only the judged documents are kept, in rank order, all lists one after the other in
flat arrays. A *segment* is one list; segment = system * topics + topic, and a list that is absent is a segment
without rows. Nearly every measure is then a segment-wise sum, count or running product: see ``measures``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.frozen import Frozen
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Floats, Ints, Pool

PerRanking = Floats
"""One value for each segment, float64 [segments]; NaN where the measure is undefined."""

Mask = NDArray[np.bool_]

Made = TypeVar("Made")

VIEWS = 8
"""Cutoffs whose views are kept at a time."""

CELLS = 1 << 20
"""Cells of the tables in which lists are laid side by side."""


class Rankings(Frozen):
    """Judged documents of many ranked lists, in rank order.

    Args:
        systems: names, S of them.
        pool: the judgments of all T topics.
        length: retrieved documents, judged or not, of each list, int64 [S * T].
        starts: list s holds the rows ``starts[s]:starts[s + 1]``, int64 [S * T + 1].
        rank: rank of each judged document in its list, from 1, int64 [rows].
        document: row of that document in the pool, int64 [rows].
        grade: its label, float64 [rows].
        policy: what was decided about ties, unjudged documents and labels below zero.
    """

    def __init__(
        self,
        systems: Sequence[str],
        pool: Pool,
        length: Ints,
        starts: Ints,
        rank: Ints,
        document: Ints,
        grade: Floats,
        policy: Policy,
    ) -> None:
        self.systems = tuple(systems)
        self.pool = pool
        self.length = length
        self.starts = starts
        self.rank = rank
        self.document = document
        self.grade = grade
        self.policy = policy
        self._cache: dict[Hashable, Any] = {}
        for array in (length, starts, rank, document, grade):
            array.flags.writeable = False

    def __repr__(self) -> str:
        return (
            f"Rankings({len(self.systems)} systems x {len(self.pool.size)} topics, "
            f"{len(self.rank):,} judged of {int(self.length.sum()):,} retrieved documents, ties={self.policy.ties!r})"
        )

    # ---- axes

    @cached_property
    def segment(self) -> Ints:
        """Segment of each row, int64 [rows]."""
        return np.repeat(np.arange(len(self.length)), np.diff(self.starts))

    @cached_property
    def longest(self) -> int:
        """Documents of the longest list."""
        return int(self.length.max(initial=0))

    def per_topic(self, values: NDArray[Any]) -> NDArray[Any]:
        """A value for each topic repeated for each list, [topics] -> [segments]."""
        return np.tile(values, len(self.systems))

    # ---- facts of a row

    def relevant(self, rel: float) -> Mask:
        """Whether each document's grade reaches ``rel``, bool [rows]."""
        key = ("relevant", rel)
        if key not in self._cache:
            self._cache[key] = self.grade >= rel
        mask: Mask = self._cache[key]
        return mask

    # ---- facts of a list

    def n_relevant(self, rel: float) -> Floats:
        """Relevant documents known for the topic of each list, float64 [segments]."""
        known: Floats = self.per_topic(self.pool.count(low=rel))
        return known

    def retrieved(self, rel: float) -> Floats:
        """Relevant documents in each list, float64 [segments]."""
        return self.count(self.relevant(rel))

    def ideal(self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]) -> Floats:
        """``value`` of the best list of each list's topic, float64 [segments].

        The best list holds the documents with a gain above 0, by gain descending: documents without gain exist
        without limit, so nothing below 0 need be shown. ``key`` names gain and value; topics are computed once.
        """
        memo = self.pool.memo
        if ("ideal", key) not in memo:
            memo["ideal", key] = value(self._ideal_lists(gain(self.pool.grade)))
        best: Floats = self.per_topic(memo["ideal", key])
        return best

    def ideal_running(
        self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]
    ) -> Floats:
        """Running sum of ``value`` down the best list of each row's topic, read at the row's rank, float64 [rows].

        Below the end of the best list the sum stays what it is. ``key`` names gain and value, as in ``ideal``.
        """
        lists = self._ideal_lists(gain(self.pool.grade))
        memo = self.pool.memo
        if ("ideal running", key) not in memo:
            memo["ideal running", key] = np.append(lists.running_sum(value(lists)), 0.0)
        topic = self.segment % len(lists.length)
        reached = np.minimum(self.rank, lists.length[topic])
        best: Floats = memo["ideal running", key][np.where(reached > 0, lists.starts[topic] + reached - 1, -1)]
        return best

    @classmethod
    def of_pool(cls, pool: Pool, policy: Policy) -> Rankings:
        """One list for each topic that holds all its judged documents, best first."""
        order = np.lexsort((-pool.grade, pool.topic))
        rank = np.arange(len(order)) - np.repeat(pool.starts[:-1], pool.size) + 1
        return cls(("all judged",), pool, pool.size, pool.starts, rank, order, pool.grade[order], policy)

    def _ideal_lists(self, gain: Floats) -> Rankings:
        pool = self.pool
        order = np.lexsort((-gain, pool.topic))
        order = order[gain[order] > 0]
        length = np.bincount(pool.topic[order], minlength=len(pool.size))
        starts = np.concatenate([[0], np.cumsum(length)])
        rank = np.arange(len(order)) - np.repeat(starts[:-1], length) + 1
        return Rankings(("ideal",), pool, length, starts, rank, order, pool.grade[order], self.policy)

    # ---- segment-wise arithmetic

    def count(self, mask: Mask) -> Floats:
        """How many rows of each list are marked, float64 [segments]."""
        total = np.concatenate([[0], np.cumsum(mask)])
        counts: Floats = (total[self.starts[1:]] - total[self.starts[:-1]]).astype(np.float64)
        return counts

    def running_count(self, mask: Mask) -> Ints:
        """How many rows of the list are marked up to and including each row, int64 [rows]."""
        total = np.cumsum(mask)
        before = np.concatenate([[0], total])[self.starts[:-1]]
        running: Ints = total - np.repeat(before, np.diff(self.starts))
        return running

    def sum(self, values: Floats) -> Floats:
        """Sum over the rows of each list, added in rank order, float64 [segments]."""
        total: Floats = np.bincount(self.segment, values, minlength=len(self.length)).astype(np.float64, copy=False)
        return total

    def maximum(self, values: Floats) -> Floats:
        """Largest value of each list, 0 for a list without rows, float64 [segments]."""
        out = np.zeros(len(self.length))
        filled = np.diff(self.starts) > 0
        if filled.any():
            out[filled] = np.maximum.reduceat(values, self.starts[:-1][filled])
        return out

    def running_sum(self, values: Floats) -> Floats:
        """Sum over the rows of the list up to and including each row, float64 [rows].

        Added row by row inside each list, so that a list gives the same bits alone and among others.
        """
        return self._running(values, np.add, 0.0)[1]

    def running_product(self, values: Floats) -> Floats:
        """Product over the rows of the list before each row, 1 on the first, float64 [rows].

        Multiplied row by row inside each list, so that a list gives the same bits alone and among others.
        """
        return self._running(values, np.multiply, 1.0)[0]

    def _running(self, values: Floats, combine: np.ufunc, neutral: float) -> tuple[Floats, Floats]:
        """What the rows of a list before each row combine to, and with the row itself; [rows] each.

        Lists are laid side by side, as many of like length at a time as have ``CELLS`` cells.
        """
        counts = np.diff(self.starts)
        before, after = np.empty(len(values)), np.empty(len(values))
        order = np.argsort(counts, kind="stable")
        end = len(order)
        while end > 0 and (longest := int(counts[order[end - 1]])) > 0:
            block = order[max(0, end - max(1, CELLS // longest)) : end]
            end -= len(block)
            of = np.repeat(np.arange(len(block)), counts[block])
            column = np.arange(len(of)) - np.repeat(np.cumsum(counts[block]) - counts[block], counts[block])
            rows = self.starts[block][of] + column
            table = np.full((len(block), longest + 1), neutral)
            table[of, column + 1] = values[rows]
            combine.accumulate(table, axis=1, out=table)
            before[rows], after[rows] = table[of, column], table[of, column + 1]
        return before, after

    def dense(self, depth: int, cells: int = 1 << 19) -> Iterator[tuple[slice, Floats]]:
        """The lists rank by rank, as many at a time as have ``cells`` cells: (which segments, their grades).

        Grades are float64 [segments, depth], NaN where a document was not judged and below the end of a list.
        """
        step = max(1, cells // depth)
        for first in range(0, len(self.length), step):
            block = slice(first, min(first + step, len(self.length)))
            rows = slice(self.starts[block.start], self.starts[block.stop])
            shown = self.rank[rows] <= depth
            grades = np.full((block.stop - block.start, depth), np.nan)
            grades[self.segment[rows][shown] - first, self.rank[rows][shown] - 1] = self.grade[rows][shown]
            yield block, grades

    # ---- views

    def top(self, cutoff: int | None) -> Rankings:
        """The lists cut after rank ``cutoff``; None leaves them whole."""
        if cutoff is None or cutoff >= self.longest:
            return self
        key = ("top", cutoff)
        if key not in self._cache:
            views = [known for known in self._cache if isinstance(known, tuple) and known[0] == "top"]
            if len(views) >= VIEWS:
                del self._cache[views[0]]
            self._cache[key] = self._keep(self.rank <= cutoff, np.minimum(self.length, cutoff))
        view: Rankings = self._cache[key]
        return view

    @cached_property
    def condensed(self) -> Rankings:
        """The lists without their unjudged documents, ranks assigned anew (Sakai 2007, doi:10.1145/1277741.1277756)."""
        counts = np.diff(self.starts)
        rank = np.arange(len(self.rank)) - np.repeat(self.starts[:-1], counts) + 1
        return Rankings(self.systems, self.pool, counts, self.starts, rank, self.document, self.grade, self.policy)

    @cached_property
    def without_negatives(self) -> Rankings:
        """The lists as trec_eval reads them: a document with a negative label is unjudged."""
        keep = self.grade >= 0
        pool = self.pool.without_negatives
        if keep.all() and pool is self.pool:
            return self
        moved = np.cumsum(self.pool.grade >= 0) - 1
        kept = self._keep(keep, self.length)
        return Rankings(
            self.systems, pool, kept.length, kept.starts, kept.rank, moved[kept.document], kept.grade, self.policy
        )

    def view(self, *, judged_only: bool = False, cutoff: int | None = None) -> Rankings:
        """What a measure with these two parameters looks at: condensed first, cut afterwards."""
        return (self.condensed if judged_only else self).top(cutoff)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, made when it is first asked for under this key."""
        if key not in self._cache:
            self._cache[key] = make()
        made: Made = self._cache[key]
        return made

    def _keep(self, mask: Mask, length: Ints) -> Rankings:
        total = np.concatenate([[0], np.cumsum(mask)])
        return Rankings(
            self.systems,
            self.pool,
            length,
            total[self.starts],
            self.rank[mask],
            self.document[mask],
            self.grade[mask],
            self.policy,
        )

    @classmethod
    def concatenate(cls, parts: Sequence[Rankings]) -> Rankings:
        """Lists of several groups of systems over one pool, side by side."""
        first = parts[0]
        offsets = np.cumsum([0, *(len(part.rank) for part in parts)])
        starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
        return cls(
            [name for part in parts for name in part.systems],
            first.pool,
            np.concatenate([part.length for part in parts]),
            np.concatenate([*starts, offsets[-1:]]),
            np.concatenate([part.rank for part in parts]),
            np.concatenate([part.document for part in parts]),
            np.concatenate([part.grade for part in parts]),
            first.policy,
        )
