"""Charts on a dark ground: the same chart, whose paper and ink change places."""

from __future__ import annotations

from typing import Any

from cranfield.plot.theme import BLACK, EMPTY, FRAME, GRID, INK, NOTE, PAPER, QUIET, Chart

DARK = {
    PAPER: "#14181e",
    BLACK: "#f2f4f7",
    INK: "#e6e9ee",
    NOTE: "#b9c1cc",
    QUIET: "#a7b0bd",
    FRAME: "#4a5361",
    GRID: "#343c48",
    EMPTY: "#2a313b",
}
"""Colours of the theme -> what stands for them; the ground is that of the report's dark pages."""
DATA = ("data", "datasets")
"""Parts of a chart in which a word is no colour."""


def darken(chart: Chart) -> Chart:
    """The chart for a dark page: light ink on dark ground; colours of systems and measures stay.

    Args:
        chart: of this package.
    """
    made: Chart = type(chart).from_dict(darkened(chart.to_dict()))
    return made


def darkened(spec: Any) -> Any:
    """Vega-Lite with the colours of a dark page."""
    if isinstance(spec, dict):
        return {key: value if key in DATA else darkened(value) for key, value in spec.items()}
    if isinstance(spec, list):
        return [darkened(value) for value in spec]
    return DARK.get(spec, spec) if isinstance(spec, str) else spec
