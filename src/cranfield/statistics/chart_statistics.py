"""Tukey's box plot as numbers: quartiles, whiskers within one and a half boxes, and outliers.

The tree of a hierarchical clustering as brackets: two arms and the line that joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats

REACH = 1.5


def box(values: Floats) -> dict[str, float]:
    """``low``, ``q1``, ``median``, ``q3`` and ``high`` of the values that are there; NaN without any."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return dict.fromkeys(("low", "q1", "median", "q3", "high"), float("nan"))
    q1, median, q3 = (float(value) for value in np.quantile(defined, [0.25, 0.5, 0.75]))
    within = defined[_within(defined, q1, q3)]
    return {
        "low": float(min(within.min(initial=q1), q1)),
        "q1": q1,
        "median": median,
        "q3": q3,
        "high": float(max(within.max(initial=q3), q3)),
    }


def outliers(values: Floats) -> list[int]:
    """Positions of the values beyond the whiskers."""
    ends = box(values)
    beyond = ~np.isnan(values) & ~_within(values, ends["q1"], ends["q3"])
    places: list[int] = np.flatnonzero(beyond).tolist()
    return places


def _within(values: Floats, q1: float, q3: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    reach = REACH * (q3 - q1)
    within: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (values >= q1 - reach) & (values <= q3 + reach)
    return within


class Bracket(NamedTuple):
    """One joint; a leaf's place is its number in the order of the leaves.

    Args:
        height: of the joint.
        one, one_height: place of one of its two parts, and the height that it was joined at.
        other, other_height: of the other.
    """

    height: float
    one: float
    one_height: float
    other: float
    other_height: float


def brackets(joints: Floats, order: Sequence[int]) -> list[Bracket]:
    """A bracket for each joint.

    Args:
        joints: of ``scipy.cluster.hierarchy.linkage``, [leaves - 1, 4].
        order: leaves from top to bottom.
    """
    leaves = len(order)
    place = {leaf: float(row) for row, leaf in enumerate(order)}
    height = dict.fromkeys(range(leaves), 0.0)
    found = []
    for row, (one, other, at, _) in enumerate(joints.tolist()):
        a, b = int(one), int(other)
        found.append(Bracket(at, place[a], height[a], place[b], height[b]))
        place[leaves + row], height[leaves + row] = (place[a] + place[b]) / 2, at
    return found
