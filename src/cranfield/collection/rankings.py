"""Rankings: runs seen through qrels, the only thing a measure sees.

Of each (system, topic) list only the judged documents are kept, in rank order, all lists one after the other in
flat arrays. A *segment* is one list; segment = system * topics + topic, and a list that is absent is a segment
without rows. Nearly every measure is then a segment-wise sum, count or running product: see ``measures``.

Beside the lists themselves stand the best lists that the judgments allow, the groups of documents with equal scores
whose order a policy leaves open, and tables with a cell for each rank.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cranfield._frozen import Caching, Frozen, read_only
from cranfield._typing import Floats, Ints, Mask, NDArray, Scalar
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.segments import Arithmetic, distinct, ideal_sums, list_positions, select_rows, stable_order

PerRanking = Floats
"""One value for each segment, float64 [segments]; NaN where the measure is undefined."""

CACHED = 24
"""Views and arrays that are cached for the next measure; the least recently used are dropped."""
DENSE = 1 << 19
"""Cells of a table that gives every rank a cell, judged or not."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rankings(Arithmetic, Caching, Frozen):
    """Judged documents of many ranked lists, in rank order.

    Others over the same judgments are made with ``dataclasses.replace``.

    Args:
        systems: names, S of them.
        pool: the judgments of all T topics.
        length: retrieved documents, judged or not, of each list, int64 [S * T].
        starts: list s holds the rows ``starts[s]:starts[s + 1]``, int64 [S * T + 1].
        rank: rank of each judged document in its list, from 1, int64 [rows].
        document: row of that document in the pool, int64 [rows].
        grade: its label, float64 [rows].
        policy: the decisions about ties, unjudged documents and labels below zero.
        first: first rank of the documents with the same score as each row's, int64 [rows]; None where the policy
            settles their order (all but ``expected`` and ``bounds``).
        last: last rank of them, int64 [rows].
    """

    systems: tuple[str, ...]
    pool: Pool
    length: Ints
    starts: Ints
    rank: Ints
    document: Ints
    grade: Floats
    policy: Policy
    first: Ints | None = None
    last: Ints | None = None
    _cache_size: ClassVar[int | None] = CACHED

    def __post_init__(self) -> None:
        for array in (self.length, self.starts, self.rank, self.document, self.grade, self.first, self.last):
            read_only(array)

    def __repr__(self) -> str:
        return (
            f"Rankings({len(self.systems)} systems x {len(self.pool.size)} topics, "
            f"{len(self.rank):,} judged of {int(self.length.sum()):,} retrieved documents, ties={self.policy.ties!r})"
        )

    # ---- axes

    @cached_property
    def topic(self) -> Ints:
        """Topic of each row, int64 [rows]."""
        return np.repeat(self.per_topic(np.arange(len(self.pool.size))), self.sizes)

    def per_topic(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """A value for each topic repeated for each list, [topics] -> [segments]."""
        return values.copy() if len(self.systems) == 1 else np.concatenate([values] * len(self.systems), axis=-1)

    # ---- facts of a row

    def relevant(self, rel: float) -> Mask:
        """Return whether each document's grade reaches ``rel``, bool [rows]."""
        return self.shared(("relevant", rel), lambda: self.grade >= rel)

    # ---- facts of a list

    def n_relevant(self, rel: float) -> Floats:
        """Relevant documents known for the topic of each list, float64 [segments]."""
        return self.per_topic(self.pool.count(low=rel))

    def retrieved(self, rel: float) -> Floats:
        """Relevant documents in each list, float64 [segments]."""
        return self.only(rel).sizes.astype(np.float64)

    def ideal(self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]) -> Floats:
        """``value`` of the best list of each list's topic, float64 [segments].

        The best list holds the documents with a gain above 0, by gain descending: documents without gain exist
        without limit, so nothing below 0 need be shown. ``key`` names gain and value; topics are computed once.
        """
        return self.per_topic(self.pool.shared(("ideal", key), lambda: value(self._ideal_lists(gain))))

    def ideal_running(
        self, key: Hashable, gain: Callable[[Floats], Floats], value: Callable[[Rankings], Floats]
    ) -> Floats:
        """Running sum of ``value`` down the best list of each row's topic, read at the row's rank, float64 [rows].

        Below the end of the best list the sum stays what it is. ``key`` names gain and value, as in ``ideal``.
        """

        def down() -> RunningIdeal:
            lists = self._ideal_lists(gain)
            return RunningIdeal.from_sums(lists.length, lists.starts, lists.running_sum(value(lists)))

        return self.pool.shared(("ideal running", key), down).down(self.rank, self.starts)

    @classmethod
    def of_pool(cls, pool: Pool, policy: Policy) -> Rankings:
        """One list for each topic that holds all its judged documents, best first."""
        by_label = pool.by_label(best_first=True)
        return cls.in_orders(
            "all judged", pool, Orders(pool.size, pool.starts, list_positions(pool.starts), by_label), policy
        )

    @classmethod
    def in_orders(cls, name: str, pool: Pool, orders: Orders, policy: Policy) -> Rankings:
        """One list for each topic that holds documents of the pool, under the name of one system."""
        grade = pool.grade[orders.document]
        return cls(systems=(name,), pool=pool, grade=grade, policy=policy, **orders._asdict())

    def _ideal_lists(self, gain: Callable[[Floats], Floats]) -> Rankings:
        pool = self.pool
        orders = pool.shared(("ideal lists", gain(pool.labels).tobytes()), lambda: _sort_by_gain(pool, gain))
        return self.in_orders("ideal", pool, orders, self.policy)

    # ---- tables

    def dense(
        self, depth: int, values: Floats | None = None, missing: float = np.nan
    ) -> Iterator[tuple[slice, Floats]]:
        """The lists rank by rank, as many at a time as have ``DENSE`` cells: (which segments, values of their ranks).

        ``values`` [rows] are those of the judged documents, their grades where None; a document that was not judged
        and ranks below the end of a list have the value ``missing``. Tables are float64 [segments, depth].
        """
        values = self.grade if values is None else values
        return tables(self.starts, self.segment, self.rank, values, depth, missing)

    # ---- tied documents, where the policy leaves their order open

    @cached_property
    def tied(self) -> TieGroups:
        """Judged documents by equal score; each alone where ties are broken."""
        return TieGroups.from_ranks(self.segment, self.rank, self.first, self.last)

    def mean_weight(self, weight: Callable[[Floats], Floats], cutoff: Ints | int | None = None) -> Floats:
        """Mean of ``weight(r)`` over the ranks r where each document may stand, 0 below ``cutoff``; float64 [rows]."""
        return mean_weight(weight(np.arange(1.0, self.longest + 1)), self.rank, self.first, self.last, cutoff)

    def in_order(self, worth: Floats | None = None, *, best: bool = True) -> Rankings:
        """The lists with ties broken: in their current order, or by ``worth``, in the best or the worst order.

        ``worth`` is float64 [rows]; unjudged documents are worth 0. In the best order those of larger worth come
        first, in the worst last; among equal worth judged documents come before unjudged ones, or after them.
        """
        if self.first is None:
            return self
        settled = replace(self, first=None, last=None)
        if worth is None:
            return settled
        rank, row = self.tied.by_worth(worth, self.grade, best=best)
        return replace(settled, rank=rank, document=self.document[row], grade=self.grade[row])

    # ---- views

    def top(self, cutoff: int | None) -> Rankings:
        """The lists cut after rank ``cutoff``; None leaves them whole."""
        if cutoff is None or cutoff >= self.longest:
            return self
        return self.shared(("top", cutoff), lambda: self._cut(cutoff))

    def _cut(self, cutoff: int) -> Rankings:
        length = np.minimum(self.length, cutoff)
        before = self.starts[:-1]
        size = self.rows_down_to(np.full(len(length), cutoff)) - before
        starts = np.concatenate([[0], np.cumsum(size)])
        rows = np.arange(starts[-1]) + np.repeat(before - starts[:-1], size)
        return replace(self, length=length, starts=starts, **{name: column[rows] for name, column in self._columns()})

    def only(self, low: float, *, judged_only: bool = False) -> Rankings:
        """The lists with only those judged documents whose grade reaches ``low``; ranks are unchanged.

        This saves work for measures to which other documents, most of the judged ones, contribute nothing. With
        ``judged_only``, they are of the condensed lists.
        """
        reached = self.pool.level(low)
        if judged_only and (reached == self.pool.least or self.first is not None):
            return self.condensed.only(low)
        if reached == self.pool.least:
            return self
        subset, position = self._reaching(reached)
        if not judged_only:
            return subset
        return self.shared(("only judged", reached), lambda: replace(subset, length=self.sizes, rank=position))

    def positions(self, low: float) -> Ints:
        """Position of each document of ``only(low)`` among all rows of its list, from 1, int64 [its rows]."""
        reached = self.pool.level(low)
        return self.position if reached == self.pool.least else self._reaching(reached)[1]

    def _reaching(self, reached: float) -> tuple[Rankings, Ints]:
        return self.shared(("only", reached), lambda: self._keep(self.grade >= reached))

    @cached_property
    def condensed(self) -> Rankings:
        """The lists without their unjudged documents, ranks assigned anew (Sakai 2007, doi:10.1145/1277741.1277756)."""
        first, last = (None, None) if self.first is None else self.tied.ends(self.position)
        return replace(self, length=self.sizes, rank=self.position, first=first, last=last)

    @cached_property
    def without_negatives(self) -> Rankings:
        """The lists as trec_eval reads them: a document with a negative label is unjudged."""
        return self.restricted(self.pool.grade >= 0, self.pool.without_negatives)

    def restricted(self, keep: Mask, pool: Pool) -> Rankings:
        """The lists over ``pool``, which holds the marked rows of theirs; all other documents are unjudged."""
        if pool is self.pool:
            return self
        subset, _ = self._keep(keep[self.document])
        return replace(subset, pool=pool, document=(np.cumsum(keep) - 1)[subset.document])

    def view(self, *, judged_only: bool = False, cutoff: int | None = None) -> Rankings:
        """The lists for a measure with these two parameters: condensed first, cut afterwards."""
        return (self.condensed if judged_only else self).top(cutoff)

    def _keep(self, mask: Mask) -> tuple[Rankings, Ints]:
        """The lists with only the marked rows, and the position of each of these in its list before, from 1."""
        starts, rank, document, grade, position = select_rows(mask, self.starts, self.rank, self.document, self.grade)
        first, last = (None if ends is None else ends[mask] for ends in (self.first, self.last))
        subset = replace(self, starts=starts, rank=rank, document=document, grade=grade, first=first, last=last)
        return subset, position

    def _columns(self) -> list[tuple[str, Any]]:
        """The arrays that have a value for each row, by name."""
        columns = ((name, getattr(self, name)) for name in ("rank", "document", "grade", "first", "last"))
        return [(name, column) for name, column in columns if column is not None]

    @classmethod
    def concatenate(cls, parts: Sequence[Rankings]) -> Rankings:
        """Lists of several groups of systems over one pool, side by side."""
        offsets = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name, _ in parts[0]._columns()
        }
        return replace(
            parts[0],
            systems=tuple(name for part in parts for name in part.systems),
            length=np.concatenate([part.length for part in parts]),
            starts=np.concatenate([*starts, offsets[-1:]]),
            **columns,
        )


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


def _sort_by_gain(pool: Pool, gain: Callable[[Floats], Floats]) -> Orders:
    """The documents of each topic with a gain above 0, by gain descending."""
    rows = np.flatnonzero(gain(pool.grade) > 0)
    losses = -gain(pool.labels)
    levels = distinct(losses)
    level = np.searchsorted(levels, losses)[np.searchsorted(pool.labels, pool.grade[rows])]
    document = rows[stable_order(pool.topic[rows] * len(levels) + level)]
    length = np.bincount(pool.topic[document], minlength=len(pool.size))
    starts = np.concatenate([[0], np.cumsum(length)])
    return Orders(length, starts, list_positions(starts), document)


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
    def from_sums(cls, length: Ints, starts: Ints, sums: Floats) -> RunningIdeal:
        """The sums ``sums`` down the lists that begin at ``starts``."""
        # A topic whose best list is empty reads the 0 behind all sums.
        before = np.where(length > 0, starts[:-1] - 1, -1)
        return cls(length, before, np.append(sums, 0.0))

    def down(self, rank: Ints, starts: Ints) -> Floats:
        """The sum down to each rank, which stays what it is below the end, float64 [ranks].

        Args:
            rank: of lists of all topics, one after the other.
            starts: where each list begins.
        """
        return ideal_sums(starts, rank, self.before, self.length, self.sums)


def tables(
    starts: Ints, line: Ints, rank: Ints, values: Floats, depth: int, missing: float
) -> Iterator[tuple[slice, Floats]]:
    """Lists rank by rank, as many at a time as have ``DENSE`` cells: (which of them, values of their ranks).

    Args:
        starts: list s holds the rows ``starts[s]:starts[s + 1]``, int64 [lists + 1].
        line: the list of each row, int64 [rows].
        rank: its rank there, from 1, int64 [rows].
        values: what stands there, float64 [rows].
        depth: ranks of a table; rows below are left out.
        missing: what stands where no row is.
    """
    lists = len(starts) - 1
    step = max(1, DENSE // depth)
    deeper = depth < rank.max(initial=0)
    for first in range(0, lists, step):
        block = slice(first, min(first + step, lists))
        rows = np.arange(starts[block.start], starts[block.stop])
        if deeper:
            rows = rows[rank[rows] <= depth]
        table = np.full((block.stop - block.start, depth), missing)
        table.reshape(-1)[(line[rows] - first) * depth + rank[rows] - 1] = values[rows]
        yield block, table


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

    @classmethod
    def from_ranks(cls, segment: Ints, rank: Ints, first: Ints | None, last: Ints | None) -> TieGroups:
        """The groups of documents whose equals have the ranks ``first`` to ``last``; each document alone where None."""
        if first is None or last is None:
            return cls(np.arange(len(rank) + 1), segment, rank - 1, np.ones_like(rank))
        new = np.ones(len(first) + 1, dtype=bool)
        new[1:-1] = (np.diff(first) != 0) | (np.diff(segment) != 0)
        starts = np.flatnonzero(new)
        rows = starts[:-1]
        return cls(starts, segment[rows], first[rows] - 1, (last - first + 1)[rows])

    @property
    def rows(self) -> Ints:
        """Judged documents of each group, int64 [G]."""
        return np.diff(self.starts)

    def ends(self, values: Ints) -> tuple[Ints, Ints]:
        """The values of the first and of the last row of each row's group, int64 [rows] each."""
        first, last = values[self.starts[:-1]], values[self.starts[1:] - 1]
        return np.repeat(first, self.rows), np.repeat(last, self.rows)

    def by_worth(self, worth: Floats, grade: Floats, *, best: bool) -> tuple[Ints, Ints]:
        """Ranks where equal scores are ordered by worth, and the row that moves to each; see ``Rankings.in_order``."""
        group = np.repeat(np.arange(len(self.size)), self.rows)
        row = np.lexsort((-grade if best else grade, -worth if best else worth, group))
        below_unjudged = worth[row] < 0 if best else worth[row] >= 0
        position = np.arange(len(row)) - self.starts[:-1][group]
        rank = self.above[group] + 1 + position + below_unjudged * (self.size - self.rows)[group]
        return rank, row


def mean_weight(
    weights: Floats, rank: Ints, first: Ints | None, last: Ints | None, cutoff: Ints | int | None
) -> Floats:
    """Mean of the ``weights`` [ranks] of the ranks ``first`` to ``last``, 0 below ``cutoff``, float64 [rows].

    That of its rank for a document without equals.
    """
    alone = np.append(0.0, weights).take(rank)
    if cutoff is not None:
        alone *= rank <= cutoff
    if first is None or last is None:
        return alone
    total = np.concatenate([[0.0], np.cumsum(weights)])
    above = first - 1
    limit = min(cutoff, len(weights)) if isinstance(cutoff, int) else cutoff
    seen = last if limit is None else np.clip(limit, above, last)
    spread = (total[seen] - total[above]) / (last - above)
    return np.where(last - above == 1, alone, spread)
