"""Figure 3 of Sakai et al. 2010: where measures disagree on which of two runs is better."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, WIDTH, layered, series, styled


def topic_differences(result: DiversityPlane) -> alt.LayerChart:
    """Score of the first run minus the second's on every topic, a mark for each measure, in the order of the first.

    Above 0 a measure prefers the first run; a topic with marks on both sides is one on which measures disagree.

    Args:
        result: of ``cranfield.comparison.map_diversity`` with a pair.

    Raises:
        UsageError: no pair was compared.
    """
    differences = result.differences
    if differences is None:
        raise UsageError("no pair of runs was compared: map_diversity(..., pair=(system, other))")
    first, second = (label(name) for name in result.settings["pair"])
    measures = [str(name) for name in differences.columns]
    ordered = differences.sort_values(measures[0], ascending=False, kind="stable")
    rows: list[dict[str, Any]] = [
        {"topic": label(topic), "measure": label(name), "difference": ordered[name][topic]}
        for name in measures
        for topic in ordered.index
    ]
    title = f"{first} minus {second}, by topic"
    agreed = result.agreed
    notes = [
        f"{counted(len(ordered), 'topic')}, {counted(len(measures), 'measure')}; all agree on {agreed}",
        f"above 0: {first} is better",
    ]
    topic = choice("topic")
    look = series("measure", [label(name) for name in measures], "measure", points=True)
    order = [label(name) for name in ordered.index]
    axis = alt.Axis(labelAngle=-90, labelFontSize=8.5, labelSeparation=0, labelOverlap="greedy")
    points = (
        alt.Chart(inline(rows))
        .mark_point(filled=True)
        .encode(
            x=alt.X("topic:N", title="topic", scale=alt.Scale(domain=order), axis=axis),
            y=alt.Y("difference:Q", title="difference of scores"),
            color=look.color,
            shape=look.shape,
            opacity=unless_chosen(topic),
            tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("measure:N"), alt.Tooltip("difference:Q", format="+.4f")],
        )
        .add_params(topic)
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    described = f"{title}: all {counted(len(measures), 'measure')} agree on {agreed} of {len(ordered)} topics."
    return styled(layered(zero, points), title, notes, described, width=WIDTH, height=240)
