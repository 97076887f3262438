"""The charts of two systems, topic by topic.

A page holds the scores of all systems, and its script draws any two of them: with the words below, which it fills in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield._text import counted, quoted, shown
from cranfield._typing import Floats
from cranfield.charts.form import Axis, Bar, Bars, Point, Points, RuleLine
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.scores.scale import comparable

WORDS = {
    "bars": "{measure}: {system} minus {other}, by {unit}",
    "better": "{system} is better on {wins} of {units}, {other} on {losses}, and both are equal on {ties}; the mean "
    "difference is {mean}.",
    "sign": "Bars above 0 are {unit}s on which the first system's score is larger.",
    "difference": "difference of scores",
    "mean": "mean {mean}",
    "scatter": "{measure} of {system} and {other} on each {unit}",
    "apart": "{system} and {other} differ most, by {apart}, on {topics}.",
    "equal": "Both have the same score on every {unit}.",
    "diagonal": "On the dashed line, both scores are equal; on {unit}s above it, that of {other} is larger.",
}
"""Sentences of the charts of two systems."""


def chart_pair_bars(scores: ScoresLike | Scores, system: str, other: str) -> Bars:
    """A bar for each topic: the score of one system minus that of the other, the largest difference on the left.

    Raises:
        InputError: no topic has scores of both.
        UsageError: there is no such system, or only one is named.
    """
    matrix, topics, first, second = _open_pair(scores, system, other)
    difference = first - second
    order = np.argsort(-difference, kind="stable").tolist()
    said = _fill_in(matrix, system, other, difference)
    return Bars(
        title=WORDS["bars"].format(**said),
        sentence=WORDS["better" if difference.any() else "equal"].format(**said),
        counts=said["units"],
        notes=(WORDS["sign"].format(**said),),
        y=Axis(WORDS["difference"]),
        names=(system, other),
        bars=tuple(Bar(topics[at], float(difference[at]), float(first[at]), float(second[at])) for at in order),
        rules=(RuleLine("y", float(difference.mean()), WORDS["mean"].format(**said)),),
    )


def chart_topic_scatter(scores: ScoresLike | Scores, system: str, other: str) -> Points:
    """A point for each topic: the score of one system across, that of the other up.

    Raises:
        InputError: no topic has scores of both.
        UsageError: there is no such system, or only one is named.
    """
    matrix, topics, first, second = _open_pair(scores, system, other)
    difference = first - second
    said, sizes = _fill_in(matrix, system, other, difference), comparable(np.abs(difference))
    largest = np.flatnonzero(sizes == sizes.max())
    said["apart"] = f"{sizes.max():.4f}"
    said["topics"] = f"topic {shown(topics[largest[0]])}" if len(largest) == 1 else counted(len(largest), "topic")
    return Points(
        title=WORDS["scatter"].format(**said),
        sentence=WORDS["apart" if sizes.max() else "equal"].format(**said),
        counts=said["units"],
        notes=(WORDS["diagonal"].format(**said),),
        x=Axis(system),
        y=Axis(other),
        of="topic",
        points=tuple(
            Point(topics[at], float(first[at]), float(second[at]))
            # Those that differ most are named first.
            for at in np.argsort(-sizes, kind="stable").tolist()
        ),
        diagonal=True,
    )


def _open_pair(scores: ScoresLike | Scores, system: str, other: str) -> tuple[Scores, list[str], Floats, Floats]:
    """Open scores: with the topics that have scores of both systems, and these scores."""
    matrix = open_scores(scores)
    if system == other:
        raise UsageError(f"{quoted(system)} is compared with itself: name two systems")
    for name in (system, other):
        if name not in matrix.systems:
            there = ", ".join(map(shown, matrix.systems[:5]))
            raise UsageError(f"system {quoted(name)} has no scores here; these have: {there}")
    first, second = (matrix.values[:, matrix.systems.index(name)] for name in (system, other))
    known = np.flatnonzero(np.isfinite(first - second))
    return matrix, [matrix.topics[at] for at in known.tolist()], first[known], second[known]


def _fill_in(matrix: Scores, system: str, other: str, difference: Floats) -> dict[str, Any]:
    """Return what the words name.

    Raises:
        InputError: no topic has scores of both.
    """
    if not len(difference):
        raise InputError(f"no topic has scores of both {quoted(system)} and {quoted(other)}", code="no-scores")
    gains = difference if matrix.larger_is_better else -difference
    mean = f"{difference.mean():+.4f}"
    return {
        "measure": matrix.called,
        "system": shown(system),
        "other": shown(other),
        "unit": "topic",
        "units": counted(len(difference), "topic"),
        "wins": f"{int((gains > 0).sum()):,}",
        "losses": f"{int((gains < 0).sum()):,}",
        "ties": f"{int((gains == 0).sum()):,}",
        "mean": mean if float(mean) else mean[1:],
    }
