"""The charts of one system on every topic, and of every system on one topic.

A page holds the scores of all systems, and its script draws any system and topic: with the words below, which it fills
in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield._text import counted, quoted, shown, suggest
from cranfield._typing import Floats
from cranfield.charts.form import Axis, Range, SystemBar, SystemBars, SystemRanges
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.scores.scale import best_first, comparable

WORDS = {
    "ranges": "{measure} of {system} by {unit}, among all {noun}s",
    "above": "{system} is better than the median {noun} on {above} of {units}, and best on {best}{tied}.",
    "tied": ", tied with others on {shared} of them",
    "level": " On {level} all {noun}s have the same score.",
    "order": "{unit}s by the median of all {noun}s, best on the left; a line reaches from the worst to the best.",
    "own": "this {noun}",
    "under": "this {noun}, worse than the median",
    "median": "median of all",
    "span": "worst to best",
    "systems": "{measure} of all systems on {unit} {topic}",
    "extremes": "Best {first}, median {middle}, worst {last}.",
    "one": "{system} ({score})",
    "several": "{systems} tied ({score})",
    "same": "All {systems} have the same score ({score}).",
    "none": "No system has a score on this {unit}.",
    "sorted": "Best system on the left.",
}
"""Sentences of the charts of one system or one topic."""


class Spread(NamedTuple):
    """Scores among all systems, by row."""

    best: Floats
    median: Floats
    worst: Floats


def find_spread(values: Floats, *, larger_is_better: bool) -> Spread:
    """Find the best, the median and the worst of the defined values of each row; NaN where there is none."""
    rows = [row[~np.isnan(row)] for row in values]
    low, middle, high = (
        np.array([statistic(row) if len(row) else np.nan for row in rows]) for statistic in (np.min, np.median, np.max)
    )
    return Spread(high, middle, low) if larger_is_better else Spread(low, middle, high)


def chart_system_ranges(scores: ScoresLike | Scores, system: str, *, noun: str = "system") -> SystemRanges:
    """Make what ``plot.system_ranges`` draws.

    Args:
        scores: as there.
        system: as there.
        noun: what the chart calls systems.

    Raises:
        UsageError: as there.
    """
    matrix = open_scores(scores)
    own = matrix.values[:, _find(matrix.systems, system, "system")]
    spread = find_spread(matrix.values, larger_is_better=matrix.larger_is_better)
    gains = comparable(own - spread.median, matrix.larger_is_better)
    even = spread.best == spread.worst
    first = (own == spread.best) & ~even  # where all have the same score, none is the best
    ties = (matrix.values == own[:, None]).sum(axis=1)
    shared, level = int((first & (ties > 1)).sum()), int((even & (ties > 1)).sum())
    said = {
        "measure": matrix.called,
        "system": shown(system),
        "noun": noun,
        "unit": "topic",
        "units": counted(len(own), "topic"),
        "above": f"{int((gains > 0).sum()):,}",
        "best": f"{int(first.sum()):,}" if first.any() else "none",
        "tied": WORDS["tied"].format(shared=f"{shared:,}") if shared else "",
        "level": counted(level, "topic"),
    }
    sentence = WORDS["above"].format(**said) + (WORDS["level"].format(**said) if level else "")
    note = WORDS["order"].format(**said)
    order = best_first(spread.median, matrix.topics, matrix.larger_is_better)
    return SystemRanges(
        title=WORDS["ranges"].format(**said),
        sentence=sentence,
        counts=f"{said['units']}, {counted(len(matrix.systems), noun)}",
        notes=(f"{note[0].upper()}{note[1:]}",),
        y=Axis(matrix.called),
        kinds=tuple(WORDS[kind].format(**said) for kind in ("own", "under", "median", "span")),
        ranges=tuple(
            Range(
                topic=matrix.topics[at],
                value=float(own[at]),
                best=float(spread.best[at]),
                median=float(spread.median[at]),
                worst=float(spread.worst[at]),
                under=bool(gains[at] < 0),
            )
            for at in order
        ),
        smaller=not matrix.larger_is_better,
    )


def chart_topic_systems(scores: ScoresLike | Scores, topic: str) -> SystemBars:
    """Make what ``plot.topic_systems`` draws, of the same arguments.

    Raises:
        InputError, UsageError: as there.
    """
    matrix = open_scores(scores)
    values = matrix.values[_find(matrix.topics, topic, "topic")]
    known = np.flatnonzero(~np.isnan(values))
    said: dict[str, Any] = {"measure": matrix.called, "unit": "topic", "topic": shown(topic)}
    if not len(known):
        raise InputError(f"topic {quoted(topic)}: no system has a score", code="no-scores")
    order = known[np.argsort(-comparable(values[known], matrix.larger_is_better), kind="stable")]
    ordered = values[order]
    ends = {}
    for end, at in (("first", 0), ("last", -1)):
        equal = counted(int((ordered == ordered[at]).sum()), "system")
        facts = {"system": shown(matrix.systems[order[at]]), "systems": equal, "score": f"{ordered[at]:.4f}"}
        ends[end] = WORDS["one" if equal == "1 system" else "several"].format(**facts)
    is_level = len(ordered) > 1 and ordered[0] == ordered[-1]
    said |= ends | {"middle": f"{np.median(ordered):.4f}"}
    said |= {"systems": counted(len(ordered), "system"), "score": f"{ordered[0]:.4f}"}
    return SystemBars(
        title=WORDS["systems"].format(**said),
        sentence=WORDS["same" if is_level else "extremes"].format(**said),
        counts=said["systems"],
        notes=(WORDS["sorted"],),
        y=Axis(matrix.called),
        bars=tuple(SystemBar(matrix.systems[at], float(values[at])) for at in order.tolist()),
    )


def _find(names: Sequence[str], name: str, what: str) -> int:
    """Return the index of a name.

    Raises:
        UsageError: it is not there.
    """
    if name not in names:
        raise UsageError(f"{what} {quoted(name)} has no scores here: {suggest(name, names)}")
    return names.index(name)
