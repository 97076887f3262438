"""``cranfield diff``: which documents came, went and moved between two runs, and the effect of each on the score."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, in_full, numeral, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    format_option,
    intent_options,
    measure_option,
    output_option,
)
from cranfield.cli._output import check_output_path, present, warnings_to_stderr
from cranfield.cli._runs_input import RunsInput, reading_options, runs_input
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.errors import UsageError
from cranfield.results import table_text
from cranfield.results.sheet import Sheet
from cranfield.results.table_text import Grid, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.run_difference import RunDifference

DETAILS = 3
"""The number of topics that lose most, and of those that gain most, whose documents a table shows."""
MOST = 10
"""The most documents shown of a topic, where several topics are shown."""
QUERY = 60
"""The most characters shown of a query."""


@command_of_runs(needs_all=True)
@click.argument("qrels", metavar="QRELS")
@click.argument("old", metavar="OLD_RUN")
@click.argument("new", metavar="NEW_RUN")
@measure_option("nDCG@10", several=False)
@click.option("--topic", metavar="ID", help="Show this topic alone, with all its documents.")
@click.option(
    "--topics",
    metavar="FILE",
    help="Texts of the topics: TREC topics (SGML, XML), a table of ids and texts, JSON, or irds:ID.",
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
    from cranfield.comparison.run_difference import diff as look

    if details is not None and (format_ != "table" or summary or topic is not None):
        raise UsageError("--details is about documents below a table of topics: leave it, or the other option, out")
    if summary:
        refuse_without_effect(click.get_current_context(), ["depth"], "with --summary, which has no documents")
    if len(measures) > 1:
        raise UsageError("diff explains one measure at a time: give -m once")
    check_output_path(output)
    refuse_unread_rel(measures or ["nDCG@10"])
    with warnings_to_stderr():
        difference = look(
            old, new, runs.qrels, *measures, topic=topic, topics=topics, depth=depth, reading=runs.reading
        )
    if format_ == "table":
        count = 0 if summary else DETAILS if details is None else details
        content: Sheet | str = _format_difference(difference, count, plain=output is not None)
    else:
        content = Sheet.from_frame(difference.to_frame("topics" if summary else "documents"), "", difference.signature)
    present(content, format_, output)


def _format_difference(difference: RunDifference, details: int, *, plain: bool) -> str:
    """Format topics by loss and gain, then the documents of those that lose and gain most, or of the only one.

    Args:
        difference: what changed.
        details: the number of topics that lose most, and of those that gain most, whose documents are shown.
        plain: for a file, without colours and without a width.
    """
    if not len(difference.topics):
        where = "" if difference.settings["topic"] is None else f" of topic {shown(difference.settings['topic'])}"
        return f"no document{where} came, went or moved: {_describe_runs(difference)}\n"
    alone = difference.settings["topic"] is not None
    parts = [_tabulate_topics(difference).page("", plain=plain)]
    numbers = _choose_topics(difference, details)
    parts += [_tabulate_documents(difference, number, plain=plain, most=None if alone else MOST) for number in numbers]
    caption = wrapped("\n".join(_write_caption(difference, len(numbers))), None if plain else table_text.columns())
    return "\n".join([*parts, caption]) + "\n"


def _choose_topics(difference: RunDifference, details: int) -> list[int]:
    """Return the rows of topics whose documents are shown: the largest losses, then the largest gains."""
    count = len(difference.topics)
    if difference.settings["topic"] is not None:
        return list(range(count)) if details else []
    sign = _choose_sign(difference)
    gain = [sign * value for value in difference.topics["difference"].tolist()]
    losses = [row for row in range(count) if gain[row] < 0][:details]
    gains = [row for row in reversed(range(count)) if gain[row] > 0][:details]
    return losses + gains


def _choose_sign(difference: RunDifference) -> int:
    from cranfield.measures import parse_measure

    return 1 if parse_measure(difference.measure).declaration.larger_is_better else -1


def _describe_runs(difference: RunDifference) -> str:
    return f"old {in_full(difference.old)}, new {in_full(difference.new)}"


def _tabulate_topics(difference: RunDifference) -> Grid:
    texts = ["query"] if "query" in difference.topics else []
    open_ = bool(difference.topics["unjudged"].any()) and not difference.unbounded
    head = [("topic", False), *((name, False) for name in texts)]
    head += [(name, True) for name in ("old", "new", "difference", "came", "went", "moved", "unjudged")]
    grid = Grid([*head, *([("new if judged", True)] if open_ else [])])
    for row in difference.topics.to_dict("records"):
        cells = [shown(row["topic"]), *(shown(row[name], QUERY) for name in texts)]
        cells += [f"{row['old']:.4f}", f"{row['new']:.4f}", f"{row['difference']:+.4f}"]
        cells += [f"{row[name]:,}" for name in ("came", "went", "moved", "unjudged")]
        ends = f"{row['low']:.4f} to {row['high']:.4f}" if row["unjudged"] else ""
        grid.add(*cells, *([ends] if open_ else []))
    return grid


def _tabulate_documents(difference: RunDifference, number: int, *, plain: bool, most: int | None) -> str:
    """Tabulate the documents of one topic below a heading."""
    topic = difference.topics.iloc[number]
    rows = difference.documents[difference.documents["topic"] == topic["topic"]]
    query = f" ({shown(topic['query'], QUERY)})" if topic.get("query") else ""
    heading = (
        f"topic {shown(topic['topic'])}{query}: {topic['old']:.4f} to {topic['new']:.4f}, {topic['difference']:+.4f}"
    )
    pairs = [] if difference.exact else ["new without", "old with"]
    grid = Grid(
        [("document", False), ("change", False)]
        + [(name, True) for name in ("label", "rank old", "rank new", "share", *pairs)]
    )
    for cells in _format_documents(rows.head(most) if most else rows, exact=difference.exact):
        grid.add(*cells)
    left = len(rows) - (most or len(rows))
    more = f"{counted(left, 'more document')}: --topic {shown(topic['topic'])} shows all" if left > 0 else ""
    return f"{heading}\n{grid.page(more, plain=plain)}"


def _format_documents(rows: pd.DataFrame, *, exact: bool) -> Iterator[list[str]]:
    for row in rows.to_dict("records"):
        label = "unjudged" if math.isnan(row["label"]) else f"{row['label']:g}"
        ranks = [f"{row[name]:,}" if row[name] else "-" for name in ("rank_old", "rank_new")]
        values = [] if exact else [numeral(row[name], ".4f") for name in ("new_without", "old_with")]
        yield [in_full(row["document"]), row["change"], label, *ranks, f"{row['share']:+.4f}", *values]


def _write_caption(difference: RunDifference, details: int) -> list[str]:
    settings: dict[str, Any] = difference.settings
    lines = [
        f"{difference.measure} over all topics, {_describe_runs(difference)}: {difference.mean_old:.4f} to "
        f"{difference.mean_new:.4f}, {difference.mean_new - difference.mean_old:+.4f}"
    ]
    if settings["topic"] is None:
        lines[0] += f"; {counted(difference.better, 'topic')} better, {difference.worse:,} worse"
    if details and difference.exact:
        lines.append("shares of a topic's documents add up to its difference")
    elif details:
        lines.append(
            f"{difference.measure} is not a sum over documents, so shares need not add up to the difference: each is "
            "the mean of what the new list loses without this change alone (new - new without) and of what the old "
            "list gains with it alone (old with - old)"
        )
    if difference.topics["unjudged"].any():
        lines.append(
            f"new if judged is not shown: {difference.unbounded}"
            if difference.unbounded
            else "unjudged: documents that came without a judgment; new if judged: the range of new over all labels "
            "that they could have"
        )
    return lines
