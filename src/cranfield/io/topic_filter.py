"""Judgments cut to a set of topics, and without the documents that others judge."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts


def select_topics(qrels: Qrels, topics: Sequence[str] | None) -> Qrels:
    """Select the judgments of some topics; all where None.

    Raises:
        InputError: none is judged.
    """
    if topics is None:
        return qrels
    wanted = frozenset(topics)
    chosen = np.array([topic in wanted for topic in qrels.topics], dtype=bool)
    if not chosen.any():
        raise InputError("none of these topics is judged", qrels.location, code="no-shared-topic")
    return qrels.cut(np.flatnonzero(np.repeat(chosen, np.diff(qrels.starts)))) if not chosen.all() else qrels


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
