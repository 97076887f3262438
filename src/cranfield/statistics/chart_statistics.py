"""Numbers behind charts: the parts of Tukey's box plot, and the brackets of a dendrogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats

REACH = 1.5


def box(values: Floats) -> dict[str, float]:
    """``low``, ``q1``, ``median``, ``q3`` and ``high`` of the defined values; NaN where there are none."""
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
    """Indices of the values beyond the whiskers."""
    ends = box(values)
    beyond = ~np.isnan(values) & ~_within(values, ends["q1"], ends["q3"])
    positions: list[int] = np.flatnonzero(beyond).tolist()
    return positions


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
    position = {leaf: float(row) for row, leaf in enumerate(order)}
    height = dict.fromkeys(range(leaves), 0.0)
    joined = []
    for row, (first, second, level, _) in enumerate(joints.tolist()):
        a, b = int(first), int(second)
        joined.append(Bracket(level, position[a], height[a], position[b], height[b]))
        position[leaves + row], height[leaves + row] = (position[a] + position[b]) / 2, level
    return joined
