"""Charts of topics: scores by topic and system, difficulty, agreement of measures, and the documents of two runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield._text import counted, numeral, quoted
from cranfield.charts.information import TIED
from cranfield.charts.scores import chart_scores
from cranfield.charts.standings import chart_system_ranges, chart_topic_systems
from cranfield.charts.topics import chart_difficulty
from cranfield.comparison.run_difference import RunDifference
from cranfield.errors import InputError, UsageError
from cranfield.information.tau import InformationTau
from cranfield.plot._altair import alt
from cranfield.plot._data import SUMMARY, hover, inline
from cranfield.plot._forms import draw_heat, draw_ranges, draw_system_bars, with_words
from cranfield.plot._names import join_equals, label
from cranfield.plot._scatter import SIDE, draw_diagonal, draw_points
from cranfield.plot._theme import (
    BLACK,
    INK,
    PAPER,
    WIDTH,
    choice,
    layered,
    series,
    styled,
    unless_chosen,
)
from cranfield.scores.dataset import ScoresLike
from cranfield.statistics.numeric import finite
from cranfield.statistics.rounding import NOISE
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty

# ---- Every score at a glance: systems by topics.


def heat_map(scores: ScoresLike) -> alt.Chart:
    """A cell for each system and topic, the stronger the better; best systems on top, easiest topics on the left.

    Args:
        scores: of one measure, dims (topic, system). Cells of missing scores are empty.
    """
    return draw_heat(chart_scores(scores))


# ---- One system on each topic among all, and all systems on one topic.


def system_ranges(scores: ScoresLike, system: str) -> alt.LayerChart:
    """A line for each topic from the worst to the best score of all systems, with the median and the system's own.

    Args:
        scores: of one measure, dims (topic, system).
        system: whose scores stand out.

    Raises:
        UsageError: there is no such system.
    """
    return draw_ranges(chart_system_ranges(scores, system))


def topic_systems(scores: ScoresLike, topic: str) -> alt.LayerChart:
    """A bar for each system: its score on one topic, the best on the left.

    Args:
        scores: of one measure, dims (topic, system).
        topic: whose scores are shown.

    Raises:
        InputError: no system has a score on it.
        UsageError: there is no such topic.
    """
    return draw_system_bars(chart_topic_systems(scores, topic))


# ---- Figure 1 of Gienapp et al. 2020 on topic difficulty: scores of systems by topic, easiest topic first.


COLOURS = dict(zip((*CLASSES, "no ease"), ("#D55E00", "#E69F00", "#56B4E9", "#0072B2", "#bbbbbb"), strict=True))


def topic_difficulty(result: Difficulty, *, horizontal: bool = False) -> alt.LayerChart:
    """Box plots of NDCG_std by topic, easiest first, in the colours of the four classes; diamonds are the ease.

    Boxes hold the middle half of the systems, whiskers reach to the furthest system within 1.5 times its length, and
    circles are the systems beyond. Above the line at 0 a system is better than a random order of the pool.

    Args:
        result: of ``cranfield.topic_difficulty.compute_difficulty`` or ``estimate_difficulty``.
        horizontal: a line for each topic, for narrow pages and many topics.
    """
    form = chart_difficulty(result)
    boxes: list[dict[str, Any]] = [
        {"topic": label(one.topic), "ease": one.ease, "class": form.classes[one.class_]}
        | {name: getattr(one, name) for name in ("low", "q1", "median", "q3", "high")}
        for one in form.boxes
    ]
    points = [
        {
            "topic": label(one.topic),
            "system": label(system),
            "score": value,
            "shown": max(form.floor, value),
            "below": value < form.floor,
        }
        for one in form.boxes
        for system, value in one.beyond.items()
    ]
    axes = Axes([row["topic"] for row in boxes], form.floor, str(form.y), horizontal)
    layers = [*box_layers(boxes, {name: COLOURS[name] for name in form.classes}, axes), outlier_layer(points, axes)]
    return with_words(layered(*layers), form, height=alt.Step(13) if horizontal else 220, width=WIDTH)


@dataclass(frozen=True)
class Axes:
    """The axes along which topics and scores are drawn.

    Args:
        topics: in their order.
        floor: lower end of the scores.
        title: of the scores.
        horizontal: whether boxes lie, a line for each topic.
    """

    topics: Sequence[str]
    floor: float
    title: str
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
        return {self.along: channel(f"{field}:Q", title=self.title, scale=scale)}

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
        tooltip=[*hover("topic:N", "class:N"), *hover("ease:Q", *SUMMARY, form=".3f")],
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
            tooltip=[*hover("topic:N", "system:N"), *hover("score:Q", form=".3f")],
        )
        .add_params(system)
    )
    return layer


# ---- Figure 1 of Golbus & Aslam 2013: agreement of two measures topic by topic, alone and given others.


def topic_tau(alone: InformationTau, conditional: InformationTau) -> alt.LayerChart:
    """A point for each topic: information tau alone across, given other measures up, in bits.

    On the dashed line the others explain nothing; at 0 they explain everything.

    Args:
        alone: of ``cranfield.information.compute_information_tau`` on scores, nothing given.
        conditional: of the same two measures, others given.

    Raises:
        UsageError: results of plain vectors, or of other topics.
        InputError: information tau is undefined on every topic.
    """
    for result in (alone, conditional):
        if not isinstance(result, InformationTau):
            raise UsageError("only compute_information_tau on scores has values by topic, not on vectors")
    topics = [str(topic) for topic in alone.topics["topic"].to_numpy()]
    if topics != [str(topic) for topic in conditional.topics["topic"].to_numpy()]:
        raise UsageError("the two results are of different topics")
    rows = [
        {"topic": label(topic), "alone": value, "conditional": conditional_value}
        for topic, value, conditional_value in zip(
            topics, alone.topics.to_numpy(), conditional.topics.to_numpy(), strict=True
        )
    ]
    names = [label(conditional.settings[which]) for which in ("measure", "other")]
    conditions = ", ".join(label(name) for name in conditional.settings["given"]) or "nothing"
    both = [value for row in rows for value in (row["alone"], row["conditional"])]
    end = max(float(finite(both, "information tau is", TIED).max()), 1e-9)
    means = [numeral(result.value, ".3f") for result in (alone, conditional)]
    title = f"Information tau of {' and '.join(names)}"
    notes = [
        f"{counted(len(rows), 'topic')}; means {means[0]} alone, {means[1]} given",
        f"given: {conditions}",
    ]
    described = f"{title}, topic by topic: mean {means[0]} alone, {means[1]} given {conditions}."
    scale = alt.Scale(domain=[0, end], nice=True)
    x = alt.X("alone:Q", title="alone, bits", scale=scale)
    y = alt.Y("conditional:Q", title="given the others, bits", scale=scale)
    points = draw_points("topic", rows, x, y, hover("alone:Q", "conditional:Q", form=".3f"))
    chart = layered(draw_diagonal(0.0, end), points)
    return styled(chart, title, notes, described, width=SIDE, height=SIDE)


# ---- Which documents of a topic came, went and moved between two runs.


DEPTH = 20
"""Ranks that are shown where the result has more."""
GAP, STEP = 300, 17
"""Pixels from the old list to the new one, and from a rank to the next."""
LETTER, NAMES = 5.5, 170
"""Pixels of a letter of a document's id, and of the longest id."""
UNJUDGED = "unjudged"


def rank_slopes(result: RunDifference, topic: str | None = None, *, depth: int | None = None) -> alt.LayerChart:
    """A line for each document that came, went or moved, from its rank in the old run to that in the new one.

    Lines are coloured by label, which is written beside the document too. A document that is below the ranks shown, or
    not retrieved, has its end below them. Documents at the same rank in both runs are not drawn.

    Args:
        result: of ``cranfield.diff``.
        topic: which one; that of the largest difference where None.
        depth: ranks that are shown; as many as the result looks at, at most 20, where None.

    Raises:
        InputError: nothing changed.
        UsageError: nothing changed on this topic, or it is unknown.
    """
    row = _row(result, topic)
    shown = depth or min(result.settings["depth"], DEPTH)
    changed = result.documents[result.documents["topic"] == row["topic"]].to_dict("records")
    rows = [row for row in changed if row["change"] != "stayed" and _is_within(row, shown)]
    ends = [_end(row, side, shown) for row in rows for side in ("old", "new")]
    before, after = numeral(row["old"], ".4f"), numeral(row["new"], ".4f")
    title = f"{label(result.measure)} on topic {label(row['topic'])}: {before} to {after}"
    notes = [f"from {label(result.old)} (left) to {label(result.new)} (right), first {shown:,} ranks"]
    notes += [label(row["query"])] if row.get("query") else []
    others = [] if topic is not None else _largest([*result.topics.to_dict("records")], "difference")[1:]
    notes += [f"{counted(len(others), 'other topic')} with as large a difference"] if others else []
    notes += [f"{row['came']:,} came, {row['went']:,} went, {row['moved']:,} moved; behind each document its label"]
    largest = _largest([row for row in rows if math.isfinite(row["share"])], "share")
    described = f"{title}. {counted(len(rows), 'document')} with other ranks."
    if largest:
        owners = join_equals([label(row["document"]) for row in largest])
        size = " or ".join(dict.fromkeys(f"{row['share']:+.4f}" for row in largest))
        described += f" The largest share, {size}, is that of {owners}."
    return styled(_draw_rank_slopes(ends, shown), title, notes, described, width=GAP, height=STEP * (shown + 2))


def _row(result: RunDifference, topic: str | None) -> dict[str, Any]:
    """The topic that is drawn.

    Raises:
        InputError: nothing changed.
        UsageError: nothing changed on this topic, or it is unknown.
    """
    rows: list[dict[str, Any]] = [*result.topics.to_dict("records")]  # type: ignore[list-item]
    if not rows:
        raise InputError("nothing changed between these runs, so there is nothing to draw", code="empty")
    if topic is None:
        return _largest(rows, "difference")[0]
    for row in rows:
        if row["topic"] == topic:
            return row
    raise UsageError(f"nothing changed on a topic {quoted(topic)}: it is none of {len(rows):,} topics with changes")


def _largest(rows: list[Any], name: str) -> list[dict[str, Any]]:
    """The rows of the largest number of a name, whatever its sign; those that are equal to it, in their order."""
    sizes = [0.0 if math.isnan(row[name]) else abs(row[name]) for row in rows]
    return [row for row, size in zip(rows, sizes, strict=True) if size >= max(sizes) - NOISE]


def _is_within(document: dict[str, Any], depth: int) -> bool:
    return any(0 < document[side] <= depth for side in ("rank_old", "rank_new"))


def _end(document: dict[str, Any], side: str, depth: int) -> dict[str, Any]:
    """One end of a line; below the ranks shown where the document is there, or nowhere."""
    rank, grade = document[f"rank_{side}"], document["label"]
    judged = UNJUDGED if math.isnan(grade) else f"{grade:g}"
    within = 0 < rank <= depth
    return {
        "document": label(document["document"]),
        "label": judged,
        "change": document["change"],
        "share": document["share"],
        "rank_old": document["rank_old"],
        "rank_new": document["rank_new"],
        "side": side,
        "place": rank if within else depth + 1.5,
        "text": f"{label(document['document'])} ({judged})" if within else "",
    }


def _draw_rank_slopes(ends: list[dict[str, Any]], depth: int) -> alt.LayerChart:
    grades = sorted({end["label"] for end in ends} - {UNJUDGED}, key=float, reverse=True)
    unjudged = any(end["label"] == UNJUDGED for end in ends)
    look = series("label", [*grades, *([UNJUDGED] if unjudged else [])], "label", points=False)
    longest = max((len(end["text"]) for end in ends if end["side"] == "old"), default=0)
    axis = alt.Axis(
        offset=min(LETTER * longest, NAMES) + 12,
        values=[*range(1, depth + 1), depth + 1.5],
        labelExpr=f"datum.value > {depth} ? 'below or absent' : datum.value",
        labelOverlap=False,
        grid=False,
    )
    scale = alt.Scale(domain=[0.5, depth + 2], reverse=True, nice=False)
    x = alt.X(
        "side:N",
        sort=["old", "new"],
        title=None,
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(type="point", padding=0),
    )
    base = alt.Chart(inline(ends)).encode(
        x=x,
        y=alt.Y("place:Q", title="rank", scale=scale, axis=axis),
        detail=alt.Detail("document:N"),
        tooltip=[
            *hover("document:N", "label:N", "change:N", "rank_old:Q", "rank_new:Q"),
            *hover("share:Q", form="+.4f"),
        ],
    )
    look_of_text: dict[str, Any] = {"fontSize": 9.5, "limit": NAMES}
    left = base.transform_filter("datum.side === 'old'").mark_text(align="right", dx=-6, **look_of_text)
    right = base.transform_filter("datum.side === 'new'").mark_text(align="left", dx=6, **look_of_text)
    return layered(
        base.mark_line(strokeWidth=1.6).encode(color=look.color, strokeDash=look.dash),
        base.mark_point(filled=True, size=26).encode(color=look.color),
        left.encode(text=alt.Text("text:N")),
        right.encode(text=alt.Text("text:N")),
    )
