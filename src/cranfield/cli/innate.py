"""``cranfield compare innate``: verdicts that no consistent measure can reverse."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import format_option, limit_option, output_option
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.collection.policy import REWRITING

if TYPE_CHECKING:
    from cranfield.comparison import InnateVerdicts

POLICIES = ("ties", "missing", "on_duplicate", *REWRITING)
"""What means something where lists are compared by what all measures say."""


@command_of_runs(unset_by_protocol=("measure", "measures"))
@runs_arguments
@click.option("--cutoff", "-k", type=click.IntRange(1), help="Ranks that measures read.  [default: whole lists]")
@click.option("--binary", is_flag=True, help="Take labels of --rel or more as relevant, others as not.")
@click.option(
    "--unjudged",
    "unjudged_label",
    type=click.Choice(["zero", "any", "drop"]),
    default="zero",
    show_default=True,
    help="Unjudged documents: not relevant; whatever label they may have; left out of the lists.",
)
@click.option(
    "--discount",
    type=click.Choice(["any", "convex"]),
    default="any",
    show_default=True,
    help="convex: only measures whose discount is convex, such as DCG and RBP, and not P@k.",
)
@limit_option
@functools.partial(reading_options, policies=POLICIES)
@format_option()
@output_option
@runs_input
def innate(
    runs: RunsInput,
    cutoff: int | None,
    binary: bool,
    unjudged_label: Any,
    discount: Any,
    limit: int | None,
    format_: str,
    output: str | None,
) -> None:
    """Count the topics on which every consistent measure prefers the same one of two systems.

    A measure is consistent if neither a more relevant document at a rank, nor moving it up, ever lowers the value.
    Undecided: two consistent measures contradict each other. p: sign test on topics won and lost. p_worst: the same
    with all undecided topics against the winner; below .05, no strictly consistent measure can turn the verdict.
    """
    from cranfield.cli._options import limit_rows
    from cranfield.cli._output import check_output_path, present, warnings_to_stderr
    from cranfield.comparison import compare_innately
    from cranfield.results.sheet import Sheet

    check_output_path(output)
    with warnings_to_stderr():
        result = compare_innately(
            runs.paths,
            runs.qrels,
            cutoff=cutoff,
            rel=(runs.reading.rel or 1.0) if binary else None,
            unjudged=unjudged_label,
            discount=discount,
            reading=runs.reading,
        )
    rows = result.pairs.sort_values(["p_worst", "p"], kind="stable", ignore_index=True)
    rows, left_out = limit_rows(rows, limit, format_, "the clearest verdicts first")
    caption = "\n".join([left_out, _caption(result)]).strip()
    present(Sheet.from_frame(rows, caption, result.signature), format_, output)


def _caption(result: InnateVerdicts) -> str:
    from cranfield._text import counted

    depth = "whole lists" if result.settings["cutoff"] is None else f"the first {result.settings['cutoff']} ranks"
    firm = int((result.pairs["p_worst"] < 0.05).sum())
    return (
        f"{result.decided:.1%} of all comparisons on one topic have the same winner by every consistent measure that "
        f"reads {depth}, {result.equal:.1%} are equal, and {result.undecided:.1%} depend on the measure\n"
        f"no strictly consistent measure can turn {counted(firm, 'verdict')} of {counted(len(result.pairs), 'pair')} "
        "(p_worst < 0.05, not corrected for the number of pairs)"
    )
