"""Judgments cut to a set of topics: inside ``only_topics``, all that is read is cut to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import numpy as np

from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts

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


def filter_judgments(qrels: Qrels) -> Qrels:
    """The judgments of the chosen topics; all of them outside ``only_topics``.

    Raises:
        InputError: none is judged.
    """
    if _chosen.get() is None:
        return qrels
    chosen = np.array([is_chosen(topic) for topic in qrels.topics], dtype=bool)
    if not chosen.any():
        raise InputError("none of these topics is judged", qrels.location, code="no-shared-topic")
    return qrels.cut(np.flatnonzero(np.repeat(chosen, np.diff(qrels.starts))))


_excluded: ContextVar[str | None] = ContextVar("excluded", default=None)


@contextmanager
def excluding(judged: str) -> Iterator[None]:
    """Leave documents that a file judges out of judgments that are read inside, and of runs seen through them."""
    token = _excluded.set(judged)
    try:
        yield
    finally:
        _excluded.reset(token)


def excluded_file() -> str | None:
    """The file of ``excluding``; None outside."""
    return _excluded.get()


def without_expected(facts: Facts, elsewhere: Collection[str]) -> Facts:
    """The facts of a run, except for topics that the judgments lack only because they were cut to others."""
    extra = facts.get("noticed", {}).get("extra-topics")
    if extra is None:
        return facts
    more = extra["count"] - len(elsewhere)
    names = [name for name in extra["names"] if name not in elsewhere]
    remaining = {code: fact for code, fact in facts["noticed"].items() if code != "extra-topics"}
    if more > 0:
        remaining["extra-topics"] = {**extra, "count": more, "names": names}
    reduced = facts.copy()
    reduced["noticed"] = remaining
    return reduced
