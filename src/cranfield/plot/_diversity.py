"""Charts of diversity: intents, and relevance beside diversity."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield._text import counted
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._scatter import choose_sides, frame_axis, write_names
from cranfield.plot._theme import (
    DASHES,
    PALETTE,
    PAPER,
    QUIET,
    SEQUENTIAL,
    WIDTH,
    choice,
    gradient_legend,
    layered,
    styled,
    unless_chosen,
)
from cranfield.plot._topics import draw_heat_map
from cranfield.scores.scale import best_first

# ---- Figure 1 of Sakai et al. 2010: coverage of intents against relevance, with lines of equal combined value.


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
    chart = _draw_diversity_plane(systems, lines, gammas, (across, up), frame)
    return styled(chart, title, notes, described, width=WIDTH, height=380)


def _draw_diversity_plane(
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
            tooltip=hover("gamma:N", "level:Q"),
        )
    )
    base = alt.Chart(inline(systems)).encode(x=x, y=y, opacity=unless_chosen(system))
    number = [alt.Tooltip("x:Q", title=titles[0], format=".4f"), alt.Tooltip("y:Q", title=titles[1], format=".4f")]
    return layered(
        contours,
        base.mark_point(filled=True, size=55, color=PALETTE[0], stroke=PAPER, strokeWidth=0.6)
        .encode(tooltip=[*hover("system:N"), *number])
        .add_params(system),
        *write_names(base),
    )


# ---- Which intents the first ranks of each system reach.


FACTS = ("probability", "relevant")


def intent_coverage(result: DiversityPlane) -> alt.Chart:
    """A cell for each system and topic: the share of the topic's intents with a relevant document in the first ranks.

    Args:
        result: of ``cranfield.comparison.map_diversity``.
    """
    covered = result.coverage.drop(columns=list(FACTS))
    by_topic = covered.groupby(level="topic", sort=False)
    shares, reached, intents = by_topic.mean(), by_topic.sum().to_numpy(), by_topic.size()
    systems, topics = [str(name) for name in shares.columns], [str(name) for name in shares.index]
    values = shares.to_numpy(dtype=np.float64)
    rows, columns = best_first(values.mean(axis=0), systems), best_first(values.mean(axis=1), topics)
    cells = [
        {
            "system": label(systems[system]),
            "topic": label(topics[topic]),
            "share": values[topic, system],
            "covered": int(reached[topic, system]),
            "intents": int(intents.iloc[topic]),
        }
        for system in rows
        for topic in columns
    ]
    cutoff = result.settings["cutoff"]
    title = f"Intents covered in the first {cutoff} ranks"
    missed = int((covered.to_numpy().sum(axis=1) == 0).sum())
    notes = [
        f"{counted(len(topics), 'topic')}, {counted(len(covered), 'intent')}, {counted(len(systems), 'system')}",
        f"no system covers {counted(missed, 'intent')}",
    ]
    hardest = describe_best(topics, values.mean(axis=1), larger_is_better=False)
    described = f"{title}: a heat map. Least covered topic: {hardest}. No system covers {counted(missed, 'intent')}."
    order = [label(systems[row]) for row in rows], [label(topics[row]) for row in columns]
    step = max(4.0, min(16.0, 1250 / len(systems)))
    look = alt.Axis(labelFontSize=min(10.0, step), labelLimit=130, labelOverlap="greedy", labelSeparation=0, grid=False)
    legend = gradient_legend(format="%")
    colour = alt.Color("share:Q", title="covered", legend=legend, scale=alt.Scale(scheme=SEQUENTIAL, domain=[0, 1]))
    tooltip = [*hover("covered:Q", "intents:Q"), *hover("share:Q", form=".0%")]
    chart = draw_heat_map(cells, *order, look, colour, tooltip)
    return styled(chart, title, notes, described, width=WIDTH, height=alt.Step(step))
