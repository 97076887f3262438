"""``cranfield check``: what would change numbers or refuse a run."""

from __future__ import annotations

from typing import Any

import click


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
@click.option(
    "--input-format",
    type=click.Choice(["trec", "msmarco", "beir", "ntcir"]),
    default="trec",
    show_default=True,
    help="Format of the files.",
)
@click.option("--max-depth", type=click.IntRange(1), help="Most documents that a topic may have.")
@click.option("--docids", metavar="FILE", help="Ids of the collection's documents, one a line.")
def check(
    qrels: str, runs: tuple[str, ...], format_: str, input_format: Any, max_depth: int | None, docids: str | None
) -> None:
    """Report what is wrong or odd in judgments and runs, going on after a broken file.

    Errors refuse a run, warnings change numbers, notes are worth knowing. Exit status: 0 without errors, 1 with one,
    2 wrong usage.
    """
    from cranfield import checking
    from cranfield.cli.streams import emit, progress_of
    from cranfield.io.source import read_lines

    documents = None if docids is None else read_lines(docids)
    with progress_of("checking runs", len(runs)) as progress:
        findings = checking.check(
            list(runs),
            qrels,
            input_format=input_format,
            max_depth=max_depth,
            documents=documents,
            progress=progress,
        )
    emit(findings.to_json() if format_ == "json" else findings.to_text(), None)
    raise SystemExit(0 if findings.passed else 1)
