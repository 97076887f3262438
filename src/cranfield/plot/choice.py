"""Choosing a system or a topic in a chart: the parameters by which charts on one page know of each other."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield.plot.theme import FADED


def choice(field: str) -> alt.Parameter:
    """A parameter that is called as the field it chooses by: ``system`` or ``topic``; a click chooses, two clear."""
    return alt.selection_point(name=field, fields=[field], on="click", clear="dblclick")


def unless_chosen(param: alt.Parameter, opacity: float = 1.0) -> Any:
    """Full where chosen, or where nothing is; else faded."""
    return alt.when(param).then(alt.value(opacity)).otherwise(alt.value(FADED))
