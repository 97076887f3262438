"""``cranfield compare innate``: verdicts that no consistent measure can reverse."""

from __future__ import annotations

import functools
import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, shown
from cranfield._validation import share
from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import limit_option, limit_rows
from cranfield.cli._output import prints_table
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.collection.policy import REWRITING
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet

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
    help="Unjudged documents: not relevant; whatever label of the judgments they have; left out of the lists.",
)
@click.option(
    "--discount",
    type=click.Choice(["any", "convex"]),
    default="any",
    show_default=True,
    help="convex: only measures whose discount is convex, such as DCG and RBP, and not P@k.",
)
@click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="Also say which differences by this measure hold whatever the measure, over the ranks that it reads; repeat.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level of all tests.")
@limit_option
@functools.partial(reading_options, policies=POLICIES)
@prints_table(by_format=True)
@runs_input
def innate(
    runs: RunsInput,
    cutoff: int | None,
    binary: bool,
    unjudged_label: Any,
    discount: Any,
    measures: tuple[str, ...],
    alpha: float,
    limit: int | None,
    format_: str,
) -> Sheet:
    """Count the topics on which every consistent measure prefers the same one of two systems.

    A measure is consistent if neither a more relevant document at a rank, nor moving it up, ever lowers the value.
    Undecided: two consistent measures contradict each other. p: sign test on topics won and lost. p_worst: the same
    with all undecided topics against the winner; below .05, no strictly consistent measure can reverse the verdict.
    """
    from cranfield.comparison import compare_innately, compute_innate_shares

    share(alpha=alpha)
    if not (binary or measures):
        refuse_without_effect(click.get_current_context(), ["rel"], "without --binary or --measure")
    settings: dict[str, Any] = {"unjudged": unjudged_label, "discount": discount, "reading": runs.reading}
    if measures:
        _refuse_with_measures(cutoff, binary)
        refuse_unread_rel(measures)
        by_measure = compute_innate_shares(runs.paths, runs.qrels, list(measures), alpha=alpha, **settings)
        rows, signature = by_measure.pairs, by_measure.signature
        caption = "\n".join(_describe_measure(row, alpha) for row in by_measure.table.to_dict("records"))
    else:
        rel = (runs.reading.rel or 1.0) if binary else None
        result = compare_innately(runs.paths, runs.qrels, cutoff=cutoff, rel=rel, **settings)
        rows, signature, caption = result.pairs, result.signature, _caption(result, alpha)
    rows = rows.sort_values(["p_worst", "p"], kind="stable", ignore_index=True)
    rows, left_out = limit_rows(rows, limit, format_, "the clearest verdicts first")
    return Sheet.from_frame(rows, "\n".join([left_out, caption]).strip(), signature)


def _refuse_with_measures(cutoff: int | None, binary: bool) -> None:
    """Refuse what the measure says already.

    Raises:
        UsageError: a cutoff, or labels that are to be binary.
    """
    if cutoff is not None:
        raise UsageError(
            f"-m compares the ranks that the measure reads: leave --cutoff {cutoff} out, or write it in -m"
        )
    if binary:
        raise UsageError("-m compares relevant or not where the measure is binary: leave --binary out")


def _caption(result: InnateVerdicts, alpha: float) -> str:

    firm = int((result.pairs["p_worst"] < alpha).sum())
    return (
        f"{result.decided:.1%} of all comparisons on one topic have the same winner by every consistent measure that "
        f"reads {_name_depth(result.settings['cutoff'])}, {result.equal:.1%} are equal, and {result.undecided:.1%} "
        "depend on the measure\n"
        f"verdicts that no strictly consistent measure can turn: {firm:,} of {counted(len(result.pairs), 'pair')} "
        f"(p_worst < {alpha:g}, not corrected for the number of pairs)"
    )


def _describe_measure(row: dict[Hashable, Any], alpha: float) -> str:

    cutoff = None if math.isnan(row["cutoff"]) else int(row["cutoff"])
    return (
        f"{shown(row['measure'])}: of {counted(row['differences'], 'difference')} on one topic, {row['innate']:.1%} "
        f"are not its own: every consistent measure that reads {_name_depth(cutoff)} must give them\n"
        f"of {counted(row['pairs'], 'pair')}, {row['significant']:,} differ significantly (paired t-test, "
        f"{alpha:g}, not corrected): {row['supported']:,} supported by p, {row['opposed']:,} opposed; "
        f"{row['unturnable']:,} hold whatever the measure (p_worst)"
    )


def _name_depth(cutoff: int | None) -> str:
    return "whole lists" if cutoff is None else f"the first {cutoff} ranks"
