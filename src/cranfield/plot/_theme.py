"""The common look of charts: colours, dashes and shapes that need no colour vision, type as in papers."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cranfield.plot._altair import alt

Chart = TypeVar("Chart", "alt.Chart", "alt.LayerChart", "alt.VConcatChart", "alt.HConcatChart")

WIDTH = 520
"""Pixels across: two columns of a paper at the size of its letters. ``chart.properties(width=...)`` changes it."""
PANEL_WIDTH = 400
"""Pixels across where the names of rows stand beside the chart."""

PAPER, BLACK = "#ffffff", "#000000"
"""The ground of charts, and what stands out most; ``darken`` swaps them."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", BLACK)
"""Okabe & Ito's colours without their yellow, which is too light for lines on white."""
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 1), (10, 4))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
SEQUENTIAL = ("#dce9f5", "#9ecae1", "#3182bd", "#08306b")
"""From weak to strong: even in lightness, for every kind of colour vision and in grey."""

INK, QUIET, GRID = "#222222", "#6b6b6b", "#e4e4e4"
NOTE, FRAME = "#444444", "#b5b5b5"
FADED = 0.15
"""Opacity of what is not selected."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_LABELS: dict[str, Any] = {
    "labelFont": FONT,
    "titleFont": FONT,
    "labelColor": INK,
    "titleColor": INK,
    "labelFontSize": 10,
    "titleFontSize": 11,
    "titleFontWeight": "normal",
}
CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "view": {"stroke": FRAME, "strokeWidth": 0.7},
    "axis": {
        **_LABELS,
        "labelLimit": 130,
        "gridColor": GRID,
        "gridWidth": 0.7,
        "domainColor": QUIET,
        "tickColor": QUIET,
        "labelOverlap": "parity",
        "labelSeparation": 4,
        "labelFlush": False,
    },
    "legend": {
        **_LABELS,
        "labelLimit": 130,
        "orient": "bottom",
        "columns": 2,
        "symbolLimit": 0,
        "titleLimit": 300,
        "offset": 8,
    },
    "title": {
        "font": FONT,
        "subtitleFont": FONT,
        "fontSize": 13,
        "fontWeight": "bold",
        "subtitleFontSize": 10.5,
        "subtitleColor": NOTE,
        "color": INK,
        "anchor": "start",
        "frame": "bounds",
        "offset": 10,
        "subtitlePadding": 4,
    },
    "header": _LABELS,
    "line": {"strokeWidth": 1.6},
    "point": {"size": 32, "strokeWidth": 1.3},
    "text": {"font": FONT, "fontSize": 10, "color": INK},
    "rule": {"color": QUIET},
}
_TITLE, _NOTE = 46, 62
"""Characters in a line that fits on a phone."""


def styled(chart: Chart, title: str, notes: Sequence[str], description: str, **properties: Any) -> Chart:
    """Give a chart its title, notes and the common look.

    Args:
        chart: without configuration.
        title: what is shown, with the measure.
        notes: numbers of topics and systems, and what else a reader needs; each begins a line.
        description: what it shows, in words, for readers who cannot see it.
        properties: width and height, where not the usual ones.
    """
    lines = [line for note in notes for line in textwrap.wrap(note, _NOTE)]
    heading = alt.TitleParams(text=textwrap.wrap(title, _TITLE), subtitle=lines)
    styled_chart: Chart = chart.properties(title=heading, description=description, **properties).configure(**CONFIG)
    return styled_chart


def gradient_legend(length: int = 160, **look: Any) -> alt.Legend:
    """Return a legend of colours above a chart, this many pixels across; ``look`` is more of ``alt.Legend``."""
    return alt.Legend(orient="top", gradientLength=length, gradientThickness=10, titleOrient="left", **look)


def sequential(low: float, high: float, *, smaller: bool = False) -> alt.Scale:
    """Return the scale of colours between two numbers, the stronger the larger, or the smaller."""
    at = np.linspace(low, max(high, low + 1e-9), len(SEQUENTIAL))
    return alt.Scale(domain=at.tolist(), range=list(SEQUENTIAL[::-1] if smaller else SEQUENTIAL))


def layered(*layers: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Draw charts over each other, the first lowest."""
    chart: alt.LayerChart = alt.layer(*layers)  # type: ignore[assignment]  # its type counts facets in, which these are not
    return chart


class Series(NamedTuple):
    """Encodings that distinguish series, in one legend."""

    color: alt.Color
    dash: alt.StrokeDash | alt.StrokeDashValue
    shape: alt.Shape


def series(field: str, names: Sequence[str], title: str | None, *, points: bool) -> Series:
    """Distinguish series by colour, dash and, where lines have points, shape, which then makes the legend."""

    def scale(marks: Sequence[Any]) -> alt.Scale:
        return alt.Scale(domain=list(names), range=list(itertools.islice(itertools.cycle(marks), len(names))))

    # Dashes need room to be distinguishable. Lines with points have no scale of them, which would fray legend symbols.
    legend = None
    if len(names) > 1:
        legend = alt.Legend(symbolOpacity=1) if points else alt.Legend(symbolType="stroke", symbolSize=500)
    dash: alt.StrokeDash | alt.StrokeDashValue
    dash = alt.StrokeDash(f"{field}:N", title=title, legend=legend, scale=scale(DASHES))
    if points:
        each = zip(names, itertools.cycle(DASHES), strict=False)
        tested = [{"test": alt.FieldEqualPredicate(field=field, equal=name), "value": list(own)} for name, own in each]
        dash = alt.StrokeDashValue(list(DASHES[0]), condition=tested)
    return Series(
        alt.Color(f"{field}:N", title=title, legend=legend, scale=scale(PALETTE)),
        dash,
        alt.Shape(f"{field}:N", title=title, legend=legend, scale=scale(SHAPES)),
    )


# ---- Selecting a system or a topic in a chart: the parameters that link the charts of a page.


def choice(field: str) -> alt.Parameter:
    """A parameter named after the field it selects by, ``system`` or ``topic``; a click selects, two clear."""
    return alt.selection_point(name=field, fields=[field], on="click", clear="dblclick")


def unless_chosen(param: alt.Parameter, opacity: float = 1.0) -> Any:
    """Full where selected, or where nothing is; else faded."""
    return alt.when(param).then(alt.value(opacity)).otherwise(alt.value(FADED))
