"""Charts of results, as Vega-Lite that a page can carry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cranfield.errors import CranfieldError
from cranfield.report.analyses import Analyses
from cranfield.report.content import Figure

DIGITS = 6
"""Significant digits of numbers in charts, more than a screen shows."""


class Drawings:
    """The charts of a section, and what could not be drawn.

    Args:
        of: where results come from.
    """

    def __init__(self, of: Analyses) -> None:
        self.of = of
        self.figures: list[Figure] = []
        self.missing: list[str] = []

    def add(
        self, id: str, result: str, what: str, draw: Callable[[Any], Any], narrow: Callable[[Any], Any] | None = None
    ) -> None:
        """Draw a result, or say why there is none.

        Args:
            id: of the figure.
            result: name of the analysis.
            what: the figure in words, for the reason.
            draw: of the result.
            narrow: for a phone.
        """
        if result in self.of.refused:
            self.refuse(what, self.of.refused[result])
        elif (found := self.of.get(result)) is not None:
            self.draw(id, what, lambda: draw(found), None if narrow is None else lambda: narrow(found))

    def draw(self, id: str, what: str, chart: Callable[[], Any], narrow: Callable[[], Any] | None = None) -> None:
        """Draw what needs no analysis of its own, or say why it is refused."""
        try:
            self.figures.append(Figure(id, plain(chart()), None if narrow is None else plain(narrow())))
        except CranfieldError as error:
            self.refuse(what, str(error))

    def refuse(self, what: str, why: str) -> None:
        """Say that something is not shown, and why."""
        said = f"{what}: not shown, because {why}"
        if said not in self.missing:
            self.missing.append(said)


def plain(chart: Any) -> dict[str, Any]:
    """A chart as Vega-Lite with shorter numbers."""
    found: dict[str, Any] = _short(chart.to_dict())
    return found


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
