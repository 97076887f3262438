"""The layers of a chart of box plots by topic, upright or lying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from cranfield.plot.choice import choice, unless_chosen
from cranfield.plot.inline import inline
from cranfield.plot.theme import BLACK, INK, PAPER


@dataclass(frozen=True)
class Axes:
    """Where topics and scores are drawn.

    Args:
        topics: in their order.
        floor: lower end of the scores.
        horizontal: whether boxes lie, a line for each topic.
    """

    topics: Sequence[str]
    floor: float
    horizontal: bool

    @property
    def across(self) -> str:
        """The channel of topics."""
        return "y" if self.horizontal else "x"

    @property
    def along(self) -> str:
        """The channel of scores."""
        return "x" if self.horizontal else "y"

    def topic(self) -> Any:
        """The channel of topics with its axis."""
        angle = 0 if self.horizontal else -90
        channel = alt.Y if self.horizontal else alt.X
        return channel(
            field="topic",
            type="nominal",
            scale=alt.Scale(domain=list(self.topics)),
            axis=alt.Axis(labelFontSize=8.5, labelSeparation=0, grid=False, labelAngle=angle),
            title="topic",
        )

    def score(self, field: str) -> dict[str, Any]:
        """A field on the channel of scores."""
        scale = alt.Scale(domain=[self.floor - 0.05, 1.05], nice=False)
        channel = alt.X if self.horizontal else alt.Y
        return {self.along: channel(f"{field}:Q", title="NDCG_std of systems", scale=scale)}

    def band(self, first: float, last: float) -> dict[str, Any]:
        """The part of a topic's band between two shares of it."""
        start = self.topic()
        start.bandPosition = first
        end = (alt.Y2 if self.horizontal else alt.X2)("topic", bandPosition=last)
        return {self.across: start, f"{self.across}2": end}


def box_layers(boxes: list[dict[str, Any]], colours: Mapping[str, str], axes: Axes) -> Iterator[alt.Chart]:
    """Line at 0, whiskers, boxes, medians and eases, the lowest layer first.

    Args:
        boxes: a row a topic, from ``boxes.box``, with its ease and class.
        colours: of the classes.
        axes: of the chart.
    """
    topic = choice("topic")
    base = alt.Chart(inline(boxes)).encode(
        **{axes.across: axes.topic()},
        opacity=unless_chosen(topic),
        tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("class:N")]
        + [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("ease", "low", "q1", "median", "q3", "high")],
    )
    colour = alt.Color(
        "class:N",
        title="class",
        scale=alt.Scale(domain=list(colours), range=list(colours.values())),
        legend=alt.Legend(columns=2),
    )
    yield alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(**axes.score("zero"))
    yield base.mark_rule(color=INK, clip=True).encode(**axes.score("low"), **{f"{axes.along}2": "high:Q"})
    thickness: dict[str, Any] = {"height" if axes.horizontal else "width": alt.RelativeBandSize(band=0.7)}
    yield (
        base.mark_bar(stroke=INK, strokeWidth=0.6, clip=True, **thickness)
        .encode(**axes.score("q1"), **{f"{axes.along}2": "q3:Q"}, color=colour)
        .add_params(topic)
    )
    for ink, width in ((PAPER, 3.0), (INK, 1.5)):
        yield base.mark_rule(color=ink, strokeWidth=width).encode(**axes.score("median"), **axes.band(0.15, 0.85))
    yield base.mark_point(shape="diamond", size=20, filled=True, color=BLACK, stroke=PAPER, strokeWidth=0.7).encode(
        **axes.score("ease")
    )


def outlier_layer(points: list[dict[str, Any]], axes: Axes) -> alt.Chart:
    """Systems beyond the whiskers: circles, and triangles where they lie below the axis.

    Args:
        points: a row an outlier: its topic, system and score, the score as ``shown``, and whether it lies ``below``.
        axes: of the chart.
    """
    system = choice("system")
    form: Any = alt.when("datum.below").then(alt.value("triangle-left" if axes.horizontal else "triangle-down"))
    layer: alt.Chart = (
        alt.Chart(inline(points))
        .mark_point(size=11, color=INK, strokeWidth=0.7)
        .encode(
            **{axes.across: axes.topic()},
            **axes.score("shown"),
            shape=form.otherwise(alt.value("circle")),
            opacity=unless_chosen(system, 0.7),
            tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("system:N"), alt.Tooltip("score:Q", format=".3f")],
        )
        .add_params(system)
    )
    return layer
