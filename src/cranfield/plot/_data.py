"""The content of a chart: records as data inside it, names as its rows, and one result or several by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from cranfield.errors import UsageError
from cranfield.plot._altair import alt
from cranfield.trust.reliability import Reliability
from cranfield.trust.stability import Stability


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Put records into a chart, so that no file is fetched; a number that is not finite becomes null: not drawn."""
    values = [{field: _plain(value) for field, value in row.items()} for row in rows]
    # Altair would validate every row against the schema of all charts: ten seconds for 500 systems on 250 topics.
    with alt.utils.schemapi.debug_mode(False):
        return alt.InlineData(values=values)


def _plain(value: object) -> object:
    """Return a plain number, string or boolean, which JSON can hold."""
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


STEP, CLOSE_STEP = 15, 9
"""Pixels from one row to the next, in charts of few rows and of many."""
FEW = 50
"""Rows that can have the wider step and larger letters."""


def row_axis(field: str, names: Sequence[str], *, named: bool = True) -> alt.Y:
    """Return an axis of rows in this order from the top, each with its name unless a panel on the left has it."""
    letters = alt.Axis(
        labels=named,
        ticks=named,
        labelOverlap=False,
        labelFontSize=10 if len(names) <= FEW else 8,
        labelLimit=230,
        grid=False,
    )
    return alt.Y(f"{field}:N", title=None, scale=alt.Scale(domain=list(names)), axis=letters)


def line_axis(field: str, names: Sequence[str], **look: Any) -> alt.Y:
    """Return an axis of names in this order from the top, each with a line across; ``look`` is more of ``alt.Axis``."""
    axis = alt.Axis(grid=True, labelOverlap=False, **look)
    return alt.Y(f"{field}:N", title=None, scale=alt.Scale(domain=list(names)), axis=axis)


def row_height(count: int) -> Any:
    """Return the height of a chart with this number of rows."""
    return alt.Step(STEP if count <= FEW else CLOSE_STEP)


def topic_axis(topics: Sequence[str], *, size: float = 8.5, title: str | None = "topic", **look: Any) -> alt.X:
    """Return an axis of topics in this order from the left, with upright names.

    Args:
        topics: their labels.
        size: of the letters.
        title: of the axis; None for a panel above another.
        look: more of ``alt.Axis``.
    """
    axis = alt.Axis(labelAngle=-90, labelFontSize=size, labelSeparation=0, labelOverlap="greedy", **look)
    return alt.X("topic:N", title=title, scale=alt.Scale(domain=list(topics)), axis=axis)


def hover(*fields: str, form: str | None = None) -> list[alt.Tooltip]:
    """Return lines of a tooltip for fields with their types, such as ``system:N``; numbers in one format."""
    return [alt.Tooltip(field) if form is None else alt.Tooltip(field, format=form) for field in fields]


SUMMARY = ("low:Q", "q1:Q", "median:Q", "q3:Q", "high:Q")
"""The fields of a box plot, see ``box``."""
Subsampled = TypeVar("Subsampled", Reliability, Stability)


def named(results: Subsampled | Mapping[str, Subsampled] | Iterable[Subsampled]) -> dict[str, Subsampled]:
    """Return results by name: that of the mapping, or else of their measures.

    Raises:
        UsageError: there is none, or two have the same name.
    """
    if isinstance(results, Mapping):
        by_name = {str(name): result for name, result in results.items()}
    else:
        listed = list(results) if isinstance(results, Iterable) else [results]
        by_name = {result.measure: result for result in listed}
        if len(by_name) < len(listed):
            raise UsageError("two results are of the same measure: name them, {'name': result, ...}")
    if not by_name:
        raise UsageError("there is no result to show")
    return by_name
