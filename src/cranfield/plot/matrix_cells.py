"""A square matrix of numbers, written in coloured cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from cranfield._typing import Floats
from cranfield.plot.inline import inline
from cranfield.plot.theme import PAPER, SEQUENTIAL, layered
from cranfield.statistics.finite import finite

WRITTEN = 16
"""Names up to which the numbers are written in the cells."""


def matrix_cells(values: Floats, names: Sequence[str], field: str, rows: str) -> alt.LayerChart:
    """Cells of ``values`` [names, names]; the title of the numbers is ``field``; what is undefined is left empty.

    Raises:
        InputError: all are undefined.
    """
    cells = [
        {"source": source, "other": other, "value": values[row][column]}
        for row, source in enumerate(names)
        for column, other in enumerate(names)
    ]
    order = list(names)
    defined = finite(values, f"{field} is", "none of the sources distinguishes systems")
    low, high = float(defined.min()), float(defined.max())
    # Where black and white text have the same contrast with cividis.
    middle = low + 0.46 * (high - low)
    size = 8 if len(order) > WRITTEN else 10
    base = alt.Chart(inline(cells)).encode(
        x=alt.X("other:N", title=None, scale=alt.Scale(domain=order), axis=_axis(size, -45)),
        y=alt.Y("source:N", title=rows, scale=alt.Scale(domain=order), axis=_axis(size, 0)),
        tooltip=[alt.Tooltip("source:N"), alt.Tooltip("other:N"), alt.Tooltip("value:Q", title=field, format=".3f")],
    )
    legend = alt.Legend(orient="top", gradientLength=160, gradientThickness=10, titleOrient="left")
    colour = alt.Color(
        "value:Q", title=field, legend=legend, scale=alt.Scale(scheme=SEQUENTIAL, domain=[low, max(high, low + 1e-9)])
    )
    layers: list[alt.Chart] = [base.mark_rect(stroke=PAPER, strokeWidth=0.6).encode(color=colour)]
    if len(order) <= WRITTEN:
        ink: Any = alt.when(f"datum.value > {middle!r}").then(alt.value("black")).otherwise(alt.value("white"))
        layers.append(
            base.transform_filter("isValid(datum.value)")
            .mark_text(fontSize=9.5 if len(order) <= 10 else 8)
            .encode(text=alt.Text("value:Q", format=".2f"), color=ink)
        )
    return layered(*layers)


def _axis(size: float, angle: float) -> alt.Axis:
    return alt.Axis(labelFontSize=size, labelAngle=angle, labelLimit=110, labelOverlap=False, grid=False)
