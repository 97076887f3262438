"""``cranfield select-topics``: which few topics would do."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli.command import command_of_runs
from cranfield.cli.options import format_option, output_option, seed_option
from cranfield.cli.scores_option import ScoresInput, one_measure_input
from cranfield.cli.topic_groups import by_topic_groups


@command_of_runs("select-topics", short_help="Choose topics that order systems as all topics do.")
@one_measure_input
@by_topic_groups(several=False)
@click.option("--topics", "-n", "number", type=click.IntRange(2), required=True, help="How many topics to choose.")
@click.option(
    "--objective",
    type=click.Choice(["Phi", "tau_b"]),
    default="Phi",
    show_default=True,
    help="Reliability of the subset, or correlation with the order by all topics.",
)
@seed_option
@format_option()
@output_option
def select_topics(
    scores: ScoresInput, number: int, objective: Any, seed: int, format_: str, output: str | None
) -> None:
    """Choose topics one by one with half of the systems, and check the choice on the other half.

    A row for each topic chosen: the objective for the systems that chose, for the others, and of random topics.
    """
    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.results.sheet import Sheet
    from cranfield.trust.topic_selection import select_topics as select
    from cranfield.wording import shown

    check_place(output)
    with warnings_to_stderr() as gathered:
        selection = select(scores.array(gathered), number, objective=objective, seed=seed)
    # One topic has no reliability, and the first two were chosen together.
    table = selection.curve.reindex(range(1, number + 1)).rename_axis("topics").reset_index()
    table.insert(1, "topic", list(selection.topics))
    caption = (
        f"{shown(selection.measure)}: {len(selection.choosing):,} systems chose by {objective}, "
        f"{len(selection.held_out):,} checked; seed {seed}"
    )
    present(Sheet.of_frame(table, caption, selection.signature), format_, output)
