"""The two passes over a run whose topics are split over files, see ``split``: what is done with each part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats
from cranfield.engine.protocol import DocumentsStanding
from cranfield.errors import EngineError
from cranfield.partitions.columns import Kinds
from cranfield.partitions.fragments import Fragment
from cranfield.partitions.judged import JudgedTopics
from cranfield.partitions.listing import worded
from cranfield.partitions.parts import Part
from cranfield.partitions.reading import batches, topics_and_numbers

Counts = list[NDArray[np.uint32]]


@dataclass(frozen=True, slots=True)
class Met:
    """What the first pass found in a part.

    Args:
        part: its number.
        length: rows of each topic, uint32 [topics].
        document: pool rows of judged documents, uint32 [documents].
        score: theirs.
        rows: that were read.
        tied: whether scores of judged documents were seen to be those of other rows, too.
    """

    part: int
    length: NDArray[np.uint32]
    document: NDArray[np.uint32]
    score: Floats
    rows: int
    tied: bool


@dataclass(frozen=True, kw_only=True)
class FirstPass:
    """Finds the judged documents of a part. It may be sent to other processes."""

    does: ClassVar = "finding judged documents"
    judged: JudgedTopics
    kinds: Kinds
    rows: int

    def __call__(self, part: Part) -> Met:
        """What is in the files of a part."""
        (fragment,) = part.run
        length, rows, seen = np.zeros(self.judged.count, dtype=np.uint32), 0, False
        found: list[tuple[NDArray[np.uint32], Floats]] = []
        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            try:
                topic, count, document, value, _, tied = self.judged.pools.met(topics, documents, score)
            except EngineError as error:
                raise worded(error, fragment, first) from None
            np.add.at(length, topic, count.astype(np.uint32))
            found.append((document, value))
            rows, seen = rows + len(score), seen or tied
        none = np.empty(0, dtype=np.uint32)
        document, value = (np.concatenate(parts) for parts in zip((none, np.empty(0)), *found, strict=True))
        return Met(part.number, length, document, value, rows, seen)

    def rows_of(self, fragment: Fragment, wanted: int) -> list[int]:
        """Where the document of a pool row is in a file, which is read again: this is asked when it is wrong there."""
        at: list[int] = []
        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            _, _, document, _, row, _ = self.judged.pools.met(topics, documents, score)
            at += (row[document == wanted].astype(np.int64) + first).tolist()
        return at


@dataclass(frozen=True, kw_only=True)
class SecondPass:
    """Counts what is above each judged document in a part. It may be sent to other processes.

    Args:
        judged: the judgments.
        kinds: of the ids.
        rows: read at a time.
        standing: judged documents in their order.
        ties: how equal scores are ordered.
        groups: whether equal scores are counted too.
        blind: whether documents are not read.
    """

    does: ClassVar = "counting what is above"
    judged: JudgedTopics
    kinds: Kinds
    rows: int
    standing: DocumentsStanding = field(repr=False)
    ties: str
    groups: bool
    blind: bool

    def none(self) -> Counts:
        """Counts of nothing."""
        size = len(self.standing)
        return [
            np.zeros(size if some else 0, dtype=np.uint32) for some in (True, *[self.groups and not self.blind] * 2)
        ]

    def __call__(self, part: Part) -> tuple[Counts, int]:
        """The counts of a part, and how many of its rows have the score of a judged document of their topic."""
        counts, equal = self.none(), 0
        pools, count = self.judged.pools, self.standing.count
        for fragment in part.run:
            if self.blind:
                for topics, score in topics_and_numbers(fragment, self.kinds, self.rows):
                    equal += count(pools, topics, None, score, counts)
            else:
                for topics, documents, score, _ in batches(fragment, self.kinds, self.rows):
                    equal += count(pools, topics, documents, score, counts)
        return [count.astype(np.min_scalar_type(count.max(initial=0))) for count in counts], equal

    def settled(self, counts: Counts) -> Counts:
        """What counts without documents come to, where no scores are equal but those of judged documents."""
        groups = len(self.standing) if self.groups else 0
        counts = [counts[0], *(np.zeros(groups, dtype=np.uint32) for _ in range(2))]
        self.standing.settle(counts)
        return counts

    def __reduce__(self) -> tuple[Any, ...]:
        how = {name: getattr(self, name) for name in ("judged", "kinds", "rows", "ties", "groups", "blind")}
        return _made_again, (self.standing.scores(len(self.judged.judgments.grade)), how)


def _made_again(score: Floats, how: dict[str, Any]) -> SecondPass:
    return SecondPass(standing=how["judged"].pools.standing(score, how["ties"]), **how)
