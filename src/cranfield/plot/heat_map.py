"""Every score at a glance: systems by topics."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield.measures import summary
from cranfield.plot._data import inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice
from cranfield.plot._theme import EMPTY, SEQUENTIAL, WIDTH, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrix
from cranfield.scores.scale import best_first

HEIGHT, LEAST, MOST = 1250, 3.0, 16.0
"""Pixels for all rows, and for one."""
READABLE = 8.0
"""Pixels of a row whose name can be read; where rows are lower, some names are left out."""


def heat_map(scores: ScoresLike) -> alt.Chart:
    """A cell for each system and topic, the brighter the better; best systems on top, easiest topics on the left.

    Args:
        scores: of one measure, dims (topic, system). Missing scores are left grey.
    """
    matrix = make_matrix(scores)
    sign = 1.0 if matrix.larger_is_better else -1.0
    systems, topics = [label(name) for name in matrix.systems], [label(name) for name in matrix.topics]
    rows = matrix.leaderboard
    columns = best_first(summary("mean", matrix.values), matrix.topics, matrix.larger_is_better)
    cells = [
        {"system": systems[system], "topic": topics[topic], "score": matrix.values[topic, system]}
        for system in rows
        for topic in columns
        if not np.isnan(matrix.values[topic, system])
    ]
    step = max(LEAST, min(MOST, HEIGHT / max(1, len(systems))))
    missing = len(systems) * len(topics) - len(cells)
    what = label(matrix.measure)
    notes = [f"{counted(len(systems), 'system')}, best on top; {counted(len(topics), 'topic')}, easiest on the left"]
    if missing:
        notes.append(f"{counted(missing, 'score')} missing, grey")
    title = f"{what} of every system on every topic"
    best = describe_best(matrix.systems, matrix.means, matrix.larger_is_better)
    hardest = describe_best(matrix.topics, summary("mean", matrix.values), not matrix.larger_is_better)
    described = f"{title}: a heat map. Best system by its mean: {best}; hardest topic by its mean: {hardest}."
    return styled(
        _chart(cells, [systems[row] for row in rows], [topics[row] for row in columns], what, step, sign),
        title,
        notes,
        described,
        width=WIDTH,
        height=alt.Step(step),
    )


def _chart(
    cells: list[dict[str, Any]], systems: list[str], topics: list[str], measure: str, step: float, sign: float
) -> alt.Chart:
    system, topic = choice("system"), choice("topic")
    size = min(9.0, step - 0.5) if step >= READABLE else 8.0
    overlap: Literal["greedy"] | bool = False if step >= READABLE else "greedy"
    legend = alt.Legend(orient="top", gradientLength=180, gradientThickness=10, titleOrient="left")
    chart: alt.Chart = (
        alt.Chart(inline(cells))
        .mark_rect()
        .encode(
            x=alt.X(
                "topic:N",
                title="topic",
                scale=alt.Scale(domain=topics),
                axis=alt.Axis(labelFontSize=8, labelAngle=-90, labelOverlap="greedy", labelSeparation=0, grid=False),
            ),
            y=alt.Y(
                "system:N",
                title=None,
                scale=alt.Scale(domain=systems),
                axis=alt.Axis(labelFontSize=size, labelOverlap=overlap, labelLimit=120, grid=False),
            ),
            color=alt.Color(
                "score:Q", title=measure, legend=legend, scale=alt.Scale(scheme=SEQUENTIAL, reverse=sign < 0)
            ),
            opacity=alt.when(system, topic).then(alt.value(1)).otherwise(alt.value(0.25)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("topic:N"),
                alt.Tooltip("score:Q", title=measure, format=".4f"),
            ],
        )
        .properties(view=alt.ViewConfig(fill=EMPTY))
        .add_params(system, topic)
    )
    return chart
