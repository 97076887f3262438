"""What is above each judged document, for topics whose rows are in several files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.collection.id_columns import texts_of
from cranfield.collection.text import TextColumn
from cranfield.column_contract import IdColumn
from cranfield.reference_engine.ordering import ordered_rows, value_of
from cranfield.reference_engine.rows import Row

Counts = list[NDArray[np.uint32]]


class DocumentsStanding:
    """See ``cranfield.column_contract.DocumentsStanding``."""

    def __init__(self, lists: list[tuple[bytes, list[Row]]], ties: str) -> None:
        sizes = [len(rows) for _, rows in lists]
        self._starts = np.cumsum([0, *sizes], dtype=np.int64)
        self._lists = {topic: (int(start), rows) for (topic, rows), start in zip(lists, self._starts[:-1], strict=True)}
        self._rows = [row for _, rows in lists for row in rows]
        self._ties = ties

    def __len__(self) -> int:
        return len(self._rows)

    def scores(self, rows: int) -> Floats:
        """Scores by pool row."""
        score = np.full(rows, np.nan)
        for row in self._rows:
            score[row.line] = row.score
        return score

    def count(self, pools: Any, topics: IdColumn, documents: IdColumn | None, score: Floats, counts: Counts) -> int:
        """Add rows to counts."""
        above, tied, strict = counts
        equal = 0
        known = column_of([b""] * len(score), False) if documents is None else documents
        for topic, row in zip(texts_of(topics), rows_of(known, score, 0), strict=True):
            start, standing = self._lists.get(topic, (0, []))
            own = value_of(row.score, self._ties)
            place = sum(value_of(other.score, self._ties) > own for other in standing)
            if place == len(standing):
                continue
            same = value_of(standing[place].score, self._ties) == own
            equal += same
            if documents is None:
                above[start + place] += 1
                continue
            if not same:
                if len(strict):
                    strict[start + place] += 1
            elif len(tied):
                tied[start + place] += 1
            # Rows of one document are equal: it is at its own place.
            below = [
                other for other in standing if ordered_rows([row, other], self._ties)[0] is row or _same(row, other)
            ]
            if below:
                above[start + len(standing) - len(below)] += 1
        return equal

    def settle(self, counts: Counts) -> None:
        """Counts as documents would have given them."""
        above, tied, strict = counts
        for start, end in pairwise(self._starts.tolist()):
            values = [value_of(row.score, self._ties) for row in self._rows[start:end]]
            for _, group in groupby(zip(values, range(start, end), strict=True), key=lambda pair: pair[0]):
                places = [at for _, at in group]
                above[places[0]] -= len(places) - 1
                above[places[1:]] = 1
                if len(tied):
                    tied[places[0]], strict[places[0]] = len(places), above[places[0]] - 1

    def ranks(self, counts: Counts, low: int, high: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Ranks out of counts."""
        bounds = self._starts[low : high + 1]
        own = slice(int(bounds[0]), int(bounds[-1]))
        above, tied, strict = (count[own].astype(np.int64) for count in counts)
        rows, starts = self._rows[own], bounds - bounds[0]
        rank = np.zeros(len(above), dtype=np.int64)
        first, last = np.zeros_like(tied), np.zeros_like(tied)
        for start, end in pairwise(starts.tolist()):
            rank[start:end] = np.cumsum(above[start:end])
            passed = 0
            for at in range(start, end) if len(tied) else ():
                if at > start and rows[at].score == rows[at - 1].score:
                    first[at], last[at] = first[at - 1], last[at - 1]
                    continue
                first[at] = passed + strict[at] + 1
                passed = last[at] = first[at] - 1 + tied[at]
        document = np.array([row.line for row in rows], dtype=np.int64)
        return starts, document, rank, first, last


def _same(one: Row, other: Row) -> bool:
    return one.document == other.document


def rows_of(documents: IdColumn, score: Floats, first: int) -> Iterable[Row]:
    """Rows of a batch, of which the first is row ``first``, from 0."""
    for line, (document, value) in enumerate(zip(texts_of(documents), score.tolist(), strict=True), start=first + 1):
        yield Row(line, document, value, None)


def column_of(ids: list[bytes], whole: bool) -> IdColumn:
    """Ids as a column: whole numbers, or text."""
    if whole:
        return np.array([int(text) for text in ids], dtype=np.int64)
    column = TextColumn.of_bytes(ids)
    return column.data, column.offsets
