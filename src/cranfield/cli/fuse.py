"""``cranfield fuse``: fuse several runs into one."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_files
from cranfield.cli._declared_options import declared_options
from cranfield.cli._options import OPEN_TIES, file_options, output_option, policy_options
from cranfield.cli._output import check_output_path, emit, warnings_to_stderr
from cranfield.cli._runs_input import RunsInput, runs_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.collection.policy import REWRITING


def _no_measure(context: click.Context, _: click.Parameter, value: str | None) -> None:
    """Raise UsageError for ``-m``, which is a measure in every command; a fusion uses none."""
    if value is not None:
        raise click.UsageError("-m is a measure, and fusion takes none: name the method with --method", context)


@command_of_runs(unset_by_protocol=("measure",))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=complete_files)
@declared_options("fuse")
@click.option(
    "-m", "--measure", hidden=True, callback=_no_measure, expose_value=False, help="Refused: fusion takes none."
)
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
def fuse(runs: RunsInput, output: str | None, **options: Any) -> None:
    """Fuse runs into one, and write it as TREC text.

    comb* and linear add up scores, the other methods use ranks. A document gets nothing from a run that does not
    retrieve it.
    """
    from cranfield.fusion.chunked import fused_in_parts
    from cranfield.fusion.combination import fuse as fuse_lists
    from cranfield.io.trec import trec_lines

    check_output_path(output)
    with warnings_to_stderr():
        parts = fused_in_parts(runs.paths, lambda lists: fuse_lists(lists, **options), runs.reading)
        blocks = (block for part in parts for block in trec_lines(part))
        # The first block is made before the file is opened: a tag that cannot be written is refused first.
        emit(itertools.chain([next(blocks)], blocks), output)
