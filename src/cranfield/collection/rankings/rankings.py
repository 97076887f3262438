"""Rankings: runs seen through qrels, the only thing a measure sees.

Of each (system, topic) list only the judged documents are kept, in rank order, all lists one after the other in
flat arrays. A *segment* is one list; segment = system * topics + topic, and a list that is absent is a segment
without rows. Nearly every measure is then a segment-wise sum, count or running product: see ``measures``.

Rows of lists that stand one after the other in flat arrays: some of them, or those of several groups.

Lists in tables that have a cell for each rank, judged or not.

Documents of equal score, where the policy leaves their order open.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from cranfield._frozen import Frozen, LRUCache, Made, read_only
from cranfield._typing import Floats, Ints, Mask, NDArray
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import segments
from cranfield.collection.rankings.ideal import Orders, RunningIdeal, all_judged, with_gain
from cranfield.collection.rankings.segments import Arithmetic
from cranfield.engine import compiled

Cell = TypeVar("Cell", bound=np.generic)

KEPT = 24
"""Views and arrays kept for the next measure at a time; the least recently used are dropped."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rankings(Arithmetic, Frozen):
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
        policy: what was decided about ties, unjudged documents and labels below zero.
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
    _kept: LRUCache = field(init=False, default_factory=lambda: LRUCache(KEPT))

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

    def per_topic(self, values: NDArray[Cell]) -> NDArray[Cell]:
        """A value for each topic repeated for each list, [topics] -> [segments]."""
        return values.copy() if len(self.systems) == 1 else np.concatenate([values] * len(self.systems), axis=-1)

    def shared(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What several measures need of these lists, made once; ``key`` names it. Arrays become read-only."""
        return self._kept.shared(key, make)

    # ---- facts of a row

    def relevant(self, rel: float) -> Mask:
        """Whether each document's grade reaches ``rel``, bool [rows]."""
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
            return RunningIdeal.of(lists.length, lists.starts, lists.running_sum(value(lists)))

        return self.pool.shared(("ideal running", key), down).down(self.rank, self.starts, self.per_topic)

    @classmethod
    def of_pool(cls, pool: Pool, policy: Policy) -> Rankings:
        """One list for each topic that holds all its judged documents, best first."""
        return cls.in_orders("all judged", pool, all_judged(pool), policy)

    @classmethod
    def in_orders(cls, name: str, pool: Pool, orders: Orders, policy: Policy) -> Rankings:
        """One list for each topic that holds documents of the pool, under the name of one system."""
        grade = pool.grade[orders.document]
        return cls(systems=(name,), pool=pool, grade=grade, policy=policy, **orders._asdict())

    def _ideal_lists(self, gain: Callable[[Floats], Floats]) -> Rankings:
        return self.in_orders("ideal", self.pool, with_gain(self.pool, gain), self.policy)

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
        return TieGroups.of(self.segment, self.rank, self.first, self.last)

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
        length = np.minimum(self.length, cutoff)
        return self.shared(("top", cutoff), lambda: self._of(*first(self._columns(), self.starts, cutoff), length))

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
        left, place = self._reaching(reached)
        if not judged_only:
            return left
        return self.shared(("only judged", reached), lambda: replace(left, length=self.sizes, rank=place))

    def places(self, low: float) -> Ints:
        """Place of each document of ``only(low)`` among all rows of its list, from 1, int64 [its rows]."""
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
        left, _ = self._keep(keep[self.document])
        return replace(left, pool=pool, document=(np.cumsum(keep) - 1)[left.document])

    def view(self, *, judged_only: bool = False, cutoff: int | None = None) -> Rankings:
        """What a measure with these two parameters looks at: condensed first, cut afterwards."""
        return (self.condensed if judged_only else self).top(cutoff)

    def _keep(self, mask: Mask) -> tuple[Rankings, Ints]:
        columns, starts, place = kept(self._columns(), self.starts, mask)
        return self._of(columns, starts, self.length), place

    def _of(self, columns: Mapping[str, Any], starts: Ints, length: Ints) -> Rankings:
        """Other rows; ``replace`` would take longer than the rest where lists are short."""
        return Rankings(
            systems=self.systems, pool=self.pool, policy=self.policy, length=length, starts=starts, **columns
        )

    def _columns(self) -> dict[str, Any]:
        """What has a value for each row, by name."""
        names = ("rank", "document", "grade", "first", "last")
        return {name: column for name in names if (column := getattr(self, name)) is not None}

    @classmethod
    def concatenate(cls, parts: Sequence[Rankings]) -> Rankings:
        """Lists of several groups of systems over one pool, side by side."""
        columns, starts = joined([part._columns() for part in parts], [part.starts for part in parts])
        systems = tuple(name for part in parts for name in part.systems)
        length = np.concatenate([part.length for part in parts])
        return replace(parts[0], systems=systems, length=length, starts=starts, **columns)


Columns = dict[str, Any]
"""What has a value for each row, by name."""

PLAIN = ("rank", "document", "grade")


def kept(columns: Mapping[str, Any], starts: Ints, mask: Mask) -> tuple[Columns, Ints, Ints]:
    """The marked rows, where their lists begin, and the place of each among all rows of its list, from 1."""
    engine = compiled()
    if engine is not None and tuple(columns) == PLAIN:
        rank, document = (np.ascontiguousarray(columns[name], dtype=np.int64) for name in PLAIN[:2])
        grade = np.ascontiguousarray(columns["grade"], dtype=np.float64)
        begins, *rows, place = engine.kept_rows(np.ascontiguousarray(mask), starts, rank, document, grade)
        return dict(zip(PLAIN, rows, strict=True)), begins, place
    (chosen,) = mask.nonzero()
    begins = np.searchsorted(chosen, starts)
    place = chosen + 1 - np.repeat(starts[:-1], begins[1:] - begins[:-1])
    return {name: column[chosen] for name, column in columns.items()}, begins, place


def first(columns: Mapping[str, Any], starts: Ints, cutoff: int) -> tuple[Columns, Ints]:
    """The rows down to a rank, which are the first ones of each list, and where their lists begin."""
    before = starts[:-1]
    size = segments.rows_down_to(columns["rank"], starts, np.full(len(before), cutoff)) - before
    begins = np.concatenate([[0], np.cumsum(size)])
    rows = np.arange(begins[-1]) + np.repeat(before - begins[:-1], size)
    return {name: column[rows] for name, column in columns.items()}, begins


def joined(parts: Sequence[Mapping[str, Any]], starts: Sequence[Ints]) -> tuple[Columns, Ints]:
    """The rows of several groups of lists, one group after the other, and where the lists begin."""
    offsets = np.cumsum([0, *(own[-1] for own in starts)])
    begins = [own[:-1] + offset for own, offset in zip(starts, offsets, strict=False)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return columns, np.concatenate([*begins, offsets[-1:]])


DENSE = 1 << 19
"""Cells of the tables in which ranks that were not judged have a place too."""


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
    def of(cls, segment: Ints, rank: Ints, first: Ints | None, last: Ints | None) -> TieGroups:
        """Those of judged documents, whose equals have the ranks ``first`` to ``last``; each alone where None."""
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
        place = np.arange(len(row)) - self.starts[:-1][group]
        rank = self.above[group] + 1 + place + below_unjudged * (self.size - self.rows)[group]
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
