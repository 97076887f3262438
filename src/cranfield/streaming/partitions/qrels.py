"""Judgments as the engine looks documents up in them, of all topics or of those of one part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield import engine
from cranfield._text import cut, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.ids import TextColumn, encode_ids, slice_ids, taken, text_at
from cranfield.collection.qrels import Qrels
from cranfield.collection.segments import distinct
from cranfield.engine.protocol import ColumnPools, IdColumn
from cranfield.errors import EngineError, InputError
from cranfield.findings.location import Location
from cranfield.scoring.list_scorer import Judgments
from cranfield.scoring.topic_id_sets import IntegerTopics, Topics
from cranfield.streaming.partitions.batches import Batch, IntegerIds, batches, numbers
from cranfield.streaming.partitions.fragment import Fragment

INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,17}")
"""A whole number as it is written out, of at most 18 digits."""
Between = tuple[Any, Any]
"""Topics above the first, up to the second; None where there is no such end."""


@dataclass(frozen=True)
class JudgedTopics:
    """Judgments that documents are looked up in. They may be sent to other processes, which build the tables anew.

    Args:
        pools: the engine's tables.
        judgments: labels.
        kinds: of the ids.
    """

    pools: ColumnPools
    judgments: Judgments
    kinds: IntegerIds

    @cached_property
    def topics(self) -> IdColumn:
        """Ids of the topics, by number."""
        return self.pools.topics()

    @property
    def count(self) -> int:
        """The number of topics."""
        return len(self.judgments.starts) - 1

    def names(self, numbers: Ints) -> Topics:
        """The ids of topics with these numbers."""
        ids = taken(self.topics, numbers)
        return frozenset(text.decode() for text in encode_ids(ids)) if isinstance(ids, tuple) else IntegerTopics(ids)

    def name(self, number: int) -> str:
        """The id of one topic."""
        return text_at(self.topics, number)

    @cached_property
    def index(self) -> Any:
        """The engine's tables for files of text; topics and documents have the same numbers."""
        topics = [text.decode() for text in encode_ids(self.topics)]
        documents = self.pools.documents()
        column = (
            TextColumn.from_bytes(encode_ids(documents)) if not isinstance(documents, tuple) else TextColumn(*documents)
        )
        return engine.current().index(topics, self.judgments.starts, column.data, column.offsets)

    def __reduce__(self) -> tuple[Any, ...]:
        judgments = self.judgments
        return _rebuild, (
            self.topics,
            judgments.starts,
            self.pools.documents(),
            judgments.grade,
            judgments.labels,
            self.kinds,
        )


def _rebuild(
    topics: IdColumn, starts: Ints, documents: IdColumn, grade: Floats, labels: Floats, kinds: IntegerIds
) -> JudgedTopics:
    gathered = engine.current().gather_pools(*kinds, len(grade))
    for first in range(0, len(starts) - 1, _TOPICS):
        last = min(first + _TOPICS, len(starts) - 1)
        rows = slice(int(starts[first]), int(starts[last]))
        repeated = taken(topics, np.repeat(np.arange(first, last), np.diff(starts[first : last + 1])))
        gathered.add(repeated, slice_ids(documents, rows.start, rows.stop), grade[rows])
    pools, starts, grade = gathered.finish()
    return JudgedTopics(pools, Judgments(starts, grade, labels), kinds)


_TOPICS = 1 << 16
"""Topics that are put into an engine's tables at a time."""


def from_qrels(qrels: Qrels, wanted: IntegerIds) -> JudgedTopics:
    """Judgments that were read already; ids are integers where these are wanted and all are written so."""
    topics = [topic.encode() for topic in qrels.topics]
    integer = IntegerIds(
        wanted.topic and all(map(INTEGER.fullmatch, topics)),
        wanted.document and all(map(INTEGER.fullmatch, qrels.documents.tobytes())),
    )
    column = TextColumn.from_bytes(topics)
    ids: IdColumn = _numbers(topics) if integer.topic else (column.data, column.offsets)
    documents = qrels.documents
    of_documents: IdColumn = _numbers(documents.tobytes()) if integer.document else (documents.data, documents.offsets)
    return _rebuild(ids, qrels.starts, of_documents, qrels.grade, qrels.pool.labels, integer)


def _numbers(texts: Iterable[bytes]) -> Ints:
    return np.array([int(text) for text in texts], dtype=np.int64)


def from_fragments(
    fragments: Sequence[Fragment],
    kinds: IntegerIds,
    rows: int,
    between: Between = (None, None),
    labels: Floats | None = None,
) -> JudgedTopics:
    """Judgments of files, ``rows`` of them at a time.

    Args:
        fragments: the files.
        kinds: of the ids.
        rows: read at a time.
        between: only these topics.
        labels: that occur in the whole of the judgments; those that are read where None.

    Raises:
        InputError: a file cannot be read, or a document of a topic is judged twice.
    """
    gathered = engine.current().gather_pools(*kinds, sum(fragment.rows for fragment in fragments))
    met: list[Floats] = []
    for fragment in fragments:
        keep = filter_between(fragment, between)
        for batch in batches(fragment, kinds, rows):
            topics, documents, number = batch[:3] if keep is None else select_rows(batch, keep(batch.topics))
            gathered.add(topics, documents, number)
            if labels is None:
                met.append(distinct(number))
    try:
        pools, starts, grade = gathered.finish()
    except EngineError as error:
        if error.code != "duplicate":
            raise
        text = f"document {quoted(error.more)} is judged twice in topic {quoted(error.value)}; keep one of its rows"
        raise InputError(text, _locate(fragments), code="duplicate", value=cut(error.more)) from None
    known = distinct(np.concatenate([np.empty(0), *met])) if labels is None else labels
    return JudgedTopics(pools, Judgments(starts, grade, known), kinds)


def _locate(fragments: Sequence[Fragment]) -> Location:
    more = f" and {len(fragments) - 1} more" if len(fragments) > 1 else ""
    return Location(fragments[0].name + more) if fragments else Location(name="qrels")


def filter_between(fragment: Fragment, between: Between) -> Callable[[IdColumn], Mask] | None:
    """Return a function that marks the topics between two; None where all topics of a file are."""
    low, high = between
    known = fragment.topics
    if known is not None and (low is None or known[0] > low) and (high is None or known[1] <= high):
        return None
    if low is None and high is None:
        return None

    def keep(topics: IdColumn) -> Mask:
        if isinstance(topics, tuple):
            ends = [None if end is None else str(end).encode() for end in between]
            chosen = [
                (ends[0] is None or text > ends[0]) and (ends[1] is None or text <= ends[1])
                for text in encode_ids(topics)
            ]
            return np.array(chosen, dtype=bool)
        return (True if low is None else topics > low) & (
            np.ones(len(topics), dtype=bool) if high is None else topics <= high
        )

    return keep


def select_rows(batch: Batch, chosen: Mask) -> tuple[IdColumn, IdColumn, Floats]:
    """Topics, documents and numbers of these rows."""
    rows = np.flatnonzero(chosen)
    return taken(batch.topics, rows), taken(batch.documents, rows), batch.number[rows]


def read_labels(fragments: Sequence[Fragment], rows: int) -> Floats:
    """The labels that occur in files, ascending; no other column is read."""
    met = [distinct(values) for fragment in fragments for values in numbers(fragment, rows)]
    return distinct(np.concatenate([np.empty(0), *met]))
