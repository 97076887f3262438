"""What a page shows, as plain data: words, tables and charts in sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["text", "number", "whole", "p", "share", "truth", "system", "topic"]
Cell = str | float | None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        name: its heading, also in CSV.
        kind: how cells are shown; ``system`` and ``topic`` are names that can be chosen.
        meaning: a clause that explains the heading.
    """

    name: str
    kind: Kind = "number"
    meaning: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under columns.

    Args:
        id: names it on the page and as a file.
        title: its caption.
        columns: their headings and kinds.
        rows: a cell a column; None is unknown.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A chart.

    Args:
        id: names it on the page and as a file.
        title: what it shows.
        description: the same in words, for readers who cannot see it.
        spec: Vega with its data.
        narrow: the same for a phone, where it needs another shape.
    """

    id: str
    title: str
    description: str
    spec: dict[str, Any]
    narrow: dict[str, Any] | None = None


@dataclass(frozen=True)
class Gap:
    """Something that a section does not show.

    Args:
        what: in words.
        why: a clause.
        warned: whether the caller is warned as well; what the call itself implies is only on the page.
    """

    what: str
    why: str
    warned: bool = True

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}"

    @property
    def where(self) -> str:
        """What a warning of it is about, as the place of a finding."""
        return self.what

    @property
    def text(self) -> str:
        """What a warning of it says, as of a finding."""
        return self.reason

    @property
    def reason(self) -> str:
        """What the page says about ``what``."""
        return f"not shown, because {self.why}"


@dataclass(frozen=True)
class Section:
    """A part of the page, in the order words, figures, tables.

    Args:
        id: names it on the page.
        title: its heading.
        words: paragraphs.
        figures: charts.
        tables: tables.
        missing: what is not shown, and why.
        command: text to be copied as it stands, below the words.
    """

    id: str
    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    missing: tuple[Gap, ...] = ()
    command: str = ""


@dataclass(frozen=True)
class Content:
    """A whole page.

    Args:
        title: of the page.
        sections: in their order.
        systems, topics: names, which cells and charts refer to.
        measures: of ``scores``.
        scores: [measures][systems][topics]; None where there is none.
        signature: all that changes the numbers.
    """

    title: str
    sections: tuple[Section, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    scores: list[list[list[float | None]]] = field(repr=False)
    signature: dict[str, Any] = field(repr=False)

    @property
    def warnings(self) -> list[Gap]:
        """What the caller is warned of: what the page does not show, and why."""
        return [gap for part in self.sections for gap in part.missing if gap.warned]
