"""Rankings: runs seen through qrels, the only thing a measure sees.

Of each (system, topic) list only the judged documents are kept, in rank order, all lists one after the other in
flat arrays. A *segment* is one list; segment = system * topics + topic, and a list that is absent is a segment
without rows. Nearly every measure is then a segment-wise sum, count or running product: see ``measures``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints, Mask
from cranfield.collection.frozen import Frozen, read_only
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool

PerRanking = Floats
"""One value for each segment, float64 [segments]; NaN where the measure is undefined."""


@dataclass(frozen=True, slots=True)
class TieGroups:
    """Documents of equal score that hold a judged one, G of them, list by list from the top.

    Args:
        starts: group g holds the judged rows ``starts[g]:starts[g + 1]``, int64 [G + 1].
        segment: its list, int64 [G].
        above: documents above it, judged or not, int64 [G].
        size: its documents, judged or not, int64 [G].
    """

    starts: Ints
    segment: Ints
    above: Ints
    size: Ints

    @property
    def rows(self) -> Ints:
        """Judged documents of each group, int64 [G]."""
        return np.diff(self.starts)


KEPT = 24
"""Views and arrays that are kept for the next measure, at a time; those not asked for longest are given up."""

CELLS = 1 << 20
"""Cells of the tables in which lists are laid side by side."""

DENSE = 1 << 19
"""Cells of the tables in which ranks that were not judged have a place too."""

LONG = 64
"""Rows a list, on average, from which on lists are run down one by one rather than side by side."""


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
        first: first rank of the documents with the same score as each row's, int64 [rows]; None where the policy
            settles their order (all but ``expected`` and ``bounds``).
        last: last rank of them, int64 [rows].
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
        first: Ints | None = None,
        last: Ints | None = None,
    ) -> None:
        self.systems = tuple(systems)
        self.pool = pool
        self.length = length
        self.starts = starts
        self.rank = rank
        self.document = document
        self.grade = grade
        self.policy = policy
        self.first = first
        self.last = last
        self._cache: dict[Hashable, Any] = {}
        for array in (length, starts, rank, document, grade, first, last):
            if array is not None:
                array.flags.writeable = False
        self._freeze()

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

    def shared(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What several measures need of these lists, made once; ``key`` names it. Arrays become read-only."""
        found = self._cache.pop(key, None)
        if found is None:
            found = read_only(make())
            while len(self._cache) >= KEPT:
                self._cache.pop(next(iter(self._cache)), None)
        self._cache[key] = found
        return found

    # ---- facts of a row

    def relevant(self, rel: float) -> Mask:
        """Whether each document's grade reaches ``rel``, bool [rows]."""
        mask: Mask = self.shared(("relevant", rel), lambda: self.grade >= rel)
        return mask

    @cached_property
    def position(self) -> Ints:
        """Place of each row among the rows of its list, from 1, int64 [rows]."""
        return np.arange(len(self.rank)) - np.repeat(self.starts[:-1], np.diff(self.starts)) + 1

    def at_rank(self, weight: Callable[[Floats], Floats]) -> Floats:
        """The weight of each row's rank, computed once a rank, float64 [rows]."""
        return weight(np.arange(1.0, self.longest + 1))[self.rank - 1]

    # ---- facts of a list

    def n_relevant(self, rel: float) -> Floats:
        """Relevant documents known for the topic of each list, float64 [segments]."""
        known: Floats = self.per_topic(self.pool.count(low=rel))
        return known

    def retrieved(self, rel: float) -> Floats:
        """Relevant documents in each list, float64 [segments]."""
        return np.diff(self.only(rel).starts).astype(np.float64)

    def ideal(self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]) -> Floats:
        """``value`` of the best list of each list's topic, float64 [segments].

        The best list holds the documents with a gain above 0, by gain descending: documents without gain exist
        without limit, so nothing below 0 need be shown. ``key`` names gain and value; topics are computed once.
        """
        best: Floats = self.per_topic(self.pool.shared(("ideal", key), lambda: value(self._ideal_lists(gain))))
        return best

    def ideal_running(
        self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]
    ) -> Floats:
        """Running sum of ``value`` down the best list of each row's topic, read at the row's rank, float64 [rows].

        Below the end of the best list the sum stays what it is. ``key`` names gain and value, as in ``ideal``.
        """

        def down() -> tuple[Ints, Ints, Floats]:
            lists = self._ideal_lists(gain)
            # A topic whose best list is empty reads the 0 behind all sums.
            before = np.where(lists.length > 0, lists.starts[:-1] - 1, -1)
            return lists.length, before, np.append(lists.running_sum(value(lists)), 0.0)

        length, before, running = self.pool.shared(("ideal running", key), down)
        reached = np.minimum(self.rank, self.per_topic(length)[self.segment])
        best: Floats = running[self.per_topic(before)[self.segment] + reached]
        return best

    def called(self, systems: Sequence[str]) -> Rankings:
        """The same lists of systems under these names."""
        facts = self.pool, self.length, self.starts, self.rank, self.document, self.grade, self.policy
        return Rankings(systems, *facts, self.first, self.last)

    @classmethod
    def of_pool(cls, pool: Pool, policy: Policy) -> Rankings:
        """One list for each topic that holds all its judged documents, best first."""
        order = np.lexsort((-pool.grade, pool.topic))
        rank = np.arange(len(order)) - np.repeat(pool.starts[:-1], pool.size) + 1
        return cls(("all judged",), pool, pool.size, pool.starts, rank, order, pool.grade[order], policy)

    def _ideal_lists(self, gain: Callable[[Floats], Floats]) -> Rankings:
        pool = self.pool

        def best_first() -> tuple[Ints, Ints, Ints, Ints]:
            worth = gain(pool.grade)
            rows = np.flatnonzero(worth > 0)
            order = rows[np.lexsort((-worth[rows], pool.topic[rows]))]
            length = np.bincount(pool.topic[order], minlength=len(pool.size))
            starts = np.concatenate([[0], np.cumsum(length)])
            return length, starts, np.arange(len(order)) - np.repeat(starts[:-1], length) + 1, order

        length, starts, rank, order = pool.shared(("ideal lists", gain(pool.labels).tobytes()), best_first)
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
        return _running(values, self.starts, np.add)

    def running_product(self, values: Floats) -> Floats:
        """Product over the rows of the list before each row, 1 on the first, float64 [rows].

        Multiplied row by row inside each list, so that a list gives the same bits alone and among others.
        """
        before = np.empty(len(values))
        before[1:] = _running(values, self.starts, np.multiply)[:-1]
        before[self.starts[:-1][np.diff(self.starts) > 0]] = 1.0
        return before

    def sum_from(self, values: Floats) -> Floats:
        """Sum over the rows of the list from each row on, added from the last row up, float64 [rows]."""
        return _running(values[::-1], len(values) - self.starts[::-1], np.add)[::-1]

    def maximum_from(self, values: Floats) -> Floats:
        """Largest value of the rows of the list from each row on, float64 [rows]."""
        return _running(values[::-1], len(values) - self.starts[::-1], np.maximum)[::-1]

    def dense(
        self, depth: int, values: Floats | None = None, missing: float = np.nan
    ) -> Iterator[tuple[slice, Floats]]:
        """The lists rank by rank, as many at a time as have ``DENSE`` cells: (which segments, values of their ranks).

        ``values`` [rows] are those of the judged documents, their grades where None; a document that was not judged
        and ranks below the end of a list have the value ``missing``. Tables are float64 [segments, depth].
        """
        values = self.grade if values is None else values
        step = max(1, DENSE // depth)
        for first in range(0, len(self.length), step):
            block = slice(first, min(first + step, len(self.length)))
            rows = np.arange(self.starts[block.start], self.starts[block.stop])
            if depth < self.longest:
                rows = rows[self.rank[rows] <= depth]
            table = np.full((block.stop - block.start, depth), missing)
            table.reshape(-1)[(self.segment[rows] - first) * depth + self.rank[rows] - 1] = values[rows]
            yield block, table

    # ---- documents of equal score, where the policy leaves their order open

    @cached_property
    def tied(self) -> TieGroups:
        """Judged documents by equal score; each alone where their order is settled."""
        if self.first is None or self.last is None:
            return TieGroups(np.arange(len(self.rank) + 1), self.segment, self.rank - 1, np.ones_like(self.rank))
        new = np.ones(len(self.rank) + 1, dtype=bool)
        new[1:-1] = (np.diff(self.first) != 0) | (np.diff(self.segment) != 0)
        starts = np.flatnonzero(new)
        rows = starts[:-1]
        return TieGroups(starts, self.segment[rows], self.first[rows] - 1, (self.last - self.first + 1)[rows])

    def mean_weight(self, weight: Callable[[Floats], Floats], cutoff: Ints | int | None = None) -> Floats:
        """Mean of ``weight(r)`` over the ranks r where each document may stand, 0 below ``cutoff``; float64 [rows]."""
        alone = self.at_rank(weight) * (True if cutoff is None else self.rank <= cutoff)
        if self.first is None or self.last is None:
            return alone
        total = np.concatenate([[0.0], np.cumsum(weight(np.arange(1.0, self.longest + 1)))])
        above = self.first - 1
        limit = min(cutoff, self.longest) if isinstance(cutoff, int) else cutoff
        seen = self.last if limit is None else np.clip(limit, above, self.last)
        spread = (total[seen] - total[above]) / (self.last - above)
        return np.where(self.last - above == 1, alone, spread)

    def in_order(self, worth: Floats | None = None, *, best: bool = True) -> Rankings:
        """The lists with the order of equal scores settled: as it stands, or by ``worth``, its best or its worst.

        ``worth`` is float64 [rows]; unjudged documents are worth 0. In the best order those of larger worth come
        first, in the worst last; among equal worth judged documents come before unjudged ones, or after them.
        """
        if self.first is None:
            return self
        rank, row = self.rank, np.arange(len(self.rank))
        if worth is not None:
            groups = self.tied
            group = np.repeat(np.arange(len(groups.size)), groups.rows)
            row = np.lexsort((-self.grade if best else self.grade, -worth if best else worth, group))
            below_unjudged = worth[row] < 0 if best else worth[row] >= 0
            place = np.arange(len(row)) - groups.starts[:-1][group]
            rank = groups.above[group] + 1 + place + below_unjudged * (groups.size - groups.rows)[group]
        return Rankings(
            self.systems, self.pool, self.length, self.starts, rank, self.document[row], self.grade[row], self.policy
        )

    # ---- views

    def top(self, cutoff: int | None) -> Rankings:
        """The lists cut after rank ``cutoff``; None leaves them whole."""
        if cutoff is None or cutoff >= self.longest:
            return self
        view: Rankings = self.shared(
            ("top", cutoff), lambda: self._keep(self.rank <= cutoff, np.minimum(self.length, cutoff))
        )
        return view

    def only(self, low: float) -> Rankings:
        """The lists with those of their judged documents alone whose grade reaches ``low``; ranks stay what they are.

        Nothing is lost where the others add nothing, and most of the judged documents are such.
        """
        reached = self.pool.level(low)
        if reached == self.pool.level(-np.inf):
            return self
        view: Rankings = self.shared(("only", reached), lambda: self._keep(self.grade >= reached, self.length))
        return view

    @cached_property
    def condensed(self) -> Rankings:
        """The lists without their unjudged documents, ranks assigned anew (Sakai 2007, doi:10.1145/1277741.1277756)."""
        counts = np.diff(self.starts)
        rank = self.position
        first, last = self.first, self.last
        if first is not None:
            bounds = self.tied.starts
            first, last = (np.repeat(rank[ends], np.diff(bounds)) for ends in (bounds[:-1], bounds[1:] - 1))
        return Rankings(
            self.systems, self.pool, counts, self.starts, rank, self.document, self.grade, self.policy, first, last
        )

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
            self.systems,
            pool,
            kept.length,
            kept.starts,
            kept.rank,
            moved[kept.document],
            kept.grade,
            self.policy,
            kept.first,
            kept.last,
        )

    def view(self, *, judged_only: bool = False, cutoff: int | None = None) -> Rankings:
        """What a measure with these two parameters looks at: condensed first, cut afterwards."""
        return (self.condensed if judged_only else self).top(cutoff)

    def _keep(self, mask: Mask, length: Ints) -> Rankings:
        rows = np.flatnonzero(mask)
        return Rankings(
            self.systems,
            self.pool,
            length,
            np.searchsorted(rows, self.starts),
            self.rank[rows],
            self.document[rows],
            self.grade[rows],
            self.policy,
            *((self.first[rows], self.last[rows]) if self.first is not None and self.last is not None else ()),
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
            *(() if first.first is None else (_joined(parts, "first"), _joined(parts, "last"))),
        )


def _joined(parts: Sequence[Rankings], name: str) -> Ints:
    joined: Ints = np.concatenate([getattr(part, name) for part in parts])
    return joined


def _running(values: Floats, starts: Ints, combine: np.ufunc) -> Floats:
    """What the rows of each list up to each row combine to, row by row, float64 [rows].

    Short lists are laid side by side, as many of like length at a time as have ``CELLS`` cells.
    """
    counts = np.diff(starts)
    running = np.empty(len(values))
    if len(values) >= LONG * len(counts):
        for start, end in itertools.pairwise(starts.tolist()):
            combine.accumulate(values[start:end], out=running[start:end])
        return running
    order = np.argsort(counts, kind="stable")
    end = len(order)
    while end > 0 and (longest := int(counts[order[end - 1]])) > 0:
        block = order[max(0, end - max(1, CELLS // longest)) : end]
        end -= len(block)
        of = np.repeat(np.arange(len(block)), counts[block])
        column = np.arange(len(of)) - np.repeat(np.cumsum(counts[block]) - counts[block], counts[block])
        rows = starts[block][of] + column
        table = np.zeros((len(block), longest))
        table[of, column] = values[rows]
        combine.accumulate(table, axis=1, out=table)
        running[rows] = table[of, column]
    return running
