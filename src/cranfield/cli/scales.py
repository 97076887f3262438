"""``cranfield scales``: which conclusions depend on the scale of a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    measure_option,
)
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.results.sheet import Sheet
from cranfield.statistics.test_names import OF_ALL_PAIRS

if TYPE_CHECKING:
    from cranfield.trust.interval_scale import ScaleComparison


@command_of_runs()
@runs_arguments
@measure_option("P@10")
@click.option(
    "--test", type=click.Choice(OF_ALL_PAIRS), default="t", show_default=True, help="Test of all pairs of systems."
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option(
    "--show",
    type=click.Choice(["measures", "systems", "scores"]),
    default="measures",
    show_default=True,
    help="measures: what changes. systems: both means and ranks. scores: the ranks of values by topic, as rows for "
    "--scores of other commands.",
)
@reading_options
@split_runs_by_group(tested=True)
@prints_table(by_format=True)
@runs_input
def scales(
    runs: RunsInput,
    measures: tuple[str, ...],
    test: Any,
    alpha: float,
    show: str,
    format_: str,
) -> Sheet | str:
    """Show which conclusions change if every value of a measure is replaced by its rank among all attainable values.

    This works for measures with a small cutoff, for which all rankings can be listed. Whether means need such a scale
    is disputed; this command does not take a side.
    """
    from cranfield.trust.interval_scale import compare_scales

    with show_progress("reading runs", len(runs.paths)) as progress:
        comparison = compare_scales(
            runs.paths,
            runs.qrels,
            measures or "P@10",
            test=test,
            alpha=alpha,
            reading=runs.reading,
            progress=progress,
        )
    return _format_result(comparison, show, format_)


def _format_result(comparison: ScaleComparison, show: str, format_: str) -> str | Sheet:
    from cranfield.scores.dataset import make_table
    from cranfield.scores.rows import as_text

    if show == "scores" and format_ != "table":
        return as_text(make_table(comparison.scores), format_, by_topic=True)
    settings = comparison.settings
    caption = (
        f"{comparison.scores.sizes['system']:,} systems, {comparison.scores.sizes['topic']:,} topics; "
        f"test={settings['test']}, alpha {settings['alpha']:g}; ranks: among all attainable values of a topic, scaled "
        "from 0 to 1"
    )
    if show == "measures":
        caption += (
            "\nfewest, most: attainable values of a topic; tau_b: between both orders; reversed: pairs in opposite "
            "order by means; lost, gained: pairs significant by values only, by ranks only"
        )
    return Sheet.from_frame(comparison.to_frame(show), caption, comparison.signature)
