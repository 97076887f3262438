"""Every value that a measure can give to a topic: all rankings of its first documents, by label."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures._measure import Measure
from cranfield.measures.compute import compute, compute_worth, seen_by
from cranfield.statistics.rounding import NOISE

MOST = 1 << 20
"""Rankings of one topic that are tried."""
BLOCK = 1 << 17
"""Rankings at a time."""


def attainable(measure: Measure, rankings: Rankings) -> list[Floats]:
    """Every value that a ranking of as many documents as the cutoff can have, ascending, for each topic.

    A ranking counts by the labels in it; documents without a gain are as many as needed. Where the measure looks at
    the ranked documents alone, all rankings of the labels of the judgments are possible, and all topics share one list
    of values. Else a topic's rankings hold no more documents of a label than were judged so.

    Args:
        measure: with a cutoff.
        rankings: whose judgments, labels and policy; the lists themselves mean nothing.

    Returns:
        [topics] arrays; an empty one where no value is defined.

    Raises:
        MeasureError: no cutoff, so that there is no end of rankings; too many; or the value of a ranking depends on
            more than labels.
    """
    cutoff = measure.parameters.get("cutoff")
    if cutoff is None:
        raise MeasureError(
            f"{measure} has no cutoff, so the rankings that it may see have no end: give it one that is small, as "
            f"{measure}@5"
            if "cutoff" in measure.declaration.parameters
            else f"{measure} takes no cutoff, so the rankings that it may see have no end"
        )
    if any(not variant.additive for variant in measure.variants()):
        raise MeasureError(f"{measure} depends on which documents without gain were judged or shown: no list of values")
    seen = seen_by(measure, rankings)
    worth = compute_worth(measure, seen, seen.pool.grade)
    levels = np.unique(worth[worth > 0])
    if "localization" not in measure.declaration.declines:
        pool, members = _pool_all_labels(seen.pool, worth, levels, cutoff)
        return [_values(measure, seen, pool, members, cutoff)] * len(seen.pool.size)
    known: dict[bytes, Floats] = {}
    by_topic = []
    for start, end in zip(seen.pool.starts[:-1].tolist(), seen.pool.starts[1:].tolist(), strict=True):
        grade = np.sort(seen.pool.grade[start:end])
        key = grade.tobytes()
        if key not in known:
            pool = Pool(np.array([0, len(grade)]), grade, of_all=seen.pool.of_all)
            own_worth = compute_worth(measure, seen, grade)
            known[key] = _values(measure, seen, pool, [np.flatnonzero(own_worth == level) for level in levels], cutoff)
        by_topic.append(known[key])
    return by_topic


def rankings_possible(available: Sequence[int], cutoff: int) -> int:
    """The number of sequences of ``cutoff`` documents with at most ``available`` of each label and any of none.

    >>> rankings_possible([10, 10, 10], 10) == 4**10
    True
    >>> rankings_possible([1], 3)
    4
    """
    ways = [1] * (cutoff + 1)
    for most in available:
        ways = [sum(math.comb(n, j) * ways[n - j] for j in range(min(most, n) + 1)) for n in range(cutoff + 1)]
    return ways[cutoff]


def _pool_all_labels(pool: Pool, worth: Floats, levels: Floats, cutoff: int) -> tuple[Pool, list[Ints]]:
    """A topic with as many documents of each worth as a ranking can hold."""
    label = [float(pool.grade[worth == level][0]) for level in levels]
    grade = np.repeat(np.array(label, dtype=np.float64), cutoff)
    members = [np.arange(cutoff) + cutoff * number for number in range(len(levels))]
    return Pool(np.array([0, len(grade)]), grade, of_all=pool.of_all), members


def _values(measure: Measure, seen: Rankings, pool: Pool, members: Sequence[Ints], cutoff: int) -> Floats:
    """The distinct values of all rankings of one topic.

    Raises:
        MeasureError: there are too many.
    """
    available = [min(len(documents), cutoff) for documents in members]
    count = rankings_possible(available, cutoff)
    if count > MOST:
        labels = len(members) + 1
        raise MeasureError(
            f"{measure}: {count:,} rankings of {cutoff} documents with {labels} labels would have to be tried, at most "
            f"{MOST:,} are: take a smaller cutoff, or fewer labels"
        )
    every = _sequences(available, cutoff)
    blocks = [
        compute(measure, _lists(seen, pool, members, every[start : start + BLOCK]))
        for start in range(0, len(every), BLOCK)
    ]
    values = np.sort(np.concatenate(blocks))
    values = values[~np.isnan(values)]
    if not len(values):
        return values
    apart = np.diff(values) > NOISE * np.abs(values).max()
    distinct: Floats = values[np.append(True, apart)]
    return distinct


def _sequences(available: Sequence[int], cutoff: int) -> NDArray[np.int8]:
    """All rankings, as the number of each document's label, 0 for none, int8 [rankings, cutoff]."""
    sequences = np.zeros((1, 0), dtype=np.int8)
    for _ in range(cutoff):
        longer = []
        for label in range(len(available) + 1):
            free = sequences if label == 0 else sequences[(sequences == label).sum(axis=1) < available[label - 1]]
            longer.append(np.column_stack([free, np.full(len(free), label, dtype=np.int8)]))
        sequences = np.concatenate(longer)
    return sequences


def _lists(seen: Rankings, pool: Pool, members: Sequence[Ints], every: NDArray[np.int8]) -> Rankings:
    """Rankings over one topic, each of another system."""
    cutoff = every.shape[1]
    row, column = np.nonzero(every)
    document = np.zeros(every.shape, dtype=np.int64)
    for label, documents in enumerate(members, 1):
        of_label = every == label
        document[of_label] = documents[(np.cumsum(of_label, axis=1) - 1)[of_label]]
    chosen = document[row, column]
    return Rankings(
        systems=("",) * len(every),
        pool=pool,
        length=np.full(len(every), cutoff),
        starts=np.searchsorted(row, np.arange(len(every) + 1)),
        rank=column + 1,
        document=chosen,
        grade=pool.grade[chosen],
        policy=seen.policy,
    )
