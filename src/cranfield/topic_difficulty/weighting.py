"""Means that weigh topics by their difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import InputError, UsageError
from cranfield.measures import summary
from cranfield.topic_difficulty.estimation import Difficulty
from cranfield.wording import listed

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


def weigh_by_difficulty(scores: xr.DataArray, difficulty: Difficulty) -> pd.DataFrame:
    """Each system's mean over topics, plain and weighted by difficulty.

    weighted mean = sum_t w_t x_t, w_t = (1 - ease_t) / sum_u (1 - ease_u). A topic without ease is left out of the
    weighted mean; one without a score is left out of both means of that system.

    Args:
        scores: one measure, dims (topic, system), as ``evaluate(...)[name]``.
        difficulty: of the same topics, or more.

    Returns:
        Systems in rows, columns ``mean`` and ``weighted_mean``.

    Raises:
        InputError: a topic has no estimate of its difficulty, or all weights are 0: every topic is easiest.
        UsageError: scores with other dims, or of a measure that has no value per topic.

    Source: the conclusion of Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using normalized
    discounted cumulated gain, CIKM.
    """
    import pandas as pd

    if set(getattr(scores, "dims", ())) != {"topic", "system"} or hasattr(scores, "data_vars"):
        raise UsageError("scores should have the dims (topic, system): take one measure, evaluate(...)['nDCG@10']")
    ease = difficulty.ease.to_series()
    topics = scores["topic"].to_numpy()
    unknown = [str(topic) for topic in topics if topic not in ease.index]
    if unknown:
        raise InputError(f"the difficulty of {listed(unknown)} was not estimated: use the same qrels")
    block = scores.transpose("system", "topic").to_numpy().astype(np.float64)
    means = both_means(str(scores.name), scores.attrs.get("summary", "mean"), block, ease[topics].to_numpy())
    columns = dict(zip(("mean", "weighted_mean"), means, strict=True))
    return pd.DataFrame(columns, index=pd.Index(scores["system"].to_numpy(), name="system"))


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
