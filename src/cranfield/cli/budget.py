"""``cranfield budget``: how many judgments would have ordered these systems alike?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    format_option,
    measure_option,
    output_option,
    seed_option,
)
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import by_groups_of_topics

if TYPE_CHECKING:
    from cranfield.pooling.budget import Budget

ORDERS = ("random", "depth", "mtf", "thompson", "max-mean", "max-mean-ns")
"""As in ``cranfield.pooling.selection_orders``, which needs NumPy; a test compares them."""


WHOLE = ("budget", "judgments")
"""Columns of whole numbers, which are missing where no budget is enough."""


@command_of_runs(short_help="Find how many judgments per topic order systems as all do.")
@runs_arguments
@measure_option("AP, nDCG@10")
@click.option(
    "--order",
    "orders",
    type=click.Choice(ORDERS),
    multiple=True,
    help="In which order documents are judged; repeat.  [default: all]",
)
@click.option(
    "--budget",
    "budgets",
    type=click.IntRange(1),
    multiple=True,
    help="Judgments of each topic; repeat.  [default: 10, 20, 50, 100, ... up to the largest pool]",
)
@click.option("--depth", type=int, default=100, show_default=True, help="Documents of each run that are pooled.")
@click.option("--target", type=float, default=0.9, show_default=True, help="tau_b that is enough.")
@click.option("--draws", type=click.IntRange(1), default=3, show_default=True, help="Repetitions of each order.")
@seed_option
@click.option(
    "--show",
    type=click.Choice(["needed", "curve"]),
    default="needed",
    show_default=True,
    help="The smallest budget from which on tau reaches the target; or every budget.",
)
@reading_options
@by_groups_of_topics()
@format_option()
@output_option
@runs_input
def budget(
    runs: RunsInput,
    measures: tuple[str, ...],
    orders: tuple[str, ...],
    budgets: tuple[int, ...],
    depth: int,
    target: float,
    draws: int,
    seed: int,
    show: str,
    format_: str,
    output: str | None,
) -> None:
    """How many judgments of each topic would have ordered these systems as all judgments do.

    Documents are picked in several orders: at random, by depth, by moving a run to the front while its documents are
    relevant (mtf), and by bandits whose arms are runs. tau compares the order of systems by the first picks with that
    by all judgments.
    """
    from cranfield.cli._output import check_place, present, progress_of, warnings_to_stderr
    from cranfield.pooling.budget import MEASURES, estimate_budget
    from cranfield.results.sheet import Sheet

    check_place(output)
    chosen = orders or ORDERS
    with warnings_to_stderr(), progress_of("reading and judging", len(runs.files) + len(chosen) * draws) as progress:
        found = estimate_budget(
            runs.paths,
            runs.qrels,
            measures or MEASURES,
            orders=chosen,
            budgets=budgets or None,
            depth=depth,
            target=target,
            draws=draws,
            seed=seed,
            reading=runs.reading,
            progress=progress,
        )
    sheet = Sheet.of_frame(found.to_frame(show), caption(found), found.signature, integers=WHOLE)
    present(sheet, format_, output)


def caption(found: Budget) -> str:
    """What was judged, and how it was judged again."""
    from cranfield._text import counted

    settings = found.settings
    return (
        f"{counted(found.judged, 'judged document')}, {found.relevant:,} relevant; {found.outside:,} in no run's "
        f"first {settings['depth']:,}; tau of {settings['target']:g} is enough; {counted(settings['draws'], 'draw')}, "
        f"seed {settings['seed']}"
    )
