"""``cranfield diff``: which documents came, went and moved between two runs, and what each is worth."""

from __future__ import annotations

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import (
    format_option,
    intent_options,
    measure_option,
    output_option,
)
from cranfield.cli._runs_input import RunsInput, reading_options, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.errors import UsageError

DETAILS = 3
"""Topics that lose most, and as many that gain most, whose documents a table shows."""


@command_of_runs(needs_all=True)
@click.argument("qrels", metavar="QRELS")
@click.argument("old", metavar="OLD_RUN")
@click.argument("new", metavar="NEW_RUN")
@measure_option("nDCG@10", several=False)
@click.option("--topic", metavar="ID", help="This topic alone, with all its documents.")
@click.option(
    "--topics",
    metavar="FILE",
    help="What topics ask: TREC topics (SGML, XML), a table of ids and texts, JSON, or irds:ID.",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    help="Leave out unjudged documents below this rank in both runs.  [default: the measure's cutoff, or 100]",
)
@click.option(
    "--details",
    type=click.IntRange(0),
    metavar="N",
    help=f"In a table, show documents of the N topics that lose most and the N that gain most.  [default: {DETAILS}]",
)
@click.option("--summary", is_flag=True, help="Print topics without documents, in any format.")
@reading_options
@intent_options
@split_runs_by_group()
@format_option()
@output_option
@runs_input
def diff(
    runs: RunsInput,
    old: str,
    new: str,
    measures: tuple[str, ...],
    topic: str | None,
    topics: str | None,
    depth: int | None,
    details: int | None,
    summary: bool,
    format_: str,
    output: str | None,
) -> None:
    """Show what changed from an old run to a new one: topics by loss and gain, and documents that came, went and moved.

    Each document has its share of the difference. Shares add up to the difference of the topic where the measure is a
    sum over documents, as nDCG, DCG, RBP, P and R are; the caption says where they need not. tsv, csv and json have a
    row for each document, with --summary for each topic.
    """
    from cranfield.cli._diff_text import format_difference
    from cranfield.cli._output import check_output_path, present, warnings_to_stderr
    from cranfield.comparison.run_difference import diff as look
    from cranfield.results.sheet import Sheet

    if details is not None and (format_ != "table" or summary or topic is not None):
        raise UsageError("--details is about documents below a table of topics: leave it, or the other option, out")
    if len(measures) > 1:
        raise UsageError("diff explains one measure at a time: give -m once")
    check_output_path(output)
    with warnings_to_stderr():
        difference = look(
            old, new, runs.qrels, *measures, topic=topic, topics=topics, depth=depth, reading=runs.reading
        )
    if format_ == "table":
        shown = 0 if summary else DETAILS if details is None else details
        content: Sheet | str = format_difference(difference, shown, plain=output is not None)
    else:
        content = Sheet.of_frame(difference.to_frame("topics" if summary else "documents"), "", difference.signature)
    present(content, format_, output)
