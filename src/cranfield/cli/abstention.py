"""``cranfield abstention``: do a system's own scores say where it fails?"""

from __future__ import annotations

import functools
from typing import Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._options import OPEN_TIES, format_option, input_options, output_option, policy_options
from cranfield.cli._topic_groups import by_groups_of_topics
from cranfield.collection.policy import Policy


@command_of_runs()
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
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
@functools.partial(policy_options, refused=tuple(OPEN_TIES))
@input_options
@by_groups_of_topics()
@format_option()
@output_option
def abstention(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    curves: bool,
    rel: float | None,
    input_format: Any,
    columns: Any,
    names: Any,
    format_: str,
    output: str | None,
    **policy: Any,
) -> None:
    """Leave out topics from the least confident on: does the mean of the others rise?

    1 is as good as knowing the scores, 0 no better than chance, and below 0 confidence misleads. Confidence is the
    largest score of a list (max), their standard deviation (std), or the first less the second (diff1).
    """
    from cranfield._text import shown
    from cranfield.cli._output import check_place, present, progress_of, warnings_to_stderr
    from cranfield.collection.reading import Reading
    from cranfield.results.sheet import Sheet
    from cranfield.trust.abstention import estimate_abstention

    check_place(output)
    reading = Reading(Policy(**policy), input_format, names, rel, columns=columns)
    with warnings_to_stderr(), progress_of("reading runs", len(runs)) as progress:
        found = estimate_abstention(list(runs), qrels, measure, reading=reading, progress=progress)
    caption = f"nAUC of abstention by {shown(found.measure)}; topics without a list are left out first"
    present(Sheet.of_frame(found.curves if curves else found.systems, caption, found.signature), format_, output)
