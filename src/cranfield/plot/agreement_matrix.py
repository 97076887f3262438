"""Do measures, schemes or judges order the systems alike: tau_b or tau_ap,b between every two.

A square matrix of numbers, written in coloured cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from cranfield._text import counted
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.plot._data import inline
from cranfield.plot._names import SLACK, label, write_pairs
from cranfield.plot._theme import PAPER, SEQUENTIAL, WIDTH, layered, styled
from cranfield.statistics._numeric import finite

LEAST = 280
"""Pixels across that the title needs."""


def agreement_matrix(result: Agreement, coefficient: Literal["tau_b", "tau_ap_b"] = "tau_b") -> alt.LayerChart:
    """Rank correlation between the orders of systems by every two sources of scores.

    Args:
        result: of ``cranfield.compare_rankings``.
        coefficient: ``tau_b``, or ``tau_ap_b``, weighted to the top of the row's order.

    Raises:
        UsageError: another coefficient.
        InputError: no two sources have one.
    """
    word("coefficient", coefficient, ("tau_b", "tau_ap_b"))
    names = [label(name) for name in result.tau_b.index]
    values = getattr(result, coefficient).to_numpy()
    written = {"tau_b": "tau_b", "tau_ap_b": "tau_ap,b"}[coefficient]
    title = f"Agreement on the order of systems, {written}"
    notes = [f"{counted(len(names), 'source')} of scores, {counted(len(result.ranks), 'system')}"]
    if coefficient == "tau_ap_b":
        notes.append("reference: the row; the top of its order has more weight")
    pairs = [(values[a][b], a, b) for a in range(len(names)) for b in range(len(names)) if a != b]
    alone = "of every two sources, one gives all systems the same mean"
    ends = finite([value for value, _, _ in pairs], f"{written} is", alone)
    smallest = sorted((column, row) for value, column, row in pairs if value <= ends.min() + SLACK)
    least = write_pairs([(names[row], names[column]) for column, row in smallest])
    described = f"{title}: from {ends.min():.2f} ({least}) to {ends.max():.2f}."
    chart = matrix_cells(values, names, written, "")
    return styled(
        chart,
        title,
        notes,
        described,
        width=min(WIDTH, max(LEAST, 70 * len(names))),
        height=alt.Step(24 if len(names) <= 16 else 12),
    )


WRITTEN = 16
"""Names up to which the numbers are written in the cells."""


def matrix_cells(values: Floats, names: Sequence[str], field: str, rows: str) -> alt.LayerChart:
    """Cells of ``values`` [names, names]; the title of the numbers is ``field``; what is undefined is left empty.

    Raises:
        InputError: all are undefined.
    """
    cells = [
        {"source": source, "other": name, "value": values[row][column]}
        for row, source in enumerate(names)
        for column, name in enumerate(names)
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
