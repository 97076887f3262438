"""Points in a plane: one for each system or topic, the diagonal, and names beside points without overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline
from cranfield.plot._theme import PALETTE, QUIET, choice, unless_chosen
from cranfield.statistics.numeric import finite

SIDE = 320
"""Pixels of a plotting area of equal sides."""
LABELLED = 24
"""Points whose names are written, where these have room."""


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


def join_points(
    field: str, rows: Sequence[Mapping[str, Any]], marked: Sequence[int], x: alt.X, y: alt.Y, frame: Sequence[Any]
) -> list[alt.Chart]:
    """Write the names of points where these have room; join marked points by a line, fill them, and name them first.

    Args:
        field: of the names.
        rows: all points, with this field, ``x`` and ``y``.
        marked: rows; none are joined where it is empty.
        x, y: channels.
        frame: the ends of both axes, for an area of ``SIDE`` pixels.
    """
    others = sorted(set(range(len(rows))) - set(marked), key=lambda at: -rows[at]["x"])
    order = [*sorted(marked, key=lambda at: rows[at]["x"]), *others]
    (left, right), (bottom, top) = frame
    pixels = np.array(
        [
            [(rows[at]["x"] - left) / (right - left) * SIDE, (top - rows[at]["y"]) / (top - bottom) * SIDE]
            for at in order
        ]
    )
    places = choose_places(pixels, [rows[at][field] for at in order], (SIDE, SIDE), max(len(marked), LABELLED))
    named = [{**rows[at], "place": place} for at, place in zip(order, places, strict=True)]
    names = write_names(alt.Chart(inline(named)).encode(x=x, y=y), field)
    if not marked:
        return names
    joined = alt.Chart(inline(named[: len(marked)])).encode(x=x, y=y)
    line = joined.mark_line(color=QUIET, strokeWidth=1).encode(order=alt.Order("x:Q"))
    return [line, joined.mark_point(filled=True, color=PALETTE[0], opacity=1), *names]


# ---- Names beside points.


LETTER, LINE, GAP = 5.6, 11.0, 7.0
"""Pixels: a character across, a line's height, and the distance of a name from its point."""
MAX_NAME = 24
"""Characters of a name that are written."""
PLACES: dict[str, tuple[float, float, float]] = {
    "right": (GAP, 0.0, 0.0),
    "left": (-GAP, -1.0, 0.0),
    "above": (0.0, -0.5, -LINE),
    "below": (0.0, -0.5, LINE),
}
"""Place of a name -> its left end from the point: pixels, and widths of the name; and its middle, pixels down."""


class _Area(NamedTuple):
    """The area that a name covers, in pixels."""

    left: float
    right: float
    middle: float


def choose_places(pixels: Floats, names: Sequence[str], size: tuple[float, float], limit: int) -> list[str]:
    """Choose where the name of each point has room; empty where it has none, or enough are named.

    Args:
        pixels: from the left and from the top of each point, [points, 2]; the first are named first.
        names: to be written.
        size: width and height of the plotting area.
        limit: the largest number of names that are written.
    """
    chosen, taken = [""] * len(names), list[_Area]()
    for at, (x, y) in enumerate(pixels.tolist()):
        if len(taken) == limit:
            break
        width = LETTER * min(len(names[at]), MAX_NAME)
        for place, (gap, widths, down) in PLACES.items():
            left = x + gap + widths * width
            area = _Area(left, left + width, y + down)
            if _is_free(area, pixels, taken, size):
                taken.append(area)
                chosen[at] = place
                break
    return chosen


def _is_free(area: _Area, pixels: Floats, taken: list[_Area], size: tuple[float, float]) -> bool:
    if area.left < 0 or area.right > size[0] or not LINE / 2 < area.middle < size[1] - LINE / 2:
        return False
    near = np.abs(pixels[:, 1] - area.middle) < LINE / 2 + 4
    over = near & (pixels[:, 0] > area.left - 4) & (pixels[:, 0] < area.right + 4)
    clash = any(
        abs(name.middle - area.middle) < LINE and area.left < name.right and name.left < area.right for name in taken
    )
    return not over.any() and not clash


def write_names(base: alt.Chart, field: str) -> list[alt.Chart]:
    """Return layers with the names of points (``field``), each where its field ``place`` says."""
    aligned: dict[str, Any] = {"right": "left", "left": "right"}
    return [
        base.transform_filter(f"datum.place === '{place}'")
        .mark_text(align=aligned.get(place, "center"), dx=gap, dy=down, fontSize=9.5, limit=140)
        .encode(text=alt.Text(f"{field}:N"))
        for place, (gap, _, down) in PLACES.items()
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
