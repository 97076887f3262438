"""``cranfield information difference``: which systems carry the same information."""

from __future__ import annotations

from typing import Any

import click

from cranfield._text import counted
from cranfield.cli.command import command_of_runs
from cranfield.cli.information.estimator_option import estimator_option
from cranfield.cli.information.experiment_option import ExperimentInput, experiment_input
from cranfield.cli.limit import limit_option
from cranfield.cli.options import format_option, output_option
from cranfield.cli.topic_groups import by_groups_of_topics
from cranfield.errors import UsageError


@command_of_runs(short_help="Information difference of every two systems, in bits.")
@experiment_input
@by_groups_of_topics()
@click.option("--families", type=float, metavar="BITS", help="Groups of systems linked by differences below this.")
@click.option("--map", "map_", is_flag=True, help="Coordinates of a map of the systems.")
@estimator_option
@limit_option
@format_option()
@output_option
def difference(
    asked: ExperimentInput,
    families: float | None,
    map_: bool,
    estimator: Any,
    limit: int | None,
    format_: str,
    output: str | None,
) -> None:
    """Information difference of every two systems, in bits: how far their information about relevance differs.

    Pairs, the closest first: difference = only_system + only_other, what each tells and the other does not; shared,
    what both tell. Runs of one system with other parameters come first.
    """
    import pandas as pd

    from cranfield.cli.limit import limited, refuse_limit
    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.information.difference import compute_information_difference
    from cranfield.results.sheet import Sheet

    if families is not None and map_:
        raise UsageError("--families and --map are two tables: choose one")
    if families is not None or map_:
        refuse_limit(limit, "leave --families and --map out")
    if len(asked.runs) < 2:
        raise UsageError("a difference needs two runs or more")
    check_place(output)
    with warnings_to_stderr():
        apart = compute_information_difference(asked.experiment(), estimator=estimator)
    size = len(apart.ric)
    caption = counted(size, "system") + ("" if estimator == "plug-in" else f", estimator={estimator}")
    if families is not None:
        groups = apart.families(families)
        rows = [(number, name) for number, names in enumerate(groups, 1) for name in names]
        table = pd.DataFrame(rows, columns=["family", "system"])
        caption += f"; {counted(len(groups), 'family')} linked by differences below {families:g} bits"
    elif map_:
        table = apart.map().reset_index()
        caption += "; distances approximate information differences"
    else:
        table, left_out = limited(apart.pairs(), limit, format_, "the closest first")
        caption += f"; {left_out or counted(len(table), 'pair')}"
    present(Sheet.of_frame(table, caption, apart.signature), format_, output)
