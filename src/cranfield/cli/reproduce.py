"""``cranfield reproduce``: whether an experiment has been reproduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield._text import numeral, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_for_table
from cranfield.cli._options import (
    intent_options,
    measure_option,
)
from cranfield.cli._output import prints_table
from cranfield.cli._runs_input import RunsInput, reading_options, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.comparison.reproduction import Reproduction


def _check_two_runs(
    context: click.Context, option: click.Parameter, names: tuple[str, str] | None
) -> tuple[str, str] | None:
    """Raise UsageError for an option in place of a run, which the parser would take for a file."""
    for name in names or ():
        if name.startswith("--"):
            text = f"--{option.name} takes two runs, the baseline and the advanced one, and {name} is an option"
            raise click.UsageError(text, context)
    return names


@command_of_runs(needs_all=True)
@click.argument("qrels", metavar="QRELS")
@click.option(
    "--original",
    nargs=2,
    required=True,
    metavar="RUN RUN",
    callback=_check_two_runs,
    help="The original baseline and advanced run.",
)
@click.option(
    "--again",
    nargs=2,
    required=True,
    metavar="RUN RUN",
    callback=_check_two_runs,
    help="Their reproductions, in the same order.",
)
@click.option(
    "--again-qrels",
    metavar="QRELS",
    help="Judgments of the reproductions, if they are on another collection; then only the effect is compared.",
)
@measure_option("nDCG@10, AP")
@click.option(
    "--depth", type=int, default=1000, show_default=True, help="Documents of each list whose order is compared."
)
@click.option("--rbo-p", "-p", type=float, default=0.8, show_default=True, help="Persistence of RBO.")
@click.option(
    "--margin", type=float, help="Largest difference of means between equivalent runs (> 0).  [default: none]"
)
@click.option(
    "--show",
    type=click.Choice(["scores", "effects", "order", "topics"]),
    default="scores",
    show_default=True,
    help="scores: of each run and its reproduction. effects: of the advanced run over the baseline. order: agreement "
    "in the order of documents. topics: the same by topic.",
)
@intent_options
@reading_options
@split_runs_by_group()
@prints_table(by_format=True)
@runs_input
def reproduce(
    runs: RunsInput,
    original: tuple[str, str],
    again: tuple[str, str],
    again_qrels: str | None,
    measures: tuple[str, ...],
    depth: int,
    rbo_p: float,
    margin: float | None,
    show: str,
    format_: str,
) -> Sheet:
    """Compare an experiment with its reproduction: order of documents, scores by topic, effect, distribution.

    An effect ratio of 1 and a delta RI of 0 are a perfect reproduction of the effect.
    """
    from cranfield.comparison.reproduction import MEASURES, compare_reproduction

    refuse_for_table(click.get_current_context(), {"margin": ("scores",)}, show, "--show")
    reproduction = compare_reproduction(
        original,
        again,
        runs.qrels,
        measures or MEASURES,
        again_qrels=again_qrels,
        depth=depth,
        rbo_p=rbo_p,
        margin=margin,
        reading=runs.reading,
    )
    table = reproduction.to_frame(show).drop(
        columns=_list_needless_columns(reproduction) if (format_, show) == ("table", "scores") else []
    )
    return Sheet.from_frame(table, _write_caption(reproduction, show), reproduction.signature)


def _list_needless_columns(reproduction: Reproduction) -> list[str]:
    """List columns of scores that are empty, as they were not requested or cannot be computed."""
    without_margin = ["p_equivalent"] if reproduction.settings["margin"] is None else []
    return without_margin + (["rmse", "nrmse", "p_paired"] if reproduction.settings["replicated"] else [])


def _write_caption(reproduction: Reproduction, show: str) -> str:
    """Describe the effects, the order of documents, and the p-values."""
    lines = [
        f"{shown(row['measure'])}: effect {numeral(row['effect'], '.4f')}, "
        f"again {numeral(row['effect_again'], '.4f')}; effect ratio {numeral(row['effect_ratio'], '.3f')}, "
        f"delta RI {numeral(row['delta_ri'], '.3f')}"
        for row in reproduction.effects.to_dict("records")
    ]
    depth, p = reproduction.settings["depth"], reproduction.settings["rbo_p"]
    lines += [
        f"order of the {row['role']} run, first {depth:,} documents: KTU {numeral(row['ktu'], '.3f')}, "
        f"RBO {numeral(row['rbo'], '.3f')} (p {p:g}), overlap {numeral(row['overlap'], '.3f')}"
        for row in reproduction.order.to_dict("records")
    ]
    if show == "scores":
        paired = "" if reproduction.settings["replicated"] else "p_paired, "
        lines.append(
            f"{paired}p_unpaired: for the hypothesis that the means are equal; a large p is not evidence for it"
        )
        margin = reproduction.settings["margin"]
        if margin is None:
            lines[-1] += "; --margin tests that"
        else:
            lines.append(f"p_equivalent: for the hypothesis that they differ by {margin:g} or more")
    return "\n".join(lines)
