"""Means over topics of values that some topics lack, with their bootstrap intervals."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import share, whole

RESAMPLES = 2000
BLOCK = 1 << 22
"""Numbers of a resample that are held at a time."""


def check_interval(level: float, resamples: int, seed: int) -> None:
    """Raises: UsageError: an argument outside its range."""
    share(level=level)
    whole(0, resamples=resamples, seed=seed)


def average(values: Floats) -> Floats:
    """Mean of the topics that have a value, [topics, columns] -> [columns]."""
    defined = ~np.isnan(values)
    count = defined.sum(axis=0)
    total = np.where(defined, values, 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return means


def interval(values: Floats, level: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Percentile bootstrap interval of the mean over topics, [topics, columns] -> [columns] twice.

    All columns share the resampled topics; a topic without a value can be drawn and contributes nothing. NaN where
    fewer than two topics have a value.
    """
    topics, columns = values.shape
    low, high = np.full(columns, np.nan), np.full(columns, np.nan)
    defined = ~np.isnan(values)
    usable = np.flatnonzero(defined.sum(axis=0) > 1)
    if resamples == 0 or not len(usable):
        return low, high
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(topics, np.full(topics, 1 / topics), size=resamples).astype(np.float64)
    step = max(1, BLOCK // resamples)
    for first in range(0, len(usable), step):
        block = usable[first : first + step]
        count = drawn @ defined[:, block].astype(np.float64)
        total = drawn @ np.where(defined[:, block], values[:, block], 0.0)
        means = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
        low[block], high[block] = np.nanquantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high
