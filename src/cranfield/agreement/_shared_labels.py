"""The labels of documents that all judges labelled, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.agreement.judges import list_labels, warn_of_irrelevant
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
        InputError: no document was judged by all.
    """
    by_name = list_labels(judgments)
    first, *others = by_name.values()
    keys = [key for key in first if all(key in labels for labels in others)]
    if not keys:
        raise InputError("no document was judged by all judges")
    every = len(set().union(*by_name.values()))
    warn_of_irrelevant(by_name, levels)
    columns = {name: np.array([labels[key] for key in keys]) for name, labels in by_name.items()}
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
        every - len(keys),
    )
