"""The first documents of every list, for the pages of topics and the comparison of two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cranfield.arrays import Ints
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.topic_difficulty.divergence import top_lists

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
    """Rows that may be among the first documents of their topic, ascending."""
    if policy.ties != "file" and not (policy.ties == "rank" and run.rank is not None):
        with np.errstate(over="ignore"):
            score = run.score.astype(np.float32)
        rises = np.flatnonzero(score[1:] > score[:-1]) + 1
        if np.isin(rises, run.starts).all():  # every list is in order, as nearly all are
            last = np.minimum(run.starts[:-1] + DEPTH, run.starts[1:]) - 1
            return np.flatnonzero(score >= np.repeat(score[last], np.diff(run.starts)))
    parts = [np.arange(a, b)[_candidates(run, a, b, policy)] for a, b in pairwise(run.starts.tolist())]
    return np.concatenate(parts)


def _candidates(run: Run, a: int, b: int, policy: Policy) -> slice | np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Rows of a topic that may be among its first documents: all whose score is no worse than the last one's."""
    if b - a <= DEPTH or policy.ties == "file":
        return slice(None)
    if policy.ties == "rank" and run.rank is not None:
        rank = run.rank[a:b]
        return np.asarray(rank <= np.partition(rank, DEPTH - 1)[DEPTH - 1])
    # As the coarsest reader has them: equal numbers of fewer digits are equal.
    with np.errstate(over="ignore"):
        score = run.score[a:b].astype(np.float32)
    return np.asarray(score >= np.partition(score, -DEPTH)[-DEPTH])


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
