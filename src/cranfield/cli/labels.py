"""``cranfield check labels``: shares of labels, and what labels below zero do to nDCG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted as plural
from cranfield._text import shown
from cranfield.cli._completion import complete_files
from cranfield.cli._options import file_options
from cranfield.cli._output import prints_table
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.errors import InputError, UsageError
from cranfield.results.sheet import Cell, Sheet

if TYPE_CHECKING:
    from cranfield.collection.qrels import Qrels
    from cranfield.label_distribution import LabelCounts


@click.command()
@click.argument("qrels", metavar="QRELS", shell_complete=complete_files)
@click.argument("runs", metavar="[RUN...]", nargs=-1, shell_complete=complete_files)
@click.option(
    "--cutoff", "-k", metavar="N", type=click.IntRange(1), default=20, show_default=True, help="Cutoff of NDCG_org."
)
@click.option("--by-topic", "-q", is_flag=True, help="Print every topic, not only the summary.")
@split_runs_by_group
@file_options
@prints_table(by_format=True)
def labels(
    qrels: str,
    runs: tuple[str, ...],
    cutoff: int,
    by_topic: bool,
    format_: str,
    input_format: Any,
    columns: Any,
    only_topics: Sequence[str] | None = None,
) -> Sheet:
    """Print the shares of labels in a qrels, and the range of NDCG_org where labels are below zero.

    share(L) is the share of label L among the judged documents of a topic; its summary is the mean over the topics in
    which L occurs, and all_topics(L) the mean over all topics. lowest is NDCG_org of the worst ranking, the lower end
    of its range; below_0 and below_-1 are the shares of topics in which lowest is below 0, and -1 or less.

    With RUN..., print what labels below zero do to these runs: their mean NDCG_org, NDCG_0 (such labels as 0) and
    NDCG_min, the mean number of such documents in the first ranks, and the topics whose NDCG_org is below 0.
    """
    from cranfield.io.inputs import convert_qrels
    from cranfield.label_distribution import count_labels, signature

    if runs:
        if by_topic:
            raise UsageError("--by-topic prints the labels of topics: leave RUN... out")
        return _tabulate_runs(qrels, runs, cutoff, input_format, columns, only_topics)
    judgments = convert_qrels(qrels, input_format, columns, only_topics=only_topics)
    counted = count_labels(judgments, cutoff)
    signed = signature(judgments, cutoff)
    if format_ == "table":
        columns, rows = (_tabulate_topics if by_topic else _tabulate_labels)(counted)
        rows += [_summarize(counted)] if by_topic else []
        return Sheet(columns, rows, _write_caption(counted, judgments), signed)
    return Sheet(("topic", "measure", "value"), _list_values(counted, by_topic=by_topic), "", signed)


def _tabulate_runs(
    qrels: str, runs: Sequence[str], cutoff: int, input_format: Any, columns: Any, topics: Sequence[str] | None
) -> Sheet:
    """Tabulate three readings of nDCG for each run, the best by NDCG_org first."""
    import numpy as np

    from cranfield._text import counted, shown
    from cranfield.collection.reading import InputOptions
    from cranfield.scoring import score

    measures = [f"{name}@{cutoff}" for name in ("NDCG_org", "NDCG_0", "NDCG_min")]
    reading = InputOptions(input_format=input_format, columns=columns, only_topics=topics)
    scores = score(list(runs), qrels, measures, reading=reading, keep_rankings=True)
    assert scores.rankings is not None
    top = scores.rankings.top(cutoff)
    harmful = top.sum((top.grade < 0).astype(np.float64)).reshape(len(scores.systems), -1)
    original = np.nan_to_num(scores.values[0])
    rows: list[list[Cell]] = [
        [system, *map(float, means), float(harmful[number].mean()), int((original[:, number] < 0).sum())]
        for number, (system, means) in enumerate(
            zip(scores.systems, np.nan_to_num(scores.values).mean(axis=1).T, strict=True)
        )
    ]
    rows.sort(key=lambda row: -float(row[1] or 0.0))
    on_topics = counted(len(scores.topics), "topic")
    caption = f"{on_topics} of {shown(scores.qrels.name, 200)}; below_zero: documents with labels below 0 in the first "
    caption += f"{cutoff} ranks, a mean over topics; topics_below_0: topics whose {measures[0]} is below 0"
    return Sheet(("system", *measures, "below_zero", "topics_below_0"), rows, caption, scores.signature())


def _tabulate_labels(counted: LabelCounts) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Tabulate labels."""
    columns = ("label", "documents", "topics", "mean share", "over all topics")
    facts = (counted.counts.sum(axis=0), counted.occurs, counted.mean_shares, counted.shares.mean(axis=0))
    rows = zip(counted.names, *(fact.tolist() for fact in facts), strict=True)
    return columns, [list(row) for row in rows]


def _tabulate_topics(counted: LabelCounts) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Tabulate topics."""
    columns = ("topic", "judged", *(f"share({name})" for name in counted.names), "lowest")
    rows: list[list[Cell]] = [
        [topic, judged, *shares, lowest]
        for topic, judged, shares, lowest in zip(
            counted.topics, counted.judged.tolist(), counted.shares.tolist(), counted.lowest.tolist(), strict=True
        )
    ]
    return columns, rows


def _summarize(counted: LabelCounts) -> list[Cell]:
    """Return the last row of the table of topics: the mean of each share, and the lowest value over topics."""
    import numpy as np

    lowest = float(np.nanmin(counted.lowest)) if (~np.isnan(counted.lowest)).any() else float("nan")
    return ["all", int(counted.judged.sum()), *counted.mean_shares.tolist(), lowest]


def _list_values(counted: LabelCounts, *, by_topic: bool) -> list[list[Cell]]:
    """List every number in a row of its own: topics as in the qrels, then ``all``."""
    if by_topic and "all" in counted.topics:
        text = "a topic is called 'all', the name of the summary in this format: leave out --by-topic"
        raise InputError(text, code="reserved", value="all")
    columns, rows = _tabulate_topics(counted)
    triples: list[list[Cell]] = []
    if by_topic:
        triples += [[row[0], name, value] for row in rows for name, value in zip(columns[1:], row[1:], strict=True)]
    _, labels = _tabulate_labels(counted)
    for name, column in (("documents", 1), ("topics", 2), ("share", 3), ("all_topics", 4)):
        triples += [["all", f"{name}({row[0]})", row[column]] for row in labels]
    together = _summarize(counted)
    triples += [["all", "judged", together[1]], ["all", "lowest", together[-1]]]
    triples.append(["all", "below_0", float(counted.below_zero.mean())])
    triples.append(["all", "below_-1", float(counted.below_minus_one.mean())])
    return triples


def _write_caption(counted: LabelCounts, qrels: Qrels) -> str:

    total = len(counted.topics)

    def part(mask: Any) -> str:
        return f"{int(mask.sum()):,} of {total:,} ({mask.mean():.0%})"

    text = (
        f"{plural(total, 'topic')} of {shown(qrels.name, 200)}; NDCG_org@{counted.cutoff} "
        f"can be below 0 in {part(counted.below_zero)}, -1 or less in {part(counted.below_minus_one)}"
    )
    undefined = int((counted.lowest != counted.lowest).sum())
    return text + (f"; undefined in {undefined:,}, without a label above 0" if undefined else "")
