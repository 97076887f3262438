"""``cranfield check``: findings in files that change numbers or refuse a run."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from cranfield import checking
from cranfield.cli._command import command_of_runs
from cranfield.cli._option_names import name_options
from cranfield.cli._options import file_options, make_format_option, output_option, policy_options
from cranfield.cli._output import check_output_path, emit, show_progress
from cranfield.cli._runs_input import RunsInput, runs_arguments, runs_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.checking.result import Findings
    from cranfield.reporting.redaction import PathRedactor


@command_of_runs(forgiving=True)
@runs_arguments
@make_format_option(
    ["table", "json"],
    "json has every finding",
)
@click.option("--all", "every", is_flag=True, help="Print every warning and note, not only one of each kind.")
@file_options
@functools.partial(policy_options, names=("on_duplicate",))
@click.option("--max-depth", type=click.IntRange(1), help="Largest number of documents that a topic may have.")
@click.option("--docids", metavar="FILE", help="Ids of the collection's documents, one per line.")
@refuse_topic_groups("complete files are checked; whether groups fit the topics is checked by commands that use them")
@output_option
@runs_input
def check(
    runs: RunsInput,
    format_: str,
    every: bool,
    max_depth: int | None,
    docids: str | None,
    output: str | None,
) -> None:
    """Report what is wrong or odd in judgments and runs, continuing after a broken file.

    A run with an error is refused; a warning may change numbers; a note changes no printed digit. Of several warnings
    or notes of one kind, only the worst or the first is printed. With an error, the exit status is 1. The report can be
    sent to the teams: files are named as in the call, and absolute paths are shortened.
    """
    check_output_path(output)
    from cranfield.io.source import read_lines
    from cranfield.reporting.redaction import PathRedactor

    documents = None if docids is None else read_lines(docids)
    with show_progress("checking runs", len(runs.paths)) as progress:
        findings = checking.check(
            runs.paths,
            runs.qrels,
            **runs.reading.of_files,
            on_duplicate=runs.reading.policy.on_duplicate,
            max_depth=max_depth,
            documents=documents,
            progress=progress,
        )
    published = PathRedactor([runs.qrels, *runs.paths])
    if format_ == "json":
        table = findings.to_frame()
        table = table.assign(**{column: table[column].map(published) for column in ("file", "text")})
        text = Sheet.from_frame(table, "", _redact_signature(findings.signature, published)).text("json")
    else:
        text = published(_format_findings(findings, every=every))
    emit(text, output)
    raise SystemExit(0 if findings.passed else 1)


def _format_findings(findings: Findings, *, every: bool) -> str:
    """Format findings; the options that they name are those of ``evaluate``."""
    from cranfield.checking.result import make_lines
    from cranfield.cli import app

    lines = [name_options(line, app.commands["evaluate"]) for line in make_lines(findings, every=every)]
    more = ["--all prints each finding"] if findings.condensed and not every else []
    return "".join(f"{line}\n" for line in [*lines, *more])


def _redact_signature(signature: dict[str, Any], published: PathRedactor) -> dict[str, Any]:
    """Return a signature whose files have names without private folders."""

    def named(file: dict[str, Any]) -> dict[str, Any]:
        return {**file, "name": published(file["name"])}

    return {**signature, "qrels": named(signature["qrels"]), "runs": [named(run) for run in signature["runs"]]}
