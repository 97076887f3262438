"""``cranfield check``: what would change numbers or refuse a run."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.options import file_options, output_option


@click.command(short_help="Report what is wrong or odd in judgments and runs.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to print findings.",
)
@file_options
@click.option("--max-depth", type=click.IntRange(1), help="Most documents that a topic may have.")
@click.option("--docids", metavar="FILE", help="Ids of the collection's documents, one a line.")
@output_option
def check(
    qrels: str,
    runs: tuple[str, ...],
    format_: str,
    input_format: Any,
    columns: Any,
    max_depth: int | None,
    docids: str | None,
    output: str | None,
) -> None:
    """Report what is wrong or odd in judgments and runs, going on after a broken file.

    Errors refuse a run, warnings change numbers, notes are worth knowing. With an error, the exit status is 1.
    """
    from cranfield import checking
    from cranfield.cli.streams import check_place, emit, progress_of
    from cranfield.io.source import read_lines
    from cranfield.results.sheet import Sheet

    check_place(output)
    documents = None if docids is None else read_lines(docids)
    with progress_of("checking runs", len(runs)) as progress:
        findings = checking.check(
            list(runs),
            qrels,
            input_format=input_format,
            columns=columns,
            max_depth=max_depth,
            documents=documents,
            progress=progress,
        )
    rows = Sheet.of_frame(findings.to_frame(), "", findings.signature)
    emit(rows.text("json") if format_ == "json" else findings.to_text(), output)
    raise SystemExit(0 if findings.passed else 1)
