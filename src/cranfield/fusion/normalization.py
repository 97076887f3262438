"""Normalization of the scores of different runs to one scale, list by list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.fusion.lists import TopicLists

Normalization = Callable[[TopicLists], Floats]

normalizations: dict[str, Normalization] = {}
"""Name -> function from the lists of a topic to scores, [rows]."""


def normalization(name: str) -> Callable[[Normalization], Normalization]:
    """Declare a way to normalize scores."""

    def declare(function: Normalization) -> Normalization:
        normalizations[name] = function
        return function

    return declare


@normalization("min-max")
def min_max(lists: TopicLists) -> Floats:
    """(s - min)/(max - min): the best document of a list 1, the worst 0; all 1 where scores are equal."""
    low, high = _ends(lists)
    return _quotient(lists.score - low[lists.run], (high - low)[lists.run], 1.0)


@normalization("z")
def z(lists: TopicLists) -> Floats:
    """(s - mean)/deviation; all 0 where scores are equal. A document that is not retrieved counts as the mean, 0."""
    size = np.maximum(lists.length, 1)
    mean = _sums(lists, lists.score) / size
    spread = np.sqrt(_sums(lists, (lists.score - mean[lists.run]) ** 2) / size)
    low, high = _ends(lists)
    return _quotient(lists.score - mean[lists.run], np.where(low == high, 0.0, spread)[lists.run], 0.0)


@normalization("rank")
def rank(lists: TopicLists) -> Floats:
    """1 - (rank - 1)/length: from 1 down in equal steps."""
    return 1 - (lists.rank - 1) / lists.length[lists.run]


@normalization("sum")
def sum_(lists: TopicLists) -> Floats:
    """(s - min)/sum of (s - min): the scores of a list sum to 1; equal shares where scores are equal."""
    low, high = _ends(lists)
    above = lists.score - low[lists.run]
    total = np.where(low == high, 0.0, _sums(lists, above))
    return _quotient(above, total[lists.run], 1 / lists.length[lists.run])


@normalization("none")
def none(lists: TopicLists) -> Floats:
    """Scores unchanged, for runs that already share a scale."""
    return lists.score


def normalized(lists: TopicLists, name: str) -> Floats:
    """Scores of a topic on one scale, [rows].

    Raises:
        UsageError: a normalization that does not exist, or scores so large that they cannot be calculated with.
    """
    word("normalization", name, normalizations)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = normalizations[name](lists)
    if not np.isfinite(scores).all():
        raise UsageError(f"scores of a run lie too far apart for {setting('normalization', name)}: use 'rank'")
    return scores


def _ends(lists: TopicLists) -> tuple[Floats, Floats]:
    """Smallest and largest score of each list, [runs]."""
    low, high = np.full(lists.runs, np.inf), np.full(lists.runs, -np.inf)
    nonempty = np.flatnonzero(lists.length)
    if len(nonempty):
        begins = lists.starts[nonempty]
        low[nonempty], high[nonempty] = (
            np.minimum.reduceat(lists.score, begins),
            np.maximum.reduceat(lists.score, begins),
        )
    return low, high


def _sums(lists: TopicLists, parts: Floats) -> Floats:
    """Sum of each list, [runs], added up in the order of the documents' ids, however they are ranked."""
    sums: Floats = lists.laid_out(parts, 0.0).sum(axis=1)
    return sums


def _quotient(above: Floats, below: Floats, equal: float | Floats) -> Floats:
    """above / below, and ``equal`` where a list's scores are all equal."""
    quotient = np.empty(above.shape)
    quotient[...] = equal
    return np.divide(above, below, out=quotient, where=below > 0)
