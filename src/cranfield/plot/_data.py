"""Rows of a chart as data inside it: no file is fetched, and every value is valid JSON.

Systems, or pairs of them, as rows of a chart: names that can be read, of five and of hundreds.

One result, or several by name or in a list: what charts that compare measures take.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import altair as alt
from altair.utils.schemapi import debug_mode

from cranfield.errors import UsageError


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Records as the data of a chart; a number that is not finite becomes null, which is not drawn."""
    values = [{field: _plain(value) for field, value in row.items()} for row in rows]
    # Altair would validate every row against the schema of all charts: ten seconds for 500 systems on 250 topics.
    with debug_mode(False):
        return alt.InlineData(values=values)


def _plain(value: object) -> object:
    """Python's own number, string or boolean."""
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


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


class OfMeasure(Protocol):
    """A result that knows its measure."""

    @property
    def measure(self) -> str:
        """Whose scores."""


Result = TypeVar("Result", bound=OfMeasure)


def named(results: Result | Mapping[str, Result] | Iterable[Result]) -> dict[str, Result]:
    """Results by name: that of the mapping, or else of their measures.

    Raises:
        UsageError: none is given, or two have the same name.
    """
    if isinstance(results, Mapping):
        by_name = {str(name): result for name, result in results.items()}
    else:
        many = list(results) if isinstance(results, Iterable) else [results]
        by_name = {result.measure: result for result in many}
        if len(by_name) < len(many):
            raise UsageError("two results are of the same measure: name them, {'name': result, ...}")
    if not by_name:
        raise UsageError("there is no result to show")
    return by_name
