"""Judgments and lists in flat columns: the ranks of judged documents without a run being built."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.collection.id_columns import texts_of
from cranfield.column_contract import IdColumn, Lists, MetRows
from cranfield.errors import EngineError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.reference_engine.ordering import ordered_rows, sort_lists
from cranfield.reference_engine.rows import Row
from cranfield.reference_engine.standing import DocumentsStanding, column_of, rows_of


def topic_edges(topics: IdColumn) -> tuple[int, int]:
    """See ``Engine.topic_edges``."""
    names = texts_of(topics)
    if not names:
        return 0, 0
    end = next((row for row, name in enumerate(names) if name != names[0]), len(names))
    begin = next((row + 1 for row in range(len(names) - 1, -1, -1) if names[row] != names[-1]), 0)
    return end, begin


def gather_pools(whole_topics: bool, whole_documents: bool, rows: int) -> PoolsGathered:
    """See ``Engine.gather_pools``."""
    return PoolsGathered(whole_topics, whole_documents)


class PoolsGathered:
    """See ``cranfield.contract.PoolsGathered``."""

    def __init__(self, whole_topics: bool, whole_documents: bool) -> None:
        self._whole = whole_topics, whole_documents
        self._rows: list[tuple[bytes, bytes, float]] = []

    def add(self, topics: IdColumn, documents: IdColumn, label: Floats) -> None:
        """Some judgments."""
        self._rows += zip(texts_of(topics), texts_of(documents), label.tolist(), strict=True)

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
    """See ``cranfield.contract.ColumnPools``."""

    def __init__(self, topics: list[bytes], documents: list[bytes], starts: Ints, whole: tuple[bool, bool]) -> None:
        self._topics = topics
        self._documents = documents
        self._whole = whole
        bounds = starts.tolist()
        self._found = {
            topic: (number, {documents[row]: row for row in range(bounds[number], bounds[number + 1])})
            for number, topic in enumerate(topics)
        }

    def topics(self) -> IdColumn:
        """Ids of the topics."""
        return column_of(self._topics, self._whole[0])

    def documents(self) -> IdColumn:
        """Ids of the documents."""
        return column_of(self._documents, self._whole[1])

    def find(self, topics: IdColumn) -> Ints:
        """Numbers of topics."""
        none: tuple[int, dict[bytes, int]] = (-1, {})
        return np.array([self._found.get(topic, none)[0] for topic in texts_of(topics)], dtype=np.int64)

    def judge(self, topics: IdColumn, documents: IdColumn, score: Floats, ties: str, on_duplicate: str) -> Lists:
        """Lists whose rows are together."""
        rows = zip(texts_of(topics), rows_of(documents, score, 0), strict=True)
        lists = [(topic, [row for _, row in group]) for topic, group in groupby(rows, key=lambda pair: pair[0])]
        return self._judged(lists, ties, on_duplicate)

    def met(self, topics: IdColumn, documents: IdColumn, score: Floats) -> MetRows:
        """Judged documents of topics whose rows are in several files."""
        seen = False
        stretches: list[tuple[int, int]] = []
        judged: list[tuple[int, float, int]] = []
        rows = zip(texts_of(topics), rows_of(documents, score, 0), strict=True)
        for topic, group in groupby(rows, key=lambda pair: pair[0]):
            if topic not in self._found:
                continue
            number, pool = self._found[topic]
            some = [row for _, row in group]
            stretches.append((number, len(some)))
            for row in some:
                if not np.isfinite(row.score):
                    raise EngineError("score", row.line, str(row.score))
            known = [(pool[row.document], row.score, row.line - 1) for row in some if row.document in pool]
            seen = seen or (bool(known) and sum(row.score == known[0][1] for row in some) > 1)
            judged += known
        of_topics = np.array(stretches, dtype=np.int64).reshape(-1, 2).T
        document, value, at = zip(*judged, strict=True) if judged else ((), (), ())
        found = np.array(document, dtype=np.uint32), np.array(value, dtype=np.float64), np.array(at, dtype=np.uint32)
        return of_topics[0].copy(), of_topics[1].copy(), *found, seen

    def standing(self, score: Floats, ties: str) -> DocumentsStanding:
        """Documents in their order."""
        lists = []
        for topic, (_, pool) in self._found.items():
            rows = [Row(row, document, float(score[row]), None) for document, row in pool.items()]
            lists.append((topic, ordered_rows([row for row in rows if row.score == row.score], ties)))
        return DocumentsStanding(lists, ties)

    def gather(self, low: int, high: int) -> ListsGathered:
        """Rows in any order."""
        return ListsGathered(low, high)

    def _judged(self, lists: Iterable[tuple[bytes, list[Row]]], ties: str, on_duplicate: str) -> Lists:
        facts: Facts = {}
        others: list[str] = []
        found: dict[str, list[int]] = {name: [] for name in ("topic", "row", "length", "rank", "document")}
        ends, first, last = [0], [], []
        for topic, rows in lists:
            if topic not in self._found:
                others.append(topic.decode())
                continue
            number, pool = self._found[topic]
            found["row"].append(rows[0].line - 1)
            ordered = _ordered(topic, rows, ties, on_duplicate, facts)
            found["topic"].append(number)
            found["length"].append(len(ordered))
            for rank, row in enumerate(ordered, start=1):
                if row.document in pool:
                    found["rank"].append(rank)
                    found["document"].append(pool[row.document])
            if ties in ("expected", "bounds"):
                above = 0
                for _, group in groupby(ordered, key=lambda row: row.score):
                    tied = list(group)
                    judged = sum(row.document in pool for row in tied)
                    first += [above + 1] * judged
                    above += len(tied)
                    last += [above] * judged
            ends.append(len(found["rank"]))
        if others:
            notice(facts, "extra-topics", len(others), names=others[:5])
        arrays = {name: np.array(values, dtype=np.int64) for name, values in found.items()}
        return {
            "topic": arrays["topic"],
            "row": arrays["row"],
            "length": arrays["length"],
            "starts": np.array(ends, dtype=np.int64),
            "rank": arrays["rank"],
            "document": arrays["document"],
            "first": np.array(first, dtype=np.int64),
            "last": np.array(last, dtype=np.int64),
            "facts": facts,
        }


class ListsGathered:
    """See ``cranfield.contract.ListsGathered``."""

    def __init__(self, low: int, high: int) -> None:
        self._between = low, high
        self._rows: dict[bytes, list[Row]] = {}

    def add(self, pools: ColumnPools, topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> None:
        """Rows of a batch."""
        numbers = pools.find(topics).tolist()
        for topic, number, row in zip(texts_of(topics), numbers, rows_of(documents, score, first), strict=True):
            if self._between[0] <= number < self._between[1]:
                self._rows.setdefault(topic, []).append(row)

    def judge(self, pools: ColumnPools, ties: str, on_duplicate: str) -> Lists:
        """The lists of all rows, in the order of the topics' numbers."""
        lists = [(topic, self._rows[topic]) for topic in pools._topics if topic in self._rows]
        return pools._judged(lists, ties, on_duplicate)


def _ordered(topic: bytes, rows: list[Row], ties: str, on_duplicate: str, facts: Facts) -> list[Row]:
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
