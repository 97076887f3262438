"""The judged documents of each topic and their grades."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield._frozen import Caching, Frozen, read_only
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.segments import distinct, list_counts, stable_order

if TYPE_CHECKING:
    from cranfield.collection.intents import Intents


POSITIVE = float(np.nextafter(0.0, 1.0))
"""The smallest number above 0."""


class Pool(Caching, Frozen):
    """Grades of the judged documents of every topic, in flat arrays.

    Args:
        starts: topic t holds the pool rows ``starts[t]:starts[t + 1]``, int64 [topics + 1].
        grade: label of each judged document, float64 [rows], rows of a topic in id byte order.
        topics: their ids, numbers from 1 where none are given.
        intents: what the documents are relevant to; None where the judgments name no intents.
        of_all: the labels that occur in the whole of the judgments, ascending, where these are a part of them.
        strata: of the rows, where only a sample of each stratum was judged.
    """

    def __init__(
        self,
        starts: Ints,
        grade: Floats,
        topics: Sequence[str] | None = None,
        intents: Intents | None = None,
        of_all: Floats | None = None,
        strata: Strata | None = None,
    ) -> None:
        self.of_all = of_all
        self.strata = strata
        self.starts = starts
        self.grade = grade
        self.topics = tuple(map(str, range(1, len(starts))) if topics is None else topics)
        self.intents = intents
        for array in (starts, grade):
            array.flags.writeable = False
        self._freeze()

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
        labels = self.grade if self.of_all is None else self.of_all
        return float(max(labels.max(initial=0.0), 0.0))

    def count(self, low: float = -np.inf, below: float = np.inf) -> Floats:
        """Documents of each topic with ``low <= grade < below``, float64 [topics]."""
        return self.shared(
            ("count", low, below), lambda: list_counts((self.grade >= low) & (self.grade < below), self.starts)
        )

    def tally(self, marked: Mask) -> Floats:
        """Rows of each topic that are marked, float64 [topics]."""
        return list_counts(marked, self.starts)

    @cached_property
    def labels(self) -> Floats:
        """The labels that occur, ascending, float64 [labels]."""
        return distinct(self.grade) if self.of_all is None else self.of_all

    @cached_property
    def label_index(self) -> Ints:
        """The number of labels in the pool that are smaller than that of each row, int64 [rows]."""
        return np.searchsorted(self.labels, self.grade)

    def by_label(self, *, best_first: bool) -> Ints:
        """The rows topic by topic, by label and equal ones as they are, int64 [rows]."""
        kinds = len(self.labels)
        return stable_order(self.topic * kinds + (kinds - 1 - self.label_index if best_first else self.label_index))

    def level(self, low: float) -> float:
        """The smallest label that reaches ``low``, infinity where none does."""
        reached = self.labels[self.labels >= low]
        return float(reached[0]) if len(reached) else np.inf

    @cached_property
    def least(self) -> float:
        """The smallest label, infinity where there is none."""
        return self.level(-np.inf)

    @cached_property
    def without_negatives(self) -> Pool:
        """The pool as trec_eval counts it: documents with a negative label are not judged."""
        return self._only(self.grade >= 0, self.labels[self.labels >= 0])

    def restricted(self, keep: Mask) -> Pool:
        """The same topics with only the marked rows judged; labels keep the scale of all, bool [rows]."""
        return self._only(keep, self.labels)

    def _only(self, keep: Mask, of_all: Floats) -> Pool:
        if keep.all():
            return self
        starts = np.concatenate([[0], np.cumsum(keep)])[self.starts]
        intents = None if self.intents is None else self.intents.kept(keep, starts)
        strata = None if self.strata is None else self.strata.kept(keep)
        return Pool(starts, self.grade[keep], self.topics, intents, of_all, strata)


class Strata(Frozen):
    """The stratum of each pool row.

    Args:
        number: of the stratum among those of its topic, from 0, int64 [rows].
        names: of each row, an index of ``texts``, int64 [rows].
        texts: how the strata are called.
    """

    def __init__(self, number: Ints, names: Ints, texts: Sequence[str]) -> None:
        self.number = read_only(number)
        self.names = read_only(names)
        self.texts = tuple(texts)
        self._freeze()

    def __repr__(self) -> str:
        return f"Strata({len(self.texts):,} names, at most {self.most:,} in a topic)"

    @classmethod
    def from_names(cls, names: Sequence[str], starts: Ints) -> Strata:
        """Strata by the name of each row; ``starts`` says where the rows of each topic begin."""
        texts = tuple(dict.fromkeys(names))
        code = {text: number for number, text in enumerate(texts)}
        codes = np.array([code[name] for name in names], dtype=np.int64)
        number = np.zeros(len(codes), dtype=np.int64)
        for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            number[first:end] = np.unique(codes[first:end], return_inverse=True)[1]
        return cls(number, codes, texts)

    @property
    def most(self) -> int:
        """Strata of the topic that has most."""
        return int(self.number.max(initial=0)) + 1

    def kept(self, keep: Mask) -> Strata:
        """The strata of the marked rows."""
        return Strata(self.number[keep], self.names[keep], self.texts)

    def tally(self, topic: Ints, topics: int, weight: Floats | Mask) -> Floats:
        """Sum of a weight of rows over each stratum of each topic, float64 [topics, strata]."""
        cell = topic * self.most + self.number
        total = np.bincount(cell, weight, minlength=topics * self.most)
        return total.astype(np.float64).reshape(topics, self.most)
