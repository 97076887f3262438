"""The share of each document in the value of its list, of measures that are sums over the documents of a list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures._measure import Measure
from cranfield.measures.compute import seen_by, values

UNEXPLAINED = 1e-9
"""Sums of shares that differ from the value by more than this, of its size or of 1, are not rounding."""


def is_additive(measure: Measure) -> bool:
    """Tell if, with these parameters, the value of a list is a sum of what each document adds at its rank.

    Where a measure drops documents before it assigns ranks, the rank of each depends on the others.
    """
    if measure.parameters.get("judged_only"):
        return False
    return measure.declaration.additive and all(variant.additive for variant in measure.variants())


def shares(measure: Measure, rankings: Rankings) -> Floats:
    """Return what each judged document adds to the value of its list, float64 [rows]; 0 where the value is undefined.

    It is the value of the list with that document alone at its rank, minus the value of the list without any.

    Args:
        measure: an additive one.
        rankings: lists in one order.

    Raises:
        MeasureError: the measure is not additive.
    """
    if not is_additive(measure):
        raise MeasureError(f"{measure} is not a sum of what each document adds at its rank")
    visible = np.ones(len(rankings.grade), dtype=bool)
    if rankings.policy.hides_negative and not measure.sees_negative:
        visible = rankings.grade >= 0
    seen = seen_by(measure, rankings)
    lists = len(seen.length)
    nothing = values(measure, _with_rows(seen, np.zeros(0, dtype=np.int64), seen.segment[:0], 1))
    alone = _alone(seen)
    value = values(measure, alone)[(seen.position - 1) * lists + seen.segment]
    added = np.nan_to_num(value - nothing[seen.segment])
    _check(measure, values(measure, seen), nothing + seen.sum(added))
    out = np.zeros(len(rankings.grade))
    out[visible] = added
    return out


def _check(measure: Measure, value: Floats, summed: Floats) -> None:
    """Raises: MeasureError: what was declared does not hold."""
    there = ~np.isnan(value)
    off = np.abs(value[there] - summed[there]) > UNEXPLAINED * np.maximum(np.abs(value[there]), 1.0)
    if off.any():
        raise MeasureError(f"{measure} is declared additive, and its documents do not add up to it: declare it without")


def _alone(seen: Rankings) -> Rankings:
    """A list for each row, which has it alone; the rows of a list are those of as many systems."""
    lists, most = len(seen.length), int(seen.position.max(initial=1))
    segment = (seen.position - 1) * lists + seen.segment
    order = np.argsort(segment, kind="stable")
    return _with_rows(seen, order, segment[order], most)


def _with_rows(seen: Rankings, rows: Ints, segment: Ints, times: int) -> Rankings:
    """The lists repeated ``times`` times, with these rows in them, whose segments ascend."""
    return replace(
        seen,
        systems=tuple(f"{name} {number}" for number in range(times) for name in seen.systems),
        length=np.tile(seen.length, times),
        starts=np.searchsorted(segment, np.arange(times * len(seen.length) + 1)),
        rank=seen.rank[rows],
        document=seen.document[rows],
        grade=seen.grade[rows],
    )
