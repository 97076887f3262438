"""Means over topics with their intervals: ``estimate_means``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arguments import share
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.labelled import ScoresLike, table_of
from cranfield.scores.order import best_first
from cranfield.scores.signature import package_version, together
from cranfield.scores.summary import summary_of
from cranfield.statistics.intervals import t_interval

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Means(Result):
    """Means of systems over topics.

    Args:
        rows: one row a ``system`` and ``measure``, the best by the first measure first: on how many ``topics`` it has a
            score, its ``mean`` over them (or the measure's own summary, such as a sum), and the interval of that mean
            over topics like these, ``low`` to ``high`` (Student's t; missing for what is no mean, and of one topic).
        settings: the ``level`` of the intervals.
        signature: all that changes these numbers.
    """

    rows: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"rows": lambda: tidy(self.rows)}


def estimate_means(scores: ScoresLike, *, level: float = 0.95) -> Means:
    """Give each system's mean over topics, with the interval in which the mean over all topics like these lies.

    The intervals are of each system by itself. Whether two systems differ is a question for ``compare``: topics are
    shared, so that intervals which overlap say little about it.

    Args:
        scores: dims (topic, system), by one measure or several.
        level: of the intervals.

    Raises:
        UsageError: no labelled scores, or a level outside (0, 1).
        InputError: there is no topic or system, one occurs twice, or a score is infinite.
    """
    import pandas as pd

    share(level=level)
    table = table_of(scores)
    frames = []
    for number, scale in enumerate(table.scales):
        values = table.values[number]
        counts = (~np.isnan(values)).sum(axis=0)
        low = high = np.full(len(table.systems), np.nan)
        means = summary_of(scale, values)
        if scale.summary == "mean":
            with np.errstate(invalid="ignore", divide="ignore"):
                centred = values - np.nansum(values, axis=0) / np.maximum(counts, 1)
                error = np.sqrt(np.nansum(centred**2, axis=0) / (counts - 1.0) / counts)
            known = np.where(counts > 1, error, np.nan)
            low, high = t_interval(means, known, np.maximum(counts - 1.0, 1.0), level)
        columns = {"system": table.systems, "measure": scale.name, "topics": counts, "mean": means}
        frames.append(pd.DataFrame({**columns, "low": low, "high": high}))
    order = best_first(table.summaries[0], table.systems, table.scales[0].larger_is_better)
    rows = pd.concat([frame.iloc[[system]] for system in order for frame in frames], ignore_index=True)
    signature = {
        "cranfield": package_version(),
        "analysis": "estimate_means",
        "settings": {"level": level},
        "measures": list(table.names),
        "scores": together([(scale.name, scale.source) for scale in table.scales]),
    }
    return Means(rows, {"level": level}, signature)
