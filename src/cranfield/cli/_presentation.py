"""Presentation of the results of a call: as tables, or as text of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield._text import warn
from cranfield.cli._joined_sheets import join_measures, join_values, write_printed
from cranfield.cli._options import find_format
from cranfield.cli._output import emit, print_warning
from cranfield.declarations.analysis import AnalysisFacts, FromScores, View
from cranfield.results.sheet import Sheet

ROWS = ("tsv", "csv", "json")
"""Formats in which groups of topics are rows of one table."""
CAPTIONED = ("table", "latex", "markdown", "html")
"""Formats with lines below a table; in others, what a result rests on is a warning."""


@dataclass(frozen=True)
class Presentation:
    """The presentation of the results of a call.

    Args:
        facts: of the function that is called.
        view: the table that is chosen; None where there is only one.
        format_: of the output.
        output: the file; None for standard output.
        limit: the most rows of a table of pairs.
        shape: how a result is written, by the options of its ``own_text``.
        statement: the file of the statement; None for none.
        also: further files, each in the format of its ending.
    """

    facts: AnalysisFacts
    view: View | None
    format_: str
    output: str | None
    limit: int | None
    shape: Mapping[str, Any]
    statement: str | None = None
    also: tuple[str, ...] = ()

    @property
    def others(self) -> list[Presentation]:
        """The presentations of the further files."""
        return [replace(self, format_=find_format(path) or "table", output=path) for path in self.also]

    @property
    def is_text(self) -> bool:
        """Return whether the view is text of its own and not a table."""
        return bool(self.view and self.view.text and (self.format_ == "table" or not self.view.table))

    @property
    def is_stored(self) -> bool:
        """Return whether the result itself is stored, in a format of its own."""
        return self.format_ == "parquet" and not self.facts.writes

    def lay_out(self, results: Sequence[Any], *, of_group: bool = False) -> Sheet | str | Iterable[bytes]:
        """Lay out the results of all topics, or of a group of them, of which the rows may be joined with others."""
        name, pairs = (self.view.table or self.view.name, self.view.pairs) if self.view else (None, "")
        if not (of_group and self.format_ in ROWS):
            own: str | Iterable[bytes] | None = results[0].own_text(
                self.format_, name or "", plain=self.output is not None, **self.shape
            )
            if own is not None:
                return self._name_options(own)
        sheets = [result.sheet(name, self.format_, self.limit, pairs=pairs) for result in results]
        inputs = self.facts.inputs
        each = isinstance(inputs, FromScores) and inputs.measures == "each"
        return join_measures(results, sheets) if each else join_values(self.facts.each, results, sheets)

    def _name_options(self, text: str | Iterable[bytes]) -> str | Iterable[bytes]:
        """Name the settings in a text as the options of the command that it is about."""
        if not (self.facts.about and isinstance(text, str)):
            return text
        from cranfield.cli import app
        from cranfield.cli._option_names import name_options

        return name_options(text, app.commands[self.facts.about])

    def print(self, printed: Sheet | str | Iterable[bytes]) -> None:
        """Print what was laid out."""
        text = write_printed(printed, self.format_, self.output)
        if self.format_ == "latex" and self.output and isinstance(text, str):
            from cranfield.results.sheet import label_table

            text = label_table(text, self.output)
        emit(text, self.output)

    def print_text(self, result: Any) -> None:
        """Print a view that is text; what a caption says is a warning, as the text has no room for it."""
        assert self.view is not None, "it is a view"
        emit(result.text(self.view.name), self.output)
        for line in filter(None, result.caption(self.view.name).splitlines()):
            print_warning(line)

    def conclude(self, results: Mapping[str, Any], signature: Mapping[str, Any]) -> None:
        """Write the statement of results where one is requested, and exit with the status of the worst.

        Args:
            results: group of topics -> its result; that of all topics has the empty name.
            signature: of all of them.

        Raises:
            SystemExit: a status other than 0.
        """
        first = next(iter(results.values()))
        if self.statement is not None:
            from cranfield.cli._statement import read_option_files, write_statement

            text = type(first).make_statement(results, signature, read_option_files(), **self.shape)
            write_statement(text, self.statement)
        statuses = {result.exit_status(**self.shape) for result in results.values()}
        if worst := next((status for status in first.statuses if status in statuses), 0):
            raise SystemExit(worst)

    def warn_of_caveats(self, results: Sequence[Any]) -> None:
        """Warn of what results rest on, in formats without a caption that says it."""
        if self.format_ not in CAPTIONED:
            for line in dict.fromkeys(line for result in results for line in getattr(result, "caveats", ())):
                warn(line)
