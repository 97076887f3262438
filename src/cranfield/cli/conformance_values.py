"""``cranfield conformance values``: the exact values of cases that somebody wrote, and those of named mistakes."""

from __future__ import annotations

import click

from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import output_option


@click.command(
    cls=FoldedHelp,
    short_help="Write exact values, and those of named mistakes, into cases.",
    examples=("mine.jsonl", "mine.jsonl -o checked.jsonl"),
)
@click.argument("cases", metavar="CASE_FILE")
@output_option
def values(cases: str, output: str | None) -> None:
    """Compute the exact values of cases, and the mean that each named mistake gives.

    CASE_FILE has one case per line, or is one case's file, or a folder of them. Answers in it are computed anew. The
    output has one case per line.
    """
    from cranfield.cli._output import check_output_path, emit
    from cranfield.conformance import read_cases
    from cranfield.conformance.cases import write_case
    from cranfield.conformance.generator import answer_case

    check_output_path(output)
    emit("".join(f"{write_case(answer_case(case).document)}\n" for case in read_cases(cases)), output)
