"""The ranked lists of one file, whose rows are grouped by topic, scattered, or lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._text import cut, quoted
from cranfield._typing import Floats
from cranfield.collection.ids import count_ids, encode_ids, joined, slice_ids, text_at
from cranfield.collection.policy import Policy
from cranfield.engine.protocol import Facts, IdColumn, TopicLists
from cranfield.errors import EngineError, InputError
from cranfield.findings.finding import notice_all, notice_tag
from cranfield.io.source import max_unpacked, read
from cranfield.streaming.partitions.batches import IntegerIds, batches
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.parts import TopicLayout
from cranfield.streaming.partitions.qrels import Between, JudgedTopics, filter_between, select_rows

FIRST = 2048
"""Rows that show already whether those of a topic are together."""


class ScatteredTopicError(Exception):
    """The first rows of a file show that those of a topic are not together."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Rules by which the lists of a file are read.

    Args:
        policy: how odd cases are read.
        kinds: of the ids.
        topics: how they lie in a file; where that is ``auto``, together, unless the first rows show otherwise.
        rows: read at a time.
        held: rows of scattered topics that are held in memory at a time.
    """

    policy: Policy
    kinds: IntegerIds
    topics: TopicLayout
    rows: int
    held: int

    def lists(
        self, fragment: Fragment, judged: JudgedTopics, facts: Facts, between: Between = (None, None)
    ) -> Iterator[TopicLists]:
        """The lists of a file, or of its topics between two.

        Raises:
            ScatteredTopicError: nobody said how topics lie in it, and its rows are in any order.
        """
        if fragment.form == "trec":
            yield from self._read_text(fragment, judged, facts)
            return
        try:
            if self.topics == "complete":
                yield from self._complete(fragment, judged, facts)
            else:
                yield from self._together(fragment, judged, facts, between)
        except EngineError as error:
            if fragment.copy_of and error.code == "duplicate":
                raise self._twice(error, fragment.copy_of) from None
            raise worded(error, fragment) from None

    def _twice(self, error: EngineError, files: Sequence[Fragment]) -> InputError:
        """The error for a document in two rows of a topic, which are looked up in the files of a sorted copy."""
        wanted = error.value.encode(), error.more.encode()
        found = []
        for file in files:
            for batch in batches(file, self.kinds, self.rows):
                ids = zip(encode_ids(batch.topics), encode_ids(batch.documents), strict=True)
                found += [file.where(batch.first + row) for row, pair in enumerate(ids) if pair == wanted]
                if len(found) > 1:
                    text = f"document {quoted(error.more)} occurs twice in topic {quoted(error.value)}, also in "
                    text += f"{found[0]}; keep one of its rows"
                    return InputError(text, found[1], code="duplicate", value=cut(error.more))
        text = "no longer has the rows that were read before: read it again when nothing writes to it"
        return InputError(text, files[0].location, code="changed")

    def _together(
        self, fragment: Fragment, judged: JudgedTopics, facts: Facts, between: Between
    ) -> Iterator[TopicLists]:
        """Lists whose rows are together: all but the last one of a batch are finished."""
        pools, edges, policy = judged.pools, engine.current().topic_edges, self.policy
        open_: list[tuple[IdColumn, IdColumn, Floats]] = []
        first_open = 0

        def judge(topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> TopicLists:
            try:
                lists = pools.judge(topics, documents, score, policy.ties, policy.on_duplicate)
            except EngineError as error:
                raise EngineError(error.code, error.line + first, error.value, error.number, error.more) from None
            lists["row"] += first
            notice_all(facts, lists["facts"], first)
            return lists

        keep = filter_between(fragment, between)
        for batch in batches(fragment, self.kinds, self.rows):
            first = batch.first
            topics, documents, score = batch[:3] if keep is None else select_rows(batch, keep(batch.topics))
            rows = count_ids(topics)
            facts["rows"] += rows
            if not rows:
                continue
            if first == 0 and self.topics == "auto" and _are_scattered(slice_ids(topics, 0, min(rows, FIRST))):
                raise ScatteredTopicError
            end, begin = edges(topics)
            if open_:
                joins = text_at(open_[0][0], 0) == text_at(topics, 0)
                if joins:
                    open_.append((slice_ids(topics, 0, end), slice_ids(documents, 0, end), score[:end]))
                if joins and end == rows:
                    continue
                yield judge(*_joined(open_), first_open)
                start = end if joins else 0
            else:
                start = 0
            if begin > start:
                yield judge(
                    slice_ids(topics, start, begin),
                    slice_ids(documents, start, begin),
                    score[start:begin],
                    first + start,
                )
            open_ = [(slice_ids(topics, begin, rows), slice_ids(documents, begin, rows), score[begin:])]
            first_open = first + begin
        if open_:
            yield judge(*_joined(open_), first_open)

    def _complete(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[TopicLists]:
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

    def _read_text(self, fragment: Fragment, judged: JudgedTopics, facts: Facts) -> Iterator[TopicLists]:
        """Lists of a file in TREC's format, which the engine reads in windows, whatever the order of its topics."""
        judged_file = read(
            fragment.path,
            "run",
            "trec",
            lambda source: engine.current().judge_file(
                source, "trec", max_unpacked(), judged.index, self.policy.ties, self.policy.on_duplicate, 1, False
            ),
        )
        topic = np.flatnonzero(judged_file["length"])
        facts["rows"] += judged_file["facts"]["rows"]
        notice_tag(facts, judged_file["facts"]["tag"])
        notice_all(facts, judged_file["facts"])
        yield {
            "topic": topic,
            "row": np.zeros(len(topic), dtype=np.int64),
            "length": judged_file["length"][topic],
            "starts": np.concatenate([[0], judged_file["starts"][topic + 1]]),
            "rank": judged_file["rank"],
            "document": judged_file["document"],
            "first": judged_file["first"],
            "last": judged_file["last"],
            "facts": judged_file["facts"],
        }


def _are_scattered(topics: IdColumn) -> bool:
    """Tell whether most rows are of another topic than the row before, and topics recur."""
    ids: list[Any] = list(encode_ids(topics)) if isinstance(topics, tuple) else topics.tolist()
    stretches = sum(topic != following for topic, following in pairwise(ids)) + 1
    return bool(2 * stretches > len(ids) and stretches > len(set(ids)))


def _joined(pieces: list[tuple[IdColumn, IdColumn, Floats]]) -> tuple[IdColumn, IdColumn, Floats]:
    if len(pieces) == 1:
        return pieces[0]
    topics, documents, score = zip(*pieces, strict=True)
    return joined(topics), joined(documents), np.concatenate(score)


def worded(error: EngineError, fragment: Fragment, first: int = 0) -> InputError:
    """The error of an engine in our words; its lines are rows, from 1, of a batch that begins with row ``first``."""
    location = fragment.where(first + error.line - 1)
    if error.code == "duplicate":
        text = (
            f"document {quoted(error.more)} occurs twice in topic {quoted(error.value)}; "
            f"{setting('on_duplicate', 'first')} keeps one"
        )
        return InputError(text, location, code=error.code, value=cut(error.more))
    if error.code == "score":
        return InputError(f"the score {error.value} is not a finite number", location, code="score", value=error.value)
    return InputError(f"the engine refuses it ({error.code})", location, code=error.code)
