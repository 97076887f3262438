"""``cranfield select-topics``: a few topics that order systems as all topics do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cranfield._text import cut, quoted, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import seed_option
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import InputError, UsageError
from cranfield.results.sheet import Sheet


@command_of_runs("select-topics")
@one_measure_input
@split_scores_by_group(several=False)
@click.option("--topics", "-n", "number", type=click.IntRange(2), required=True, help="Number of topics to choose.")
@click.option(
    "--objective",
    type=click.Choice(["Phi", "tau_b", "ease"]),
    default="Phi",
    show_default=True,
    help="Maximize the reliability of the subset or its correlation with all topics, or choose ease near 1/2.",
)
@click.option(
    "--ease",
    metavar="FILE",
    help="Output of `cranfield difficulty -f tsv`, for --objective ease.  [default: that of these runs]",
)
@seed_option
@prints_table()
def select_topics(
    scores: ScoresInput,
    number: int,
    objective: Any,
    ease: str | None,
    seed: int,
) -> Sheet:
    """Choose topics one by one with half of the systems, and check the choice on the other half.

    Each row adds a topic: the objective for the systems that chose, for the other half, and for random topics. With
    --objective ease no system chooses: the topics are those whose ease is nearest to 1/2, and the columns are Phi.
    """
    from cranfield.trust.topic_selection import select_topics as select

    if objective != "ease" and ease is not None:
        raise UsageError("--ease FILE is for --objective ease")
    known = None
    if objective == "ease":
        known = _estimate_ease(scores) if ease is None else _read_ease(ease)
    selection = select(scores.array(), number, objective=objective, ease=known, seed=seed)
    # The curve begins at two topics: one has no reliability, and the first two were chosen together.
    table = selection.curve.reindex(range(1, number + 1)).rename_axis("topics").reset_index()
    table.insert(1, "topic", list(selection.topics))
    choosing, held_out = len(selection.choosing), len(selection.held_out)
    halves = f"{choosing:,} and {held_out:,} systems check the choice by ease, with Phi"
    if objective != "ease":
        halves = f"{choosing:,} systems chose by {objective}, {held_out:,} checked"
    caption = f"{shown(selection.measure)}: {halves}; seed {seed}"
    return Sheet.from_frame(table, caption, selection.signature)


def _estimate_ease(scores: ScoresInput) -> dict[str, float]:
    """Estimate ease by topic from the runs of the call, as `cranfield difficulty` does by default.

    Raises:
        UsageError: there are score files, and no runs.
    """
    from cranfield.topic_difficulty.estimation import estimate_difficulty

    if scores.files:
        raise UsageError(
            "--objective ease of score files needs --ease FILE, the output of `cranfield difficulty -f tsv`"
        )
    reading = replace(scores.runs.reading.with_policy(unjudged="zero"), rel=None)
    ease = estimate_difficulty(scores.runs.paths, scores.runs.qrels, reading=reading).ease
    return dict(zip(ease["topic"].values.tolist(), ease.values.tolist(), strict=True))


def _read_ease(path: str) -> dict[str, float]:
    """Read ease by topic from a table with the columns topic and ease.

    Raises:
        InputError: the file cannot be read, lacks a column, or has a value that is not a number.
    """
    from cranfield.scores.topic_groups import TopicGroups

    column = TopicGroups.from_source(f"{path}#ease")
    known = {}
    for topic, text in column.of_topic.items():
        try:
            known[topic] = float(text)
        except ValueError:
            wrong = f"topic {quoted(topic)} has the ease {quoted(text)}, which should be a number from 0 to 1, or nan"
            raise InputError(wrong, column.location, code="score", value=cut(text)) from None
    return known
