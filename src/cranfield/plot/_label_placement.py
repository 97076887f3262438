"""Which points of a map can be labelled without overlap of labels and points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import altair as alt
import numpy as np

from cranfield._typing import Floats
from cranfield.statistics._numeric import finite

LETTER, LINE, GAP = 0.0125, 0.024, 0.014
"""Width of a character, half of a line's height, and distance from the point, as shares of a plotting area."""
LONGEST = 24
"""Characters of a name that are written."""


class _Area(NamedTuple):
    """What a name covers."""

    left: float
    right: float
    middle: float


def sides(places: Floats, names: Sequence[str], first: Iterable[int], most: int) -> list[Literal["", "left", "right"]]:
    """The side of each point on which its name has room; empty where it has none, or enough points are named.

    Args:
        places: x and y of each point as shares of the plotting area, [points, 2].
        names: to be written.
        first: points in order of priority.
        most: names that are written.
    """
    chosen: list[Literal["", "left", "right"]] = [""] * len(names)
    taken: list[_Area] = []
    for point in first:
        if len(taken) == most:
            break
        x, y = places[point].tolist()
        width = LETTER * min(len(names[point]), LONGEST)
        areas: dict[Literal["left", "right"], _Area] = {
            "right": _Area(x + GAP, x + GAP + width, y),
            "left": _Area(x - GAP - width, x - GAP, y),
        }
        for side, area in areas.items():
            if _free(area, places, taken):
                taken.append(area)
                chosen[point] = side
                break
    return chosen


def _free(area: _Area, places: Floats, taken: list[_Area]) -> bool:
    if area.left < 0 or area.right > 1:
        return False
    near = np.abs(places[:, 1] - area.middle) < LINE
    over = near & (places[:, 0] > area.left - GAP / 2) & (places[:, 0] < area.right + GAP / 2)
    clash = any(
        abs(other.middle - area.middle) < 2 * LINE and area.left < other.right and other.left < area.right
        for other in taken
    )
    return not over.any() and not clash


def written(base: alt.Chart) -> list[alt.Chart]:
    """Layers with the names of points, on the side that their field ``side`` gives; ``system`` is the name."""
    look: dict[str, Any] = {"fontSize": 9.5, "limit": 140}
    return [
        base.transform_filter("datum.side === 'right'")
        .mark_text(align="left", dx=7, **look)
        .encode(text=alt.Text("system:N")),
        base.transform_filter("datum.side === 'left'")
        .mark_text(align="right", dx=-7, **look)
        .encode(text=alt.Text("system:N")),
    ]


def framed(values: Floats) -> tuple[float, float]:
    """Ends of an axis that leaves points some room.

    Raises:
        InputError: no value is finite.
    """
    places = finite(values, "the position of systems is", "none has a score")
    low, high = float(places.min()), float(places.max())
    room = max(0.06 * (high - low), 0.01)
    return low - room, high + room
