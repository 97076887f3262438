"""Rows that come batch by batch, those of a topic together: streams of Arrow, DuckDB, Polars and PyArrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield._optional import pa
from cranfield._text import quoted
from cranfield._typing import Floats, Ints
from cranfield.collection.column_names import ColumnNames, resolve
from cranfield.collection.frames import read_table
from cranfield.collection.streams import name_kind, read_batches
from cranfield.errors import InputError
from cranfield.findings.finding import Finding

PART = 1 << 19
"""Rows of a part, which are held in memory."""
WINDOW = 1 << 10
"""Rows in which the last topic of a part is looked for first."""


def read_parts(stream: Any, columns: ColumnNames) -> Iterator[Any]:
    """Tables of complete topics, as far as the rows of each are together.

    Raises:
        InputError: it cannot be read, or has no rows or no column of topics.
    """
    held: list[Any] = []
    rows, enough = 0, PART
    for batch in read_batches(stream):
        held.append(batch)
        rows += batch.num_rows
        if rows < enough:
            continue
        joined = pa.Table.from_batches(held)
        cut = _find_last_topic(joined, columns)
        enough = PART if cut else 2 * rows  # of one topic
        if cut:
            yield joined.slice(0, cut)
            held, rows = joined.slice(cut).to_batches(), joined.num_rows - cut
    yield pa.Table.from_batches(held)


def _find_last_topic(table: Any, columns: ColumnNames) -> int:
    """The first row of the topic in which a table ends."""
    name = resolve(table.column_names, "score", columns)["topic"]
    window = WINDOW
    while True:
        start = max(0, table.num_rows - window)
        topics: list[Any] = read_table(table.select([name]).slice(start))[name].tolist()
        other: int | None = next((row for row in range(len(topics) - 1, -1, -1) if topics[row] != topics[-1]), None)
        if other is not None:
            return int(start + other + 1)
        if not start:
            return 0
        window *= 8


def names_systems(table: Any, columns: ColumnNames) -> bool:
    """Return whether a column of a table names the systems of its rows."""
    return "system" in resolve(table.column_names, "score", columns)


def refuse_return(stream: Any, part: Any, topic: str, columns: ColumnNames) -> InputError:
    """The error for a topic of which rows come after those of other topics, in another part."""
    name = resolve(part.column_names, "score", columns)["topic"]
    text = (
        f"the rows of {name_kind(stream)} are not sorted by topic: {quoted(topic)} comes back after other topics; sort "
        f"them by {quoted(name)}, or collect them into a frame"
    )
    return InputError(text, code="scattered", value=topic)


@dataclass(frozen=True)
class StreamedScores:
    """The scores of a run that is read part by part.

    Args:
        values: [measures, topics]; of topics that did not come yet, those of no documents.
        length: documents of each topic, [topics].
        noticed: code -> what was noticed first of that kind, and in how many parts.
        parts: how many judged topics each had.
    """

    values: Floats
    length: Ints
    noticed: dict[str, tuple[Finding, int]]
    parts: list[int]

    @classmethod
    def build(cls, nothing: Floats) -> StreamedScores:
        """Begin with a run of which no part has come."""
        return cls(nothing, np.zeros(nothing.shape[1], dtype=np.int64), {}, [])

    def add(self, values: Floats, length: Ints, remarks: Iterable[Finding]) -> int | None:
        """Add a part; the number of a topic that was in an earlier one, None where no topic was."""
        topics = np.flatnonzero(length)
        again = topics[self.length[topics] > 0]
        if len(again):
            return int(again[0])
        self.values[:, topics], self.length[topics] = values[:, topics], length[topics]
        self.parts.append(len(topics))
        for remark in remarks:
            first, times = self.noticed.get(remark.code, (remark, 0))
            self.noticed[remark.code] = first, times + 1
        return None

    def list_remarks(self) -> list[Finding]:
        """Return all findings; that no document is judged only where it holds in each part with judged topics."""
        with_topics = sum(topics > 0 for topics in self.parts)
        return [first for code, (first, times) in self.noticed.items() if code != "none-judged" or times == with_topics]
