"""``cranfield measures``: what exists, and what each measure means."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["table", "markdown"]),
    default="table",
    show_default=True,
    help="For people, or for a page of documentation.",
)
def measures(name: str | None, format_: str) -> None:
    """List the measures, or explain one: meaning, formula, parameters, facts, reference, aliases."""
    from cranfield.cli.streams import emit
    from cranfield.measures._describe import explain, find, listing, markdown

    if name is not None:
        emit(explain(find(name)), None)
    else:
        emit(listing() if format_ == "table" else markdown(), None)
