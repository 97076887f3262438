"""Wording for systems that share a rank and for pairs that are equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import NAMED, counted, every_one, join_first, shown
from cranfield.scores.scale import comparable


def find_largest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the names with the largest value, up to rounding errors; none where all defined values are equal."""
    rounded = comparable(np.asarray(values, dtype=np.float64))
    defined = rounded[~np.isnan(rounded)]
    if not len(defined) or defined.max() == defined.min():
        return []
    return [name for name, value in zip(names, rounded.tolist(), strict=True) if value == defined.max()]


def find_smallest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the names with the smallest value; see ``find_largest``."""
    return find_largest(names, (-np.asarray(values, dtype=np.float64)).tolist())


def join_names(names: Sequence[str]) -> str:
    """Write ``a, b and 3 more``."""
    texts = [shown(name) for name in names]
    return join_first(texts) if len(texts) > NAMED else every_one(texts)


def with_verb(names: Sequence[str], singular: str, plural: str) -> str:
    """Write names and a verb that agrees with their number.

    >>> with_verb(["a", "b"], "has", "have")
    'a and b have'
    """
    return f"{join_names(names)} {singular if len(names) == 1 else plural}"


def name_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Write the first of pairs that are equal, and how many others there are; each pair counts once.

    >>> name_pairs([("a", "b"), ("b", "a")]), name_pairs([("a", "b"), ("c", "d"), ("d", "a")])
    ('a and b', 'a and b and 2 other pairs')
    """
    distinct = list({frozenset(pair): pair for pair in reversed(pairs)}.values())[::-1]
    others = f" and {counted(len(distinct) - 1, 'other pair')}" if distinct[1:] else ""
    return join_names(distinct[0]) + others
