"""Two systems topic by topic: where one is better than the other, and by how much."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted, quoted
from cranfield.errors import InputError, UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, WIDTH, layered, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrix


def pair_bars(scores: ScoresLike, system: str, other: str) -> alt.LayerChart:
    """A bar for each topic: the score of one system less that of the other, the largest difference on the left.

    Args:
        scores: of one measure, dims (topic, system).
        system: bars above 0 are topics on which its score is larger.
        other: the one that is subtracted.

    Raises:
        InputError: no topic has scores of both.
        UsageError: there is no such system, or only one is named.
    """
    matrix = make_matrix(scores)
    if system == other:
        raise UsageError(f"{quoted(system)} is compared with itself: name two systems")
    columns = []
    for name in (system, other):
        if name not in matrix.systems:
            there = ", ".join(map(label, matrix.systems[:5]))
            raise UsageError(f"there are no scores of a system {quoted(name)}; there are {there}")
        columns.append(matrix.values[:, matrix.systems.index(name)])
    difference = columns[0] - columns[1]
    order = [row for row in np.argsort(-difference, kind="stable").tolist() if np.isfinite(difference[row])]
    if not order:
        raise InputError(f"no topic has scores of both {quoted(system)} and {quoted(other)}", code="no-scores")
    first, second = label(system), label(other)
    rows: list[dict[str, Any]] = [
        {
            "topic": label(matrix.topics[row]),
            "difference": difference[row],
            "score": columns[0][row],
            "other": columns[1][row],
            "larger": first if difference[row] > 0 else second if difference[row] < 0 else "equal",
        }
        for row in order
    ]
    above, below = int((difference > 0).sum()), int((difference < 0).sum())
    title = f"{first} minus {second} by {label(matrix.measure)}, topic by topic"
    mean = float(difference[order].mean())
    conclusion = f"{first} is larger on {above:,}, {second} on {below:,} of {counted(len(order), 'topic')}"
    topics, apart = [matrix.topics[row] for row in order], difference[order]
    described = (
        f"{title}: {conclusion}; mean difference {mean:+.4f}. Most at {describe_best(topics, apart)}, least at "
        f"{describe_best(topics, apart, larger_is_better=False)}."
    )
    notes = [conclusion, f"dashed: the mean difference, {mean:+.4f}"]
    return styled(_chart(rows, mean, (first, second)), title, notes, described, width=WIDTH, height=230)


def _chart(rows: list[dict[str, Any]], mean: float, names: tuple[str, str]) -> alt.LayerChart:
    topic = choice("topic")
    axis = alt.Axis(
        labelAngle=-90,
        labelFontSize=8.5,
        labelSeparation=0,
        labelOverlap="greedy",
        labelLimit=90,
        grid=False,
        ticks=False,
    )
    x = alt.X("topic:N", title="topic", scale=alt.Scale(domain=[row["topic"] for row in rows]), axis=axis)
    colour = alt.Color(
        "larger:N",
        title="larger score",
        scale=alt.Scale(domain=list(dict.fromkeys(names)), range=[PALETTE[0], PALETTE[1]]),
    )
    bars = (
        alt.Chart(inline(rows))
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("difference:Q", title="difference of scores"),
            color=colour,
            opacity=unless_chosen(topic),
            tooltip=[
                alt.Tooltip("topic:N"),
                *(alt.Tooltip(f"{name}:Q", format="+.4f") for name in ("difference",)),
                *(
                    alt.Tooltip(f"{field}:Q", title=name, format=".4f")
                    for field, name in zip(("score", "other"), names, strict=True)
                ),
            ],
        )
        .add_params(topic)
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    dashed = alt.Chart(inline([{"mean": mean}])).mark_rule(color=INK, strokeDash=[4, 3]).encode(y=alt.Y("mean:Q"))
    return layered(bars, zero, dashed)
