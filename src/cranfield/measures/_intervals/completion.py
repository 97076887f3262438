"""Lists with room for the labels that are missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings

ROWS = 1 << 16
"""Rows of lists and judgments that are labelled in several ways at a time."""


@dataclass(frozen=True)
class Completion:
    """The lists of one system with room for the labels that are missing.

    Args:
        rankings: lists of one system, the order of equal scores settled.
        cutoff: ranks that the measure looks at, None for all.
        among: rows of ``ranked`` that may turn out to have a label, bool; all where None. Others are not judged.
    """

    rankings: Rankings
    cutoff: int | None
    among: Mask | None = None

    @cached_property
    def ranked(self) -> tuple[Ints, Ints, Floats]:
        """(list, rank, label) of every retrieved document, lists one after the other; NaN where not judged."""
        lists = self.rankings
        length = lists.length
        starts = np.concatenate([[0], np.cumsum(length)])
        segment = np.repeat(np.arange(len(length)), length)
        grade = np.full(starts[-1], np.nan)
        grade[starts[lists.segment] + lists.rank - 1] = lists.grade
        return segment, np.arange(starts[-1]) - starts[segment] + 1, grade

    @cached_property
    def unknown(self) -> Ints:
        """Rows of ``ranked`` without a label, that may turn out to have one."""
        unjudged = np.isnan(self.ranked[2])
        return np.flatnonzero(unjudged if self.among is None else unjudged & self.among)

    @cached_property
    def looked_at(self) -> Mask:
        """Return which of the unknown the measure looks at."""
        rank = self.ranked[1][self.unknown]
        return np.ones(len(rank), dtype=bool) if self.cutoff is None else rank <= self.cutoff

    @cached_property
    def from_top(self) -> Ints:
        """The index of each tried unknown among those of its list, from 0 at the top."""
        segment = self._segment_looked_at
        index: Ints = np.arange(len(segment)) - np.searchsorted(segment, segment)
        return index

    @cached_property
    def from_bottom(self) -> Ints:
        """The same index counted from the bottom."""
        index: Ints = self.count[self._segment_looked_at] - 1 - self.from_top
        return index

    @cached_property
    def count(self) -> Ints:
        """Unknown documents that are looked at, of each list, int64 [segments]."""
        return np.bincount(self._segment_looked_at, minlength=len(self.rankings.length))

    @cached_property
    def below(self) -> Ints:
        """Unknown documents below the cutoff, of each list, int64 [segments]."""
        segment = self.ranked[0][self.unknown[~self.looked_at]]
        return np.bincount(segment, minlength=len(self.rankings.length))

    @property
    def _segment_looked_at(self) -> Ints:
        """List of each unknown document that is looked at."""
        return self.ranked[0][self.unknown[self.looked_at]]

    @property
    def at_once(self) -> int:
        """The number of ways in which lists are labelled at a time: as many as have ``ROWS`` rows, at least one."""
        return max(1, ROWS // (len(self.ranked[2]) + len(self.rankings.pool.grade) + 1))

    def labelled(self, looked_at: Floats | float, below: float) -> Rankings:
        """The lists with these labels for the unknown documents, in them and in the judgments.

        Args:
            looked_at: a label of those that are looked at, or one of each, float64 [looked at]; or the labels of
                several ways, float64 [ways, looked at]. Each way has topics of its own, one way after the other.
            below: label of the others.
        """
        lists, (_, rank, label), seen = self.rankings, self.ranked, self._seen
        ways = len(looked_at) if isinstance(looked_at, np.ndarray) and looked_at.ndim == 2 else 1
        labels = np.full((ways, len(self.unknown)), below)
        labels[:, self.looked_at] = looked_at
        grade = np.tile(label, (ways, 1))
        grade[:, self.unknown] = labels
        judged, document = self._judged
        grades = np.empty((ways, judged[-1]))
        grades[:, self._old], grades[:, self._new] = lists.pool.grade, labels
        way = np.arange(ways)[:, np.newaxis]
        length = lists.length if self.cutoff is None else np.minimum(lists.length, self.cutoff)
        counts = np.bincount(self.ranked[0][seen], minlength=len(length))
        return replace(
            lists,
            pool=Pool(np.append(judged[:-1] + way * judged[-1], ways * judged[-1]), grades.ravel()),
            length=np.tile(length, ways),
            starts=np.concatenate([[0], np.cumsum(np.tile(counts, ways))]),
            rank=np.tile(rank[seen], ways),
            document=(document[seen] + way * judged[-1]).ravel(),
            grade=grade[:, seen].ravel(),
            first=None,
            last=None,
        )

    @cached_property
    def _seen(self) -> Mask:
        """Rows of ``ranked`` that the measure looks at, labels known or not; bool."""
        seen = ~np.isnan(self.ranked[2])
        seen[self.unknown] = True
        if self.cutoff is not None:
            seen &= self.ranked[1] <= self.cutoff
        return seen

    @cached_property
    def _judged(self) -> tuple[Ints, Ints]:
        """Find where judgments of topics begin once those of the unknown are among them, int64 [topics + 1], and the
        row of each document of ``ranked`` there.
        """
        lists, label = self.rankings, self.ranked[2]
        document = np.zeros(len(label), dtype=np.int64)
        document[~np.isnan(label)] = self._old[lists.document]
        document[self.unknown] = self._new
        return lists.pool.starts + self._added, document

    @cached_property
    def _added(self) -> Ints:
        """Unknown documents of the topics before each, int64 [topics + 1]."""
        added = np.bincount(self.ranked[0][self.unknown], minlength=len(self.rankings.length))
        return np.concatenate([[0], np.cumsum(added)])

    @cached_property
    def _old(self) -> Ints:
        """Return where each judgment moves to."""
        pool = self.rankings.pool
        return np.arange(len(pool.grade)) + self._added[pool.topic]

    @cached_property
    def _new(self) -> Ints:
        """Return where the label of each unknown document goes: after the judgments of its topic."""
        return self.rankings.pool.starts[1:][self.ranked[0][self.unknown]] + np.arange(len(self.unknown))
