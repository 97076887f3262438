"""A baseline whose scores were stored earlier: whether it may be compared with new runs, and the scores of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted, shown, warn
from cranfield._version import package_version
from cranfield.comparison.loss_margins import find_range
from cranfield.errors import InputError, UsageError
from cranfield.scores.measure_scores import Scores
from cranfield.scores.signature import evaluations_in, unlike
from cranfield.scores.topic_table import TopicTable


def refuse_other_making(new: Sequence[Scores], stored: Sequence[Scores]) -> None:
    """Refuse a baseline that was scored otherwise; warn where another version of this package scored it.

    Raises:
        InputError: it was scored by other measures, with other judgments or policies, or one of both does not say how.
    """
    by_measure = {scores.measure: scores for scores in stored}
    absent = [scores.measure for scores in new if scores.measure not in by_measure]
    if absent:
        there = ", ".join(map(shown, by_measure))
        raise InputError(
            f"the stored baseline holds no scores by {', '.join(map(shown, absent))}, but by {there}: choose one of "
            f"these with {setting('measures')}, or store it anew",
            code="other-scores",
            value=absent[0],
        )
    for scores in new:
        _refuse_impossible(by_measure[scores.measure])
        for source, what in ((scores.source, "new"), (by_measure[scores.measure].source, "stored")):
            if not evaluations_in(source):
                raise InputError(
                    f"the {what} scores do not say with which judgments and policies they were made: store them with "
                    "`cranfield evaluate QRELS RUN --by-topic -f json`",
                    code="unsigned",
                )
        if differ := unlike(by_measure[scores.measure].source, scores.source):
            raise InputError(
                f"the stored baseline was scored otherwise than the new runs: {'; '.join(differ)}; store it anew from "
                "the same judgments, or evaluate the new runs as it was",
                code="other-scores",
            )
    for name in dict.fromkeys(name for scores in stored for name in _unsealed(scores.source)):
        warn(
            f"the stored baseline {shown(name)} has no seal, so that nobody can tell whether its scores were changed: "
            "store it anew by `cranfield evaluate QRELS RUN --by-topic -f json`"
        )
    versions = {str(theirs.get("cranfield")) for scores in stored for theirs in evaluations_in(scores.source)}
    for version in sorted(versions - {package_version()}):
        warn(
            f"the stored baseline was made by cranfield {shown(version)}, and this is {package_version()}: where a "
            "measure has changed since (CHANGELOG.md), store it anew"
        )


def _unsealed(source: Any) -> list[str]:
    """The names of files of scores without a seal."""
    files = source.get("scores") if isinstance(source, Mapping) else None
    listed = [file for file in files if isinstance(file, Mapping)] if isinstance(files, list) else []
    return [str(file.get("name")) for file in listed if "sha256" in file and "seal" not in file]


def with_baseline(new: Sequence[Scores], stored: Sequence[Scores], baseline: str | None) -> tuple[str, list[Scores]]:
    """The baseline's name, and all new systems behind it, on the topics of both.

    Args:
        new: of each measure.
        stored: of the same measures, and perhaps of others.
        baseline: which of the stored systems; the only one where None.

    Raises:
        UsageError: there is no such system, or there are several and none is named.
    """
    systems = stored[0].systems
    if baseline is None and len(systems) > 1:
        raise UsageError(
            f"the stored scores are of {len(systems):,} systems: name one of them with baseline "
            f"({', '.join(map(shown, systems[:5]))}{', ...' * (len(systems) > 5)})"
        )
    name = systems[0] if baseline is None else baseline
    if name not in systems:
        raise UsageError(f"no stored system is called {quoted(name)}; there are {', '.join(map(shown, systems[:5]))}")
    by_measure = {scores.measure: scores for scores in stored}
    return name, [_beside(by_measure[scores.measure], systems.index(name), scores) for scores in new]


def _beside(stored: Scores, column: int, new: Scores) -> Scores:
    """NaN where one of them lacks a topic of the other."""
    topics = tuple(dict.fromkeys((*stored.topics, *new.topics)))
    row = {topic: at for at, topic in enumerate(topics)}
    values = np.full((len(topics), 1 + len(new.systems)), np.nan)
    values[[row[topic] for topic in stored.topics], 0] = stored.values[:, column]
    values[[row[topic] for topic in new.topics], 1:] = new.values
    systems = (stored.systems[column], *new.systems)
    return Scores(new.measure, systems, TopicTable(topics, values), new.larger_is_better, new.source)


def _refuse_impossible(stored: Scores) -> None:
    """Raises: InputError: a score that the measure cannot give, so that it was not this package that stored it."""
    lowest, highest = find_range(stored.measure, [*evaluations_in(stored.source)])
    # An infinite score is one that some measures give, and a rounding may pass an end.
    outside = (stored.values < lowest - 1e-9) | (stored.values > highest + 1e-9)
    for topic, system in np.argwhere(outside):
        value = float(stored.values[topic, system])
        raise InputError(
            f"the stored baseline says {value:g} by {shown(stored.measure)} of {quoted(stored.systems[system])} on "
            f"topic {shown(stored.topics[topic])}, and the measure lies between {lowest:g} and "
            f"{highest:g}: store it anew",
            code="other-scores",
            value=f"{value:g}",
        )
