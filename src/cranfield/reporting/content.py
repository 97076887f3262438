"""The content of a page as plain data: paragraphs, tables and charts in sections, and data frames as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._message import for_sentence, message
from cranfield._text import numeral
from cranfield.reporting.entries import Entry

if TYPE_CHECKING:
    import pandas as pd

ColumnKind = Literal["text", "number", "whole", "p", "share", "truth", "system", "topic"]
CellContent = str | float | None
UNDERSCORED = frozenset({"n_eff", "tau_b", "tau_ap,b"})
"""Coefficients that are known by names with an underscore."""


@dataclass(frozen=True)
class PageColumn:
    """A column of a table.

    Args:
        name: its heading, also in CSV.
        kind: the way cells are shown; ``system`` and ``topic`` are names that a reader can choose.
        meaning: a clause that explains the heading.
        hidden: whether it is shown only where a reader chooses it.
    """

    name: str
    kind: ColumnKind = "number"
    meaning: str = ""
    hidden: bool = False


FilledColumns: TypeAlias = list[tuple[PageColumn, Sequence[object]]]
"""Columns with their values."""


@dataclass(frozen=True)
class Picture:
    """A drawing in each row of a table: a point on a line from its low to its high end.

    Args:
        name: its heading.
        columns: names of the columns with the point and the two ends.
        before: name of the column that it precedes.
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
        rows: one cell for each column; None is unknown.
        pictures: drawn in each row.
        group: the group of topics that the table covers, for which a reader can choose it; empty for all topics.
        note: what to know before reading it.
        bands: name of a column of integers by which rows are shaded in bands; empty for none.
    """

    id: str
    title: str
    columns: tuple[PageColumn, ...]
    rows: tuple[tuple[CellContent, ...], ...]
    pictures: tuple[Picture, ...] = ()
    group: str = ""
    note: str = ""
    bands: str = ""


@dataclass(frozen=True)
class Figure:
    """A chart, as the numbers that the page's script draws.

    Args:
        id: names it on the page and as a file.
        title: what it shows.
        observation: a sentence on what can be seen in it.
        notes: the way to read it.
        form: what the script draws, and from which numbers; see ``cranfield.reporting.charts``.
    """

    id: str
    title: str
    observation: str
    notes: str
    form: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Gap:
    """Something that a section does not show.

    Args:
        what: a noun for it.
        why: a clause.
        warned: whether the caller is warned as well; what the call itself implies is only on the page.
    """

    what: str
    why: str
    warned: bool = True

    def __str__(self) -> str:
        return f"{self.what}: {self.text}"

    @property
    def where(self) -> str:
        """The subject of a warning, as ``Finding.where``."""
        return self.what

    @property
    def text(self) -> str:
        """The text of the page and of a warning about ``what``, as ``Finding.text``."""
        return message(f"not shown, because {for_sentence(self.why)}")

    @property
    def condensable(self) -> bool:
        """Several sections that lack the same thing are counted after the first, as ``Finding.condensable``."""
        return True


@dataclass(frozen=True)
class Section:
    """A part of the page: paragraphs, then figures, then tables.

    Args:
        id: names it on the page.
        title: its heading.
        paragraphs: its text.
        figures: charts.
        tables: tables.
        missing: what is not shown, and why.
        hint: what can be done with it on a screen, which is not printed.
        command: text to be copied as it stands, below the paragraphs.
        appendix: whether it belongs to the appendix.
    """

    id: str
    title: str
    paragraphs: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    missing: tuple[Gap, ...] = ()
    hint: str = ""
    command: str = ""
    appendix: bool = False


@dataclass(frozen=True)
class Head:
    """The first lines of a page.

    Args:
        track: the shared task or series that the evaluation belongs to; empty where none is named.
        date: of the evaluation, printed verbatim; empty where there is none.
        line: what was evaluated.
        verdict: which system is best, and how certain that is.
        premises: what all scores rest on, a sentence each; pages of one system, topic or pair say them too.
        notices: what may affect the results.
        footer: the last line of the page, printed verbatim; empty where there is none.
    """

    track: str = ""
    date: str = ""
    line: str = ""
    verdict: str = ""
    premises: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    footer: str = ""


@dataclass(frozen=True)
class Retrieved:
    """The first documents of each list, by topic.

    Args:
        systems: numbers of the systems whose lists are shown.
        documents: for each topic, the documents that occur in a list.
        labels: for each of these documents; None is unjudged.
        lists: for each topic and system, numbers of documents.
        intents: for each topic, the names of the intents that each document covers; None where none are read.
    """

    systems: tuple[int, ...]
    documents: list[list[str]]
    labels: list[list[float | None]]
    lists: list[list[list[int]]]
    intents: list[list[list[str]]] | None = None


@dataclass(frozen=True)
class Content:
    """Everything on a page.

    Args:
        title: of the page.
        sections: in their order.
        systems, topics: names, to which cells and charts refer.
        measures: of ``scores``.
        scores: [measures][systems][topics]; None where there is none.
        signature: all that changes the numbers.
        head: the first lines.
        smaller_is_better: those of the measures of which smaller values are better.
        without_scores: the other measures, whose scores would be too many for a page.
        entries: team, type and description of each system; empty where no entries were supplied.
        duplicates: system -> a clause that names the systems with the same scores.
        texts: topic -> paragraphs.
        retrieved: the first documents of the lists.
        pair_tests: tests of every two systems; see ``cranfield.reporting.pair_tests``.
        unit: the noun for what a score of a system is of, ``topic``, or ``task`` on the page of a board.
    """

    title: str
    sections: tuple[Section, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    scores: list[list[list[float | None]]] = field(repr=False)
    signature: dict[str, Any] = field(repr=False)
    head: Head = field(default_factory=Head)
    smaller_is_better: tuple[str, ...] = ()
    without_scores: tuple[str, ...] = ()
    entries: Mapping[str, Entry] = field(default_factory=dict, repr=False)
    duplicates: Mapping[str, str] = field(default_factory=dict, repr=False)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    retrieved: Retrieved | None = field(default=None, repr=False)
    pair_tests: dict[str, Any] = field(default_factory=dict, repr=False)
    unit: str = "topic"

    @property
    def gaps(self) -> list[Gap]:
        """The gaps of the page that the caller is warned of."""
        return [gap for section in self.sections for gap in section.missing if gap.warned]


def join_columns(id: str, title: str, columns: FilledColumns, **options: Any) -> Table:
    """Make a table of columns with their values; ``options`` are the further arguments of ``Table``."""
    return Table(
        id, title, tuple(column for column, _ in columns), make_rows(values for _, values in columns), **options
    )


def make_table(
    id: str,
    title: str,
    frame: pd.DataFrame,
    kinds: Mapping[str, ColumnKind] | None = None,
    meanings: Mapping[str, str] | None = None,
    visible: Container[str] | None = None,
    pictures: tuple[Picture, ...] = (),
) -> Table:
    """Make a table of a frame without its index; names of explained columns are written with spaces.

    Args:
        id, title: of the table.
        frame: its rows.
        kinds: kinds of the columns that are not numbers.
        meanings: clauses that explain columns; a column that one of them names is written with spaces there too.
        visible: columns that are shown at once; all where it is None.
        pictures: drawn in each row.
    """
    kinds, meanings = kinds or {}, meanings or {}
    names = [str(name) for name in frame.columns]
    written = {name: name if name in UNDERSCORED else name.replace("_", " ") for name in meanings}
    columns = tuple(
        PageColumn(
            written.get(name, name),
            kinds.get(name, "number"),
            " ".join(written.get(word, word) for word in meanings.get(name, "").split(" ")),
            visible is not None and name not in visible,
        )
        for name in names
    )
    return Table(id, title, columns, make_rows(frame[name].tolist() for name in frame.columns), pictures)


def kinds(kind: ColumnKind, *names: str) -> dict[str, ColumnKind]:
    """Give columns one kind, for ``make_table``."""
    return dict.fromkeys(names, kind)


def make_rows(columns: Iterable[Sequence[object]]) -> tuple[tuple[CellContent, ...], ...]:
    """Turn columns of equal length into rows of cells."""
    return tuple(tuple(make_cell(value) for value in row) for row in zip(*columns, strict=True))


def map_plain(value: Any, change: Callable[[Any], Any]) -> Any:
    """Change every text and number of plain data, however deep in dicts and lists."""
    if isinstance(value, dict):
        return {key: map_plain(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [map_plain(item, change) for item in value]
    return change(value)


def make_cell(value: object) -> CellContent:
    """Turn a value into what JSON can hold: an unknown number into None, an infinite one into a word."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float) and not math.isfinite(plain):
        return None if math.isnan(plain) else numeral(plain, "g")
    return plain if isinstance(plain, (str, int, float)) or plain is None else str(plain)
