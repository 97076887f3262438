"""Judgments and lists in flat columns: ranks of judged documents without a run being built.

For topics whose rows are in several files, the rows above each judged document are counted file by file.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.ids import TextColumn, encode_ids
from cranfield.engine.protocol import Facts, IdColumn, TopicLists
from cranfield.errors import EngineError
from cranfield.findings.finding import notice
from cranfield.reference_engine.judging import add_judged, sort_lists
from cranfield.reference_engine.text import RunRow


def topic_edges(topics: IdColumn) -> tuple[int, int]:
    """See ``Engine.topic_edges``."""
    names = encode_ids(topics)
    if not names:
        return 0, 0
    end = next((row for row, name in enumerate(names) if name != names[0]), len(names))
    begin = next((row + 1 for row in range(len(names) - 1, -1, -1) if names[row] != names[-1]), 0)
    return end, begin


def gather_pools(whole_topics: bool, whole_documents: bool, rows: int) -> PoolBuilder:
    """See ``Engine.gather_pools``."""
    return PoolBuilder(whole_topics, whole_documents)


class PoolBuilder:
    """See ``cranfield.engine.protocol.PoolBuilder``."""

    def __init__(self, whole_topics: bool, whole_documents: bool) -> None:
        self._whole = whole_topics, whole_documents
        self._rows: list[tuple[bytes, bytes, float]] = []

    def add(self, topics: IdColumn, documents: IdColumn, label: Floats) -> None:
        """Some judgments."""
        self._rows += zip(encode_ids(topics), encode_ids(documents), label.tolist(), strict=True)

    def finish(self) -> tuple[ColumnPools, Ints, Floats]:
        """Pools, where those of each topic begin, and labels."""
        pools: dict[bytes, dict[bytes, float]] = {}
        for row, (topic, document, label) in enumerate(self._rows, start=1):
            pool = pools.setdefault(topic, {})
            if document in pool:
                raise EngineError("duplicate", row, topic.decode(), more=document.decode())
            pool[document] = label
        starts = np.cumsum([0, *map(len, pools.values())], dtype=np.int64)
        ordered = [sorted(pool.items()) for pool in pools.values()]
        labels = np.array([label for pool in ordered for _, label in pool], dtype=np.float64)
        documents = [document for pool in ordered for document, _ in pool]
        return ColumnPools(list(pools), documents, starts, self._whole), starts, labels


class ColumnPools:
    """See ``cranfield.engine.protocol.ColumnPools``."""

    def __init__(self, topics: list[bytes], documents: list[bytes], starts: Ints, integers: tuple[bool, bool]) -> None:
        self._topics = topics
        self._documents = documents
        self._whole = integers
        bounds = starts.tolist()
        self._found = {
            topic: (number, {documents[row]: row for row in range(bounds[number], bounds[number + 1])})
            for number, topic in enumerate(topics)
        }

    def topics(self) -> IdColumn:
        """Ids of the topics."""
        return make_column(self._topics, self._whole[0])

    def documents(self) -> IdColumn:
        """Ids of the documents."""
        return make_column(self._documents, self._whole[1])

    def find(self, topics: IdColumn) -> Ints:
        """Numbers of topics."""
        none: tuple[int, dict[bytes, int]] = (-1, {})
        return np.array([self._found.get(topic, none)[0] for topic in encode_ids(topics)], dtype=np.int64)

    def judge(self, topics: IdColumn, documents: IdColumn, score: Floats, ties: str, on_duplicate: str) -> TopicLists:
        """Lists whose rows are together."""
        rows = zip(encode_ids(topics), make_rows(documents, score, 0), strict=True)
        lists = [(topic, [row for _, row in group]) for topic, group in groupby(rows, key=lambda pair: pair[0])]
        return self._judge_lists(lists, ties, on_duplicate)

    def gather(self, low: int, high: int) -> UnorderedRows:
        """Rows in any order."""
        return UnorderedRows(low, high)

    def _judge_lists(self, lists: Iterable[tuple[bytes, list[RunRow]]], ties: str, on_duplicate: str) -> TopicLists:
        facts: Facts = {}
        others: list[str] = []
        names = ("topic", "row", "length", "rank", "document", "first", "last")
        columns: dict[str, list[int]] = {name: [] for name in names}
        ends = [0]
        for topic, rows in lists:
            if topic not in self._found:
                others.append(topic.decode())
                continue
            number, pool = self._found[topic]
            columns["row"].append(rows[0].line - 1)
            ordered = _sort_list(topic, rows, ties, on_duplicate, facts)
            columns["topic"].append(number)
            columns["length"].append(len(ordered))
            add_judged(columns, ordered, pool, ties)
            ends.append(len(columns["rank"]))
        if others:
            notice(facts, "extra-topics", len(others), names=others[:5])
        arrays = {name: np.array(values, dtype=np.int64) for name, values in columns.items()}
        return {
            "topic": arrays["topic"],
            "row": arrays["row"],
            "length": arrays["length"],
            "starts": np.array(ends, dtype=np.int64),
            "rank": arrays["rank"],
            "document": arrays["document"],
            "first": arrays["first"],
            "last": arrays["last"],
            "facts": facts,
        }


class UnorderedRows:
    """See ``cranfield.engine.protocol.UnorderedRows``."""

    def __init__(self, low: int, high: int) -> None:
        self._between = low, high
        self._rows: dict[bytes, list[RunRow]] = {}

    def add(self, pools: ColumnPools, topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> None:
        """Rows of a batch."""
        numbers = pools.find(topics).tolist()
        for topic, number, row in zip(encode_ids(topics), numbers, make_rows(documents, score, first), strict=True):
            if self._between[0] <= number < self._between[1]:
                self._rows.setdefault(topic, []).append(row)

    def judge(self, pools: ColumnPools, ties: str, on_duplicate: str) -> TopicLists:
        """The lists of all rows, in the order of the topics' numbers."""
        lists = [(topic, self._rows[topic]) for topic in pools._topics if topic in self._rows]
        return pools._judge_lists(lists, ties, on_duplicate)


def _sort_list(topic: bytes, rows: list[RunRow], ties: str, on_duplicate: str, facts: Facts) -> list[RunRow]:
    """One list in the order of the policy, each document once."""
    seen: set[bytes] = set()
    for row in rows:
        if row.document in seen:
            if on_duplicate == "error":
                raise EngineError("duplicate", row.line, topic.decode(), more=row.document.decode())
            notice(facts, "duplicate", line=row.line, topic=topic.decode(), document=row.document.decode())
        seen.add(row.document)
        if not np.isfinite(row.score):
            raise EngineError("score", row.line, str(row.score))
    lists = {topic: rows}
    sort_lists(lists, ties)
    return lists[topic]


def make_rows(documents: IdColumn, score: Floats, first: int) -> Iterable[RunRow]:
    """Rows of a batch, of which the first is row ``first``, from 0."""
    for line, (document, value) in enumerate(zip(encode_ids(documents), score.tolist(), strict=True), start=first + 1):
        yield RunRow(line, document, value, None)


def make_column(ids: list[bytes], integers: bool) -> IdColumn:
    """Ids as a column: whole numbers, or text."""
    if integers:
        return np.array([int(text) for text in ids], dtype=np.int64)
    column = TextColumn.from_bytes(ids)
    return column.data, column.offsets
