"""``cranfield measures``: the list of measures, what each means, and which properties it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from cranfield._text import quoted
from cranfield.cli._completion import complete_measures
from cranfield.cli._options import format_option, output_option
from cranfield.cli._registry import find_meant
from cranfield.errors import UsageError
from cranfield.results import table_text

WORDS = ("metrics",)
"""Words that people type for this command."""


@click.command(short_help="List the measures, or explain one.")
@click.argument("name", required=False, shell_complete=complete_measures)
@click.option("--facts", is_flag=True, help="Show the properties of all measures, or of one.")
@format_option("markdown")
@output_option
def measures(name: str | None, facts: bool, format_: str, output: str | None) -> None:
    """List the measures, or explain one: meaning, formula, parameters, facts, reference, aliases."""
    from cranfield.cli._output import check_output_path, emit, warnings_to_stderr

    check_output_path(output)
    _refuse_analyses(name)
    room = None if output is not None else table_text.columns()
    with warnings_to_stderr():  # another package's measure may be broken
        text = _format_facts(name, format_, room) if facts else _format_meanings(name, format_, _choose_width(room))
    emit(text, output)


def _refuse_analyses(name: str | None) -> None:
    """Raises: UsageError: the name is that of an analysis; with the command that makes it."""
    from cranfield.measures import registry

    command = find_meant(name or "", exactly=True)
    if command is not None and name not in registry:
        raise UsageError(f"{quoted(str(name))} is not a measure of a run: `cranfield {command}` computes it")


def _format_meanings(name: str | None, format_: str, width: int) -> str:
    from cranfield.measures import registry
    from cranfield.measures.describe import HEADER, alphabetical, explain, find, listing, markdown, rows
    from cranfield.measures.parse import find_of_two_runs

    if name is not None and (of_two := find_of_two_runs(name)) is not None:
        return _format_of_two_runs(of_two, format_, width)
    chosen = alphabetical(registry.values()) if name is None else [find(name)]
    match format_:
        case "table":
            return listing(width) if name is None else explain(chosen[0], width, called=name)
        case "markdown":
            return markdown(chosen)
        case "json":
            return _format_json([dict(zip(HEADER, row, strict=True)) for row in rows(chosen)])
    return _format_rows(format_, HEADER, rows(chosen))


def _format_of_two_runs(row: tuple[str, str, str, str], format_: str, width: int) -> str:
    from cranfield.measures.describe import HEADER, explain_row, markdown_rows

    match format_:
        case "table":
            return explain_row(row, width)
        case "markdown":
            return markdown_rows([row])
        case "json":
            return _format_json([dict(zip(HEADER, row, strict=True))])
    return _format_rows(format_, HEADER, [row])


def _choose_width(room: int | None) -> int:
    """Return the width of lines: that of the terminal where it is narrower than our own."""
    from cranfield.measures.describe import WIDTH

    return WIDTH if room is None else min(WIDTH, max(room - 1, 40))


def _format_facts(name: str | None, format_: str, room: int | None) -> str:
    from cranfield.measures import registry
    from cranfield.measures.describe import alphabetical, find
    from cranfield.measures.properties import HEADER, markdown, plain, rows, table

    chosen = alphabetical(registry.values()) if name is None else [find(name)]
    match format_:
        case "table":
            return table(chosen, room)
        case "markdown":
            return markdown(chosen)
        case "json":
            facts = plain(chosen)
            return _format_json(facts["measures"], properties=facts["properties"])
    return _format_rows(format_, HEADER, rows(chosen))


def _format_json(rows: Sequence[Mapping[str, Any]], **defined: Any) -> str:
    """Format ``{"signature": ..., "rows": [...]}``, as every command does."""
    import json

    from cranfield._version import package_version

    return json.dumps({"signature": {"cranfield": package_version(), **defined}, "rows": rows}, indent=1) + "\n"


def _format_rows(format_: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    import csv
    import io

    if format_ == "tsv":
        return "".join("\t".join(row) + "\n" for row in (header, *rows))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()
