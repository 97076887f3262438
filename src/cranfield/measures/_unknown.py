"""Intervals from missing judgments: what a measure could be if the unjudged documents of a list were judged.

Each retrieved document without a judgment may turn out to have any label of the scale, the labels that the qrels hold
(those below zero only where they count). What it turns out to be also joins the topic's judgments: a document found
relevant makes the ideal list better. The interval holds the smallest and the largest value over all such labellings,
exactly. They are not all tried. Where two documents that change places never hurt if the larger gain moves up (the
laws ``swap`` and ``exchange``), of all labellings with the same labels the best has them falling down the list, and
the worst rising. Documents below the cutoff can only raise what the value is divided by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any, Protocol

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError

Ends = tuple[PerRanking, PerRanking]
"""Smallest and largest value, float64 [segments] each."""


class Value(Protocol):
    """How the measure is computed, with its parameters or with some of them changed."""

    def __call__(self, rankings: Rankings, **changed: Any) -> PerRanking: ...


@dataclass(frozen=True)
class Asked:
    """The measure whose interval is wanted.

    Args:
        name: how it prints.
        parameters: name -> value.
        in_order: whether it obeys the laws ``swap`` and ``exchange``, so that the best labels belong at the top.
        value: how it is computed.
    """

    name: str
    parameters: Mapping[str, Any]
    in_order: bool
    value: Value


MOST = 20_000
"""Labellings that are tried for one measure and run."""


class TooManyError(Exception):
    """More labellings would have to be tried than anyone wants to wait for."""


@dataclass(frozen=True)
class Completion:
    """The lists of one system with room for the labels that are missing.

    Args:
        rankings: lists of one system, the order of equal scores settled.
        cutoff: ranks that the measure looks at, None for all.
    """

    rankings: Rankings
    cutoff: int | None

    @cached_property
    def ranked(self) -> tuple[Ints, Ints, Floats]:
        """(list, rank, label) of every retrieved document, lists one after the other; NaN where not judged."""
        lists = self.rankings
        length = lists.length
        starts = np.concatenate([[0], np.cumsum(length)])
        of = np.repeat(np.arange(len(length)), length)
        grade = np.full(starts[-1], np.nan)
        grade[starts[lists.segment] + lists.rank - 1] = lists.grade
        return of, np.arange(starts[-1]) - starts[of] + 1, grade

    @cached_property
    def unknown(self) -> Ints:
        """Rows of ``ranked`` without a label."""
        return np.flatnonzero(np.isnan(self.ranked[2]))

    @cached_property
    def looked_at(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which of the unknown the measure looks at."""
        rank = self.ranked[1][self.unknown]
        return np.ones(len(rank), dtype=bool) if self.cutoff is None else rank <= self.cutoff

    @cached_property
    def from_top(self) -> Ints:
        """Place of each unknown that is looked at among those of its list, from 0 at the top."""
        of = self.ranked[0][self.unknown[self.looked_at]]
        place: Ints = np.arange(len(of)) - np.searchsorted(of, of)
        return place

    @cached_property
    def count(self) -> Ints:
        """Unknown documents that are looked at, of each list, int64 [segments]."""
        of = self.ranked[0][self.unknown[self.looked_at]]
        return np.bincount(of, minlength=len(self.rankings.length))

    @cached_property
    def from_bottom(self) -> Ints:
        """The same place counted from the bottom."""
        of = self.ranked[0][self.unknown[self.looked_at]]
        place: Ints = self.count[of] - 1 - self.from_top
        return place

    @cached_property
    def below(self) -> Ints:
        """Unknown documents below the cutoff, of each list, int64 [segments]."""
        of = self.ranked[0][self.unknown[~self.looked_at]]
        return np.bincount(of, minlength=len(self.rankings.length))

    def labelled(self, looked_at: Floats | float, below: float) -> Rankings:
        """The lists with these labels for the unknown documents, in them and in the judgments."""
        lists, (of, rank, label) = self.rankings, self.ranked
        pool = lists.pool
        labels = np.full(len(self.unknown), below)
        labels[self.looked_at] = looked_at
        of_unknown = of[self.unknown]
        added = np.bincount(of_unknown, minlength=len(lists.length))
        grade = label.copy()
        grade[self.unknown] = labels
        offset = np.concatenate([[0], np.cumsum(added)])
        starts = pool.starts + offset
        everything = np.empty(starts[-1])
        document = np.empty(len(grade), dtype=np.int64)
        new = pool.starts[1:][of_unknown] + np.arange(len(of_unknown))
        old = np.arange(len(pool.grade)) + offset[pool.topic]
        everything[old], everything[new] = pool.grade, labels
        document[self.unknown] = new
        document[~np.isnan(label)] = old[lists.document]
        shown = slice(None) if self.cutoff is None else rank <= self.cutoff
        counts = np.bincount(of[shown], minlength=len(lists.length))
        rows = np.concatenate([[0], np.cumsum(counts)])
        length = lists.length if self.cutoff is None else np.minimum(lists.length, self.cutoff)
        return Rankings(
            lists.systems, Pool(starts, everything), length, rows, rank[shown], document[shown], grade[shown],
            lists.policy,
        )  # fmt: skip


Solver = Callable[[Completion, Floats, Asked], Ends]
"""Lists with unknown labels, the labels they may turn out to have by rising worth, and the measure -> the interval."""


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
    for falling, rising in (_in_order if asked.in_order else _in_any_order)(completion, most, levels):
        high = np.fmax(high, asked.value(completion.labelled(falling, levels[0])))
        low = np.fmin(low, asked.value(completion.labelled(rising, levels[-1])))
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


def by_residual(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """For measures of the C/W/L framework: the value, and with the residual that the measure itself gives.

    What is unknown includes the ranks below the list there, as in the literature and in cwl_eval.
    """
    if asked.parameters["quantity"] not in ("EU", "ETU"):
        raise MeasureError(f"{asked.name}: only the expected utility has an interval from missing judgments")
    low = asked.value(completion.rankings)
    more = asked.value(completion.rankings, residual=True)
    return low, low + more


def average_precision(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """Smallest and largest average precision.

    Let m of the unknown be relevant, the first m for the largest and the last m for the smallest value. One more of
    them at rank r adds its own precision, and 1/rank at each relevant document below it.
    """
    of, rank, grade = completion.ranked
    rel, least = asked.parameters["rel"], asked.parameters.get("denominator", "R") == "min"
    shown = np.ones(len(rank), dtype=bool) if completion.cutoff is None else rank <= completion.cutoff
    known = completion.rankings.pool.count(low=rel)
    if not levels[0] < rel <= levels[-1]:
        return by_labelling(completion, levels[-1:], asked)
    unknown = np.zeros(len(rank), dtype=bool)
    unknown[completion.unknown[completion.looked_at]] = True
    low, high = np.full((2, len(known)), np.nan)
    bounds = np.searchsorted(of, np.arange(len(known) + 1))
    for topic in range(len(known)):
        rows = np.arange(bounds[topic], bounds[topic + 1])[shown[bounds[topic] : bounds[topic + 1]]]
        relevant = grade[rows] >= rel
        r = rank[rows].astype(np.float64)
        above = np.cumsum(relevant) - relevant
        share = relevant / r
        after = share.sum() - np.cumsum(share)
        base = ((above + 1) * share).sum()
        here = unknown[rows]
        alone = ((above + 1) / r + after)[here]
        m = np.arange(len(alone) + 1)
        first = base + np.concatenate([[0.0], np.cumsum(alone + m[:-1] / r[here])])
        inverse = (1 / r[here])[::-1]
        last = base + np.concatenate([[0.0], np.cumsum(alone[::-1] + np.cumsum(inverse) - inverse)])
        for out, sums, extra in ((high, first, 0), (low, last, int(completion.below[topic]))):
            divisor = known[topic] + m + extra
            divisor = np.minimum(divisor, completion.cutoff) if least and completion.cutoff else divisor
            values = sums[divisor > 0] / divisor[divisor > 0]
            if len(values):
                out[topic] = values.max() if out is high else values.min()
    return low, high


def discounted_gain(completion: Completion, gain: Callable[[Floats], Floats], levels: Floats, weight: Floats) -> Ends:
    """Smallest and largest normalised discounted gain; ``levels`` are gains from 0, ``weight`` falls rank by rank.

    Gains are sums of steps from level to level, and so are actual and ideal gain: with n_l of the unknown at level l or
    better, actual = A + sum_l step_l D(n_l) and ideal = sum_l step_l C(N_l + n_l), for N_l judged ones. The largest
    ratio is found by Dinkelbach's method, which raises a trial ratio until no n_l makes actual - ratio * ideal
    positive; every level can be chosen by itself, since better levels never ask for more documents. The ratio has a
    linear numerator and a convex denominator, so that its smallest value has the best label or none everywhere.
    """
    of, rank, grade = completion.ranked
    cumulative = np.concatenate([[0.0], np.cumsum(weight)])

    def ideal_of(count: Ints) -> Floats:
        return cumulative[np.minimum(count, len(weight))]

    steps = np.diff(levels)
    pool = completion.rankings.pool
    mapped = gain(pool.grade)
    above = [np.bincount(pool.topic[mapped >= level], minlength=len(pool.size)) for level in levels[1:]]
    better = np.array(above, dtype=np.int64).reshape(len(steps), len(pool.size))
    actual_of = np.zeros(len(pool.size))
    judged = ~np.isnan(grade) & (rank <= len(weight))
    np.add.at(actual_of, of[judged], gain(grade[judged]) * weight[rank[judged] - 1])
    rows = completion.unknown[completion.looked_at]
    rows = rows[rank[rows] <= len(weight)]
    bounds = np.searchsorted(of[rows], np.arange(len(pool.size) + 1))
    low, high = np.full((2, len(pool.size)), np.nan)
    for topic in range(len(pool.size)):
        found = np.concatenate([[0.0], np.cumsum(weight[rank[rows[bounds[topic] : bounds[topic + 1]]] - 1])])
        n = np.arange(len(found))
        actual, counts = actual_of[topic], better[:, topic]
        beside = completion.below[topic] + n
        ideal = steps @ np.array([ideal_of(count + beside) for count in counts]).reshape(len(counts), len(n))
        worst = (actual + levels[-1] * (found[-1] - found[::-1]))[ideal > 0] / ideal[ideal > 0]
        low[topic] = worst.min(initial=np.inf) if len(worst) else np.nan
        table = np.array([ideal_of(count + n) for count in counts]).reshape(len(counts), len(n))
        high[topic] = _largest_ratio(actual, steps, found, table)
    return low, high


def _largest_ratio(actual: float, steps: Floats, found: Floats, ideal: Floats) -> float:
    """max over n of (actual + sum_l steps_l found[n_l]) / sum_l steps_l ideal[l, n_l]; NaN if the divisor stays 0."""
    best = -np.inf
    least, most = float(steps @ ideal[:, 0]), float(steps @ ideal[:, -1])
    if most <= 0:
        return math.nan
    trial = actual / least if least > 0 else (actual + float(steps.sum() * found[-1])) / most
    while trial > best:
        best = trial
        chosen = np.argmax(found - best * ideal, axis=1)
        below = float(steps @ ideal[np.arange(len(steps)), chosen])
        trial = float(actual + steps @ found[chosen]) / below if below > 0 else -np.inf
    return float(best)
