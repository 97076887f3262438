"""Selecting a system or a topic in a chart: the parameters that link the charts of a page."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield.plot._theme import FADED


def choice(field: str) -> alt.Parameter:
    """A parameter named after the field it selects by, ``system`` or ``topic``; a click selects, two clear."""
    return alt.selection_point(name=field, fields=[field], on="click", clear="dblclick")


def unless_chosen(param: alt.Parameter, opacity: float = 1.0) -> Any:
    """Full where selected, or where nothing is; else faded."""
    return alt.when(param).then(alt.value(opacity)).otherwise(alt.value(FADED))
