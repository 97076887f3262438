"""Intervals by labelling the unjudged documents: at once where their labels only add, else in every way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.measures._intervals import Asked, Ends, TooManyError

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion

MOST = 20_000
"""Labellings that are tried for one measure and run."""


def by_ends(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """For measures that a better label of a document that is looked at never makes smaller, other labels being equal.

    Smallest: the worst label for what is looked at and the best below; largest: the reverse.
    """
    low = asked.value(completion.labelled(levels[0], levels[-1]))
    high = asked.value(completion.labelled(levels[-1], levels[0]))
    if np.isnan(low).any():
        # Undefined unless something is relevant: let it be the last document.
        one = asked.value(completion.labelled(np.where(completion.from_bottom == 0, levels[-1], levels[0]), levels[-1]))
        low = np.where(np.isnan(low), one, low)
    return low, high


def by_labelling(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """Every way to deal out the labels in falling or rising order; for measures that decline the laws ``swap`` or
    ``exchange``, in any order.

    Raises:
        TooManyError: there are more than ``MOST`` ways.
    """
    most = int(completion.count.max(initial=0))
    ways = math.comb(most + len(levels) - 1, len(levels) - 1) if asked.in_order else len(levels) ** most
    if ways > MOST:
        raise TooManyError
    low, high = np.full((2, len(completion.rankings.length)), np.nan)
    all_looked_at = bool(completion.looked_at.all())
    for falling, rising in (_in_order if asked.in_order else _in_any_order)(completion, most, levels):
        value = asked.value(completion.labelled(falling, levels[0]))
        high = np.fmax(high, value)
        if rising is not falling or not all_looked_at:
            value = asked.value(completion.labelled(rising, levels[-1]))
        low = np.fmin(low, value)
    return low, high


def _in_order(completion: Completion, most: int, levels: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Labels of what is looked at, falling and rising down the list."""
    for ends in _ways(most, len(levels)):
        yield levels[_level(completion.from_top, ends)], levels[_level(completion.from_bottom, ends)]


def _in_any_order(completion: Completion, most: int, levels: Floats) -> Iterator[tuple[Floats, Floats]]:
    for labels in product(levels, repeat=most):
        dealt = np.array(labels)[completion.from_top] if labels else np.empty(0)
        yield dealt, dealt


def _ways(documents: int, levels: int) -> Iterator[tuple[int, ...]]:
    """How many documents have each level but the lowest or a better one, in falling order of levels."""
    return combinations_with_replacement(range(documents + 1), levels - 1)


def _level(place: Ints, ends: Sequence[int]) -> Ints:
    """Level of the document at each place: one for every end that it lies before."""
    level: Ints = np.sum([place < end for end in ends], axis=0, dtype=np.int64) if ends else np.zeros_like(place)
    return level
