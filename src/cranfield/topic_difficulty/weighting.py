"""Means that weight topics by their difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield._text import listed
from cranfield.errors import InputError
from cranfield.measures import summary
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_scores
from cranfield.topic_difficulty.estimation import Difficulty
from cranfield.topic_difficulty.weighted_means import weighted_means

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
