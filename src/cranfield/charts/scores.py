"""The chart of every score: systems by topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import counted
from cranfield.charts.form import Axis, Heat
from cranfield.charts.sentences import find_largest, find_smallest, with_verb
from cranfield.measures import summary
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.scores.scale import best_first, comparable


def chart_scores(scores: ScoresLike | Scores) -> Heat:
    """A cell for each system and topic: best systems on top, topics with the best means on the left."""
    matrix = open_scores(scores)
    means = summary("mean", matrix.values)
    rows, columns = matrix.leaderboard, best_first(means, matrix.topics, matrix.larger_is_better)
    values = matrix.values[np.ix_(columns, rows)].T
    missing = int(np.isnan(values).sum())
    notes = [
        "The more a cell stands out, the better the score.",
        "Best systems on top, topics with the best means on the left.",
    ]
    if missing:
        notes.append(f"{counted(missing, 'score')} missing: the cells are empty.")
    return Heat(
        title=f"{matrix.called} of every system on every topic",
        sentence=_name_extremes(matrix, comparable(means, matrix.larger_is_better).tolist()),
        counts=f"{counted(len(matrix.systems), 'system')}, {counted(len(matrix.topics), 'topic')}",
        notes=tuple(notes),
        of=Axis(matrix.measure),
        systems=tuple(matrix.systems[row] for row in rows),
        topics=tuple(matrix.topics[column] for column in columns),
        values=tuple(map(tuple, values.tolist())),
        smaller=not matrix.larger_is_better,
    )


def _name_extremes(matrix: Scores, topic_means: Sequence[float]) -> str:
    """Name the best systems and the worst topics by their means; larger ``topic_means`` are better."""
    best = find_largest(matrix.systems, matrix.comparable_means.tolist())
    worst = find_smallest(matrix.topics, topic_means)
    systems = (
        f"{with_verb(best, 'has', 'have')} the best mean over topics"
        if best
        else "No system has a better mean than another"
    )
    if not worst:
        return f"{systems}; no topic has a worse mean than another."
    noun = "topic" if len(worst) == 1 else "topics"
    return f"{systems}; {noun} {with_verb(worst, 'has', 'have')} the worst mean over systems."
