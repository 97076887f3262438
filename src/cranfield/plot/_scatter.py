"""Points in a plane: one for each system or topic, the diagonal, and names beside points without overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline
from cranfield.plot._theme import PALETTE, QUIET, choice, unless_chosen
from cranfield.statistics.numeric import finite

SIDE = 320
"""Pixels of a plotting area of equal sides."""


def draw_points(
    field: str, rows: Iterable[Mapping[str, Any]], x: alt.X, y: alt.Y, tooltip: Sequence[alt.Tooltip]
) -> alt.Chart:
    """Draw a point for each row.

    Args:
        field: ``system`` or ``topic``, which a click selects; the tooltip names it first.
        rows: with this field and those of the channels.
        x, y: channels.
        tooltip: the other fields that it shows.
    """
    chosen = choice(field)
    encoded = alt.Chart(inline(rows)).mark_point(color=PALETTE[0]).encode(x=x, y=y, opacity=unless_chosen(chosen))
    points: alt.Chart = encoded.encode(tooltip=[*hover(f"{field}:N"), *tooltip]).add_params(chosen)
    return points


def draw_diagonal(start: float, end: float) -> alt.Chart:
    """Draw the line on which both coordinates are equal, between two of their values."""
    line: alt.Chart = (
        alt.Chart(inline([{"at": start}, {"at": end}]))
        .mark_line(color=QUIET, strokeDash=[4, 3], strokeWidth=1)
        .encode(x=alt.X("at:Q"), y=alt.Y("at:Q"))
    )
    return line


# ---- Names beside points.


LETTER, LINE, GAP = 0.0125, 0.024, 0.014
"""Width of a character, half of a line's height, and distance from the point, as shares of a plotting area."""
MAX_NAME = 24
"""Characters of a name that are written."""


class _Area(NamedTuple):
    """The area that a name covers."""

    left: float
    right: float
    middle: float


def choose_sides(
    positions: Floats, names: Sequence[str], order: Iterable[int], limit: int
) -> list[Literal["", "left", "right"]]:
    """Choose the side of each point on which its name has room; empty where it has none, or enough are named.

    Args:
        positions: x and y of each point as shares of the plotting area, [points, 2].
        names: to be written.
        order: points in order of priority.
        limit: the largest number of names that are written.
    """
    chosen: list[Literal["", "left", "right"]] = [""] * len(names)
    taken: list[_Area] = []
    for point in order:
        if len(taken) == limit:
            break
        x, y = positions[point].tolist()
        width = LETTER * min(len(names[point]), MAX_NAME)
        areas: dict[Literal["left", "right"], _Area] = {
            "right": _Area(x + GAP, x + GAP + width, y),
            "left": _Area(x - GAP - width, x - GAP, y),
        }
        for side, area in areas.items():
            if _is_free(area, positions, taken):
                taken.append(area)
                chosen[point] = side
                break
    return chosen


def _is_free(area: _Area, positions: Floats, taken: list[_Area]) -> bool:
    if area.left < 0 or area.right > 1:
        return False
    near = np.abs(positions[:, 1] - area.middle) < LINE
    over = near & (positions[:, 0] > area.left - GAP / 2) & (positions[:, 0] < area.right + GAP / 2)
    clash = any(
        abs(name.middle - area.middle) < 2 * LINE and area.left < name.right and name.left < area.right
        for name in taken
    )
    return not over.any() and not clash


def write_names(base: alt.Chart) -> list[alt.Chart]:
    """Return layers with the names of points (``system``), each on the side that its field ``side`` holds."""
    look: dict[str, Any] = {"fontSize": 9.5, "limit": 140}
    return [
        base.transform_filter("datum.side === 'right'")
        .mark_text(align="left", dx=7, **look)
        .encode(text=alt.Text("system:N")),
        base.transform_filter("datum.side === 'left'")
        .mark_text(align="right", dx=-7, **look)
        .encode(text=alt.Text("system:N")),
    ]


def frame_axis(values: Floats) -> tuple[float, float]:
    """Return the ends of an axis that leaves room around the points.

    Raises:
        InputError: no value is finite.
    """
    positions = finite(values, "the position of systems is", "none has a score")
    low, high = float(positions.min()), float(positions.max())
    room = max(0.06 * (high - low), 0.01)
    return low - room, high + room
