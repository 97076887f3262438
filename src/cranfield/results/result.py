"""The contract that every result of an analysis keeps, with its equality and its signature."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import in_full, shown
from cranfield._validation import word
from cranfield._version import package_version
from cranfield.errors import UsageError
from cranfield.results.columns import Column, document_columns, select_for_people, write_labels
from cranfield.results.display import Remarks, format_html, format_text
from cranfield.results.frames import tidy
from cranfield.results.sheet import Note, Sheet, label_table, shorten_signature

if TYPE_CHECKING:
    import os

    import pandas as pd

    from cranfield.results.statement import NamedFile
    from cranfield.scores.premises import Premise


Tables = Mapping[str, "Callable[[], pd.DataFrame]"]
"""Name of a table -> what makes its tidy rows."""
FORMAT_OF = {".json": "json", ".csv": "csv", ".tsv": "tsv", ".tex": "latex", ".md": "markdown"}
"""Ending of a file's name -> how a result is written there."""
PAIRS_FOR_PEOPLE = 20
"""Rows of a table of pairs that people are shown."""
PAPER = ("latex", "markdown")
"""Formats of tables in papers."""
PACKED = (".gz", ".bz2", ".xz", ".zst")
CHARTS = "cranfield.plot.results"
"""The module that finds the charts of a result; it imports results, and is loaded when a result is drawn."""
VALUES = "values"
"""The table of one row that holds a result's single numbers and words."""


class Result:
    """The result of an analysis: frozen, signed, comparable, and ready to be shown, written or drawn.

    A subclass is a ``@dataclass(frozen=True, eq=False, repr=False)`` with the fields ``settings`` and ``signature``
    beside what was found; its data frames are its tables, unless ``_tables`` lays out others. Two results are equal
    where all their fields are, NaN being equal to NaN.

    Attributes:
        settings: what was asked for, defaults included.
        signature: all that changes these numbers: version, analysis, settings, and the signatures of the inputs.
        table_columns: table -> its columns, of which each is described.
        on_request: tables that take long to make, which only ``to_frame(name)`` gives.
        absent: the word for NaN, for people.
        statuses: exit status of a command -> what it says of the result, the worst first.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {}
    on_request: ClassVar[tuple[str, ...]] = ()
    absent: ClassVar[str] = "nan"
    statuses: ClassVar[Mapping[int, str]] = {}
    settings: dict[str, Any]
    signature: dict[str, Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__doc__ and cls.table_columns:
            tables = "\n\n".join(
                textwrap.indent(document_columns(table, columns), "    ")
                for table, columns in cls.table_columns.items()
            )
            cls.__doc__ = f"{cls.__doc__.rstrip()}\n\n{tables}\n    "

    @property
    def charts(self) -> tuple[str, ...]:
        """Names in ``cranfield.plot`` of the charts that draw this result, the one that ``plot()`` draws first."""
        charts: tuple[str, ...] = import_module(CHARTS).list_charts(self)
        return charts

    @property
    def undrawn(self) -> tuple[str, ...]:
        """Names in ``cranfield.plot`` of charts of such results for which this one has nothing to show."""
        return ()

    def plot(self, name: str | None = None, *further: Any, **options: Any) -> Any:
        """Draw a chart of this result, an Altair chart that contains its data.

        Args:
            name: one of ``charts``; the first of them where None.
            further: what the chart takes beside the result, as a system.
            options: of the chart, see ``help(cranfield.plot.NAME)``.

        Raises:
            UsageError: no chart draws such a result, or it has none of this name.
            MissingPackageError: Altair is not installed.
        """
        return import_module(CHARTS).draw(self, name, further, options)

    @property
    def main(self) -> pd.DataFrame:
        """The main table as tidy rows, whatever it is called: that of ``to_frame()``."""
        return self.to_frame()

    def _tables(self) -> Tables:
        """Every table but that of ``values``, which is put behind them; the main one comes first.

        The fields that hold data frames, by their names, unless a subclass lays out others.
        """
        every = ((field.name, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return {name: partial(tidy, value) for name, value in every if hasattr(value, "iloc")}

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every table by its name, as tidy rows; the main one comes first.

        Those ``on_request`` are left out.
        """
        return {name: make() for name, make in self._every().items() if name not in self.on_request}

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """One table as tidy rows: every label is in a column of a fixed name, and the index only counts.

        Args:
            table: its name in ``frames()`` or ``on_request``; the main table where None.

        Raises:
            UsageError: no table of that name.
        """
        every = self._every()
        name = next(iter(every)) if table is None else table
        word("table", name, every)
        return every[name]()

    def answer(self, table: str) -> str:
        """The sentence that answers what was asked, which stands above a table; empty where the table says it all.

        Args:
            table: its name.
        """
        return ""

    def caption(self, table: str) -> str:
        """The lines below a table: what it rests on, and what its columns mean.

        Args:
            table: its name.
        """
        return ""

    def text(self, table: str) -> str | Iterable[bytes]:
        """Return what is written as text of its own and not as a table, such as judgments.

        Args:
            table: its name.
        """
        raise NotImplementedError(f"{type(self).__name__} has no text {table!r}")

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table in the order in which it is printed; that of ``to_frame``, unless a subclass sorts it.

        Args:
            table: its name.
        """
        return self.to_frame(table)

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns of a table that fit a screen, those that answer first; programs are given all of them.

        Args:
            table: its name.
            rows: the table.
        """
        return select_for_people(rows, self.table_columns.get(table, ()))

    def first_pairs(self, table: str, rows: pd.DataFrame, most: int) -> tuple[pd.DataFrame, str]:
        """The rows of a table of pairs that people see where nobody says how many, and in which order they are.

        Args:
            table: its name.
            rows: all of them, as they are printed.
            most: how many fit.
        """
        return rows.head(most), ""

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet | None:
        """A table as a paper prints it, where that is not all of its columns with the usual caption.

        Args:
            table: its name.
            rows: of the table.
        """
        return None

    def name_rows(self, table: str) -> str:
        """The plural noun for the rows of a table, which a line says of those that are left out for people.

        Args:
            table: its name.
        """
        return "pairs"

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """One table with its words, ready to be written in a format.

        Args:
            table: its name in ``frames()`` or ``on_request``; the main table where None.
            format: ``table`` is for people.
            limit: the most rows, 0 for all; by default 20 for people, of a table of pairs, and all elsewhere.
            pairs: of a table of pairs, or others that are cut, what they are and in which order they stand.
        """
        name = next(iter(self._every())) if table is None else table
        rows, left_out = self.printed_rows(name), ""
        if pairs:
            most = limit if limit is not None else PAIRS_FOR_PEOPLE if format == "table" else 0
            if most and len(rows) > most:
                every = len(rows)
                rows, order = self.first_pairs(name, rows, most) if limit is None else (rows.head(most), pairs)
                left_out = f"{len(rows):,} of {every:,} {self.name_rows(name)}, {order or pairs}; --limit 0 shows all"
        if format in PAPER and (printed := self.for_paper(name, rows)) is not None:
            return replace(printed, caption="\n".join([printed.caption, *self._unsaid(printed.caption)]))
        captioned = format in (*PAPER, "table")
        if captioned:
            rows = self.for_people(name, rows)
        caption = self.caption(name) if captioned else ""
        premises = self._unsaid(caption) if captioned else []
        if format in PAPER:  # a list is read beside a table, not in its caption
            caption = "\n".join(line for line in caption.splitlines() if not line.startswith("- "))
        caption = "\n".join(filter(None, [left_out, caption, *premises]))
        columns = self.table_columns.get(name, ())
        rows = write_labels(rows, columns, format)
        integers = [column.name for column in columns if column.integer]
        sheet = Sheet.from_frame(rows, caption, self.signature, integers)
        notes = self.notes(name) if format == "json" else ()
        return replace(sheet, answer=self._answer(name) if format == "table" else "", absent=self.absent, notes=notes)

    def notes(self, table: str | None = None) -> tuple[Note, ...]:
        """The sentences on a table as data: its answer, what it rests on, and the lines of its caption.

        Args:
            table: its name; the main table where None.
        """
        name = next(iter(self._every()), "") if table is None else table
        if not name:
            return ()
        premises = [*(Note("direction", line) for line in self._directions), *map(Note._make, self._premises)]
        said = {premise.text for premise in premises}
        caption = [Note("caption", line) for line in self.caption(name).splitlines() if line not in said]
        return tuple(note for note in (Note("answer", self.answer(name)), *premises, *caption) if note.text)

    @property
    def failures(self) -> Sequence[str]:
        """One line for each part that failed and was left out: the command prints them, and exits with status 5."""
        return ()

    def write_own(self, format: str, path: str) -> None:
        """Write a format that is not text: a file, or a folder.

        Args:
            format: ``parquet``.
            path: of the file or the folder.
        """
        raise NotImplementedError(f"{type(self).__name__} has no {format}")

    def own_text(self, format: str, table: str, *, plain: bool) -> str | Iterable[bytes] | None:
        """The text of a format in which this result is not written as rows of a table; None where it is.

        Further parameters of a subclass that are annotated with an ``Option`` are options of the command.

        Args:
            format: what is written; ``table`` is for people.
            table: its name.
            plain: for files, without bold and as wide as it is.
        """
        return None

    def exit_status(self, **shape: Any) -> int:
        """The exit status of a command that computes this result, one of ``statuses``; 0 where there is none to tell.

        Args:
            shape: options of ``own_text``.
        """
        return 0

    @classmethod
    def make_statement(
        cls, results: Mapping[str, Any], signature: Mapping[str, Any], files: Sequence[NamedFile] = (), **shape: Any
    ) -> str:
        """Make the in-toto statement of the results of a call, to be signed by another tool.

        Args:
            results: group of topics -> its result; that of all topics has the empty name.
            signature: of all of them.
            files: inputs besides those that the signature names.
            shape: options of ``own_text``.
        """
        raise NotImplementedError(f"{cls.__name__} has no statement")

    def to_json(self) -> str:
        """``{"signature": ..., "notes": [...], "rows": [...], "tables": {...}}``: rows of the main table, then of all.

        Notes are the sentences on the main table, see ``notes``: ``{"code": "direction", "text": "..."}``.

        NaN is null; what is infinite is the text ``"inf"`` or ``"-inf"``.
        """
        import json  # here: most calls write none

        (_, main), *further = self.frames().items()
        document = {
            "signature": self.signature,
            "notes": [note._asdict() for note in self.notes()],
            "rows": Sheet.from_frame(main, "", {}).json_rows(),
            "tables": {name: Sheet.from_frame(frame, "", {}).json_rows() for name, frame in further},
        }
        return json.dumps(document, allow_nan=False, indent=1) + "\n"

    def write(self, path: str | os.PathLike[str], table: str | None = None) -> None:
        """Write this result as the ending of a file's name says: ``.json``, ``.csv``, ``.tsv``, ``.tex`` or ``.md``.

        A further ending ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` packs it. The file is written completely or not at all.
        LaTeX and Markdown are as a paper prints them, in LaTeX with the label ``tab:`` and the name of the file.

        Args:
            path: of the file.
            table: which table it holds; where None, all of them in json, and the main one elsewhere.

        Raises:
            UsageError: another ending, or no such table.
            InputError: the file cannot be written, or its format cannot hold a name.
        """
        from pathlib import Path  # here: most calls write no file

        from cranfield.io.atomic_write import write_whole
        from cranfield.io.source import as_text

        target = Path(as_text(path))
        inner = Path(target.stem) if target.suffix in PACKED else target
        if inner.suffix not in FORMAT_OF:
            endings = ", ".join(FORMAT_OF)
            raise UsageError(f"{in_full(str(target))}: a result is written to a file whose name ends in {endings}")
        format_ = FORMAT_OF[inner.suffix]
        if format_ == "json" and table is None:
            write_whole(target, self.to_json())
            return
        text = (
            self._paper_text(format_, table)
            if format_ in PAPER
            else self._all_rows(table, "").text(format_, plain=True)
        )
        write_whole(target, label_table(text, str(target)) if format_ == "latex" else text)

    def _paper_text(self, format: str, table: str | None) -> str:
        """A table as a paper prints it, with all of its columns where none are declared, and signed in the caption."""
        name = next(iter(self._every())) if table is None else table
        word("table", name, self._every())
        signed = shorten_signature(self.signature)
        declared = name in self.table_columns
        sheet = self.sheet(name, format) if declared else self._all_rows(name, type(self).__name__)
        if signed not in sheet.caption:
            sheet = replace(sheet, caption="; ".join(filter(None, [sheet.caption, signed])))
        return sheet.text(format, plain=True)

    def _all_rows(self, table: str | None, caption: str) -> Sheet:
        return Sheet.from_frame(self.to_frame(table), caption, self.signature)

    def nested(self, name: str) -> dict[str, Callable[[], pd.DataFrame]]:
        """The tables of a result inside another one, by ``name.table``; those ``on_request`` are left out."""
        return {f"{name}.{table}": make for table, make in self._every().items() if table not in self.on_request}

    def _every(self) -> dict[str, Callable[[], pd.DataFrame]]:
        """All tables, that of the ``values`` last unless it is named among them."""
        tables = dict(self._tables())
        return tables if VALUES in tables or not self._plain() else tables | {VALUES: self._values}

    def _values(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame([self._plain()])

    def _plain(self) -> dict[str, Any]:
        """The fields that are numbers and words."""
        every = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in every.items() if isinstance(value, (str, int, float))}

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self).__qualname__, repr(self.signature)))

    def __repr__(self) -> str:
        tables = self._every()
        name = next(iter(tables), "")
        main = {name: lambda: self.for_people(name, tables[name]())} if name else {}
        values = {key: value for key, value in self._plain().items() if value != ""}
        return format_text(type(self).__name__, values, self.settings, tables | main, self._remarks(name))

    def _remarks(self, table: str) -> Remarks:
        if not table:
            return Remarks()
        caption = self.caption(table)
        first, _, rest = caption.partition("\n")  # of a long caption the end is not shown
        return Remarks(self._answer(table), "\n".join(filter(None, [first, *self._unsaid(caption), rest])))

    def _answer(self, table: str) -> str:
        """The answer, and which scores are taken as better where the measure is not one of ours, unless it says so."""
        answer, direction = self.answer(table), self.signature.get("direction")
        if not isinstance(direction, str) or direction in answer + self.caption(table):
            return answer
        return "\n".join([*([answer] if answer else []), *(f"{line}." for line in self._directions)])

    @property
    def _directions(self) -> list[str]:
        """Which scores are better, of measures that are not ours: a sentence for each."""
        direction, every = self.signature.get("direction"), self.settings.get("directions")
        named = {str(self.signature.get("measure")): direction} if isinstance(direction, str) else every
        return [f"{shown(str(name))}: {how}" for name, how in named.items()] if named else []

    @property
    def _premises(self) -> list[Premise]:
        """The premises of the scores, which follow from the signature."""
        from cranfield.scores.premises import describe_premises  # here: a leaderboard says it itself

        return describe_premises(self.signature)

    def _unsaid(self, caption: str) -> list[str]:
        """The premises that a caption does not say itself."""
        return [premise.text for premise in self._premises if premise.text not in caption]

    def _repr_html_(self) -> str:
        shown = {name: make for name, make in self._every().items() if name not in self.on_request}
        name = next(iter(shown), "")
        remarks, hidden = self._remarks(name), ""
        if name:
            every = shown[name]()
            first = self.for_people(name, every)
            shown |= {name: lambda: first}
            hidden = ", ".join(str(column) for column in every if column not in first and not first.empty)
        if hidden:
            remarks = replace(remarks, caption=f"{remarks.caption}\nmore columns, to_frame({name!r}): {hidden}".strip())
        values = {key: value for key, value in self._plain().items() if value != ""}
        return format_html(type(self).__name__, values, self.settings, shown, self.signature, remarks)


def same(left: Any, right: Any) -> bool:
    """Return whether two values have the same type, labels and content; NaN is the same as NaN.

    Args:
        left: a number, a text, an array, a frame, a labelled array, a result, or a mapping or sequence of such.
        right: what it is compared with.
    """
    if type(left) is not type(right):
        return False
    if hasattr(left, "iloc"):
        return bool(left.equals(right)) and _axes(left) == _axes(right)
    if hasattr(left, "data_vars") or hasattr(left, "dims"):
        return bool(left.identical(right))
    if isinstance(left, np.ndarray):
        return _same_arrays(left, right)
    if isinstance(left, Mapping):
        return list(left) == list(right) and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, (tuple, list)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        # Zero and minus zero differ, as they do in the signature, of which a hash is made.
        return repr(left) == repr(right)
    if is_dataclass(left) and (_parameters(left).eq or type(left).__eq__ is object.__eq__):
        return same_fields(left, right)
    return bool(left == right)


def _parameters(value: Any) -> Any:
    """Return how a dataclass was declared; one that compares itself knows better than its fields."""
    return value.__dataclass_params__


def same_fields(left: Any, right: Any) -> bool:
    """Return whether two dataclasses are the same in all fields that are to be compared."""
    return all(same(getattr(left, field.name), getattr(right, field.name)) for field in fields(left) if field.compare)


def _same_arrays(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind == "O":
        return all(map(same, left.ravel().tolist(), right.ravel().tolist()))
    return np.array_equal(left, right, equal_nan=left.dtype.kind == "f")


def _axes(frame: Any) -> list[Any]:
    """The names of a frame's or a series' axes, which ``equals`` does not look at."""
    return [list(frame.index.names), list(frame.columns.names) if frame.ndim == 2 else frame.name]


def signed(analysis: str, settings: Mapping[str, Any], **inputs: Any) -> dict[str, Any]:
    """All that changes the numbers of an analysis.

    Args:
        analysis: what it is called.
        settings: what was asked for.
        inputs: signatures or hashes of what it is made from.
    """
    return {"cranfield": package_version(), "analysis": analysis, "settings": dict(settings), **inputs}
