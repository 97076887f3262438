"""``cranfield fuse``: fuse several runs into one."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_files
from cranfield.cli._options import OPEN_TIES, file_options, output_option, policy_options
from cranfield.cli._output import check_output_path, emit, warnings_to_stderr
from cranfield.cli._runs_input import RunsInput, runs_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.collection.policy import REWRITING

METHODS = (
    *("borda", "combanz", "combmax", "combmed", "combmin", "combmnz", "combsum", "condorcet"),
    *("isr", "linear", "rbc", "rrf"),
)
"""A copy of the names of all methods, whose modules import NumPy."""


def _no_measure(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Raise UsageError for ``-m``, which is a measure in every command; a fusion uses none."""
    if value is not None:
        raise click.UsageError("-m is a measure, and fusion takes none: name the method with --method", context)


@command_of_runs(unset_by_protocol=("measure",))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=complete_files)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    metavar="METHOD",
    default="rrf",
    show_default=True,
    help=f"Fusion method: {', '.join(METHODS)}.",
)
@click.option(
    "-m", "--measure", hidden=True, callback=_no_measure, expose_value=False, help="Refused: fusion takes none."
)
@click.option(
    "--normalization",
    type=click.Choice(["min-max", "z", "rank", "sum", "none"]),
    help="Normalization of scores, for comb* and linear.  [default: min-max]",
)
@click.option(
    "--weight",
    "-w",
    "weights",
    type=float,
    multiple=True,
    help="Weight of a run, for linear and rrf: one for each RUN; repeat.  [default of rrf: 1 each]",
)
@click.option("--rrf-k", "k", type=float, help="k of rrf: 1 / (k + rank).  [default: 60]")
@click.option("-p", type=float, help="p of rbc: p^(rank - 1).  [default: 0.8]")
@click.option(
    "--cycles",
    type=click.Choice(["sort", "components"]),
    help="For condorcet, where majorities form cycles: sort, or rank by components of the relation.  [default: sort]",
)
@click.option("--depth", type=click.IntRange(1), help="Largest number of documents per topic.  [default: all]")
@click.option("--tag", help="Tag of the fused run.  [default: the method]")
@functools.partial(policy_options, names=("ties", "on_duplicate", *REWRITING), refused=tuple(OPEN_TIES))
@click.option(
    "--missing",
    type=click.Choice(["empty", "error"]),
    default="empty",
    show_default=True,
    help="A topic that some runs lack: use an empty list for them, or refuse.",
)
@refuse_topic_groups(
    "a fusion does not score topics; pass the fused run with the others to `cranfield evaluate --topic-groups FILE`"
)
@file_options
@output_option
@runs_input
def fuse(
    runs: RunsInput,
    method: str,
    normalization: str | None,
    weights: tuple[float, ...],
    depth: int | None,
    tag: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Fuse runs into one, and write it as TREC text.

    comb* and linear add up scores, the other methods use ranks. A document gets nothing from a run that does not
    retrieve it.
    """
    from cranfield.fusion.chunked import fused_in_parts
    from cranfield.fusion.combination import check
    from cranfield.fusion.combination import fuse as fuse_lists
    from cranfield.io.trec import trec_lines

    check_output_path(output)
    parameters = {name: value for name, value in options.items() if value is not None}
    if weights:
        parameters["weights"] = weights
    check(method, normalization, parameters)
    of_all: dict[str, Any] = {"normalization": normalization, "depth": depth, "name": tag, **parameters}
    with warnings_to_stderr():
        parts = fused_in_parts(runs.paths, lambda lists: fuse_lists(lists, method, **of_all), runs.reading)
        blocks = (block for part in parts for block in trec_lines(part))
        # The first block is made before the file is opened: a tag that cannot be written is refused first.
        emit(itertools.chain([next(blocks)], blocks), output)
