"""Intervals by labelling the unjudged documents: at once where their labels only add, else in every way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, islice, product
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from cranfield._typing import Floats
from cranfield.measures._intervals import Ends, IntervalRequest, TooManyError

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion
Way = TypeVar("Way")

MOST = 20_000
"""Labellings that are tried for one measure and run."""


def by_ends(completion: Completion, levels: Floats, request: IntervalRequest) -> Ends:
    """For measures that never fall when a document that is looked at has a better label, other labels being equal.

    Smallest: the worst label for what is looked at and the best below; largest: the reverse.
    """
    low = request.value(completion.labelled(levels[0], levels[-1]))
    high = request.value(completion.labelled(levels[-1], levels[0]))
    if np.isnan(low).any():
        # Undefined unless something is relevant: let it be the last document.
        labels = np.where(completion.from_bottom == 0, levels[-1], levels[0])
        last_relevant = request.value(completion.labelled(labels, levels[-1]))
        low = np.where(np.isnan(low), last_relevant, low)
    return low, high


def by_labelling(completion: Completion, levels: Floats, request: IntervalRequest) -> Ends:
    """Every way to deal out the labels in falling or rising order; for measures that decline the laws ``swap`` or
    ``exchange``, in any order.

    Raises:
        TooManyError: there are more than ``MOST`` ways.
    """
    most = int(completion.count.max(initial=0))
    ways = math.comb(most + len(levels) - 1, len(levels) - 1) if request.in_order else len(levels) ** most
    if ways > MOST:
        raise TooManyError
    low, high = np.full((2, len(completion.rankings.length)), np.nan)
    twice = request.in_order or not completion.looked_at.all()
    for falling, rising in (_in_order if request.in_order else _in_any_order)(completion, most, levels):
        value = request.value(completion.labelled(falling, levels[0])).reshape(len(falling), -1)
        high = np.fmax(high, np.fmax.reduce(value))
        if twice:
            value = request.value(completion.labelled(rising, levels[-1])).reshape(len(rising), -1)
        low = np.fmin(low, np.fmin.reduce(value))
    return low, high


def _in_order(completion: Completion, most: int, levels: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Labels of what is looked at, falling and rising down the list, float64 [ways, looked at], in batches of ways."""
    # How many documents have each level but the lowest or a better one, in falling order of levels.
    ways = combinations_with_replacement(range(most + 1), len(levels) - 1)
    for batch in _batched(ways, completion.at_once):
        ends = np.array(batch, dtype=np.int64).reshape(len(batch), -1, 1)
        yield levels[(completion.from_top < ends).sum(axis=1)], levels[(completion.from_bottom < ends).sum(axis=1)]


def _in_any_order(completion: Completion, most: int, levels: Floats) -> Iterator[tuple[Floats, Floats]]:
    for batch in _batched(product(levels, repeat=most), completion.at_once):
        dealt = np.array(batch).reshape(len(batch), -1)[:, completion.from_top]
        yield dealt, dealt


def _batched(ways: Iterable[Way], size: int) -> Iterator[list[Way]]:
    """Batches of at most ``size``; Python 3.12 has ``itertools.batched``."""
    left = iter(ways)
    while batch := list(islice(left, size)):
        yield batch
