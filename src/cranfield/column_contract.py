"""The engine's contract for flat columns: judgments and lists with ids as they are, see ``cranfield.contract``."""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints, NDArray
from cranfield.facts import Facts

IdColumn = Ints | tuple[Bytes, Ints]
"""Ids of rows: whole numbers, int64 [rows], or data and offsets of text, as in ``TextColumn``."""


MetRows = tuple[Ints, Ints, NDArray[np.uint32], Floats, NDArray[np.uint32], bool]
"""See ``ColumnPools.met``."""


class Lists(TypedDict):
    """Lists of judged topics out of columns, in the order in which they came."""

    topic: Ints
    """Number of each one's topic, int64 [lists]."""
    row: Ints
    """Its first row."""
    length: Ints
    starts: Ints
    """Judged documents of list l: ``starts[l]:starts[l + 1]``, int64 [lists + 1]."""
    rank: Ints
    document: Ints
    """Pool rows."""
    first: Ints
    """As in ``Judged``."""
    last: Ints
    facts: Facts
    """What was noticed; lines are rows, from 1."""


class ListsGathered(Protocol):
    """Rows of lists in any order, of topics with some numbers."""

    def add(self, pools: Any, topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> None:
        """Rows of a batch, of which the first is row ``first`` of its file, from 0."""
        ...

    def judge(self, pools: Any, ties: str, on_duplicate: str) -> Lists:
        """The lists of all rows, in the order of their topics' numbers; once."""
        ...


class ColumnPools(Protocol):
    """Judged documents by topic, to look up those of columns of the same kinds; immutable."""

    def topics(self) -> IdColumn:
        """Ids of the topics, in order of first appearance."""
        ...

    def documents(self) -> IdColumn:
        """Ids of the documents, by topic and in the order of their text."""
        ...

    def find(self, topics: IdColumn) -> Ints:
        """Numbers of topics, -1 where one is not judged."""
        ...

    def judge(self, topics: IdColumn, documents: IdColumn, score: Floats, ties: str, on_duplicate: str) -> Lists:
        """Lists whose rows are together; a topic that comes again is another list."""
        ...

    def met(self, topics: IdColumn, documents: IdColumn, score: Floats) -> MetRows:
        """Of rows whose topics are in several files: topics and how many rows; judged documents, scores and rows.

        And whether the score of a judged document was seen in another row of its topic; not all rows are looked at.
        """
        ...

    def standing(self, score: Floats, ties: str) -> DocumentsStanding:
        """Documents in their order, of the score of each pool row, NaN where it was not retrieved."""
        ...

    def gather(self, low: int, high: int) -> ListsGathered:
        """Rows in any order, of topics with the numbers ``low`` to ``high - 1``."""
        ...


class PoolsGathered(Protocol):
    """Judgments in columns, as they come."""

    def add(self, topics: IdColumn, documents: IdColumn, label: Floats) -> None:
        """Some judgments, in any order."""
        ...

    def finish(self) -> tuple[ColumnPools, Ints, Floats]:
        """Pools, where those of each topic begin, int64 [topics + 1], and the label of each document; once."""
        ...


class DocumentsStanding(Protocol):
    """Retrieved judged documents in their order, at which what is above each is counted."""

    def __len__(self) -> int: ...

    def scores(self, rows: int) -> Floats:
        """The score of each pool row, of so many, NaN where it was not retrieved."""
        ...

    def count(
        self, pools: Any, topics: IdColumn, documents: IdColumn | None, score: Floats, counts: list[NDArray[np.uint32]]
    ) -> int:
        """Add rows to counts: at or above each document, with its very score, and above it.

        The second and the third are empty where the policy settles the order of equal scores. Without documents, rows
        of equal score are counted at the first judged document that has it. Returns how many rows have such a score.
        """
        ...

    def settle(self, counts: list[NDArray[np.uint32]]) -> None:
        """Turn counts of all rows, made without documents, into those that documents would have given.

        No row may have the score of a judged document but those of judged documents. The second and the third are empty
        or zero, and are filled.
        """
        ...

    def ranks(self, counts: list[NDArray[np.uint32]], low: int, high: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Of the topics ``low`` to ``high - 1``, where their documents begin, pool rows, and ranks.

        The last two are the first and last rank of equal scores.
        """
        ...
