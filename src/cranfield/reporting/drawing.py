"""The charts of a section, and what could not be drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from cranfield.reporting.answer import Answer
from cranfield.reporting.content import Figure, Gap, Section, Table
from cranfield.reporting.failing import reason
from cranfield.reporting.publishing import Published

T = TypeVar("T")


class Drawings:
    """The charts of a section, and what could not be drawn.

    Args:
        public: how a text that names files is written on a page.
    """

    def __init__(self, public: Published) -> None:
        self.public = public
        self.figures: list[Figure] = []
        self.missing: list[Gap] = []

    def add(self, answer: Answer[T], what: str, draw: Callable[[T], Figure]) -> None:
        """Draw a result, or give the reason why there is none; nothing where it was not asked.

        Args:
            answer: of the analysis.
            what: the figure in words, for the reason.
            draw: of the result.
        """
        result = answer.result
        if answer.reason is not None:
            self.leave_out(what, answer.reason)
        elif result is not None:
            self.draw(what, lambda: draw(result))

    def draw(self, what: str, figure: Callable[[], Figure]) -> None:
        """Draw what needs no analysis of its own, or say why it is not drawn."""
        try:
            self.figures.append(figure())
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
