"""Judgments of documents by topic, and by intent where field 2 holds intents.

Rows in any order are grouped into the columns that ``Qrels`` holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from cranfield._frozen import Frozen
from cranfield._html import ROWS, table
from cranfield._message import name_value
from cranfield._text import counted, listed, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import one_or_more, word
from cranfield.collection.column_names import ColumnNames
from cranfield.collection.ids import RowLocations, TextColumn, identifier, levels, quoted_id, read_number
from cranfield.collection.intent_weights import UNIFORM, IntentWeights
from cranfield.collection.intents import Intents, no_intents
from cranfield.collection.policy import WeightSum
from cranfield.collection.pool import Pool
from cranfield.collection.word_labels import WordLabels, check_word_labels, read_word
from cranfield.engine.fast_paths import nested_rows
from cranfield.errors import EngineError, InputError, UsageError
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from cranfield.collection.frames import FrameTable
    from cranfield.engine.protocol import DocumentRows, Facts


NestedLabels = Mapping[str, Mapping[str, float]] | Mapping[str, Mapping[str, Mapping[str, float]]]


class Qrels(Frozen):
    """Immutable judgments. Make one with ``cranfield.read_qrels``, ``Qrels.from_dict`` or ``Qrels.from_frame``.

    Args:
        topics: ids in order of first appearance, T of them.
        starts: topic t has the pool rows ``starts[t]:starts[t + 1]``, int64 [T + 1].
        documents: judged documents, those of a topic in id byte order, [rows].
        grade: label of each; the largest where field 2 distinguishes several judgments, float64 [rows].
        judgments: (pool row, index of field 2, label) of every judgment, three arrays [judgments].
        iterations: the values of field 2.
        name: for messages and signatures.
        path: where it was read from, None for data in memory.
        sha256: of the bytes that were read, as they lie on disk; empty for data in memory.
        weights: how likely intents are; all intents of a topic alike where None.
        weight_sum: probabilities that do not add up to 1: ``renormalise``, ``raise`` or ``raw``.
        keep_empty_intents: whether intents without relevant documents count.
        elsewhere: topics that are judged too, and were left out here; runs may well have them.
        excluded: judgments of documents that were left out here, and leave runs before they are judged.
        word_labels: the numbers by which labels in words were read.

    >>> import cranfield
    >>> qrels = cranfield.Qrels.from_dict({"q1": {"d1": 2, "d2": 0}, "q2": {"d7": 1}})
    >>> qrels.topics, qrels.grade.tolist()
    (('q1', 'q2'), [2.0, 0.0, 1.0])
    """

    def __init__(
        self,
        topics: Iterable[str],
        starts: Ints,
        documents: TextColumn,
        grade: Floats,
        judgments: tuple[Ints, Ints, Floats],
        iterations: Iterable[str],
        *,
        name: str = "qrels",
        path: str | None = None,
        sha256: str = "",
        weights: IntentWeights | None = None,
        weight_sum: WeightSum = "renormalise",
        keep_empty_intents: bool = False,
        elsewhere: Iterable[str] = (),
        excluded: Qrels | None = None,
        word_labels: WordLabels = None,
    ) -> None:
        word("weight_sum", weight_sum, get_args(WeightSum))
        self.topics = tuple(topics)
        self.starts = starts
        self.documents = documents
        self.grade = grade
        self.judgments = judgments
        self.iterations = tuple(iterations)
        self.name = name
        self.path = path
        self.sha256 = sha256
        self.weights = weights or UNIFORM
        self.weight_sum: WeightSum = weight_sum
        self.keep_empty_intents = keep_empty_intents
        self.elsewhere = frozenset(one_or_more(elsewhere))
        self.excluded = excluded
        self.word_labels = word_labels
        for array in (starts, grade, *judgments):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        low, high = self.grade.min(), self.grade.max()
        judged = counted(len(self.grade), "judged document")
        return f"Qrels({counted(len(self.topics), 'topic')}, {judged}, labels {low:g} to {high:g})"

    def _repr_html_(self) -> str:
        first = np.arange(min(len(self.grade), ROWS))
        topic = np.searchsorted(self.starts, first, side="right") - 1
        documents, labels = self.documents.take(first).tolist(), self.grade[: len(first)].tolist()
        rows = zip((self.topics[at] for at in topic), documents, (f"{label:g}" for label in labels), strict=True)
        return table(["topic", "document", "label"], rows, repr(self), len(self.grade) - len(first))

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Qrels) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return Location(self.path or "", name=self.name)

    @cached_property
    def pool(self) -> Pool:
        """The judgments as measures see them."""
        return Pool(self.starts, self.grade, self.topics, self.intents)

    @cached_property
    def intents(self) -> Intents | None:
        """The intents that field 2 names; None where it is the same placeholder everywhere."""
        if set(self.iterations) <= {"0", "Q0"}:
            return None
        facts = self.topics, self.starts, self.judgments, self.iterations
        return Intents(*facts, self.weights, self.weight_sum, self.keep_empty_intents)

    def with_intents(
        self,
        weights: IntentWeights | str | Mapping[str, Mapping[str, float]] | None = None,
        *,
        weight_sum: WeightSum = "renormalise",
        keep_empty_intents: bool = False,
    ) -> Qrels:
        """The same judgments with P(i|q).

        Args:
            weights: ``IntentWeights``, topic -> intent -> probability, ``"uniform"`` (None) or ``"simulated"``.
            weight_sum: probabilities of a topic that do not add up to 1 are divided by their sum (``renormalise``),
                refused (``raise``) or taken as they are (``raw``). Only ``raw`` keeps the weight of intents without
                relevant documents lost; the others share it among the rest.
            keep_empty_intents: whether intents without relevant documents count; the maximum drops below 1 then.

        Raises:
            InputError: the judgments name no intents, or the weights do not fit them.
        """
        if self.intents is None:
            raise InputError(no_intents("P(i|q)"), self.location, code="no-intents")
        if isinstance(weights, str):
            weights = IntentWeights.by_rule(weights)
        elif isinstance(weights, Mapping):
            weights = IntentWeights.from_dict(weights)
        columns = self.topics, self.starts, self.documents, self.grade, self.judgments, self.iterations
        settings: dict[str, Any] = {
            "weights": weights,
            "weight_sum": weight_sum,
            "keep_empty_intents": keep_empty_intents,
            "elsewhere": self.elsewhere,
            "excluded": self.excluded,
            "word_labels": self.word_labels,
        }
        weighted = Qrels(*columns, name=self.name, path=self.path, sha256=self.sha256, **settings)
        assert weighted.intents is not None
        weighted.intents.check()
        return weighted

    def excluding(self, judged: Qrels) -> Qrels:
        """The judgments without documents that were judged before: the residual collection.

        A system that was given relevance feedback is evaluated by what it finds beyond the feedback. Runs that are seen
        through the result lose these documents as well, before ranks are assigned.

        Args:
            judged: the documents to be left out, topic by topic, whatever their labels.

        Raises:
            InputError: no judgment is left.
            UsageError: these judgments exclude others already.
        """
        if self.excluded is not None:
            text = f"{self.name} are judgments that exclude others already: put all that is excluded into one object"
            raise UsageError(text)
        removed = judged.ids_by_topic()
        ids, rows = self.documents.tobytes(), list[int]()
        for topic, (begin, end) in zip(self.topics, pairwise(self.starts.tolist()), strict=True):
            removed_here = removed.get(topic, set())
            rows += [row for row in range(begin, end) if ids[row] not in removed_here]
        if not rows:
            raise InputError(
                f"no judgment is left without those of {judged.location.file}", self.location, code="empty"
            )
        remaining = self.cut(np.array(rows, dtype=np.int64), judged)
        lost = [topic for topic in self.topics if topic not in set(remaining.topics)]
        if lost:
            warn(f"{listed(lost, 'topic')}: no judgment is left without those of {judged.location.file}, left out")
        return remaining

    def ids_by_topic(self) -> dict[str, set[bytes]]:
        """Topic -> ids of its judged documents, as UTF-8."""
        ids = self.documents.tobytes()
        bounds = pairwise(self.starts.tolist())
        return {topic: set(ids[begin:end]) for topic, (begin, end) in zip(self.topics, bounds, strict=True)}

    def cut(self, rows: Ints, excluded: Qrels | None = None) -> Qrels:
        """The judgments of a subset of the documents, with the topics that remain.

        Args:
            rows: of the pool, ascending.
            excluded: why others were left out, where runs are to lose their documents too.
        """
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))[rows]
        sizes = np.bincount(topic, minlength=len(self.topics))
        topics = [name for name, size in zip(self.topics, sizes.tolist(), strict=True) if size]
        new_row = np.full(len(self.grade), -1, dtype=np.int64)
        new_row[rows] = np.arange(len(rows))
        row, iteration, label = self.judgments
        stays = new_row[row] >= 0
        named, iterations = _renumber(iteration[stays], self.iterations)
        return Qrels(
            topics,
            np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64),
            self.documents.take(rows),
            self.grade[rows],
            (new_row[row[stays]], named, label[stays]),
            iterations,
            name=self.name if excluded is None else f"{self.name} without {excluded.name}",
            path=self.path,
            sha256=self.sha256,
            weights=self.weights,
            weight_sum=self.weight_sum,
            keep_empty_intents=self.keep_empty_intents,
            elsewhere={*self.elsewhere, *self.topics} - set(topics),
            excluded=excluded or self.excluded,
            word_labels=self.word_labels,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal; two equal qrels in memory have the same."""
        import hashlib

        digest = hashlib.sha256("\n".join(self.topics).encode())
        columns: list[Any] = [self.starts, self.documents.offsets, self.documents.data, self.grade]
        document, iteration, label = self.judgments
        # Where each document has one judgment, the grade is all that there is to know of it.
        if (
            len(label) != len(self.grade)
            or iteration.any()
            or not np.array_equal(label, self.grade)
            or not np.array_equal(document, np.arange(len(document)))
        ):
            columns += self.judgments
        for column in columns:
            digest.update(column)
        digest.update("\n".join(self.iterations).encode())
        if self.weights.rule != "uniform" or self.keep_empty_intents:
            digest.update(f"{self.weights.digest} {self.weight_sum} {self.keep_empty_intents}".encode())
        if self.excluded is not None:
            digest.update(f"without {self.excluded.digest}".encode())
        return digest.hexdigest()

    @classmethod
    def from_dict(
        cls, judgments: NestedLabels, *, name: str = "qrels", by_intent: bool = False, labels: WordLabels = None
    ) -> Qrels:
        """Judgments from topic -> document -> label, or topic -> intent -> document -> label.

        Args:
            judgments: the labels of documents.
            name: of the judgments.
            by_intent: only measures that read intents look at them: several judgments of a document need no warning.
            labels: the numbers of labels in words, see ``InputOptions``.

        Raises:
            InputError: an id or a label that cannot be used.
        """
        plain = nested_rows(judgments, True)
        if plain:
            return cls.from_plain(plain, name=name)
        if _has_intents(judgments):
            nested: Mapping[Any, Any] = judgments
            intents = [
                (topic, levels(row, f"{name}: topic {name_value(topic)}", "label")) for topic, row in nested.items()
            ]
            flat = [(t, i, d, label) for t, row in intents for i, pool in row for d, label in pool]
            return cls._from_rows(flat, name, by_intent, labels=labels)
        by_topic = levels(judgments, name, "label")
        empty = [topic for topic, pool in by_topic if not pool]
        if empty and len(empty) < len(by_topic):
            more = f" ({len(empty) - 1:,} more like it)" if len(empty) > 1 else ""
            warn(f"{name}: topic {name_value(empty[0])} has no judgments and is read as absent{more}")
        rows = [(topic, "0", document, label) for topic, pool in by_topic for document, label in pool]
        locations = [
            (f"{name}, topic {quoted_id(topic)}, document {quoted_id(document)}",) * 3 for topic, _, document, _ in rows
        ]
        return cls._from_rows(rows, name, by_intent, locations, labels)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[Any, ...]],
        *,
        name: str = "qrels",
        by_intent: bool = False,
        labels: WordLabels = None,
    ) -> Qrels:
        """Judgments from tuples (topic, document, label), or ``Qrel`` of ir_measures, whose ``iteration`` is field 2.

        Raises:
            InputError: a row that is not such a tuple, or an id or a label that cannot be used; rows count from 1.
        """
        from cranfield.collection.nested_rows import read_tuples

        quadruples = [(topic, i, document, label) for topic, document, label, i in read_tuples(rows, "label", name)]
        return cls._from_rows(quadruples, name, by_intent, labels=labels)

    @classmethod
    def from_plain(cls, rows: DocumentRows, placeholder: str = "0", **origin: Any) -> Qrels:
        """Judgments of which none is of the same document as another.

        Args:
            rows: by topic, as an engine gives them.
            placeholder: field 2 of all.
            origin: ``name``, and of a file ``path`` and ``sha256``.
        """
        topics, starts, data, offsets, label = rows
        judgments = np.arange(len(label)), np.zeros(len(label), dtype=np.int64), label
        return cls(topics, starts, TextColumn(data, offsets), label.copy(), judgments, [placeholder], **origin)

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame | FrameTable,
        *,
        name: str = "qrels",
        by_intent: bool = False,
        columns: ColumnNames = None,
        labels: WordLabels = None,
    ) -> Qrels:
        """Judgments from a data frame (Arrow, pandas, Polars, DuckDB, ...), one row a judgment.

        Columns hold the topic (``qid``, ``query_id``, ...), the document (``docno``, ``doc_id``, ...), the ``label``
        (``relevance``, ...), and where there is one field 2 (``iteration``, ``intent``, ``subtopic_id``); all known
        names are in ``cranfield.collection.column_names``.

        Args:
            frame: of the judgments.
            name: of the judgments.
            by_intent: as in ``from_dict``.
            columns: where they have other names: ``{"topic": "user", "label": "rating"}``.
            labels: as in ``from_dict``.

        Raises:
            InputError: a column is missing, two could be meant, or an id or a label cannot be used; rows count from 1.
        """
        from cranfield.collection.frames import cells, flat_pools, read_roles, read_table

        table = read_table(frame)
        plain = flat_pools(table, columns)
        if plain:
            rows, placeholder = plain
            return cls.from_plain(rows, placeholder, name=name)
        read = read_roles(table, "label", columns)
        intents = read.get("intent", ["0"] * len(read["topic"]))
        quadruples = list(zip(read["topic"], intents, read["document"], read["label"], strict=True))
        return cls._from_rows(quadruples, name, by_intent, cells(name, table, "label", columns), labels)

    @classmethod
    def _from_rows(
        cls,
        rows: Sequence[tuple[Any, Any, Any, Any]],
        name: str,
        by_intent: bool,
        locations: RowLocations | None = None,
        labels: WordLabels = None,
    ) -> Qrels:
        if labels is not None:
            labels = check_word_labels(labels)
            rows = [(*row[:3], read_word(row[3], labels)) for row in rows]
        return cls.from_columns(group_rows(rows, name, by_intent, locations), name=name, word_labels=labels or None)

    @classmethod
    def from_columns(
        cls,
        read: Mapping[str, Any],
        *,
        name: str,
        path: str | None = None,
        sha256: str = "",
        word_labels: WordLabels = None,
    ) -> Qrels:
        """From what an engine reads (``cranfield.engine.protocol.QrelsColumns``)."""
        return cls(
            read["topics"],
            read["starts"],
            TextColumn(read["data"], read["offsets"]),
            read["grade"],
            (read["document"], read["iteration"], read["label"]),
            read["iterations"],
            name=name,
            path=path,
            sha256=sha256,
            word_labels=word_labels,
        )

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topic -> document -> label (the largest where field 2 distinguishes several)."""
        documents, grades, bounds = self.documents.tolist(), self.grade.tolist(), self.starts.tolist()
        return {
            topic: dict(zip(documents[a:b], grades[a:b], strict=True))
            for topic, a, b in zip(self.topics, bounds[:-1], bounds[1:], strict=True)
        }

    def rows(self) -> tuple[list[str], list[str], list[str], Floats]:
        """Every judgment: topics, values of field 2, documents, labels."""
        row, iteration, label = self.judgments
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))[row]
        documents = self.documents.take(row).tolist()
        return [self.topics[t] for t in topic], [self.iterations[i] for i in iteration], documents, label

    def to_frame(self) -> Any:
        """A pandas frame with the columns query_id, iteration, doc_id, relevance; one row a judgment."""
        import pandas as pd

        topics, iterations, documents, labels = self.rows()
        return pd.DataFrame({"query_id": topics, "iteration": iterations, "doc_id": documents, "relevance": labels})


def _renumber(numbers: Ints, names: tuple[str, ...]) -> tuple[Ints, list[str]]:
    """Numbers of names, and the names, of which those that do not occur are left out."""
    used, first, number = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    new_number = np.empty(len(used), dtype=np.int64)
    new_number[order] = np.arange(len(used))
    return new_number[number], [names[at] for at in used[order]]


def _has_intents(labels: object) -> bool:
    """topic -> intent -> document -> number, as opposed to topic -> document -> number."""
    if not isinstance(labels, Mapping):
        return False
    rows = [row for row in labels.values() if isinstance(row, Mapping) and row]
    return bool(rows) and all(isinstance(inner, Mapping) for row in rows for inner in row.values())


LabelRow = tuple[Any, Any, Any, Any]


def group(
    topics: Sequence[bytes],
    iterations: Sequence[bytes],
    documents: Sequence[bytes],
    labels: Sequence[float],
    lines: Sequence[int],
    facts: Facts,
) -> Any:
    """Columns of a qrels (``cranfield.engine.protocol.QrelsColumns``) from its rows.

    Topics keep their order of first appearance, documents of a topic are in id byte order, and judgments of a
    document in the order of their lines. A row that repeats (topic, iteration, document) with the same label is
    dropped and counted in ``facts``.

    Raises:
        EngineError: the same key with two labels (``conflict``), or no rows at all (``empty``).
    """
    if not labels:
        raise EngineError("empty")
    read_number = {topic: number for number, topic in enumerate(dict.fromkeys(topics))}
    codes = {iteration: code for code, iteration in enumerate(dict.fromkeys(iterations))}
    judged: dict[tuple[int, bytes], dict[int, tuple[float, int]]] = {}
    for topic, iteration, document, label, line in zip(topics, iterations, documents, labels, lines, strict=True):
        entry = judged.setdefault((read_number[topic], document), {})
        earlier = entry.setdefault(codes[iteration], (label, line))
        if earlier[1] == line:
            continue
        if earlier[0] != label:
            raise EngineError("conflict", line, topic.decode(), earlier[1], document.decode())
        notice(facts, "judged-twice", line=line, topic=topic.decode(), document=document.decode())
    keys = sorted(judged)
    several = [key for key in keys if len(judged[key]) > 1]
    if several:
        differing = sum(len({label for label, _ in judged[key].values()}) > 1 for key in several)
        number, document = several[0]
        first = {"topic": list(read_number)[number].decode(), "document": document.decode()}
        notice(facts, "several-labels", len(several), differing=differing, **first)
    column = TextColumn.from_bytes([document for _, document in keys])
    sizes = np.bincount([number for number, _ in keys], minlength=len(read_number))
    rows = [(row, code, label) for row, key in enumerate(keys) for code, (label, _) in judged[key].items()]
    return {
        "topics": [topic.decode() for topic in read_number],
        "starts": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "data": column.data,
        "offsets": column.offsets,
        "grade": np.array([max(label for label, _ in judged[key].values()) for key in keys], dtype=np.float64),
        "document": np.array([row for row, _, _ in rows], dtype=np.int64),
        "iteration": np.array([code for _, code, _ in rows], dtype=np.int64),
        "label": np.array([label for _, _, label in rows], dtype=np.float64),
        "iterations": [iteration.decode() for iteration in codes],
        "facts": facts,
    }


def group_rows(rows: Sequence[LabelRow], name: str, by_intent: bool, locations: RowLocations | None = None) -> Any:
    """Columns of a qrels from rows of Python objects, see ``group``; oddities are warned of.

    Args:
        rows: topic, field 2, document and label of each.
        name: of the judgments.
        by_intent: several judgments of a document need no warning.
        locations: where topic, document and label of each row are; rows count from 1 where it is not given.

    Raises:
        InputError: an id or a label that cannot be used, a document with two labels, or no rows at all.
    """
    if not rows:
        raise InputError(f"{name} holds no judgments", code="empty")
    facts: Facts = {}
    locations = locations or [(f"{name}, row {number}",) * 3 for number in range(1, len(rows) + 1)]
    topics, iterations, documents = (
        [identifier(row[field], kind, where[at]) for row, where in zip(rows, locations, strict=True)]
        for field, kind, at in ((0, "topic", 0), (1, "iteration", 0), (2, "document", 1))
    )
    labels = [read_number(row[3], "label", where[2]) for row, where in zip(rows, locations, strict=True)]
    try:
        read = group(topics, iterations, documents, labels, range(1, len(rows) + 1), facts)
    except EngineError as error:
        text = f"document {error.more} of topic {error.value} has another label in row {error.number}; keep one of them"
        raise InputError(text, f"{name}, row {error.line}", code="conflict", value=error.more) from None
    warn_of(facts, Location(name=name), unless=("several-labels",) if by_intent else ())
    return read
