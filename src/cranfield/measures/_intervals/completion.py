"""Lists with room for the labels that are missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.arrays import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings


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
        """Which of the unknown the measure looks at."""
        rank = self.ranked[1][self.unknown]
        return np.ones(len(rank), dtype=bool) if self.cutoff is None else rank <= self.cutoff

    @cached_property
    def from_top(self) -> Ints:
        """Place of each unknown that is looked at among those of its list, from 0 at the top."""
        segment = self._segment_looked_at
        place: Ints = np.arange(len(segment)) - np.searchsorted(segment, segment)
        return place

    @cached_property
    def from_bottom(self) -> Ints:
        """The same place counted from the bottom."""
        place: Ints = self.count[self._segment_looked_at] - 1 - self.from_top
        return place

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

    def labelled(self, looked_at: Floats | float, below: float) -> Rankings:
        """The lists with these labels for the unknown documents, in them and in the judgments."""
        lists, (segment, rank, label) = self.rankings, self.ranked
        labels = np.full(len(self.unknown), below)
        labels[self.looked_at] = looked_at
        grade = label.copy()
        grade[self.unknown] = labels
        pool, old, new = self._judged_with(labels)
        document = np.empty(len(grade), dtype=np.int64)
        document[self.unknown] = new
        document[~np.isnan(label)] = old[lists.document]
        seen = ~np.isnan(grade)
        if self.cutoff is not None:
            seen &= rank <= self.cutoff
        counts = np.bincount(segment[seen], minlength=len(lists.length))
        starts = np.concatenate([[0], np.cumsum(counts)])
        length = lists.length if self.cutoff is None else np.minimum(lists.length, self.cutoff)
        return replace(
            lists,
            pool=pool,
            length=length,
            starts=starts,
            rank=rank[seen],
            document=document[seen],
            grade=grade[seen],
            first=None,
            last=None,
        )

    def _judged_with(self, labels: Floats) -> tuple[Pool, Ints, Ints]:
        """The judgments and these labels of the unknown; where what was judged has moved to, and where these are."""
        pool, segment = self.rankings.pool, self.ranked[0][self.unknown]
        added = np.bincount(segment, minlength=len(self.rankings.length))
        offset = np.concatenate([[0], np.cumsum(added)])
        starts = pool.starts + offset
        grade = np.empty(starts[-1])
        new = pool.starts[1:][segment] + np.arange(len(segment))
        old = np.arange(len(pool.grade)) + offset[pool.topic]
        grade[old], grade[new] = pool.grade, labels
        return Pool(starts, grade), old, new
