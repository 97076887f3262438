"""The tree of a hierarchical clustering as brackets: two arms and the line that joins them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield._typing import Floats


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
