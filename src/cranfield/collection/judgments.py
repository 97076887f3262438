"""Grouping judgments into pools: the rows of a qrels, in any order, into the columns that ``Qrels`` holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.collection.identifier import identifier
from cranfield.collection.numbers import number_of
from cranfield.collection.text import TextColumn
from cranfield.errors import EngineError, InputError, Located
from cranfield.findings.noticing import notice, warn_of
from cranfield.findings.place import Place

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts

Row = tuple[Any, Any, Any, Any]
Places = Sequence[tuple[Located | str, Located | str, Located | str]]


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
    number_of = {topic: number for number, topic in enumerate(dict.fromkeys(topics))}
    codes = {iteration: code for code, iteration in enumerate(dict.fromkeys(iterations))}
    judged: dict[tuple[int, bytes], dict[int, tuple[float, int]]] = {}
    for topic, iteration, document, label, line in zip(topics, iterations, documents, labels, lines, strict=True):
        entry = judged.setdefault((number_of[topic], document), {})
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
        first = {"topic": list(number_of)[number].decode(), "document": document.decode()}
        notice(facts, "several-labels", len(several), differing=differing, **first)
    column = TextColumn.of_bytes([document for _, document in keys])
    sizes = np.bincount([number for number, _ in keys], minlength=len(number_of))
    rows = [(row, code, label) for row, key in enumerate(keys) for code, (label, _) in judged[key].items()]
    return {
        "topics": [topic.decode() for topic in number_of],
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


def group_rows(rows: Sequence[Row], name: str, by_intent: bool, places: Places | None = None) -> Any:
    """The same of rows that Python gave; what is odd is warned of.

    Args:
        rows: topic, field 2, document and label of each.
        name: of the judgments.
        by_intent: several judgments of a document need no warning.
        places: where topic, document and label of each row are; rows count from 1 where it is not given.

    Raises:
        InputError: an id or a label that cannot be used, a document with two labels, or no rows at all.
    """
    if not rows:
        raise InputError(f"{name} holds no judgments", code="empty")
    facts: Facts = {}
    places = places or [(f"{name}, row {number}",) * 3 for number in range(1, len(rows) + 1)]
    topics, iterations, documents = (
        [identifier(row[field], what, where[at]) for row, where in zip(rows, places, strict=True)]
        for field, what, at in ((0, "topic", 0), (1, "iteration", 0), (2, "document", 1))
    )
    labels = [number_of(row[3], "label", where[2]) for row, where in zip(rows, places, strict=True)]
    try:
        read = group(topics, iterations, documents, labels, range(1, len(rows) + 1), facts)
    except EngineError as error:
        text = f"document {error.more} of topic {error.value} has another label in row {error.number}; keep one of them"
        raise InputError(text, f"{name}, row {error.line}", code="conflict", value=error.more) from None
    warn_of(facts, Place(name=name), unless=("several-labels",) if by_intent else ())
    return read
