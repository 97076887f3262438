"""Figure 1 of Gienapp et al. 2020 on topic difficulty: scores of systems by topic, easiest topic first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from cranfield.plot.boxes import box, outliers
from cranfield.plot.choice import choice, unless_chosen
from cranfield.plot.inline import inline
from cranfield.plot.naming import label
from cranfield.plot.theme import INK, WIDTH, layered, styled
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty
from cranfield.wording import counted

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
    topics = [str(topic) for topic in values["topic"].to_numpy()]
    ease = values["ease"].to_numpy()
    scores = values["ndcg_std"].transpose("topic", "system").to_numpy()
    order = sorted(range(len(topics)), key=lambda at: _easiest_first(float(ease[at]), scores[at], topics[at]))
    domain = [label(topics[at]) for at in order]
    systems = [label(system) for system in values["system"].to_numpy()]
    boxes = [
        {
            "topic": label(topics[at]),
            "ease": ease[at],
            "class": str(values["class"].to_numpy()[at]) or "no ease",
            **box(scores[at]),
        }
        for at in order
    ]
    floor = max(LEAST, float(min(0.0, np.nanmin(scores, initial=0.0))))
    points = [
        {
            "topic": label(topics[at]),
            "system": systems[system],
            "score": scores[at, system],
            "shown": max(floor, scores[at, system]),
            "below": bool(scores[at, system] < floor),
        }
        for at in order
        for system in outliers(scores[at])
    ]
    present = [name for name in reversed(COLOURS) if any(row["class"] == name for row in boxes)]
    layers = list(_layers(boxes, points, domain, present, floor, horizontal=horizontal))
    settings = result.settings
    counts = ", ".join(f"{sum(row['class'] == name for row in boxes)} {name}" for name in present)
    title = f"Topic difficulty by NDCG_std@{settings['cutoff']}"
    notes = [
        f"{counted(len(topics), 'topic')}, {counted(len(systems), 'system')}; unjudged={settings['unjudged']}",
        counts,
        "line at 0: a random order; diamonds: ease, the share above 0",
    ]
    below = sum(row["below"] for row in points)
    if below:
        notes.append(f"triangles: {counted(below, 'score')} below {floor:g}, the least {np.nanmin(scores):.2f}")
    hardest = ", ".join(row["topic"] for row in boxes[::-1][:5])
    described = f"{title}: box plots of {counted(len(topics), 'topic')}, easiest first: {counts}. Hardest: {hardest}."
    size: dict[str, Any] = {"height": 220, "width": WIDTH}
    if horizontal:
        size["height"] = alt.Step(13)
    return styled(layered(*layers), title, notes, described, **size)


def _easiest_first(ease: float, scores: Any, topic: str) -> tuple[float, float, str]:
    """Topics without ease come last; equal ease is ordered by the median score."""
    known = scores[~np.isnan(scores)]
    return (-ease if not np.isnan(ease) else 2.0, -float(np.median(known)) if len(known) else 2.0, topic)


def _layers(
    boxes: list[dict[str, Any]],
    points: list[dict[str, Any]],
    domain: list[str],
    classes: list[str],
    floor: float,
    *,
    horizontal: bool,
) -> Iterator[alt.Chart]:
    topic, system = choice("topic"), choice("system")
    axis = alt.Axis(labelFontSize=8.5, labelSeparation=0, grid=False, labelAngle=0 if horizontal else -90)
    across: dict[str, Any] = {
        "field": "topic",
        "type": "nominal",
        "scale": alt.Scale(domain=domain),
        "axis": axis,
        "title": "topic",
    }
    place: Any = alt.Y(**across) if horizontal else alt.X(**across)
    on, along, value = ("y", "x", alt.X) if horizontal else ("x", "y", alt.Y)
    scale = alt.Scale(domain=[floor - 0.05, 1.05], nice=False)

    def at(field: str) -> Any:
        return value(f"{field}:Q", title="NDCG_std of systems", scale=scale)

    base = alt.Chart(inline(boxes)).encode(
        **{on: place},
        opacity=unless_chosen(topic),
        tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("class:N")]
        + [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("ease", "low", "q1", "median", "q3", "high")],
    )
    colour = alt.Color(
        "class:N",
        title="topics are",
        scale=alt.Scale(domain=classes, range=[COLOURS[name] for name in classes]),
        legend=alt.Legend(columns=2),
    )
    yield alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(**{along: at("zero")})
    yield base.mark_rule(color=INK, clip=True).encode(**{along: at("low"), f"{along}2": "high:Q"})
    thickness: dict[str, Any] = {"height" if horizontal else "width": alt.RelativeBandSize(band=0.7)}
    yield (
        base.mark_bar(stroke=INK, strokeWidth=0.6, clip=True, **thickness)
        .encode(**{along: at("q1"), f"{along}2": "q3:Q"}, color=colour)
        .add_params(topic)
    )
    edges: Any = {on: _edge(place, 0.15), f"{on}2": _edge(place, 0.85, second=True)}
    for ink, width in (("white", 3.0), (INK, 1.5)):
        yield base.mark_rule(color=ink, strokeWidth=width).encode(**{along: at("median")}, **edges)
    yield base.mark_point(shape="diamond", size=20, filled=True, color="black", stroke="white", strokeWidth=0.7).encode(
        **{along: at("ease")}
    )
    form: Any = alt.when("datum.below").then(alt.value("triangle-left" if horizontal else "triangle-down"))
    yield (
        alt.Chart(inline(points))
        .mark_point(size=11, color=INK, strokeWidth=0.7)
        .encode(
            **{on: place, along: at("shown")},
            shape=form.otherwise(alt.value("circle")),
            opacity=unless_chosen(system, 0.7),
            tooltip=["topic:N", "system:N", alt.Tooltip("score:Q", format=".3f")],
        )
        .add_params(system)
    )


def _edge(place: Any, share: float, *, second: bool = False) -> Any:
    """Where a topic's band begins or ends."""
    if second:
        return (alt.Y2 if isinstance(place, alt.Y) else alt.X2)("topic", bandPosition=share)
    known = place.copy(deep=True)
    known.bandPosition = share
    return known
