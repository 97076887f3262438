"""Systems, or pairs of them, as rows of a chart: names that can be read, of five and of hundreds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

STEP, CLOSE = 15, 9
"""Pixels from a row to the next: of a few, and of many."""
FEW = 50


def row_axis(field: str, names: Sequence[str], *, named: bool = True) -> alt.Y:
    """Rows in this order from the top, each with its name, unless a panel on the left has it."""
    letters = alt.Axis(
        labels=named,
        ticks=named,
        labelOverlap=False,
        labelFontSize=10 if len(names) <= FEW else 8,
        labelLimit=230,
        grid=False,
    )
    return alt.Y(f"{field}:N", title=None, scale=alt.Scale(domain=list(names)), axis=letters)


def row_height(count: int) -> Any:
    """The height of a chart with so many rows."""
    return alt.Step(STEP if count <= FEW else CLOSE)
