"""The first documents of every list, for the pages of topics and the comparison of two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cranfield import engine
from cranfield._typing import Ints
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.topic_difficulty.list_divergence import top_lists

DEPTH = 10
"""Documents of a list that a page shows."""
MOST = 300_000
"""Documents in all lists of a page: where there are more, it shows the lists of the best systems."""

Lists = dict[str, tuple[bytes, ...]]
"""Topic -> the first documents, best first."""


@dataclass(frozen=True)
class Retrieved:
    """What systems retrieved first, by topic.

    Args:
        systems: those whose lists are shown, by number.
        documents: of each topic, those that occur in a list.
        labels: of each of them; None is unjudged.
        lists: of each topic and system, documents by number.
    """

    systems: tuple[int, ...]
    documents: list[list[str]]
    labels: list[list[float | None]]
    lists: list[list[list[int]]]


def first_documents(run: Run, policy: Policy) -> Lists:
    """The first documents of each topic, in the order of the tie policy.

    Only the documents that could be among them are ordered, which a list of a thousand has few of.
    """
    rows = _rows_of_candidates(run, policy)
    starts: Ints = np.searchsorted(rows, run.starts).astype(np.int64)
    rank = None if run.rank is None else run.rank[rows]
    few = Run(run.name, run.topics, starts, run.documents.take(rows), run.score[rows], rank)
    return {topic: tuple(top.documents) for topic, top in top_lists(few, DEPTH, policy).items()}


def _rows_of_candidates(run: Run, policy: Policy) -> Ints:
    """Rows that may be among the first documents of their topic, ascending: all no worse than the last of these."""
    if policy.ties == "file":
        return np.arange(len(run.score))
    if policy.ties == "rank" and run.rank is not None:
        return engine.current().top_rows(run.starts, -run.rank.astype(np.float64), DEPTH)
    return engine.current().top_rows(run.starts, run.score, DEPTH)


def retrieved(found: Mapping[str, Lists], systems: Sequence[str], best: Sequence[str], qrels: Qrels) -> Retrieved:
    """The lists of as many of the best systems as a page can carry.

    Args:
        found: system -> its lists.
        systems: all of them, which are numbered so.
        best: the same, best first.
        qrels: the judgments.
    """
    most = max(2, MOST // (DEPTH * max(1, len(qrels.topics))))
    kept = set(best[:most]) & set(found)
    numbers = [number for number, name in enumerate(systems) if name in kept]
    shown = Retrieved(tuple(numbers), [], [], [])
    texts = qrels.documents.tobytes()
    for topic, (a, b) in zip(qrels.topics, pairwise(qrels.starts.tolist()), strict=True):
        label = dict(zip(texts[a:b], qrels.grade[a:b].tolist(), strict=True))
        place: dict[bytes, int] = {}
        of_topic = [found[systems[number]].get(topic, ()) for number in numbers]
        shown.lists.append([[place.setdefault(one, len(place)) for one in documents] for documents in of_topic])
        shown.documents.append([one.decode("utf-8", "replace") for one in place])
        shown.labels.append([label.get(one) for one in place])
    return shown
