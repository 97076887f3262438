"""Draws the forms of ``cranfield.charts``, a function for each kind of marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from cranfield.charts.form import Axis, Form, Lines, Matrix, Rule, Strips
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, line_axis
from cranfield.plot._names import label, quiet
from cranfield.plot._theme import (
    INK,
    PAPER,
    QUIET,
    SEQUENTIAL,
    WIDTH,
    Chart,
    choice,
    gradient_legend,
    layered,
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


def _draw_rule(rule: Rule) -> tuple[alt.Chart, alt.Chart]:
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
    # Where black and white text have the same contrast with cividis.
    middle = low + 0.46 * (high - low)
    size = 8 if len(order) > WRITTEN else 10
    base = alt.Chart(inline(cells)).encode(
        x=alt.X("other:N", title=None, scale=alt.Scale(domain=order), axis=_name_axis(size, -45)),
        y=alt.Y("source:N", title=None, scale=alt.Scale(domain=order), axis=_name_axis(size, 0)),
        tooltip=[*hover("source:N", "other:N"), alt.Tooltip("value:Q", title=form.of, format=".3f")],
    )
    scale = alt.Scale(scheme=SEQUENTIAL, domain=[low, max(high, low + 1e-9)])
    colour = alt.Color("value:Q", title=form.of, legend=gradient_legend(), scale=scale)
    layers: list[alt.Chart] = [base.mark_rect(stroke=PAPER, strokeWidth=0.6).encode(color=colour)]
    if len(order) <= WRITTEN:
        ink: Any = alt.when(f"datum.value > {middle!r}").then(alt.value("black")).otherwise(alt.value("white"))
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
