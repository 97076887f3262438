"""Draws the forms of ``cranfield.charts``, a function for each kind of marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.charts.form import (
    Axis,
    Bars,
    Form,
    Heat,
    Intervals,
    Lines,
    Matrix,
    Points,
    RuleLine,
    Strips,
    SystemBars,
    SystemRanges,
    Tree,
)
from cranfield.plot._altair import alt
from cranfield.plot._data import FEW, hover, inline, line_axis, row_axis, row_height, topic_axis
from cranfield.plot._names import label, quiet
from cranfield.plot._scatter import LABELLED, SIDE, choose_places, frame_axis, write_names
from cranfield.plot._theme import (
    BLACK,
    DASHES,
    INK,
    NOTE,
    PALETTE,
    PAPER,
    QUIET,
    WIDTH,
    Chart,
    choice,
    gradient_legend,
    layered,
    sequential,
    series,
    styled,
    unless_chosen,
)
from cranfield.statistics.numeric import finite


def with_words(chart: Chart, form: Form, **size: Any) -> Chart:
    """Give a drawing the title, the notes and the sentence of its form."""
    notes = [quiet(note) for note in (form.counts, *form.notes)]
    title = quiet(form.title)
    return styled(chart, title, notes, f"{title}. {quiet(form.sentence)}", **size)


def _number(field: str, axis: Axis, form: str = ".3f") -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=str(axis), format=".1%" if axis.share else form)


# ---- Curves.


def draw_lines(form: Lines, x_scale: alt.Scale, y_scale: alt.Scale) -> alt.LayerChart:
    """Draw a curve for each series.

    Args:
        form: what is drawn.
        x_scale, y_scale: of the axes.
    """
    rows: list[dict[str, Any]] = [
        {
            "series": label(name),
            "x": point.x,
            "y": point.y,
            "low": point.low,
            "high": point.high,
            "hollow": point.hollow,
        }
        for name, points in form.series.items()
        for point in points
    ]
    percent = alt.Axis(format="%") if form.y.share else alt.Axis()
    x = alt.X("x:Q", title=str(form.x), scale=x_scale)
    y = alt.Y("y:Q", title=str(form.y), scale=y_scale, axis=percent)
    look = series("series", [label(name) for name in form.series], form.of, points=not form.step)
    base = alt.Chart(inline(rows)).encode(x=x, color=look.color)
    ends = [_number(name, form.y) for name in ("y", *(() if form.step else ("low", "high")))]
    tooltip = [alt.Tooltip("series:N", title=form.of), _number("x", form.x, ".4~g"), *ends]
    layers = [layer for rule in form.rules for layer in _draw_rule(rule)]
    if any(math.isfinite(row["low"]) for row in rows):
        low = alt.Y("low:Q", title=str(form.y), axis=percent)
        band = base.mark_area(opacity=0.15) if form.interval == "band" else base.mark_rule(strokeWidth=1)
        layers.append(band.encode(y=low, y2=alt.Y2("high:Q")))
    line = base.mark_line(interpolate="step-after") if form.step else base.mark_line()
    layers.append(line.encode(y=y, strokeDash=look.dash, **({"tooltip": tooltip} if form.step else {})))
    if not form.step:
        fill: Any = alt.when("datum.hollow").then(alt.value(PAPER)).otherwise(look.color)
        layers.append(base.mark_point(size=30, opacity=1).encode(y=y, shape=look.shape, fill=fill, tooltip=tooltip))
    return with_words(layered(*layers), form, width=WIDTH, height=230)


def _draw_rule(rule: RuleLine) -> tuple[alt.Chart, alt.Chart]:
    """Draw a dashed line across an axis, with its label at the lower or the left end."""
    base = alt.Chart(inline([{"at": rule.value, "label": rule.label}]))
    channel, place = (
        ({"x": alt.X("at:Q")}, {"y": alt.value(222)})
        if rule.axis == "x"
        else ({"y": alt.Y("at:Q")}, {"x": alt.value(0)})
    )
    beside: dict[str, Any] = {"dx": 4} if rule.axis == "x" else {"dx": 4, "dy": -6}
    line = base.mark_rule(color=QUIET, strokeDash=[4, 3]).encode(**channel)
    name = base.mark_text(align="left", color=QUIET, fontSize=9, **beside)
    return line, name.encode(**channel, **place, text=alt.Text("label:N"))


# ---- Cells of every two names.


LEAST = 280
"""Pixels across that the title needs."""
WRITTEN = 16
"""Names up to which the numbers are written in the cells."""


def draw_matrix(form: Matrix) -> alt.LayerChart:
    """Draw coloured cells; what is undefined is left empty.

    Raises:
        InputError: all are undefined.
    """
    order = [label(name) for name in form.names]
    cells = [
        {"source": source, "other": name, "value": form.values[row][column]}
        for row, source in enumerate(order)
        for column, name in enumerate(order)
    ]
    defined = finite(form.values, f"{form.of} is", "none of the sources distinguishes systems")
    low, high = float(defined.min()), float(defined.max())
    # Where ink and paper have about the same contrast with the colour of a cell, in the light and in the dark.
    middle = low + 0.63 * (high - low)
    size = 8 if len(order) > WRITTEN else 10
    base = alt.Chart(inline(cells)).encode(
        x=alt.X("other:N", title=None, scale=alt.Scale(domain=order), axis=_name_axis(size, -45)),
        y=alt.Y("source:N", title=None, scale=alt.Scale(domain=order), axis=_name_axis(size, 0)),
        tooltip=[*hover("source:N", "other:N"), alt.Tooltip("value:Q", title=form.of, format=".3f")],
    )
    # Equal numbers are all the strongest.
    colours = sequential(low if high > low else low - 1, high)
    colour = alt.Color("value:Q", title=form.of, legend=gradient_legend(), scale=colours)
    layers: list[alt.Chart] = [base.mark_rect(stroke=PAPER, strokeWidth=0.6).encode(color=colour)]
    if len(order) <= WRITTEN:
        ink: Any = alt.when(f"datum.value > {middle!r}").then(alt.value(PAPER)).otherwise(alt.value(BLACK))
        layers.append(
            base.transform_filter("isValid(datum.value)")
            .mark_text(fontSize=9.5 if len(order) <= 10 else 8)
            .encode(text=alt.Text("value:Q", format=".2f"), color=ink)
        )
    width = min(WIDTH, max(LEAST, 70 * len(order)))
    return with_words(layered(*layers), form, width=width, height=alt.Step(24 if len(order) <= WRITTEN else 12))


def _name_axis(size: float, angle: float) -> alt.Axis:
    return alt.Axis(labelFontSize=size, labelAngle=angle, labelLimit=110, labelOverlap=False, grid=False)


# ---- Marks of several kinds on a line for each row.


def draw_strips(form: Strips, x_scale: alt.Scale) -> alt.LayerChart:
    """Draw a line for each row, with its marks.

    Args:
        form: what is drawn.
        x_scale: of the axis.
    """
    lines = [" · ".join(map(label, names)) for names in form.rows]
    rows: list[dict[str, Any]] = [
        {"row": lines[mark.row], "kind": form.kinds[mark.kind], "value": mark.value, "low": mark.low, "high": mark.high}
        for mark in form.marks
        if not mark.system
    ]
    kinds = [label(kind) for kind in form.kinds]
    look = series("kind", kinds, None, points=True)
    x = alt.X("value:Q", title=str(form.x), scale=x_scale)
    y = line_axis("row", lines, labelLimit=230)
    base = alt.Chart(inline([row | {"kind": label(row["kind"])} for row in rows])).encode(y=y)
    tooltip = [*hover("row:N", "kind:N"), _number("value", form.x, ".4f")]
    layers: list[alt.Chart] = []
    if any(math.isfinite(row["low"]) for row in rows):
        ends = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=1)
        layers.append(ends.encode(x=alt.X("low:Q", title=str(form.x)), x2=alt.X2("high:Q"), color=look.color))
    marks = base.mark_point(filled=True, size=50, opacity=0.9)
    layers.append(marks.encode(x=x, color=look.color, shape=look.shape, tooltip=tooltip))
    if form.numbered:
        written = base.transform_filter("isValid(datum.value)").mark_text(align="left", dx=8, fontSize=9)
        layers.append(written.encode(x=x, text=alt.Text("value:Q", format=".3f")))
    return with_words(layered(*_draw_systems(form, lines, x, y), *layers), form, width=WIDTH, height=alt.Step(22))


def _draw_systems(form: Strips, lines: Sequence[str], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Draw marks of systems, many on a line, as ticks."""
    rows = [
        {"row": lines[mark.row], "system": label(mark.system), "value": mark.value}
        for mark in form.marks
        if mark.system
    ]
    if not rows:
        return []
    system = choice("system")
    ticks = alt.Chart(inline(rows)).mark_tick(thickness=1.2, size=14, color=INK)
    tooltip = [*hover("system:N"), _number("value", form.x, ".4f")]
    return [ticks.encode(x=x, y=y, opacity=unless_chosen(system, 0.6), tooltip=tooltip).add_params(system)]


# ---- A bar for each system, with a point in it.


INTERVALS_WIDTH = 380


def draw_intervals(form: Intervals, width: int = INTERVALS_WIDTH) -> alt.LayerChart:
    """Draw the interval of each system as a bar that is higher than the point in it."""
    order = [label(row.system) for row in form.rows]
    return with_words(draw_interval_panel(form, order), form, width=width, height=row_height(len(order)))


def draw_interval_panel(form: Intervals, order: Sequence[str], *, named: bool = True) -> alt.LayerChart:
    """Draw the intervals without the words of the form.

    Args:
        form: what is drawn.
        order: labels of the systems from the top.
        named: whether the rows have their names; otherwise those of the panel on the left.
    """
    rows: list[dict[str, Any]] = [
        {form.of: label(row.system), "note": quiet(row.note), **dict(zip(row._fields[1:-1], row[1:-1], strict=True))}
        for row in form.rows
    ]
    chosen, number = choice(form.of), "d" if form.x.whole else ".4f"
    lines = {"value": form.value, "low": f"low, {form.interval}", "high": "high"}
    lines |= {"outer_low": f"low, {form.outer}", "outer_high": "high, " + form.outer} if form.outer else {}
    lines |= {"tick": form.tick} if form.tick else {}
    tooltip = [
        *hover(f"{form.of}:N"),
        *(alt.Tooltip(f"{name}:Q", title=of, format=number) for name, of in lines.items()),
    ]
    if any(row.note for row in form.rows):
        tooltip += hover("note:N")
    base = alt.Chart(inline(rows)).encode(
        y=row_axis(form.of, order, named=named), opacity=unless_chosen(chosen), tooltip=tooltip
    )
    title, look = str(form.x), _count_ranks(len(order)) if form.x.whole else {"scale": alt.Scale(zero=False)}
    few = len(order) <= FEW
    bars = base.mark_bar(color=PALETTE[5], height=8 if few else 6).encode(
        x=alt.X("low:Q", title=title, **look), x2=alt.X2("high:Q")
    )
    layers = [bars.add_params(chosen) if named else bars]  # one parameter, which all panels follow
    if form.outer:
        ends = base.mark_rule(color=QUIET, strokeWidth=1.2).encode(x=alt.X("outer_low:Q"), x2=alt.X2("outer_high:Q"))
        layers.append(ends)
    layers.append(
        base.mark_point(color=PALETTE[0], filled=True, size=28 if few else 16, opacity=1).encode(x=alt.X("value:Q"))
    )
    if form.tick:
        layers.append(base.mark_tick(color=PALETTE[1], thickness=2, size=12 if few else 7).encode(x=alt.X("tick:Q")))
    return layered(*layers)


STEPS, TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500), 14
"""Ranks between the ticks of an axis, and how many ticks there are at most."""


def _count_ranks(count: int) -> dict[str, Any]:
    """Return the look of an axis of ranks: from 1 to the last, whole numbers alone."""
    apart = next(step for step in STEPS if step * TICKS >= count or step == STEPS[-1])
    axis = alt.Axis(values=[1, *range(apart, count + 1, apart)][apart == 1 :], format="d")
    return {"scale": alt.Scale(domain=[1, count], nice=False, padding=8), "axis": axis}


# ---- Cells of systems by topics.


HEIGHT, LEAST_STEP, MOST_STEP = 1250, 3.0, 16.0
"""Pixels for all rows, and for one."""
READABLE = 8.0
"""Pixels of a row whose name can be read; where rows are lower, some names are left out."""


def draw_heat(form: Heat) -> alt.Chart:
    """Draw a cell for each system and topic; what is undefined is left empty."""
    systems, topics = [label(name) for name in form.systems], [label(name) for name in form.topics]
    cells: list[dict[str, Any]] = [
        {"system": system, "topic": topic, "value": value, "size": form.sizes[column] if form.sizes else None}
        for system, row in zip(systems, form.values, strict=True)
        for column, (topic, value) in enumerate(zip(topics, row, strict=True))
        if not math.isnan(value)
    ]
    known = [cell["value"] for cell in cells]
    low, high = form.domain or (min(known, default=0.0), max(known, default=1.0))
    step = max(LEAST_STEP, min(MOST_STEP, HEIGHT / max(1, len(systems))))
    size = min(9.0, step - 0.5) if step >= READABLE else 8.0
    overlap: Any = False if step >= READABLE else "greedy"
    look = alt.Axis(labelFontSize=size, labelOverlap=overlap, labelLimit=120, grid=False)
    written = "%" if form.of.share else ""
    colour = alt.Color(
        "value:Q",
        title=str(form.of),
        legend=gradient_legend(180, **({"format": written} if written else {})),
        scale=sequential(low if high > low else low - 1, high, smaller=form.smaller),
    )
    chosen = choice("system"), choice("topic")
    tooltip = [
        *hover("system:N", "topic:N"),
        alt.Tooltip("value:Q", title=str(form.of), format=".0%" if written else ".4f"),
    ]
    if form.sizes:
        tooltip.append(alt.Tooltip("size:Q", title=f"of {form.parts}"))
    base = (
        alt.Chart(inline(cells))
        .mark_rect()
        .encode(
            x=topic_axis(topics, size=8, grid=False),
            y=alt.Y("system:N", title=None, scale=alt.Scale(domain=systems), axis=look),
            color=colour,
            opacity=alt.when(*chosen).then(alt.value(1)).otherwise(alt.value(0.25)),
            tooltip=tooltip,
        )
    )
    chart: alt.Chart = base.add_params(*chosen)
    return with_words(chart, form, width=WIDTH, height=alt.Step(step))


# ---- Points in a plane, with their names.


ACROSS, DOWN = 520, 400


def draw_points(form: Points) -> alt.LayerChart:
    """Draw points above their contours, and their names where they do not cover each other."""
    size = (SIDE, SIDE) if form.diagonal else (ACROSS, DOWN)
    names, places = [label(point.name) for point in form.points], np.array([point[1:3] for point in form.points])
    frame = frame_axis(places[:, 0]), frame_axis(places[:, 1])
    if form.diagonal:
        frame = (frame_axis(places),) * 2
    shares = np.stack([(places[:, axis] - low) / (high - low) for axis, (low, high) in enumerate(frame)], axis=1)
    pixels = np.stack([shares[:, 0] * size[0], (1 - shares[:, 1]) * size[1]], axis=1)
    rows: list[dict[str, Any]] = [
        {form.of: name, "x": point.x, "y": point.y, "shade": point.shade, "note": quiet(point.note), "place": place}
        for name, point, place in zip(names, form.points, choose_places(pixels, names, size, LABELLED), strict=True)
    ]
    chosen = choice(form.of)
    x, y = (
        alt.X(
            "x:Q",
            title=label(str(form.x)),
            scale=alt.Scale(domain=frame[0], nice=False),
            axis=alt.Axis(tickCount=5, grid=False),
        ),
        alt.Y(
            "y:Q",
            title=label(str(form.y)),
            scale=alt.Scale(domain=frame[1], nice=False),
            axis=alt.Axis(tickCount=5, grid=False),
        ),
    )
    # An axis may be named after a system.
    numbers = [
        alt.Tooltip(f"{field}:Q", title=label(str(axis)), format=".4f")
        for field, axis in (("x", form.x), ("y", form.y))
    ]
    tooltip = [*hover(f"{form.of}:N"), *numbers]
    base = alt.Chart(inline(rows)).encode(x=x, y=y, opacity=unless_chosen(chosen))
    marks = base.mark_point(filled=True, size=50, color=PALETTE[0], stroke=NOTE, strokeWidth=0.5)
    if form.shade:
        shades = [point.shade for point in form.points if math.isfinite(point.shade)]
        tooltip.append(alt.Tooltip("shade:Q", title=form.shade, format=".3f"))
        colours = sequential(min(shades, default=0.0), max(shades, default=1.0))
        marks = marks.encode(color=alt.Color("shade:Q", title=form.shade, legend=gradient_legend(), scale=colours))
    if any(point.note for point in form.points):
        tooltip.append(alt.Tooltip("note:N", title=" "))
    layers: list[Any] = [_draw_corners(size)] if form.diagonal else _draw_contours(form, x, y)
    layers += [marks.encode(tooltip=tooltip).add_params(chosen), *write_names(base, form.of)]
    return with_words(layered(*layers), form, width=size[0], height=size[1])


def _draw_corners(size: tuple[int, int]) -> alt.Chart:
    """Draw the line on which both numbers are equal, from corner to corner, as both axes are the same."""
    ends: dict[str, Any] = {"x": alt.value(0), "y": alt.value(size[1]), "x2": alt.value(size[0]), "y2": alt.value(0)}
    line: alt.Chart = alt.Chart(inline([{"corner": 0}])).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(**ends)
    return line


def _draw_contours(form: Points, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Draw lines of equal level, dashed by their group."""
    if not form.contours:
        return []
    lines = [
        {"group": line.group, "line": number, "level": line.level, "x": across, "y": up}
        for number, line in enumerate(form.contours)
        for across, up in ((line.x0, line.y0), (line.x1, line.y1))
    ]
    groups = list(dict.fromkeys(line.group for line in form.contours))
    scale = alt.Scale(domain=groups, range=[list(DASHES[number % len(DASHES)]) for number in range(len(groups))])
    drawn = alt.Chart(inline(lines)).mark_line(clip=True, strokeWidth=0.9, color=QUIET)
    legend = alt.Legend(symbolType="stroke", symbolSize=500, columns=len(groups), titleOrient="left")
    dash = alt.StrokeDash("group:N", title=form.group, scale=scale, legend=legend)
    tooltip = [alt.Tooltip("group:N", title=form.group), alt.Tooltip("level:Q")]
    return [drawn.encode(x=x, y=y, detail=alt.Detail("line:N"), strokeDash=dash, tooltip=tooltip)]


# ---- A tree.


def draw_tree(form: Tree) -> alt.LayerChart:
    """Draw leaves with their names, and joints at their heights."""
    leaves = [label(name) for name in form.leaves]
    lines = [
        {"place": place, "height": height, "joint": row, "step": step}
        for row, arm in enumerate(form.joints)
        for step, (place, height) in enumerate(
            [(arm.one, arm.one_height), (arm.one, arm.height), (arm.other, arm.height), (arm.other, arm.other_height)]
        )
    ]
    step = max(8.0, min(15.0, 1300 / len(leaves)))
    system = choice("system")
    y = alt.Y("place:Q", scale=alt.Scale(domain=[len(leaves) - 0.5, -0.5], nice=False, zero=False), axis=None)
    branches = alt.Chart(inline(lines)).mark_line(color=INK, strokeWidth=1, strokeCap="square")
    x = alt.X("height:Q", title=str(form.x), axis=alt.Axis(orient="bottom"))
    tree = branches.encode(x=x, y=y, detail=alt.Detail("joint:N"), order=alt.Order("step:Q"))
    rows = [{"system": name, "place": row} for row, name in enumerate(leaves)]
    names = alt.Chart(inline(rows)).mark_text(align="right", dx=-6, fontSize=min(10.0, step), limit=120)
    names = names.encode(
        x=alt.value(0),
        y=y,
        text=alt.Text("system:N"),
        opacity=unless_chosen(system),
        tooltip=alt.Tooltip("system:N"),
    ).add_params(system)
    return with_words(layered(tree, names), form, width=WIDTH, height=step * len(leaves))


# ---- A bar for each topic, up or down.


def draw_bars(form: Bars) -> alt.LayerChart:
    """Draw the difference of two systems on each topic, in the colour of the one whose score is larger."""
    first, second = map(label, form.names)
    rows: list[dict[str, Any]] = [
        {
            "topic": label(bar.topic),
            "value": bar.value,
            "first": bar.first,
            "second": bar.second,
            "larger": first if bar.value > 0 else second if bar.value < 0 else "equal",
        }
        for bar in form.bars
    ]
    topic = choice("topic")
    scale = alt.Scale(domain=[first, second], range=[PALETTE[0], PALETTE[1]])
    tooltip = [*hover("topic:N"), _number("value", form.y, "+.4f")]
    tooltip += [
        alt.Tooltip(f"{field}:Q", title=name, format=".4f") for field, name in (("first", first), ("second", second))
    ]
    bars = (
        alt.Chart(inline(rows))
        .mark_bar()
        .encode(
            x=topic_axis([row["topic"] for row in rows], labelLimit=90, grid=False, ticks=False),
            y=alt.Y("value:Q", title=str(form.y)),
            color=alt.Color("larger:N", title="larger score", scale=scale),
            opacity=unless_chosen(topic),
            tooltip=tooltip,
        )
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    rules = [layer for rule in form.rules for layer in _draw_rule(rule)]
    return with_words(layered(bars.add_params(topic), zero, *rules), form, width=WIDTH, height=230)


# ---- One system on each topic among all, and all systems on one topic.


SPAN = "#bbbbbb"
"""The colour of lines that other marks stand on."""


def draw_ranges(form: SystemRanges) -> alt.LayerChart:
    """Draw a line from the worst to the best score on each topic, a tick at the median, and a system's own score."""
    own, under, middle, span = form.kinds
    rows: list[dict[str, Any]] = [
        {**row._asdict(), "topic": label(row.topic), "kind": under if row.under else own} for row in form.ranges
    ]
    topic = choice("topic")
    y: dict[str, Any] = {"title": label(str(form.y)), "scale": alt.Scale(zero=False)}
    names = {"value": own, "best": "best", "median": middle, "worst": "worst"}
    numbers = [alt.Tooltip(f"{field}:Q", title=name, format=".4f") for field, name in names.items()]
    base = alt.Chart(inline(rows)).encode(
        x=topic_axis([row["topic"] for row in rows], labelLimit=90, grid=False, ticks=False),
        opacity=unless_chosen(topic),
        tooltip=[*hover("topic:N"), *numbers],
    )
    kinds = alt.Scale(domain=[own, under, middle, span], range=[PALETTE[0], PALETTE[1], INK, SPAN])
    lines = base.mark_rule(strokeWidth=2.5).encode(
        y=alt.Y("worst:Q", **y), y2=alt.Y2("best:Q"), color=alt.ColorDatum(span, title=None)
    )
    ticks = base.mark_tick(thickness=1.5, width=alt.RelativeBandSize(0.7), orient="horizontal")
    points = base.mark_point(filled=True, size=28, opacity=1).encode(
        y=alt.Y("value:Q", **y), color=alt.Color("kind:N", title=None, scale=kinds, legend=alt.Legend(labelLimit=0))
    )
    ticks = ticks.encode(y=alt.Y("median:Q", **y), color=alt.ColorDatum(middle, title=None))
    return with_words(layered(lines.add_params(topic), ticks, points), form, width=WIDTH, height=230)


def draw_system_bars(form: SystemBars) -> alt.LayerChart:
    """Draw the score of each system on one topic."""
    rows: list[dict[str, Any]] = [{"system": label(bar.system), "value": bar.value} for bar in form.bars]
    system = choice("system")
    bars = (
        alt.Chart(inline(rows))
        .mark_bar(color=PALETTE[0])
        .encode(
            x=alt.X(
                "system:N",
                title=None,
                scale=alt.Scale(domain=[row["system"] for row in rows]),
                axis=alt.Axis(labelAngle=-90, labelLimit=110, labelOverlap="greedy", grid=False, ticks=False),
            ),
            y=alt.Y("value:Q", title=label(str(form.y))),
            opacity=unless_chosen(system),
            tooltip=[*hover("system:N"), _number("value", form.y, ".4f")],
        )
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    return with_words(layered(bars.add_params(system), zero), form, width=WIDTH, height=230)
