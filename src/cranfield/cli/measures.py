"""``cranfield measures``: what exists, what each measure means, and which properties it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from cranfield.cli.options import format_option, output_option


@click.command(short_help="List the measures, or explain one.")
@click.argument("name", required=False)
@click.option("--facts", is_flag=True, help="Show which properties hold, of all measures or of one.")
@format_option("markdown")
@output_option
def measures(name: str | None, facts: bool, format_: str, output: str | None) -> None:
    """List the measures, or explain one: meaning, formula, parameters, facts, reference, aliases."""
    from cranfield.cli.streams import check_place, emit

    check_place(output)
    width = _width(plain=output is not None)
    emit(_facts(name, format_) if facts else _meanings(name, format_, width), output)


def _meanings(name: str | None, format_: str, width: int) -> str:
    from cranfield.measures import registry
    from cranfield.measures._describe import HEADER, alphabetical, explain, find, listing, markdown, rows

    found = alphabetical(registry.values()) if name is None else [find(name)]
    match format_:
        case "table":
            return listing(width) if name is None else explain(found[0], width)
        case "markdown":
            return markdown(found)
        case "json":
            return _json([dict(zip(HEADER, row, strict=True)) for row in rows(found)])
    return _delimited(format_, HEADER, rows(found))


def _width(*, plain: bool) -> int:
    """A terminal's width where it is narrower than our lines; a file has none."""
    from cranfield.measures._describe import WIDTH
    from cranfield.results import terminal

    room = None if plain else terminal.columns()
    return WIDTH if room is None else min(WIDTH, max(room - 1, 40))


def _facts(name: str | None, format_: str) -> str:
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
            known = plain(found)
            return _json(known["measures"], properties=known["properties"])
    return _delimited(format_, HEADER, rows(found))


def _json(rows: Sequence[Mapping[str, Any]], **defined: Any) -> str:
    """As every command: ``{"signature": ..., "rows": [...]}``."""
    import json

    from cranfield.scores.signature import package_version

    return json.dumps({"signature": {"cranfield": package_version(), **defined}, "rows": rows}, indent=1) + "\n"


def _delimited(format_: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    import csv
    import io

    if format_ == "tsv":
        return "".join("\t".join(row) + "\n" for row in (header, *rows))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()
