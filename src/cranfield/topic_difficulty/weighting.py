"""Means that weight topics by their difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import listed
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.measures import summary
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_scores
from cranfield.topic_difficulty.estimation import Difficulty

if TYPE_CHECKING:
    import pandas as pd


def weigh_by_difficulty(scores: ScoresLike, difficulty: Difficulty) -> pd.DataFrame:
    """Each system's mean over topics, plain and weighted by difficulty.

    weighted mean = sum_t w_t x_t, w_t = (1 - ease_t) / sum_u (1 - ease_u). A topic without ease is left out of the
    weighted mean; one without a score is left out of both means of that system.

    Args:
        scores: of one measure, dims (topic, system), as ``evaluate(...)[name]``; or a data frame with topics in rows
            and systems in columns.
        difficulty: of the same topics, or more.

    Returns:
        Systems in rows, columns ``mean`` and ``weighted_mean``.

    Raises:
        InputError: a topic has no estimate of its difficulty, or all weights are 0: every topic is easiest.
        UsageError: scores of several measures, with other dims, or of a measure without values of topics.

    Source: the conclusion of Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using normalized
    discounted cumulated gain, CIKM.
    """
    import pandas as pd

    matrix = open_scores(scores)
    ease = difficulty.ease.to_series()
    unknown = [topic for topic in matrix.topics if topic not in ease.index]
    if unknown:
        raise InputError(f"the difficulty of {listed(unknown)} was not estimated: use the same qrels")
    block = matrix.values.T
    weighted = weighted_means(block, ease[list(matrix.topics)].to_numpy())
    columns = {"mean": summary("mean", block), "weighted_mean": weighted}
    return pd.DataFrame(columns, index=pd.Index(matrix.systems, name="system", dtype=object))


def both_means(name: str, kind: str, block: Floats, ease: Floats) -> tuple[Floats, Floats]:
    """Plain and weighted means in plain arrays: [systems, topics], [topics] -> [systems] each.

    Raises:
        InputError: all weights of a system are 0.
        UsageError: the measure, whose summary is of this kind, has no value per topic.
    """
    if kind == "geometric mean":
        raise UsageError(f"{name} has no value per topic, so topics cannot be weighed")
    return summary("mean", block), weighted_means(block, ease)


def weighted_means(block: Floats, ease: Floats) -> Floats:
    """Weighted means in plain arrays: [systems, topics], [topics] -> [systems]; NaN without any value.

    Raises:
        InputError: all weights of a system are 0.
    """
    defined = ~np.isnan(block) & ~np.isnan(ease)
    weight = np.where(defined, 1 - ease, 0.0)
    total = weight.sum(axis=1)
    if (defined.any(axis=1) & (total == 0)).any() or not defined.any():
        raise InputError("every topic has weight 0: every system beats a random order on it, or its ease is undefined")
    means: Floats = np.divide(
        np.where(defined, weight * block, 0.0).sum(axis=1), total, out=np.full(len(block), np.nan), where=total > 0
    )
    return means
