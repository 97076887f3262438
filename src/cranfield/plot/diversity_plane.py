"""Figure 1 of Sakai et al. 2010: coverage of intents against relevance, with lines of equal combined value."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.plot._data import inline
from cranfield.plot._label_placement import choose_sides, frame_axis, write_names
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import DASHES, PALETTE, PAPER, QUIET, WIDTH, layered, styled

NAMED = 20
"""Systems whose names are write_names, where there is room next to their points."""


def diversity_plane(result: DiversityPlane) -> alt.LayerChart:
    """Systems by I-rec and relevance; along a contour gamma I-rec + (1 - gamma) relevance is constant.

    Args:
        result: of ``cranfield.comparison.map_diversity``.

    Raises:
        InputError: coverage or relevance is undefined for all systems.
    """
    across, up = (str(name) for name in result.systems.columns[:2])
    xs, ys = result.systems[across].to_numpy(), result.systems[up].to_numpy()
    frame = frame_axis(xs), frame_axis(ys)
    names = [label(name) for name in result.systems.index]
    shares = np.stack([(v - low) / (high - low) for v, (low, high) in zip((xs, ys), frame, strict=True)], axis=1)
    label_sides = choose_sides(shares, names, np.argsort(-ys, kind="stable").tolist(), NAMED)
    systems = [
        {"system": name, "x": x, "y": y, "side": side}
        for name, x, y, side in zip(names, xs, ys, label_sides, strict=True)
    ]
    lines = [
        {"gamma": f"{row['gamma']:g}", "line": number, "level": row["level"], "x": row[f"x{end}"], "y": row[f"y{end}"]}
        for number, row in result.contours.dropna().iterrows()
        for end in (0, 1)
    ]
    topics = result.coverage.index.get_level_values("topic").nunique()
    title = f"{up} against {across}"
    notes = [
        f"{counted(len(systems), 'system')}, {counted(topics, 'topic')}; intent weights: "
        f"{label(result.settings['intent_weights'])}",
        "contours: gamma I-rec + (1 - gamma) relevance is constant",
    ]
    described = (
        f"{title}: a point for each system. Largest sum of both: {describe_best(list(result.systems.index), xs + ys)}."
    )
    gammas = [f"{gamma:g}" for gamma in result.settings["gammas"]]
    chart = _chart(systems, lines, gammas, (across, up), frame)
    return styled(chart, title, notes, described, width=WIDTH, height=380)


def _chart(
    systems: list[dict[str, Any]],
    lines: list[dict[str, Any]],
    gammas: list[str],
    titles: tuple[str, str],
    frame: tuple[tuple[float, float], tuple[float, float]],
) -> alt.LayerChart:
    system = choice("system")
    x = alt.X("x:Q", title=titles[0], scale=alt.Scale(domain=frame[0], nice=False), axis=alt.Axis(grid=False))
    y = alt.Y("y:Q", title=titles[1], scale=alt.Scale(domain=frame[1], nice=False), axis=alt.Axis(grid=False))
    dashes = [list(DASHES[number % len(DASHES)]) for number in range(len(gammas))]
    contours = (
        alt.Chart(inline(lines))
        .mark_line(clip=True, strokeWidth=0.9, color=QUIET)
        .encode(
            x=x,
            y=y,
            detail=alt.Detail("line:N"),
            strokeDash=alt.StrokeDash("gamma:N", title="gamma", scale=alt.Scale(domain=gammas, range=dashes)),
            tooltip=[alt.Tooltip("gamma:N"), alt.Tooltip("level:Q")],
        )
    )
    base = alt.Chart(inline(systems)).encode(x=x, y=y, opacity=unless_chosen(system))
    number = [alt.Tooltip("x:Q", title=titles[0], format=".4f"), alt.Tooltip("y:Q", title=titles[1], format=".4f")]
    return layered(
        contours,
        base.mark_point(filled=True, size=55, color=PALETTE[0], stroke=PAPER, strokeWidth=0.6)
        .encode(tooltip=[alt.Tooltip("system:N"), *number])
        .add_params(system),
        *write_names(base),
    )
