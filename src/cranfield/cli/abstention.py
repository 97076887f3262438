"""``cranfield abstention``: whether the scores of a system predict where it fails."""

from __future__ import annotations

import click

from cranfield._text import shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.results.sheet import Sheet


@command_of_runs()
@runs_arguments
@click.option(
    "--measure",
    "-m",
    metavar="MEASURE",
    default="nDCG@10",
    show_default=True,
    shell_complete=complete_measures,
    help="The measure, such as nDCG@10 or AP(rel=2).",
)
@click.option(
    "--curves", is_flag=True, help="Print the mean of the remaining topics by the share that is left unanswered."
)
@reading_options
@split_runs_by_group()
@prints_table()
@runs_input
def abstention(
    runs: RunsInput,
    measure: str,
    curves: bool,
) -> Sheet:
    """Drop the least confident topics first: does the mean of the remaining topics improve?

    nAUC is 1 where confidence orders topics as their scores do, 0 where it is no better than chance, and below 0 where
    it misleads. Confidence is the largest score of a list (max), the standard deviation of its scores (std), or the
    first score minus the second (diff1).
    """
    from cranfield.trust.abstention import estimate_abstention

    refuse_unread_rel([measure])
    with show_progress("reading runs", len(runs.paths)) as progress:
        result = estimate_abstention(runs.paths, runs.qrels, measure, reading=runs.reading, progress=progress)
    caption = f"nAUC of abstention by {shown(result.measure)}; topics without a list are left out first"
    return Sheet.from_frame(result.curves if curves else result.systems, caption, result.signature)
