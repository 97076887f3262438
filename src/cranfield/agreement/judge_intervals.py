"""How certain agreement with a judge is: intervals over topics, and which judges are not behind the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.clustered_agreement import (
    LABEL_STATISTICS,
    SYSTEM_STATISTICS,
    among_the_best,
    labels_on_resampled_topics,
    percentiles,
    systems_on_resampled_topics,
)

if TYPE_CHECKING:
    import pandas as pd

Labels = Mapping[tuple[str, str], float]
"""(topic, document) -> label."""


class Resampled(NamedTuple):
    """A judge's statistics as they are, and on resampled topics, which must be the same for judges to be compared."""

    topics: Sequence[str]
    values: Mapping[str, float]
    draws: Mapping[str, Floats]


def resampled_labels(
    ours: Labels, theirs: Labels, levels: tuple[float, float], values: Mapping[str, float], **how: int
) -> Resampled:
    """Agreement of a judge with the reference on labels, on the topics in which both judged a document.

    Args:
        ours, theirs: labels by the reference and by the judge.
        levels: the smallest relevant label of each.
        values: the statistics as they are.
        how: ``resamples`` and ``seed``.
    """
    shared = [key for key in ours if key in theirs]
    place = {topic: row for row, topic in enumerate(dict.fromkeys(topic for topic, _ in shared))}
    rows = np.array([place[topic] for topic, _ in shared], dtype=np.int64)
    one, other = (np.array([labels[key] for key in shared]) for labels in (ours, theirs))
    used = np.unique(np.concatenate([one, other]))
    labels = _tables(rows, np.searchsorted(used, one), np.searchsorted(used, other), len(place), len(used))
    binary = _tables(rows, (one >= levels[0]).astype(np.int64), (other >= levels[1]).astype(np.int64), len(place), 2)
    return Resampled(tuple(place), values, labels_on_resampled_topics(labels, used, binary, **how))


def resampled_systems(
    topics: Sequence[str], reference: Floats, judge: Floats, values: Mapping[str, float], alpha: float, **how: int
) -> Resampled:
    """Agreement of a judge with the reference on systems.

    Args:
        topics: those that both scored.
        reference, judge: scores of systems on them, [topics, systems].
        values: the statistics as they are.
        alpha: level of the tests.
        how: ``resamples`` and ``seed``.
    """
    return Resampled(tuple(topics), values, systems_on_resampled_topics(reference, judge, alpha=alpha, **how))


def intervals_of(judges: Mapping[str, Resampled], level: float) -> pd.DataFrame:
    """One row a ``judge`` and ``statistic``: ``value``, ``low`` to ``high``, and ``among_best``.

    ``among_best`` is None where judges cannot be compared: one judge, other topics, or an undefined value.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    present = next(iter(judges.values())).draws
    for statistic in (name for name in (*LABEL_STATISTICS, *SYSTEM_STATISTICS) if name in present):
        best = _among(judges, statistic, level)
        for name, judge in judges.items():
            low, high = percentiles(judge.draws[statistic], level)
            row = {"judge": name, "statistic": statistic, "value": judge.values[statistic], "low": low, "high": high}
            rows.append(row | {"among_best": best.get(name)})
    return pd.DataFrame(rows)


def _among(judges: Mapping[str, Resampled], statistic: str, level: float) -> dict[str, bool]:
    defined = {
        name: judge
        for name, judge in judges.items()
        if np.isfinite(judge.values[statistic]) and np.isfinite(percentiles(judge.draws[statistic], level)[0])
    }
    if len(defined) < 2 or len({judge.topics for judge in defined.values()}) > 1:
        return {}
    sign = -1.0 if statistic == "lost" else 1.0
    draws = sign * np.column_stack([judge.draws[statistic] for judge in defined.values()])
    observed = sign * np.array([judge.values[statistic] for judge in defined.values()])
    return dict(zip(defined, among_the_best(draws, observed, level), strict=True))


def _tables(rows: Ints, one: Ints, other: Ints, topics: int, labels: int) -> Floats:
    """Documents of each topic by two labels, [topics, labels, labels]."""
    cells = (rows * labels + one) * labels + other
    counts = np.bincount(cells, minlength=topics * labels * labels)
    return counts.reshape(topics, labels, labels).astype(np.float64)
