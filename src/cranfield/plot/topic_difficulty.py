"""Figure 1 of Gienapp et al. 2020 on topic difficulty: scores of systems by topic, easiest topic first.

The layers of a chart of box plots by topic, upright or lying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield._typing import Floats
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import BLACK, INK, PAPER, WIDTH, layered, styled
from cranfield.statistics.chart_statistics import box, outliers
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty

LEAST = -1.5
"""Where the axis ends at the latest: a few scores far below 0 would leave no room for all others."""
COLOURS = dict(zip((*CLASSES, "no ease"), ("#D55E00", "#E69F00", "#56B4E9", "#0072B2", "#bbbbbb"), strict=True))


def topic_difficulty(result: Difficulty, *, horizontal: bool = False) -> alt.LayerChart:
    """Box plots of NDCG_std by topic, easiest first, in the colours of the four classes; diamonds are the ease.

    Boxes hold the middle half of the systems, whiskers reach to the furthest system within 1.5 times its length, and
    circles are the systems beyond. Above the line at 0 a system is better than a random order of the pool.

    Args:
        result: of ``cranfield.topic_difficulty.compute_difficulty`` or ``estimate_difficulty``.
        horizontal: a line for each topic, for narrow pages and many topics.
    """
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").to_numpy()
    systems = [label(system) for system in values["system"].to_numpy()]
    boxes, order = _boxes(result, scores)
    floor = max(LEAST, float(min(0.0, np.nanmin(scores, initial=0.0))))
    points = [
        {
            "topic": topic["topic"],
            "system": systems[system],
            "score": scores[row, system],
            "shown": max(floor, scores[row, system]),
            "below": bool(scores[row, system] < floor),
        }
        for topic, row in zip(boxes, order, strict=True)
        for system in outliers(scores[row])
    ]
    present = [name for name in reversed(COLOURS) if any(topic["class"] == name for topic in boxes)]
    axes = Axes([topic["topic"] for topic in boxes], floor, horizontal)
    layers = [*box_layers(boxes, {name: COLOURS[name] for name in present}, axes), outlier_layer(points, axes)]
    counts = ", ".join(f"{sum(topic['class'] == name for topic in boxes)} {name}" for name in present)
    title = f"Topic difficulty by NDCG_std@{result.settings['cutoff']}"
    notes = [
        f"{counted(len(boxes), 'topic')}, {counted(len(systems), 'system')}; unjudged={result.settings['unjudged']}",
        counts,
        "line at 0: a random ranking; diamonds: ease, the share of systems above 0",
    ]
    below = sum(point["below"] for point in points)
    if below:
        notes.append(f"triangles: {counted(below, 'score')} below {floor:g}, the lowest {np.nanmin(scores):.2f}")
    hardest = ", ".join(topic["topic"] for topic in boxes[::-1][:5])
    described = f"{title}: box plots of {counted(len(boxes), 'topic')}, easiest first: {counts}. Hardest: {hardest}."
    size: dict[str, Any] = {"height": alt.Step(13) if horizontal else 220, "width": WIDTH}
    return styled(layered(*layers), title, notes, described, **size)


def _boxes(result: Difficulty, scores: Floats) -> tuple[list[dict[str, Any]], list[int]]:
    """A box a topic, easiest first, and the topics' rows in that order."""
    values = result.values
    topics = [str(topic) for topic in values["topic"].to_numpy()]
    ease, classes = values["ease"].to_numpy(), values["class"].to_numpy()
    order = sorted(range(len(topics)), key=lambda row: _easiest_first(float(ease[row]), scores[row], topics[row]))
    boxes = [
        {
            "topic": label(topics[row]),
            "ease": ease[row],
            "class": str(classes[row]) or "no ease",
            **box(scores[row]),
        }
        for row in order
    ]
    return boxes, order


def _easiest_first(ease: float, scores: Floats, topic: str) -> tuple[float, float, str]:
    """Topics without ease come last; equal ease is ordered by the median score."""
    defined = scores[~np.isnan(scores)]
    return (-ease if not np.isnan(ease) else 2.0, -float(np.median(defined)) if len(defined) else 2.0, topic)


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
