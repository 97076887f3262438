"""How sure agreement with a judge is: intervals over topics, and which judges are not significantly behind the best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.statistics.topic_clusters import (
    STATISTICS,
    JudgedTopics,
    among_the_best,
    on_resampled_topics,
    percentiles,
)

if TYPE_CHECKING:
    import pandas as pd

Labels = Mapping[tuple[str, str], float]
"""(topic, document) -> label."""


def judged_topics(
    ours: Labels, theirs: Labels, levels: tuple[float, float], topics: list[str], reference: Floats, judge: Floats
) -> JudgedTopics:
    """What two judges say of the same topics, in arrays.

    Args:
        ours, theirs: labels by the reference and by the judge.
        levels: the smallest relevant label of each.
        topics: those that both scored.
        reference, judge: scores of systems on them, [topics, systems].
    """
    place = {topic: row for row, topic in enumerate(topics)}
    shared = [key for key in ours if key in theirs and key[0] in place]
    rows = np.array([place[topic] for topic, _ in shared], dtype=np.int64)
    one, other = (np.array([labels[key] for key in shared]) for labels in (ours, theirs))
    values = np.unique(np.concatenate([one, other])) if shared else np.zeros(1)
    labels = _tables(rows, np.searchsorted(values, one), np.searchsorted(values, other), len(topics), len(values))
    binary = _tables(rows, (one >= levels[0]).astype(np.int64), (other >= levels[1]).astype(np.int64), len(topics), 2)
    return JudgedTopics(binary, labels, values, reference, judge)


def intervals_of(
    judges: Mapping[str, JudgedTopics], values: Mapping[str, Mapping[str, float]], *, alpha: float, **draws: int
) -> pd.DataFrame:
    """One row a judge and statistic: its value, its interval over topics, and whether it is among the best.

    Args:
        judges: name -> what it and the reference say.
        values: name -> statistic -> its value on the topics as they are.
        alpha: of the tests; intervals have the level 1 - alpha.
        draws: ``resamples`` and ``seed``.
    """
    import pandas as pd

    resampled = {name: on_resampled_topics(given, alpha=alpha, **draws) for name, given in judges.items()}
    rows: list[dict[str, Any]] = []
    for statistic in STATISTICS:
        best = _among(resampled, values, statistic, alpha)
        for name in judges:
            low, high = percentiles(resampled[name][statistic], 1.0 - alpha)
            row = {"judge": name, "statistic": statistic, "value": values[name][statistic], "low": low, "high": high}
            rows.append(row | {"among_best": best.get(name)})
    return pd.DataFrame(rows)


def _among(resampled: Any, values: Any, statistic: str, alpha: float) -> dict[str, bool]:
    """Of judges who can be compared by this statistic: on the same topics, larger better."""
    defined = [
        name
        for name in resampled
        if np.isfinite(values[name][statistic]) and np.isfinite(percentiles(resampled[name][statistic], 0.95)[0])
    ]
    same = len({len(resampled[name][statistic]) for name in defined}) == 1
    if len(defined) < 2 or not same:
        return {}
    sign = -1.0 if statistic == "lost" else 1.0
    draws = sign * np.column_stack([resampled[name][statistic] for name in defined])
    observed = sign * np.array([values[name][statistic] for name in defined])
    return dict(zip(defined, among_the_best(draws, observed, 1.0 - alpha), strict=True))


def _tables(rows: Any, one: Any, other: Any, topics: int, labels: int) -> Floats:
    """Documents of each topic by two labels, [topics, labels, labels]."""
    cells = (rows * labels + one) * labels + other
    counts = np.bincount(cells, minlength=topics * labels * labels)
    return counts.reshape(topics, labels, labels).astype(np.float64)
