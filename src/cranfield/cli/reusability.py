"""``cranfield reusability``: can these judgments judge a system that was not in the pool?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    format_option,
    measure_option,
    output_option,
)
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import by_groups_of_topics

if TYPE_CHECKING:
    from cranfield.pooling.reusability import Reusability


@command_of_runs(short_help="Leave each team out of the pool: what would its runs lose?")
@runs_arguments
@measure_option("nDCG@20, AP, P@20, bpref")
@click.option(
    "--teams",
    metavar="FILE",
    help="Lines of a run and its team, with a tab or a comma between them.  [default: every run is its own team]",
)
@click.option("--depth", type=int, default=20, show_default=True, help="Documents of each run that were pooled.")
@click.option(
    "--show",
    type=click.Choice(["measures", "teams", "runs"]),
    default="measures",
    show_default=True,
    help="A row a measure, a team of each measure, or a run of each measure.",
)
@reading_options
@by_groups_of_topics()
@format_option()
@output_option
@runs_input
def reusability(
    runs: RunsInput,
    measures: tuple[str, ...],
    teams: str | None,
    depth: int,
    show: str,
    format_: str,
    output: str | None,
) -> None:
    """Leave one team out: score its runs without the documents that only its runs have in their first --depth.

    A drop is what a run loses by that, and a fall the places it loses among all runs; tau compares the order of all
    runs before and after. Small drops, also of unusual runs, say that a new system can be judged.
    """
    from cranfield.cli._output import check_place, present, progress_of, warnings_to_stderr
    from cranfield.pooling.reusability import MEASURES, estimate_reusability
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr(), progress_of("reading runs", len(runs.files)) as progress:
        found = estimate_reusability(
            runs.paths,
            runs.qrels,
            measures or MEASURES,
            teams=teams,
            depth=depth,
            reading=runs.reading,
            progress=progress,
        )
    sheet = Sheet.of_frame(found.to_frame(show), caption(found), found.signature)
    present(sheet, format_, output)


def caption(found: Reusability) -> str:
    """How many documents the pool owes to one team, to several, and to none."""
    from cranfield._text import counted

    runs, teams = found.runs["run"].nunique(), found.runs["team"].nunique()
    depth = found.settings["depth"]
    return (
        f"{counted(found.judged, 'judged document')}; in the first {depth:,} of {counted(runs, 'run')} "
        f"by {counted(teams, 'team')}: {found.unique:,} of one team only, {found.shared:,} of several, "
        f"{found.outside:,} of none"
    )
