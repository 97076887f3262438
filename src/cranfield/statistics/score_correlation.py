"""Pearson's and Spearman's correlations, and the root mean square error: scores, or ranks, compared item by item.

Of arguments, ties and undefined values see ``rank_correlation``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield.statistics.concordance import group_sizes
from cranfield.statistics.pair import Pair
from cranfield.statistics.ratio import ratio


def spearman(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Spearman's rho: Pearson's correlation of the ranks, tied items sharing their mean rank. Symmetric.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Spearman 1904, The proof and measurement of association between two things. Am. J. Psychology 15.
    """
    pair = Pair(estimate, truth)
    counts = pair.counts
    return pair.shaped(pearson(*(2 * above.astype(np.int64) + group_sizes(above) for above in (counts.x, counts.y))))


def pearson(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Pearson's r: the linear correlation of the scores themselves. Symmetric.

    Args:
        estimate: finite scores, [..., n].
        truth: finite scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is constant.

    Raises:
        InputError: a NaN or an infinity among the scores.
        UsageError: lists of different length.
    """
    pair = Pair(estimate, truth)
    pair.refuse_infinite()
    x, y = _centred(pair.x), _centred(pair.y)
    scale = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    return pair.shaped(np.clip(ratio((x * y).sum(axis=-1), scale), -1.0, 1.0))


def rmse(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Root mean square error: how far the scores themselves are apart, whatever their order. Symmetric.

    sqrt(mean((x - y)^2)).

    Args:
        estimate: finite scores, [..., n].
        truth: finite scores of the same items, [..., n].

    Returns:
        [...], at least 0, in the unit of the scores; NaN for no items.

    Raises:
        InputError: a NaN or an infinity among the scores.
        UsageError: lists of different length.
    """
    pair = Pair(estimate, truth)
    pair.refuse_infinite()
    squares = ((pair.x - pair.y) ** 2).sum(axis=-1)
    return pair.shaped(np.sqrt(ratio(squares, np.full(squares.shape, pair.x.shape[-1]))))


def _centred(scores: Floats) -> Floats:
    """Deviations from the mean, scaled to at most 1 so that their squares neither overflow nor vanish.

    The deviations of equal scores are exactly zero, whatever the sum rounds to.
    """
    if scores.shape[-1] == 0:
        return scores
    low, high = scores.min(axis=-1, keepdims=True), scores.max(axis=-1, keepdims=True)
    span = high / 2 - low / 2
    unit = np.divide(scores / 2 - low / 2, span, out=np.zeros_like(scores), where=span > 0)
    centred: Floats = unit - unit.mean(axis=-1, keepdims=True)
    return centred
