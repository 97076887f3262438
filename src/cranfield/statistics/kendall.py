"""Kendall's tau and its kin: how many pairs of items two lists of scores put in the same order.

Of arguments, ties and undefined values see ``rank_correlation``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield._typing import Floats
from cranfield.statistics.concordance import Concordance
from cranfield.statistics.pair import Pair
from cranfield.statistics.ratio import ratio


def tau_a(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Kendall's tau over all pairs of items: ties in either list pull it towards zero.

    tau_a = (c - d) / (n (n - 1) / 2), with c concordant and d discordant pairs. Symmetric.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Kendall 1938, A new measure of rank correlation. Biometrika 30.

    >>> float(tau_a([4, 3, 2, 1], [3, 2, 2, 1]).round(4))
    0.8333
    """
    pair = Pair(estimate, truth)
    counts = pair.counts
    return pair.shaped(ratio(counts.surplus, np.where(_orders(counts), counts.pairs, 0)))


def tau_b(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Kendall's tau corrected for ties: 1 for the same order with the same ties.

    tau_b = (c - d) / sqrt((n0 - n1) (n0 - n2)), with n0 all pairs and n1, n2 those tied in each list. Symmetric.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Kendall 1945, The treatment of ties in ranking problems. Biometrika 33.

    >>> float(tau_b([3, 2, 2, 1], [4, 3, 2, 1]).round(4))
    0.9129
    """
    pair = Pair(estimate, truth)
    return pair.shaped(tau_b_of(pair.counts))


def gamma(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Goodman and Kruskal's gamma: Kendall's tau over the pairs that neither list ties.

    gamma = (c - d) / (c + d). Symmetric.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where every pair is tied in one list or the other.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Goodman & Kruskal 1954, Measures of association for cross classifications. JASA 49.
    """
    pair = Pair(estimate, truth)
    return pair.shaped(ratio(pair.counts.surplus, pair.counts.untied))


def kendall_distance(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Share of the pairs of items that the two lists put in opposite order, a pair tied in either counting half.

    K = (1 - tau_a) / 2. Symmetric.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [0, 1], 0 for the same order; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.
    """
    distance: Floats = (1.0 - tau_a(estimate, truth)) / 2.0
    return distance


def tau_b_of(counts: Concordance) -> Floats:
    """tau_b from counts, where one list is compared with many, [lists]."""
    return ratio(counts.surplus, np.sqrt(counts.untied_x.astype(np.float64) * counts.untied_y))


def _orders(counts: Concordance) -> NDArray[np.bool_]:
    """Whether both lists order anything."""
    ordered: NDArray[np.bool_] = (counts.untied_x > 0) & (counts.untied_y > 0)
    return ordered
