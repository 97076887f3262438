"""The certainty of agreement with a judge: intervals over topics, and the judges that are not behind the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.clustered_agreement import (
    LABEL_STATISTICS,
    SIGNIFICANT,
    SYSTEM_STATISTICS,
    among_the_best,
    labels_on_resampled_topics,
    percentiles,
    systems_on_resampled_topics,
)
from cranfield.statistics.intervals import share_interval

if TYPE_CHECKING:
    import pandas as pd

SHARES = ("kept", "lost")
"""Statistics that are shares of pairs of systems."""
JudgedLabels = Mapping[tuple[str, str], float]
"""(topic, document) -> label."""


class ResampledJudge(NamedTuple):
    """A judge's statistics on its topics and on resampled ones; judges with the same topics can be compared.

    Args:
        topics: of the judge; clusters of them where labels are in clusters.
        values: statistic -> value.
        draws: statistic -> values on resampled topics, [resamples].
        trials: how many verdicts shares of pairs are worth at most: the pairs, or the topics or clusters if fewer.
    """

    topics: Sequence[str]
    values: Mapping[str, float]
    draws: Mapping[str, Floats]
    trials: int = 0


def resample_labels(
    ours: JudgedLabels,
    theirs: JudgedLabels,
    levels: tuple[float, float],
    values: Mapping[str, float],
    clusters: Mapping[str, str] | None = None,
    **options: int,
) -> ResampledJudge:
    """Resample the agreement of a judge with the reference on labels, over the topics in which both judged a document.

    Args:
        ours, theirs: labels by the reference and by the judge.
        levels: the smallest relevant label of each.
        values: the statistics on all topics.
        clusters: topic -> its cluster, whole clusters being resampled; None without clusters.
        options: ``resamples`` and ``seed``.
    """
    shared = [key for key in ours if key in theirs]
    units = {topic: topic if clusters is None else clusters[topic] for topic, _ in shared}
    index = {unit: row for row, unit in enumerate(dict.fromkeys(units.values()))}
    rows = np.array([index[units[topic]] for topic, _ in shared], dtype=np.int64)
    expected, judged = (np.array([labels[key] for key in shared]) for labels in (ours, theirs))
    used = np.unique(np.concatenate([expected, judged]))
    labels = _count_labels(rows, np.searchsorted(used, expected), np.searchsorted(used, judged), len(index), len(used))
    binary = _count_labels(
        rows, (expected >= levels[0]).astype(np.int64), (judged >= levels[1]).astype(np.int64), len(index), 2
    )
    return ResampledJudge(tuple(units), values, labels_on_resampled_topics(labels, used, binary, **options))


def resample_systems(
    topics: Sequence[str],
    reference: Floats,
    judge: Floats,
    values: Mapping[str, float],
    alpha: float,
    cluster: Ints | None = None,
    **options: int,
) -> ResampledJudge:
    """Resample the agreement of a judge with the reference on systems.

    Args:
        topics: those that both scored.
        reference, judge: scores of systems on them, [topics, systems].
        values: the statistics on all topics.
        alpha: level of the tests.
        cluster: of each topic; None without clusters.
        options: ``resamples`` and ``seed``.
    """
    draws = systems_on_resampled_topics(reference, judge, alpha=alpha, cluster=cluster, **options)
    units = len(topics) if cluster is None else int(cluster.max()) + 1
    return ResampledJudge(tuple(topics), values, draws, min(int(values[SIGNIFICANT]), units))


def make_intervals(judges: Mapping[str, ResampledJudge], level: float) -> pd.DataFrame:
    """Return a row for each ``judge`` and ``statistic``: ``value``, ``low`` to ``high``, and ``among_best``.

    The same value on every resample is not certainty. A share of all or none of the pairs has at least the exact
    interval of as many pairs, or of as many topics where these are fewer; another statistic has no interval, NaN.

    ``among_best`` is None where judges cannot be compared: one judge, other topics, or an undefined value.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    present = next(iter(judges.values())).draws
    for statistic in (name for name in (*LABEL_STATISTICS, *SYSTEM_STATISTICS) if name in present):
        best = _find_best_judges(judges, statistic, level)
        for name, judge in judges.items():
            low, high = _find_ends(judge, statistic, level)
            row = {"judge": name, "statistic": statistic, "value": judge.values[statistic], "low": low, "high": high}
            rows.append(row | {"among_best": best.get(name)})
    return pd.DataFrame(rows)


def _find_ends(judge: ResampledJudge, statistic: str, level: float) -> tuple[float, float]:
    low, high = percentiles(judge.draws[statistic], level)
    value = judge.values[statistic]
    if statistic not in SHARES:
        return (low, high) if low < high else (float("nan"), float("nan"))
    if value not in (0.0, 1.0):
        return low, high
    ends = share_interval(value, float("nan"), judge.trials - 1, level)
    return float(np.minimum(low, ends[0])), float(np.maximum(high, ends[1]))


def _find_best_judges(judges: Mapping[str, ResampledJudge], statistic: str, level: float) -> dict[str, bool]:
    """Return, for each judge, whether no other is significantly ahead by this statistic."""
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


def _count_labels(rows: Ints, a: Ints, b: Ints, topics: int, labels: int) -> Floats:
    """Count the documents of each topic by two labels, [topics, labels, labels]."""
    cells = (rows * labels + a) * labels + b
    counts = np.bincount(cells, minlength=topics * labels * labels)
    return counts.reshape(topics, labels, labels).astype(np.float64)
