"""A run: the documents that one system retrieved for each topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._frozen import Frozen
from cranfield._html import ROWS, table
from cranfield._text import counted, cut, quoted
from cranfield._typing import Floats, Ints
from cranfield.collection.column_names import ColumnNames
from cranfield.collection.frames import (
    FlatRun,
    FrameTable,
    by_system,
    cells,
    flat_rows,
    flat_run,
    read_ranks,
    read_roles,
    read_table,
    with_scores,
)
from cranfield.collection.ids import RowLocations, TextColumn, identifier, levels, quoted_id, read_number
from cranfield.engine.fast_paths import nested_rows
from cranfield.errors import InputError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


class Run(Frozen):
    """Immutable ranked lists. Make one with ``cranfield.read_run``, ``Run.from_dict`` or ``Run.from_frame``.

    Rows keep the order in which they were given; the tie policy orders them when the run is judged.

    Args:
        name: of the system.
        topics: ids in order of first appearance, T of them.
        starts: topic t has the rows ``starts[t]:starts[t + 1]``, int64 [T + 1].
        documents: ids, [rows].
        score: larger is better, finite, float64 [rows].
        rank: the rank column, int64 [rows]; None where there is none, or it
            holds anything but whole numbers of at most 18 digits.
        tag: the run tag in the file.
        path: where it was read from, None for data in memory.
        sha256: of the bytes that were read, as they lie on disk; empty for data in memory.
        rewritten: whether it was rewritten as a policy says, which is done once.

    >>> import cranfield
    >>> run = cranfield.Run.from_dict({"q1": {"d1": 2.0, "d2": 1.5}}, name="mine")
    >>> run.name, run.topics, run.to_dict()
    ('mine', ('q1',), {'q1': {'d1': 2.0, 'd2': 1.5}})
    """

    def __init__(
        self,
        name: str,
        topics: Iterable[str],
        starts: Ints,
        documents: TextColumn,
        score: Floats,
        rank: Ints | None = None,
        *,
        tag: str = "",
        path: str | None = None,
        sha256: str = "",
        rewritten: bool = False,
    ) -> None:
        self.name = name
        self.topics = tuple(topics)
        self.starts = starts
        self.documents = documents
        self.score = score
        self.rank = rank
        self.tag = tag
        self.path = path
        self.sha256 = sha256
        self.rewritten = rewritten
        for array in (starts, score, *([] if rank is None else [rank])):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {counted(len(self.topics), 'topic')}, {counted(len(self.score), 'document')})"

    def _repr_html_(self) -> str:
        first = np.arange(min(len(self), ROWS))
        topic = np.searchsorted(self.starts, first, side="right") - 1
        documents, scores = self.documents.take(first).tolist(), self.score[: len(first)].tolist()
        rows = zip((self.topics[at] for at in topic), documents, scores, strict=True)
        return table(["topic", "document", "score"], rows, repr(self), len(self) - len(first))

    def __len__(self) -> int:
        return len(self.score)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Run) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal; names and tags do not count."""
        import hashlib

        digest = hashlib.sha256("\n".join(self.topics).encode())
        for array in (self.starts, self.documents.offsets, self.documents.data, self.score, self.rank):
            digest.update(b"" if array is None else array.tobytes())
        return digest.hexdigest()

    @classmethod
    def from_dict(cls, scores: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Run:
        """A run from topic -> document -> score.

        Raises:
            InputError: an id or a score that cannot be used.
        """
        plain = nested_rows(scores, False)
        if plain is not None:
            return cls._from_plain((*plain, None), name)
        rows = [(topic, document, score) for topic, row in levels(scores, name, "score") for document, score in row]
        topics, documents, values = zip(*rows, strict=True) if rows else ((), (), ())

        def locations() -> RowLocations:
            return [(f"{name}, topic {quoted_id(t)}, document {quoted_id(d)}",) * 3 for t, d, _ in rows]

        return cls._from_rows(topics, documents, values, name, locations)

    @classmethod
    def from_frame(cls, frame: IntoFrame | FrameTable, *, name: str = "run", columns: ColumnNames = None) -> Run:
        """A run from a data frame (Arrow, pandas, Polars, DuckDB, ...), one row a retrieved document.

        Columns hold the topic (``qid``, ``query_id``, ...), the document (``docno``, ``doc_id``, ...), the ``score``,
        and where there is one the ``rank``; all known names are in ``cranfield.collection.column_names``.

        Args:
            frame: of the run.
            name: of the system.
            columns: where they have other names: ``{"topic": "user", "document": "item"}``.

        Raises:
            InputError: a column is missing, two could be meant, or an id or a score cannot be used; rows count from 1.
        """
        table = with_scores(read_table(frame), columns, name)
        systems = by_system(table, columns)
        if systems is not None and len(systems) > 1:
            text = f"the frame holds {len(systems):,} systems; give it to cranfield.evaluate, or one system's rows"
            raise InputError(text, name, code="several-systems", value=systems[1][0])
        plain = flat_run(table, columns)
        if plain is not None:
            return cls._from_plain(plain, name)
        read = read_roles(table, "score", columns)
        topics, documents, scores = read["topic"], read["document"], read["score"]
        locations = partial(cells, name, table, "score", columns)
        return cls._from_rows(topics, documents, scores, name, locations, read.get("rank"))

    @classmethod
    def from_lists(cls, lists: Mapping[str, Sequence[Any]], *, name: str = "run") -> Run:
        """A run from topic -> ranked list of documents, which score minus their rank, or of (document, score).

        Raises:
            InputError: an id or a score that cannot be used, or lists of both kinds.
        """
        from cranfield.collection.nested_rows import read_lists

        rows, locations = read_lists(lists, name)
        topics, documents, scores = zip(*rows, strict=True) if rows else ((), (), ())
        return cls._from_rows(topics, documents, scores, name, locations)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[Any, ...]], *, name: str = "run") -> Run:
        """A run from tuples (topic, document, score), or ``ScoredDoc`` of ir_measures.

        Raises:
            InputError: a row that is not such a tuple, or an id or a score that cannot be used; rows count from 1.
        """
        from cranfield.collection.nested_rows import is_rows, list_given_rows, read_named_tuples, read_tuples

        rows = list_given_rows(rows)
        table = read_named_tuples(rows) if is_rows(rows) else None
        if table is not None:
            return cls.from_frame(table, name=name)
        triples = read_tuples(rows, "score", name)
        topics, documents, scores, _ = zip(*triples, strict=True) if triples else ((), (), (), ())
        numbers = range(1, len(triples) + 1)
        return cls._from_rows(
            topics, documents, scores, name, lambda: [(f"{name}, row {number}",) * 3 for number in numbers]
        )

    @classmethod
    def _from_rows(
        cls,
        topics: Sequence[Any],
        documents: Sequence[Any],
        scores: Sequence[Any],
        name: str,
        locations: Callable[[], RowLocations],
        ranks: Sequence[Any] | None = None,
    ) -> Run:
        """Rows in any order; ``locations`` gives those of topic, document and score of each, for messages."""
        plain = None if ranks is not None else flat_rows(topics, documents, scores)
        if plain is not None:
            return cls._from_plain(plain, name)
        groups: dict[bytes, list[tuple[bytes, float, Any]]] = {}
        rows = zip(topics, documents, scores, ranks or [None] * len(topics), locations(), strict=True)
        for topic, document, score, rank, (topic_location, document_location, score_location) in rows:
            groups.setdefault(identifier(topic, "topic", topic_location), []).append(
                (identifier(document, "document", document_location), read_number(score, "score", score_location), rank)
            )
        if not groups:
            raise InputError(f"{name} holds no documents", code="empty")
        ordered = [row for group in groups.values() for row in group]
        return cls(
            name,
            [topic.decode() for topic in groups],
            np.cumsum([0, *map(len, groups.values())], dtype=np.int64),
            TextColumn.from_bytes([document for document, _, _ in ordered]),
            np.array([score for _, score, _ in ordered], dtype=np.float64),
            read_ranks([rank for _, _, rank in ordered]),
        )

    @classmethod
    def _from_plain(cls, rows: FlatRun, name: str) -> Run:
        topics, starts, data, offsets, score, rank = rows
        return cls(name, topics, starts, TextColumn(data, offsets), score, rank)

    def check_unrepeated(self) -> None:
        """Raises: InputError: a document occurs twice in a topic."""
        documents, bounds = self.documents.tolist(), self.starts.tolist()
        for topic, a, b in zip(self.topics, bounds[:-1], bounds[1:], strict=True):
            documents_of_topic = documents[a:b]
            if len(set(documents_of_topic)) < len(documents_of_topic):
                twice = next(document for document, count in Counter(documents_of_topic).items() if count > 1)
                text = f"document {quoted(twice)} occurs twice in topic {quoted(topic)}: keep one of its rows"
                raise InputError(text, f"run {quoted(self.name)}", code="duplicate", value=cut(twice))

    def rows(self) -> tuple[list[str], list[str], Floats]:
        """Topics, documents and scores, row by row."""
        topics = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))
        return [self.topics[topic] for topic in topics], self.documents.tolist(), self.score

    def select_topics(self, topics: Ints) -> Run:
        """The run cut to these topics; no list is copied if they are neighbours.

        Args:
            topics: indexes of ``topics``, ascending, each once, int64 [topics].
        """
        begin, size = self.starts[topics], np.diff(self.starts)[topics]
        starts = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
        if len(topics) and topics[-1] - topics[0] == len(topics) - 1:
            rows: slice | Ints = slice(int(begin[0]), int(begin[0] + starts[-1]))
            bounds = self.documents.offsets[int(begin[0]) : int(begin[0] + starts[-1]) + 1]
            documents = TextColumn(self.documents.data[bounds[0] : bounds[-1]], bounds - bounds[0])
        else:
            rows = np.repeat(begin - starts[:-1], size) + np.arange(starts[-1])
            documents = self.documents.take(rows)
        return Run(
            self.name,
            [self.topics[topic] for topic in topics.tolist()],
            starts,
            documents,
            self.score[rows],
            None if self.rank is None else self.rank[rows],
            tag=self.tag,
            path=self.path,
            rewritten=self.rewritten,
        )

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic -> document -> score.

        Raises:
            InputError: a document occurs twice in a topic, so that one of its scores would be lost.
        """
        self.check_unrepeated()
        documents, scores, bounds = self.documents.tolist(), self.score.tolist(), self.starts.tolist()
        return {
            topic: dict(zip(documents[a:b], scores[a:b], strict=True))
            for topic, a, b in zip(self.topics, bounds[:-1], bounds[1:], strict=True)
        }

    def to_frame(self) -> Any:
        """A pandas frame with the columns query_id, doc_id, score, and rank where the run has ranks."""
        import pandas as pd

        topics, documents, scores = self.rows()
        frame = pd.DataFrame({"query_id": topics, "doc_id": documents, "score": scores})
        return frame if self.rank is None else frame.assign(rank=self.rank)
