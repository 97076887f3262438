"""``cranfield measures``: what exists, what each measure means, and which properties it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click


@click.command(short_help="List the measures, or explain one.")
@click.argument("name", required=False)
@click.option("--facts", is_flag=True, help="Show which properties hold, of all measures or of one.")
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["table", "tsv", "csv", "json", "markdown"]),
    default="table",
    show_default=True,
    help="For people, for programs, or for a page of documentation.",
)
def measures(name: str | None, facts: bool, format_: str) -> None:
    """List the measures, or explain one: meaning, formula, parameters, facts, reference, aliases."""
    from cranfield.cli.streams import emit

    emit(_facts(name, format_) if facts else _meanings(name, format_), None)


def _meanings(name: str | None, format_: str) -> str:
    import json

    from cranfield.measures import registry
    from cranfield.measures._describe import HEADER, alphabetical, explain, find, listing, markdown, rows

    found = alphabetical(registry.values()) if name is None else [find(name)]
    match format_:
        case "table":
            return listing(_width()) if name is None else explain(found[0], _width())
        case "markdown":
            return markdown(found)
        case "json":
            return json.dumps([dict(zip(HEADER, row, strict=True)) for row in rows(found)], indent=1) + "\n"
    return _delimited(format_, HEADER, rows(found))


def _width() -> int:
    """A terminal's width where it is narrower than our lines."""
    import shutil
    import sys

    from cranfield.measures._describe import WIDTH

    terminal = sys.stdout is not None and sys.stdout.isatty()
    return min(WIDTH, max(shutil.get_terminal_size().columns - 1, 40)) if terminal else WIDTH


def _facts(name: str | None, format_: str) -> str:
    import json

    from cranfield.measures import registry
    from cranfield.measures._describe import alphabetical, find
    from cranfield.measures._facts import HEADER, markdown, plain, rows, table

    found = alphabetical(registry.values()) if name is None else [find(name)]
    match format_:
        case "table":
            return table(found)
        case "markdown":
            return markdown(found)
        case "json":
            return json.dumps(plain(found), indent=1) + "\n"
    return _delimited(format_, HEADER, rows(found))


def _delimited(format_: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    import csv
    import io

    if format_ == "tsv":
        return "".join("\t".join(row) + "\n" for row in (header, *rows))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()
