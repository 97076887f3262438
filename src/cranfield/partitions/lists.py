"""The lists of one file: rows that are together, rows that are anywhere in it, or lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._text import cut, quoted
from cranfield._typing import Floats
from cranfield.collection.ids import count_of, joined, part_of, text_at, texts_of
from cranfield.collection.policy import Policy
from cranfield.engine.protocol import Facts, IdColumn, Lists
from cranfield.errors import EngineError, InputError
from cranfield.findings.finding import notice_all, notice_tag
from cranfield.io.source import max_unpacked, read
from cranfield.partitions.batches import Kinds, batches
from cranfield.partitions.fragment import Fragment
from cranfield.partitions.parts import Topics
from cranfield.partitions.qrels import JudgedTopics

FIRST = 2048
"""Rows that show already whether those of a topic are together."""


class ScatteredTopicError(Exception):
    """The first rows of a file show that those of a topic are not together."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """How the lists of a file are read.

    Args:
        policy: how odd cases are read.
        kinds: of the ids.
        topics: how they lie in a file; where that is ``auto``, together, unless the first rows show otherwise.
        rows: read at a time.
        held: rows of scattered topics that are held in memory at a time.
    """

    policy: Policy
    kinds: Kinds
    topics: Topics
    rows: int
    held: int

    def lists(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[Lists]:
        """The lists of a file.

        Raises:
            ScatteredTopicError: nobody said how topics lie in it, and its rows are in any order.
        """
        if fragment.form == "trec":
            yield from self._of_text(fragment, judged, facts)
            return
        ways = {"auto": self._together, "together": self._together, "complete": self._complete}
        try:
            yield from ways[self.topics](fragment, judged, facts)
        except EngineError as error:
            raise worded(error, fragment) from None

    def _together(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[Lists]:
        """Lists whose rows are together: all but the last one of a batch are finished."""
        pools, edges, policy = judged.pools, engine.current().topic_edges, self.policy
        open_: list[tuple[IdColumn, IdColumn, Floats]] = []
        first_open = 0

        def of(topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> Lists:
            try:
                lists = pools.judge(topics, documents, score, policy.ties, policy.on_duplicate)
            except EngineError as error:
                raise EngineError(error.code, error.line + first, error.value, error.number, error.more) from None
            lists["row"] += first
            notice_all(facts, lists["facts"], first)
            return lists

        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            rows = count_of(topics)
            facts["rows"] += rows
            if not rows:
                continue
            if first == 0 and self.topics == "auto" and _strewn(part_of(topics, 0, min(rows, FIRST))):
                raise ScatteredTopicError
            end, begin = edges(topics)
            if open_:
                joins = text_at(open_[0][0], 0) == text_at(topics, 0)
                if joins:
                    open_.append((part_of(topics, 0, end), part_of(documents, 0, end), score[:end]))
                if joins and end == rows:
                    continue
                yield of(*_joined(open_), first_open)
                start = end if joins else 0
            else:
                start = 0
            if begin > start:
                yield of(
                    part_of(topics, start, begin), part_of(documents, start, begin), score[start:begin], first + start
                )
            open_ = [(part_of(topics, begin, rows), part_of(documents, begin, rows), score[begin:])]
            first_open = first + begin
        if open_:
            yield of(*_joined(open_), first_open)

    def _complete(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[Lists]:
        """Lists whose rows are anywhere in a file, of as many topics at a time as memory has room for."""
        passes = max(1, -(-fragment.rows // max(1, self.held)))
        bounds = [judged.count * number // passes for number in range(passes + 1)]
        for low, high in pairwise(bounds):
            gathered = judged.pools.gather(low, high)
            for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
                gathered.add(judged.pools, topics, documents, score, first)
                if low == 0:
                    facts["rows"] += len(score)
            lists = gathered.judge(judged.pools, self.policy.ties, self.policy.on_duplicate)
            notice_all(facts, lists["facts"])
            yield lists

    def _of_text(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[Lists]:
        """A file of TREC's: the engine reads it in windows, whatever the order of its topics."""
        found = read(
            fragment.path,
            "run",
            "trec",
            lambda source: engine.current().judge_file(
                source, "trec", max_unpacked(), judged.index, self.policy.ties, self.policy.on_duplicate, 1, False
            ),
        )
        topic = np.flatnonzero(found["length"])
        facts["rows"] += found["facts"]["rows"]
        notice_tag(facts, found["facts"]["tag"])
        notice_all(facts, found["facts"])
        yield {
            "topic": topic,
            "row": np.zeros(len(topic), dtype=np.int64),
            "length": found["length"][topic],
            "starts": np.concatenate([[0], found["starts"][topic + 1]]),
            "rank": found["rank"],
            "document": found["document"],
            "first": found["first"],
            "last": found["last"],
            "facts": found["facts"],
        }


def _strewn(topics: IdColumn) -> bool:
    """Whether most rows are of another topic than the one before them, and topics come again."""
    ids: list[Any] = list(texts_of(topics)) if isinstance(topics, tuple) else topics.tolist()
    stretches = sum(one != other for one, other in pairwise(ids)) + 1
    return bool(2 * stretches > len(ids) and stretches > len(set(ids)))


def _joined(pieces: list[tuple[IdColumn, IdColumn, Floats]]) -> tuple[IdColumn, IdColumn, Floats]:
    if len(pieces) == 1:
        return pieces[0]
    topics, documents, score = zip(*pieces, strict=True)
    return joined(topics), joined(documents), np.concatenate(score)


def worded(error: EngineError, fragment: Fragment, first: int = 0) -> InputError:
    """What an engine refuses in a file; its lines are rows, from 1, of a batch whose first row is number ``first``."""
    place = fragment.where(first + error.line - 1)
    if error.code == "duplicate":
        text = (
            f"document {quoted(error.more)} occurs twice in topic {quoted(error.value)}; "
            f"{setting('on_duplicate', 'first')} keeps one"
        )
        return InputError(text, place, code=error.code, value=cut(error.more))
    if error.code == "score":
        return InputError(f"the score {error.value} is not a finite number", place, code="score", value=error.value)
    return InputError(f"the engine refuses it ({error.code})", place, code=error.code)
