"""Systems as points whose distances approximate their information differences."""

from __future__ import annotations

from typing import Any, TypeAlias

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield._typing import Floats
from cranfield.information.difference import InformationDifference
from cranfield.plot._data import inline
from cranfield.plot._label_placement import choose_sides, frame_axis, write_names
from cranfield.plot._names import SLACK, join_equals, label, write_pairs
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import NOTE, SEQUENTIAL, WIDTH, layered, styled

Frame: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
"""Ends of both axes."""
NAMED = 24
"""Systems whose names are written: those furthest from any other. A tooltip names the rest."""


def system_map(result: InformationDifference) -> alt.LayerChart:
    """Systems in the plane, close where they carry the same information about relevance; brighter for larger RIC.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
    """
    positions = result.map(2)
    names = [label(name) for name in positions.index]
    points = positions.to_numpy()
    frame = frame_axis(points[:, 0]), frame_axis(points[:, 1])
    rows = _rows(result, names, points, frame)
    apart = _exclude_self(result)
    closest = [(names[row], names[other]) for row, other in np.argwhere(np.triu(apart <= apart.min() + SLACK)).tolist()]
    title = "Information difference between systems"
    notes = [
        f"{counted(len(names), 'system')}; close systems carry similar information",
        f"colour: RIC; axes in bits (the map is {float(np.ptp(points, axis=0).max()):.2f} across)",
    ]
    described = f"{title}, as a map. Most similar: {write_pairs(closest)}."
    return styled(_chart(rows, frame), title, notes, described, width=WIDTH, height=400)


def _rows(result: InformationDifference, names: list[str], points: Floats, frame: Frame) -> list[dict[str, Any]]:
    """A row a system: its coordinates, its RIC, and the system nearest to it."""
    ric, difference = result.ric.to_numpy(), _exclude_self(result)
    nearest = difference.min(axis=1)
    shares = np.stack([(points[:, axis] - low) / (high - low) for axis, (low, high) in enumerate(frame)], axis=1)
    label_sides = choose_sides(shares, names, np.argsort(-nearest, kind="stable").tolist(), NAMED)
    return [
        {
            "system": name,
            "x": points[row, 0],
            "y": points[row, 1],
            "RIC": ric[row],
            "nearest": join_equals([names[other] for other in np.flatnonzero(difference[row] <= nearest[row] + SLACK)]),
            "difference": nearest[row],
            "side": label_sides[row],
        }
        for row, name in enumerate(names)
    ]


def _exclude_self(result: InformationDifference) -> Floats:
    """Information differences, infinite between a system and itself, [systems, systems]."""
    difference: Floats = result.difference.to_numpy().copy()
    np.fill_diagonal(difference, np.inf)
    return difference


def _chart(rows: list[dict[str, Any]], frame: Frame) -> alt.LayerChart:
    system = choice("system")
    x = alt.X("x:Q", title="bits", axis=alt.Axis(tickCount=5), scale=alt.Scale(domain=frame[0], nice=False))
    y = alt.Y("y:Q", title="bits", scale=alt.Scale(domain=frame[1], nice=False))
    colour = alt.Color(
        "RIC:Q",
        legend=alt.Legend(orient="top", gradientLength=160, gradientThickness=10, titleOrient="left"),
        scale=alt.Scale(scheme=SEQUENTIAL),
    )
    tooltip = [
        alt.Tooltip("system:N"),
        alt.Tooltip("RIC:Q", format=".3f"),
        alt.Tooltip("nearest:N"),
        alt.Tooltip("difference:Q", format=".3f"),
    ]
    base = alt.Chart(inline(rows)).encode(x=x, y=y, opacity=unless_chosen(system))
    return layered(
        base.mark_point(filled=True, size=60, stroke=NOTE, strokeWidth=0.5)
        .encode(color=colour, tooltip=tooltip)
        .add_params(system),
        *write_names(base),
    )
