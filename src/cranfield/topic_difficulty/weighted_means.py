"""Means over topics, plain and weighted by difficulty, in plain arrays."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.measures import summary


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
