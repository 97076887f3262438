"""``cranfield abstention``: do a system's own scores say where it fails?"""

from __future__ import annotations

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._options import format_option, output_option
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group


@command_of_runs()
@runs_arguments
@click.option(
    "--measure",
    "-m",
    metavar="MEASURE",
    default="nDCG@10",
    show_default=True,
    shell_complete=complete_measures,
    help="One measure.",
)
@click.option(
    "--curves", is_flag=True, help="The mean of the topics that are left when a share of them is not answered."
)
@reading_options
@split_runs_by_group()
@format_option()
@output_option
@runs_input
def abstention(
    runs: RunsInput,
    measure: str,
    curves: bool,
    format_: str,
    output: str | None,
) -> None:
    """Leave out topics from the least confident on: does the mean of the others rise?

    1 is as good as knowing the scores, 0 no better than chance, and below 0 confidence misleads. Confidence is the
    largest score of a list (max), their standard deviation (std), or the first less the second (diff1).
    """
    from cranfield._text import shown
    from cranfield.cli._output import check_output_path, present, show_progress, warnings_to_stderr
    from cranfield.results.sheet import Sheet
    from cranfield.trust.abstention import estimate_abstention

    check_output_path(output)
    with warnings_to_stderr(), show_progress("reading runs", len(runs.paths)) as progress:
        result = estimate_abstention(runs.paths, runs.qrels, measure, reading=runs.reading, progress=progress)
    caption = f"nAUC of abstention by {shown(result.measure)}; topics without a list are left out first"
    present(Sheet.of_frame(result.curves if curves else result.systems, caption, result.signature), format_, output)
