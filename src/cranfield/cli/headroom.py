"""``cranfield headroom``: what a fusion of these systems could reach, and which two to fuse."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from cranfield._text import counted, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    limit_option,
    limit_rows,
    measure_option,
    refuse_limit,
    seed_option,
)
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.cli.fuse import METHODS
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.fusion.headroom import Headroom
    from cranfield.information.joint import JointRIC

UNWEIGHTED = tuple(name for name in METHODS if name != "linear")
"""Fusion methods that do not need weights."""


@command_of_runs()
@runs_arguments
@measure_option("nDCG@10, AP, RIC, SRIC")
@click.option(
    "--method",
    "methods",
    type=click.Choice(UNWEIGHTED),
    metavar="METHOD",
    multiple=True,
    help=f"A fusion method; repeat: {', '.join(UNWEIGHTED)}.  [default: rrf, combsum, combmnz, condorcet]",
)
@click.option("--pairs", is_flag=True, help="Instead, print the pairs that complement each other best, fused.")
@click.option(
    "--pair-method",
    type=click.Choice(UNWEIGHTED),
    metavar="METHOD",
    default="rrf",
    show_default=True,
    help="Fusion method of pairs; see --method.",
)
@click.option("--candidates", type=click.IntRange(0), default=20, show_default=True, help="Number of pairs to fuse.")
@click.option(
    "--permutations",
    type=click.IntRange(0),
    help="Permutations of the labels, for the null of the joint RIC.  [default: 20; 2 for more than ten systems]",
)
@limit_option
@split_runs_by_group()
@seed_option
@reading_options
@prints_table(by_format=True)
@runs_input
def headroom(
    runs: RunsInput,
    measures: tuple[str, ...],
    methods: tuple[str, ...],
    pairs: bool,
    pair_method: str,
    candidates: int,
    permutations: int | None,
    seed: int,
    limit: int | None,
    format_: str,
) -> Sheet:
    """Show what a fusion of these systems could reach, beside single systems and lists of an oracle that knows QRELS.

    Pairs are chosen by their joint RIC, fused, and compared by the first measure with the better of the two. Joint RIC
    is the logistic estimate here; that of the paper is printed by `information joint --estimator table`.
    """
    from cranfield.fusion.headroom import MEASURES
    from cranfield.fusion.headroom import METHODS as USUAL
    from cranfield.fusion.headroom import estimate_headroom as look

    if pairs:
        refuse_without_effect(click.get_current_context(), ["methods"], "with --pairs, which --pair-method fuses")
    else:
        refuse_limit(limit, "add --pairs")
    with show_progress("reading and fusing runs", len(runs.paths)) as progress:
        reach = look(
            runs.paths,
            runs.qrels,
            measures or MEASURES,
            methods=methods or USUAL,
            pair_method=pair_method,
            candidates=candidates,
            permutations=permutations,
            seed=seed,
            reading=runs.reading,
            progress=progress,
        )
    return _tabulate(reach, limit, format_, pairs=pairs)


def _tabulate(reach: Headroom, limit: int | None, format_: str, *, pairs: bool) -> Sheet:
    """Tabulate the requested number of pairs, or what single systems, fusions and bounds reach."""
    table, left_out = limit_rows(reach.pairs, limit, format_, "the best fused first") if pairs else (reach.table, "")
    signature = {**reach.signature, **reach.settings, "joint": reach.joint.settings}
    return Sheet.from_frame(table, f"{left_out}\n{_write_caption(reach)}".lstrip(), signature)


def _describe_joint(joint: JointRIC) -> str:
    """Describe the joint information of the systems beyond chance, as far as it is defined."""
    if math.isnan(joint.value):
        return "undefined, as no topic has two labels"
    reachable = "" if math.isnan(joint.reachable) else f"; learned on other topics: {joint.reachable:.4f}"
    if math.isnan(joint.null):
        return f"unknown without permutations{reachable}"
    normalized = (
        "unknown, as permuted labels give all of it" if math.isnan(joint.normalized) else f"{joint.normalized:.4f}"
    )
    estimate = f"joint RIC {joint.value:.4f}, estimator={joint.settings['estimator']}"
    return f"{normalized}{reachable} ({estimate}; with labels permuted {joint.null:.4f})"


def _write_caption(reach: Headroom) -> str:
    """Describe the joint RIC and the best pair to fuse."""
    joint = reach.joint
    lines = [
        f"information of {counted(len(reach.singles), 'system')} together, beyond chance: {_describe_joint(joint)}"
    ]
    if len(reach.pairs):
        best = reach.pairs.iloc[0]
        measure = reach.table.columns[2]
        chosen = f"chosen on other topics: {reach.held_out:.4f}"
        if math.isnan(reach.held_out):
            chosen = "there are no other topics to choose it on"
        fused_by = f"{counted(len(reach.pairs), 'pair')} fused by {reach.settings['pair_method']}"
        lines.append(
            f"best of {fused_by}: {shown(best['system'])} and {shown(best['other'])}, {measure} {best['fused']:.4f}, "
            f"the better system alone {best['better']:.4f}; {chosen}"
        )
    return "\n".join(lines)
