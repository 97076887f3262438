"""``cranfield budget``: how many judgments per topic suffice to rank the systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield._text import counted
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    measure_option,
    seed_option,
)
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.pooling.budget import Budget

ORDERS = ("random", "depth", "mtf", "thompson", "max-mean", "max-mean-ns")
"""A copy of the names in ``cranfield.pooling.selection_orders``, which imports NumPy."""


INTEGERS = ("budget", "judgments")
"""Columns of integers, which are missing where no budget suffices."""


@command_of_runs(short_help="Find how many judgments per topic order systems as all do.")
@runs_arguments
@measure_option("AP, nDCG@10")
@click.option(
    "--order",
    "orders",
    type=click.Choice(ORDERS),
    multiple=True,
    help="The order in which documents are judged; repeat.  [default: all]",
)
@click.option(
    "--budget",
    "budgets",
    type=click.IntRange(1),
    multiple=True,
    help="Judgments per topic; repeat.  [default: 10, 20, 50, 100, ... up to the largest pool]",
)
@click.option("--depth", type=int, default=100, show_default=True, help="Documents of each run that are pooled.")
@click.option("--target", type=float, default=0.9, show_default=True, help="Sufficient tau_b.")
@click.option("--draws", type=click.IntRange(1), default=3, show_default=True, help="Repetitions of each order.")
@seed_option
@click.option(
    "--show",
    type=click.Choice(["needed", "curve"]),
    default="needed",
    show_default=True,
    help="needed: the smallest budget from which tau stays at or above the target. curve: every budget.",
)
@reading_options
@split_runs_by_group()
@prints_table()
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
) -> Sheet:
    """Find how many judgments per topic suffice to reproduce the ranking given by all judgments.

    Documents are judged again in several orders: at random, by depth, by moving a run to the front while its documents
    are relevant (mtf), and by bandits whose arms are runs. tau compares the ranking by the first judgments with that by
    all judgments.
    """
    from cranfield.pooling.budget import MEASURES, estimate_budget

    chosen = orders or ORDERS
    with show_progress("reading and judging", len(runs.paths) + len(chosen) * draws) as progress:
        result = estimate_budget(
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
    sheet = Sheet.from_frame(result.to_frame(show), _write_caption(result), result.signature, integers=INTEGERS)
    return sheet


def _write_caption(result: Budget) -> str:
    """What was judged, and how it was judged again."""
    settings = result.settings
    return (
        f"{counted(result.judged, 'judged document')}, {result.relevant:,} relevant; {result.outside:,} in no run's "
        f"first {settings['depth']:,}; tau of {settings['target']:g} is enough; {counted(settings['draws'], 'draw')}, "
        f"seed {settings['seed']}"
    )
