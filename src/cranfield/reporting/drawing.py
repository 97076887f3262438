"""Charts of results, as Vega that a page can carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cranfield.reporting.answer import Answer
from cranfield.reporting.content import Figure, Gap, Section, Table
from cranfield.reporting.failing import reason
from cranfield.reporting.publishing import Published

if TYPE_CHECKING:
    from cranfield.plot.saving import Drawable

T = TypeVar("T")
Drawing: TypeAlias = "Callable[[], Drawable]"
"""Draws a chart when called."""

DIGITS = 6
"""Significant digits of numbers in charts, more than a screen shows."""


class Drawings:
    """The charts of a section, and what could not be drawn.

    Args:
        public: how a text that names files is written on a page.
    """

    def __init__(self, public: Published) -> None:
        self.public = public
        self.figures: list[Figure] = []
        self.missing: list[Gap] = []

    def add(
        self,
        id: str,
        answer: Answer[T],
        what: str,
        draw: Callable[[T], Drawable],
        narrow: Callable[[T], Drawable] | None = None,
    ) -> None:
        """Draw a result, or give the reason why there is none; nothing where it was not asked.

        Args:
            id: of the figure.
            answer: of the analysis.
            what: the figure in words, for the reason.
            draw: of the result.
            narrow: for a phone.
        """
        result = answer.result
        if answer.reason is not None:
            self.leave_out(what, answer.reason)
        elif result is not None:
            self.draw(id, what, lambda: draw(result), None if narrow is None else lambda: narrow(result))

    def draw(
        self, id: str, what: str, chart: Callable[[], Drawable], narrow: Callable[[], Drawable] | None = None
    ) -> None:
        """Draw what needs no analysis of its own, or say why it is not drawn."""
        try:
            self.figures.append(_figure(id, _spec(chart), None if narrow is None else _spec(narrow)))
        except Exception as error:
            self.leave_out(what, self.public(reason(error)))

    def leave_out(self, what: str, why: str, *, warned: bool = True) -> None:
        """Say that something is not shown, and why; see ``Gap``."""
        gap = Gap(what, why, warned)
        if gap not in self.missing:
            self.missing.append(gap)

    def section(self, empty: Section, words: Sequence[str] = (), tables: Sequence[Table] = ()) -> Section:
        """A section with these charts, its words and tables."""
        figures, missing = tuple(self.figures), tuple(self.missing)
        return replace(empty, words=tuple(words), figures=figures, tables=tuple(tables), missing=missing)


def _spec(chart: Callable[[], Drawable]) -> dict[str, Any]:
    """Vega-Lite of a chart, whose parts Altair does not compare with the schema once more: the tests of charts do."""
    from altair.utils import schemapi

    with schemapi.debug_mode(False):
        return chart().to_dict(validate=False)


def _figure(id: str, spec: dict[str, Any], narrow: dict[str, Any] | None) -> Figure:
    heading = spec.get("title", id)
    text = heading.get("text", id) if isinstance(heading, dict) else heading
    title = " ".join(text) if isinstance(text, list) else str(text)
    return Figure(
        id, title, spec.get("description", ""), _compiled(spec), None if narrow is None else _compiled(narrow)
    )


def _compiled(spec: dict[str, Any]) -> dict[str, Any]:
    """Vega-Lite as Vega with shorter numbers, as wide as its container."""
    import vl_convert

    wide = {} if "vconcat" in spec or "hconcat" in spec else {"width": "container"}
    fit = {"autosize": {"type": "fit-x", "contains": "padding"}} if wide else {}
    compiled: dict[str, Any] = vl_convert.vegalite_to_vega({**_short(spec), **wide, **fit})
    return compiled


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
