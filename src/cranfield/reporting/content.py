"""What a page shows, as plain data: words, tables and charts in sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield._message import for_sentence, message
from cranfield.reporting.entries import Entry
from cranfield.reporting.top_documents import Retrieved

Kind = Literal["text", "number", "whole", "p", "share", "truth", "system", "topic"]
Cell = str | float | None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        name: its heading, also in CSV.
        kind: how cells are shown; ``system`` and ``topic`` are names that can be chosen.
        meaning: a clause that explains the heading.
        hidden: whether it is shown only where a reader chooses it.
    """

    name: str
    kind: Kind = "number"
    meaning: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Picture:
    """What is drawn in each row of a table, a point on a line from its low to its high end.

    Args:
        name: its heading.
        columns: names of the columns with the point and the two ends.
        before: name of the column that it is in front of.
    """

    name: str
    columns: tuple[str, str, str]
    before: str


@dataclass(frozen=True)
class Table:
    """Rows under columns.

    Args:
        id: names it on the page and as a file.
        title: its caption.
        columns: their headings and kinds.
        rows: a cell a column; None is unknown.
        pictures: drawn in each row.
        group: of topics that it is of, and is shown for where a reader chooses that; empty for all of them.
        note: what to know of it.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    pictures: tuple[Picture, ...] = ()
    group: str = ""
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A chart, as the numbers that the page's script draws.

    Args:
        id: names it on the page and as a file.
        title: what it shows.
        seen: one sentence on what can be seen in it.
        notes: how to read it.
        form: what the script draws, and from which numbers; see ``cranfield.reporting.charts``.
    """

    id: str
    title: str
    seen: str
    notes: str
    form: dict[str, Any] = field(repr=False)


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
        return message(f"not shown, because {for_sentence(self.why)}")


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
        act: what can be done with it on a screen, which is not printed.
        command: text to be copied as it stands, below the words.
        tail: whether it belongs to the appendix.
    """

    id: str
    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    missing: tuple[Gap, ...] = ()
    act: str = ""
    command: str = ""
    tail: bool = False


@dataclass(frozen=True)
class Head:
    """What stands above everything else.

    Args:
        track: the shared task or series that the evaluation belongs to; empty where none is named.
        date: of the evaluation, as it was given; empty where none was.
        line: what was evaluated.
        verdict: which system is best, and how certain that is.
        notices: what could change the ranking.
    """

    track: str = ""
    date: str = ""
    line: str = ""
    verdict: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """A whole page.

    Args:
        title: of the page.
        head: what stands above everything else.
        sections: in their order.
        systems, topics: names, which cells and charts refer to.
        measures: of ``scores``.
        scores: [measures][systems][topics]; None where there is none.
        smaller: those of the measures of which smaller is better.
        without_scores: the other measures, of which there are too many scores for a page.
        signature: all that changes the numbers.
        facts: of each system team, type and description; empty where nothing is said of any.
        alike: of some systems, whose scores they share.
        texts: of some topics, paragraphs.
        retrieved: the first documents of the lists.
        tested: what tests of every two systems say; see ``cranfield.reporting.sections.summary.tested_pairs``.
    """

    title: str
    sections: tuple[Section, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    scores: list[list[list[float | None]]] = field(repr=False)
    signature: dict[str, Any] = field(repr=False)
    head: Head = field(default_factory=Head)
    smaller: tuple[str, ...] = ()
    without_scores: tuple[str, ...] = ()
    facts: Mapping[str, Entry] = field(default_factory=dict, repr=False)
    alike: Mapping[str, str] = field(default_factory=dict, repr=False)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    retrieved: Retrieved | None = field(default=None, repr=False)
    tested: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def warnings(self) -> list[Gap]:
        """What the caller is warned of: what the page does not show, and why."""
        return [gap for part in self.sections for gap in part.missing if gap.warned]
