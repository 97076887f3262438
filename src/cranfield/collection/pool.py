"""What the judgments alone say of each topic: how many documents of which grade."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.frozen import Frozen

if TYPE_CHECKING:
    from cranfield.collection.intents import Intents

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pool(Frozen):
    """Grades of the judged documents of every topic, in flat arrays.

    Args:
        starts: topic t holds the pool rows ``starts[t]:starts[t + 1]``, int64 [topics + 1].
        grade: label of each judged document, float64 [rows], rows of a topic in id byte order.
        intents: what the documents are relevant to; None where the judgments name no intents.
    """

    def __init__(self, starts: Ints, grade: Floats, intents: Intents | None = None) -> None:
        self.starts = starts
        self.grade = grade
        self.intents = intents
        self.memo: dict[Hashable, Any] = {}
        """Values that depend on the judgments alone (ideal lists), computed once for all systems."""

    def __repr__(self) -> str:
        return f"Pool({len(self.starts) - 1:,} topics, {len(self.grade):,} judged documents)"

    @cached_property
    def size(self) -> Ints:
        """Judged documents of each topic, int64 [topics]."""
        return np.diff(self.starts)

    @cached_property
    def topic(self) -> Ints:
        """Topic of each row, int64 [rows]."""
        return np.repeat(np.arange(len(self.starts) - 1), self.size)

    @cached_property
    def max_grade(self) -> float:
        """Largest label of the whole qrels; 0 where none is positive."""
        return float(max(self.grade.max(initial=0.0), 0.0))

    def count(self, low: float = -np.inf, below: float = np.inf) -> Floats:
        """Documents of each topic with ``low <= grade < below``, float64 [topics]."""
        key = ("count", low, below)
        if key not in self.memo:
            inside = (self.grade >= low) & (self.grade < below)
            self.memo[key] = np.bincount(self.topic[inside], minlength=len(self.size)).astype(np.float64)
        counts: Floats = self.memo[key]
        return counts

    @cached_property
    def without_negatives(self) -> Pool:
        """The pool as trec_eval counts it: documents with a negative label are not judged."""
        keep = self.grade >= 0
        if keep.all():
            return self
        starts = np.concatenate([[0], np.cumsum(keep)])[self.starts]
        return Pool(starts, self.grade[keep], self.intents and self.intents.kept(keep, starts))
