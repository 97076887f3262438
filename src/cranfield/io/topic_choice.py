"""Judgments of some topics alone: inside ``only_topics``, whatever reads judgments gets no others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import numpy as np

from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.facts import Facts

_chosen: ContextVar[frozenset[str] | None] = ContextVar("chosen", default=None)


@contextmanager
def only_topics(topics: Collection[str]) -> Iterator[None]:
    """Cut judgments that are read inside to these topics."""
    token = _chosen.set(frozenset(topics))
    try:
        yield
    finally:
        _chosen.reset(token)


def is_chosen(topic: str) -> bool:
    """Whether a topic is among those that are looked at; all are outside ``only_topics``."""
    chosen = _chosen.get()
    return chosen is None or topic in chosen


def of_chosen_topics(qrels: Qrels) -> Qrels:
    """The judgments of the chosen topics; all of them outside ``only_topics``.

    Raises:
        InputError: none is judged.
    """
    if _chosen.get() is None:
        return qrels
    kept = np.array([number for number, topic in enumerate(qrels.topics) if is_chosen(topic)], dtype=np.int64)
    if not len(kept):
        raise InputError("none of these topics is judged", qrels.place, code="no-shared-topic")
    sizes = np.diff(qrels.starts)
    rows = np.flatnonzero(np.isin(np.repeat(np.arange(len(sizes)), sizes), kept))
    new_row = np.full(len(qrels.grade), -1, dtype=np.int64)
    new_row[rows] = np.arange(len(rows))
    row, iteration, label = qrels.judgments
    judged = new_row[row] >= 0
    named, iterations = _renumbered(iteration[judged], qrels.iterations)
    return Qrels(
        [qrels.topics[number] for number in kept],
        np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        qrels.documents.take(rows),
        qrels.grade[rows],
        (new_row[row[judged]], named, label[judged]),
        iterations,
        name=qrels.name,
        path=qrels.path,
        sha256=qrels.sha256,
        elsewhere=[topic for topic in qrels.topics if not is_chosen(topic)],
    )


def _renumbered(given: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, list[str]]:
    """Numbers of names, and the names, of which those that do not occur are left out."""
    used, first, number = np.unique(given, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(used), dtype=np.int64)
    place[order] = np.arange(len(used))
    return place[number], [names[at] for at in used[order]]


def without_expected(facts: Facts, elsewhere: Collection[str]) -> Facts:
    """What was noticed of a run, but for topics that the judgments lack only as they were cut to others."""
    extra = facts.get("noticed", {}).get("extra-topics") if elsewhere else None
    if extra is None:
        return facts
    more = extra["count"] - len(elsewhere)
    names = [name for name in extra["names"] if name not in elsewhere]
    noticed = {code: said for code, said in facts["noticed"].items() if code != "extra-topics"}
    if more > 0:
        noticed["extra-topics"] = {**extra, "count": more, "names": names}
    out = facts.copy()
    out["noticed"] = noticed
    return out
