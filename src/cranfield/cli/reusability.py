"""``cranfield reusability``: whether the judgments can evaluate a system that was not in the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield._text import counted
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    measure_option,
)
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.pooling.reusability import Reusability


@command_of_runs(short_help="Leave each team out of the pool: what would its runs lose?")
@runs_arguments
@measure_option("nDCG@20, AP, P@20, bpref")
@click.option(
    "--teams",
    metavar="FILE",
    help="Lines of a run and its team, with a tab or comma between them, or the file of `report --runs`.  "
    "[default: every run is its own team]",
)
@click.option("--depth", type=int, default=20, show_default=True, help="Documents of each run that were pooled.")
@click.option(
    "--show",
    type=click.Choice(["measures", "teams", "runs"]),
    default="measures",
    show_default=True,
    help="One row per measure, per team and measure, or per run and measure.",
)
@reading_options
@split_runs_by_group()
@prints_table()
@runs_input
def reusability(
    runs: RunsInput,
    measures: tuple[str, ...],
    teams: str | None,
    depth: int,
    show: str,
) -> Sheet:
    """Leave one team out: score its runs without the documents that only its runs have in their first --depth.

    drop: decrease in the run's score. fall: positions lost in the ranking of all runs. tau compares the rankings before
    and after. Small drops, even for unusual runs, suggest that the collection can evaluate a new system fairly.
    """
    from cranfield.pooling.reusability import MEASURES, estimate_reusability

    with show_progress("reading runs", len(runs.paths)) as progress:
        result = estimate_reusability(
            runs.paths,
            runs.qrels,
            measures or MEASURES,
            teams=teams,
            depth=depth,
            reading=runs.reading,
            progress=progress,
        )
    sheet = Sheet.from_frame(result.to_frame(show), _write_caption(result), result.signature)
    return sheet


def _write_caption(result: Reusability) -> str:
    """Describe how many documents only one team contributed to the pool, several, and none."""
    runs, teams = result.runs["run"].nunique(), result.runs["team"].nunique()
    depth = result.settings["depth"]
    return (
        f"{counted(result.judged, 'judged document')}; in the first {depth:,} of {counted(runs, 'run')} "
        f"by {counted(teams, 'team')}: {result.unique:,} of one team only, {result.shared:,} of several, "
        f"{result.outside:,} of none"
    )
