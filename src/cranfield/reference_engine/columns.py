"""Judgments and lists in flat columns: ranks of judged documents without a run being built.

For topics whose rows are in several files, the rows above each judged document are counted file by file.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.collection.ids import TextColumn, encode_ids
from cranfield.engine.protocol import Facts, IdColumn, JudgedRows, Lists
from cranfield.errors import EngineError
from cranfield.findings.finding import notice
from cranfield.reference_engine.judging import add_judged, compute_value, ordered_rows, sort_lists
from cranfield.reference_engine.text import Row


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

    def judge(self, topics: IdColumn, documents: IdColumn, score: Floats, ties: str, on_duplicate: str) -> Lists:
        """Lists whose rows are together."""
        rows = zip(encode_ids(topics), make_rows(documents, score, 0), strict=True)
        lists = [(topic, [row for _, row in group]) for topic, group in groupby(rows, key=lambda pair: pair[0])]
        return self._judge_lists(lists, ties, on_duplicate)

    def find_judged_rows(self, topics: IdColumn, documents: IdColumn, score: Floats) -> JudgedRows:
        """Judged documents of topics whose rows are in several files."""
        seen = False
        stretches: list[tuple[int, int]] = []
        judged: list[tuple[int, float, int]] = []
        rows = zip(encode_ids(topics), make_rows(documents, score, 0), strict=True)
        for topic, group in groupby(rows, key=lambda pair: pair[0]):
            if topic not in self._found:
                continue
            number, pool = self._found[topic]
            rows_of_topic = [row for _, row in group]
            stretches.append((number, len(rows_of_topic)))
            for row in rows_of_topic:
                if not np.isfinite(row.score):
                    raise EngineError("score", row.line, str(row.score))
            known = [(pool[row.document], row.score, row.line - 1) for row in rows_of_topic if row.document in pool]
            seen = seen or (bool(known) and sum(row.score == known[0][1] for row in rows_of_topic) > 1)
            judged += known
        of_topics = np.array(stretches, dtype=np.int64).reshape(-1, 2).T
        document, value, at = zip(*judged, strict=True) if judged else ((), (), ())
        arrays = np.array(document, dtype=np.uint32), np.array(value, dtype=np.float64), np.array(at, dtype=np.uint32)
        return of_topics[0].copy(), of_topics[1].copy(), *arrays, seen

    def hash_rows(self, topics: IdColumn, documents: IdColumn, key: tuple[int, int]) -> NDArray[np.uint64]:
        """Hashes of topic and document."""
        seed = b"".join(number.to_bytes(8, "little") for number in key)
        hashes = []
        for topic, document in zip(encode_ids(topics), encode_ids(documents), strict=True):
            # No id holds a NUL.
            digest = blake2b(topic + b"\0" + document, digest_size=8, key=seed).digest()
            hashes.append(max(1, int.from_bytes(digest, "little")) if topic in self._found else 0)
        return np.array(hashes, dtype=np.uint64)

    def rank_counter(self, score: Floats, ties: str) -> RankCounter:
        """Documents in their order."""
        lists = []
        for topic, (_, pool) in self._found.items():
            rows = [Row(row, document, float(score[row]), None) for document, row in pool.items()]
            lists.append((topic, ordered_rows([row for row in rows if row.score == row.score], ties)))
        return RankCounter(lists, ties)

    def gather(self, low: int, high: int) -> UnorderedRows:
        """Rows in any order."""
        return UnorderedRows(low, high)

    def _judge_lists(self, lists: Iterable[tuple[bytes, list[Row]]], ties: str, on_duplicate: str) -> Lists:
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
        self._rows: dict[bytes, list[Row]] = {}

    def add(self, pools: ColumnPools, topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> None:
        """Rows of a batch."""
        numbers = pools.find(topics).tolist()
        for topic, number, row in zip(encode_ids(topics), numbers, make_rows(documents, score, first), strict=True):
            if self._between[0] <= number < self._between[1]:
                self._rows.setdefault(topic, []).append(row)

    def judge(self, pools: ColumnPools, ties: str, on_duplicate: str) -> Lists:
        """The lists of all rows, in the order of the topics' numbers."""
        lists = [(topic, self._rows[topic]) for topic in pools._topics if topic in self._rows]
        return pools._judge_lists(lists, ties, on_duplicate)


def _sort_list(topic: bytes, rows: list[Row], ties: str, on_duplicate: str, facts: Facts) -> list[Row]:
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


Counts = list[NDArray[np.uint32]]


class RankCounter:
    """See ``cranfield.engine.protocol.RankCounter``."""

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
        known = make_column([b""] * len(score), False) if documents is None else documents
        for topic, row in zip(encode_ids(topics), make_rows(known, score, 0), strict=True):
            start, standing = self._lists.get(topic, (0, []))
            value = compute_value(row.score, self._ties)
            position = sum(compute_value(judged_row.score, self._ties) > value for judged_row in standing)
            if position == len(standing):
                continue
            same = compute_value(standing[position].score, self._ties) == value
            equal += same
            if documents is None:
                above[start + position] += 1
                continue
            if not same:
                if len(strict):
                    strict[start + position] += 1
            elif len(tied):
                tied[start + position] += 1
            # Rows of one document are equal: it is at its own position.
            below = [
                judged_row
                for judged_row in standing
                if ordered_rows([row, judged_row], self._ties)[0] is row or row.document == judged_row.document
            ]
            if below:
                above[start + len(standing) - len(below)] += 1
        return equal

    def resolve_ties(self, counts: Counts) -> None:
        """Counts as documents would have given them."""
        above, tied, strict = counts
        for start, end in pairwise(self._starts.tolist()):
            values = [compute_value(row.score, self._ties) for row in self._rows[start:end]]
            for _, group in groupby(zip(values, range(start, end), strict=True), key=lambda pair: pair[0]):
                positions = [at for _, at in group]
                above[positions[0]] -= len(positions) - 1
                above[positions[1:]] = 1
                if len(tied):
                    tied[positions[0]], strict[positions[0]] = len(positions), above[positions[0]] - 1

    def ranks(self, counts: Counts, low: int, high: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Ranks out of counts."""
        bounds = self._starts[low : high + 1]
        block = slice(int(bounds[0]), int(bounds[-1]))
        above, tied, strict = (count[block].astype(np.int64) for count in counts)
        rows, starts = self._rows[block], bounds - bounds[0]
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


def make_rows(documents: IdColumn, score: Floats, first: int) -> Iterable[Row]:
    """Rows of a batch, of which the first is row ``first``, from 0."""
    for line, (document, value) in enumerate(zip(encode_ids(documents), score.tolist(), strict=True), start=first + 1):
        yield Row(line, document, value, None)


def make_column(ids: list[bytes], integers: bool) -> IdColumn:
    """Ids as a column: whole numbers, or text."""
    if integers:
        return np.array([int(text) for text in ids], dtype=np.int64)
    column = TextColumn.from_bytes(ids)
    return column.data, column.offsets
