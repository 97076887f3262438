"""Names of systems, topics and documents in charts: short, harmless, and still distinct."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.scores.scale import comparable

BRACKETS = str.maketrans("<>", "‹›")
LONGEST = 40
"""Characters of a name in a chart, before the ending that distinguishes it from names with the same beginning."""
SHARING = 5
"""Names of equals that are written; of more, the number."""


def label(name: object) -> str:
    """A name as every chart writes it: itself, unless it is long or holds what cannot be printed.

    Control characters, invisible ones and those that reverse the direction of text are written out; what is longer than
    ``LONGEST`` is cut; ``<`` and ``>`` become ``‹`` and ``›``, since not every program that puts a chart into a page
    escapes them. A name so changed ends in ``~`` and a hash of the whole, so that two names never become one. The same
    name has the same label in every chart.

    >>> label("bm25"), label("x" * 10_000)
    ('bm25', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx~e4ee97')
    """
    text = str(name)
    safe = shown(text[:LONGEST], LONGEST)[:LONGEST].translate(BRACKETS)
    if safe == text:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{safe}~{digest[:6]}"


def quiet(text: str) -> str:
    """A sentence in which names stand, as it can be put into a page by any program; see ``label``."""
    return text.translate(BRACKETS)


def describe_best(names: Sequence[object], values: Floats, larger_is_better: bool = True, most: int = 1) -> str:
    """Write who is best: all that share a place stand together, and nobody is best where all are equal.

    Args:
        names: of systems or topics.
        values: of each; NaN is never best.
        larger_is_better: whether the largest value is the best one.
        most: how many of the best are named, and those that are equal to the last of them.

    >>> import numpy as np
    >>> describe_best(["a", "b", "c"], np.array([1.0, 2.0, 2.0])), describe_best(["a", "b"], np.ones(2))
    ('b and c', 'none, as all are equal')
    >>> describe_best(["a", "b", "c"], np.array([1.0, 2.0, 3.0]), most=2)
    'c; b'
    """
    sharing: dict[float, list[str]] = {}
    for name, value in zip(names, comparable(values, larger_is_better).tolist(), strict=True):
        if not math.isnan(value):
            sharing.setdefault(value, []).append(label(name))
    if not sharing:
        return "none"
    if len(sharing) == 1 and len(names) > 1:
        return "none, as all are equal"
    written: list[str] = []
    for value in sorted(sharing, reverse=True):
        if most > 0:
            written.append(join_equals(sharing[value]))
            most -= len(sharing[value])
    return "; ".join(written)


def join_equals(names: list[str]) -> str:
    """``a, b and 3 more``."""
    last = [f"{len(names) - SHARING:,} more"] if len(names) > SHARING else names[-1:]
    first = names[:SHARING] if len(names) > SHARING else names[:-1]
    return f"{', '.join(first)} and {last[0]}" if first else last[0]


def write_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Write the first of pairs that are equal, each once in either direction, and how many more there are.

    >>> write_pairs([("a", "b"), ("b", "a")]), write_pairs([("a", "b"), ("c", "d"), ("d", "a")])
    ('a and b', 'a and b, and 2 pairs equal to it')
    """
    distinct = list({frozenset(pair): pair for pair in reversed(pairs)}.values())[::-1]
    more = f", and {counted(len(distinct) - 1, 'pair')} equal to it" if distinct[1:] else ""
    return " and ".join(distinct[0]) + more
