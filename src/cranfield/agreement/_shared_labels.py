"""The labels of documents that all judges labelled, as arrays."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.agreement.judges import require_memory_of_labels, warn_of_irrelevant
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError


@dataclass(frozen=True)
class SharedLabels:
    """Labels of the N documents that all judges labelled, and the references too.

    Args:
        keys: (topic, document) of each, N, in the order of the first judgments.
        topics: names of the G topics, sorted as text.
        topic: number of each document's topic, [N].
        names: of the m judges.
        labels: of each document by each judge, [N, m].
        votes: 1 where a judge's label reaches the level of that judge, 0 elsewhere, [N, m].
        references: name -> labels, [N].
        relevant: name of a reference -> 1 where its label reaches its level, [N].
        left_out: the documents that a judge or a reference did not label.
    """

    keys: list[tuple[str, str]]
    topics: tuple[str, ...]
    topic: Ints
    names: tuple[str, ...]
    labels: Floats
    votes: Floats
    references: dict[str, Floats]
    relevant: dict[str, Floats]
    left_out: int


def share_labels(
    judgments: Mapping[str, Qrels], levels: Mapping[str, float], references: tuple[str, ...] = ()
) -> SharedLabels:
    """Select the documents that all judged, and warn of a judge without any relevant one.

    Args:
        judgments: name -> judgments, references among them.
        levels: name -> smallest relevant label.
        references: those that are not judges.

    Raises:
        InputError: no document was judged by all, or the labels would not fit into the memory allowed.
    """
    require_memory_of_labels(judgments)
    numbers: dict[tuple[str, str], int] = {}
    rows = {name: _number_documents(qrels, numbers) for name, qrels in judgments.items()}
    judged = np.bincount(np.concatenate([*rows.values()]), minlength=len(numbers)) == len(rows)
    keys = list(itertools.compress(numbers, judged))
    if not keys:
        raise InputError("no document was judged by all judges")
    warn_of_irrelevant(judgments, levels)
    columns = {}
    for name, qrels in judgments.items():
        column = np.empty(len(numbers))
        column[rows[name]] = qrels.grade
        columns[name] = column[judged]
    binary = {name: (column >= levels[name]).astype(np.float64) for name, column in columns.items()}
    topics = tuple(sorted({topic for topic, _ in keys}))
    number = {topic: at for at, topic in enumerate(topics)}
    names = tuple(name for name in columns if name not in references)
    return SharedLabels(
        keys,
        topics,
        np.array([number[topic] for topic, _ in keys], dtype=np.int64),
        names,
        np.column_stack([columns[name] for name in names]),
        np.column_stack([binary[name] for name in names]),
        {name: columns[name] for name in references},
        {name: binary[name] for name in references},
        len(numbers) - len(keys),
    )


def _number_documents(qrels: Qrels, numbers: dict[tuple[str, str], int]) -> Ints:
    """Return the number of each judged document; those of new ones are added."""
    topics = itertools.chain.from_iterable(map(itertools.repeat, qrels.topics, np.diff(qrels.starts).tolist()))
    keys = zip(topics, qrels.documents.tolist(), strict=True)
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(qrels.grade))
