"""Scores of different runs brought to one scale, list by list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.arguments import word
from cranfield.arrays import Floats
from cranfield.errors import UsageError
from cranfield.fusion.lists import TopicLists

Normalization = Callable[[TopicLists], Floats]

normalizations: dict[str, Normalization] = {}
"""Name -> function from the lists of a topic to scores, NaN where a document is not retrieved, [runs, documents]."""


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
    return _quotient(lists.score - low, high - low, 1.0)


@normalization("z")
def z(lists: TopicLists) -> Floats:
    """(s - mean)/deviation; all 0 where scores are equal. A document that is not retrieved counts 0, as the mean."""
    size = np.maximum(lists.length, 1)[:, None]
    mean = np.nansum(lists.score, axis=1, keepdims=True) / size
    spread = np.sqrt(np.nansum((lists.score - mean) ** 2, axis=1, keepdims=True) / size)
    low, high = _ends(lists)
    return _quotient(lists.score - mean, np.where(low == high, 0.0, spread), 0.0)


@normalization("rank")
def rank(lists: TopicLists) -> Floats:
    """1 - (rank - 1)/length: from 1 in equal steps."""
    length = np.maximum(lists.length, 1)[:, None]
    return np.where(lists.retrieved, 1 - (lists.rank - 1) / length, np.nan)


@normalization("sum")
def sum_(lists: TopicLists) -> Floats:
    """(s - min)/sum of (s - min): what a list gives adds up to 1; equal shares where scores are equal."""
    low, high = _ends(lists)
    above = lists.score - low
    total = np.where(low == high, 0.0, np.nansum(above, axis=1, keepdims=True))
    return _quotient(above, total, 1 / np.maximum(lists.length, 1)[:, None])


@normalization("none")
def none(lists: TopicLists) -> Floats:
    """Scores as they are: for runs that share a scale already."""
    return lists.score


def normalized(lists: TopicLists, name: str) -> Floats:
    """Scores of a topic on one scale, NaN where a document is not retrieved, [runs, documents].

    Raises:
        UsageError: a normalization that does not exist, or scores so large that they cannot be calculated with.
    """
    word("normalization", name, normalizations)
    with np.errstate(over="ignore", invalid="ignore"):
        found = normalizations[name](lists)
    if not np.isfinite(found[lists.retrieved]).all():
        raise UsageError(f"scores of a run lie too far apart for normalization={name!r}: use 'rank'")
    return found


def _ends(lists: TopicLists) -> tuple[Floats, Floats]:
    """Smallest and largest score of each list, [runs, 1]."""
    score, retrieved = lists.score, lists.retrieved
    low = np.where(retrieved, score, np.inf).min(axis=1, keepdims=True, initial=np.inf)
    high = np.where(retrieved, score, -np.inf).max(axis=1, keepdims=True, initial=-np.inf)
    return low, high


def _quotient(above: Floats, below: Floats, equal: float | Floats) -> Floats:
    """above / below, and ``equal`` where a list's scores are all equal; NaN stays."""
    below, equal = np.broadcast_to(below, above.shape), np.broadcast_to(equal, above.shape)
    found = np.where(np.isnan(above), np.nan, equal)
    return np.divide(above, below, out=found, where=below > 0)
