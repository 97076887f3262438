"""The AP correlations: rank correlations in which errors at the top of a list weigh most.

Of arguments, ties and undefined values see ``rank_correlation``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield.statistics.concordance import Codes, Concordance, group_sizes
from cranfield.statistics.pair import Pair
from cranfield.statistics.ratio import ratio


def tau_ap(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """AP correlation: of the items above each item of the estimate, the share that truth puts above it too.

    tau_ap = 2 / (n - 1) sum_{i : N_i > 0} C_i / N_i - 1, where N_i items are above item i in the estimate and C_i of
    them are above it in truth. Errors at the top of the estimate weigh most. Not symmetric: the estimate is gone
    through, and truth says what is right.

    Args:
        estimate: scores without ties, [..., n].
        truth: scores of the same items without ties, [..., n].

    Returns:
        [...], in [-1, 1]; NaN for fewer than two items.

    Raises:
        InputError: a NaN or a tie among the scores.
        UsageError: lists of different length.

    Reference:
        Yilmaz, Aslam & Robertson 2008, A new rank correlation coefficient for information retrieval. SIGIR.

    >>> float(tau_ap(estimate=[1, 4, 3, 2], truth=[4, 3, 2, 1]).round(4))
    0.3333
    >>> float(tau_ap(estimate=[4, 3, 2, 1], truth=[1, 4, 3, 2]).round(4))
    -0.2222
    """
    pair = Pair(estimate, truth)
    pair.refuse_ties("estimate", "tau_ap_a (mean over the orders of tied items) or tau_ap_b")
    pair.refuse_ties("truth", "tau_ap_b")
    return pair.shaped(_precision(pair.counts, pair.counts.x))


def symmetric_tau_ap(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Mean of the AP correlation in both directions, where neither list is the reference.

    (tau_ap(x | y) + tau_ap(y | x)) / 2.

    Args:
        estimate: scores without ties, [..., n].
        truth: scores of the same items without ties, [..., n].

    Returns:
        [...], in [-1, 1]; NaN for fewer than two items.

    Raises:
        InputError: a NaN or a tie among the scores.
        UsageError: lists of different length.

    Reference:
        Yilmaz, Aslam & Robertson 2008, A new rank correlation coefficient for information retrieval. SIGIR.
    """
    pair = Pair(estimate, truth)
    for which in ("estimate", "truth"):
        pair.refuse_ties(which, "tau_ap_b, its form for ties")
    return pair.shaped(tau_ap_b_of(pair.counts))


def tau_ap_a(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """AP correlation of an estimate with ties: the mean over all orders of its tied items.

    tau_ap,a = 2 / (n - 1) sum_i [C_i / t_i sum_{k=1..t_i} 1 / (p_i + k - 2) if p_i > 1
    + 1 / (2 t_i) sum_{k=1..t_i - 1} k / (p_i + k - 1)] - 1, where item i stands in a group of t_i items that begins at
    rank p_i, and C_i items are above it in the estimate and in truth.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items without ties, [..., n].

    Returns:
        [...], in [-1, 1]; NaN for fewer than two items, 0 where the estimate is all tied.

    Raises:
        InputError: a NaN among the scores, or a tie in truth.
        UsageError: lists of different length.

    Reference:
        Urbano & Marrero 2017, The treatment of ties in AP correlation. ICTIR.

    >>> float(tau_ap_a(estimate=[3, 2, 2, 1], truth=[4, 3, 2, 1]).round(4))
    0.8333
    """
    pair = Pair(estimate, truth)
    pair.refuse_ties("truth", "tau_ap_b")
    counts = pair.counts
    above, size = counts.x.astype(np.int64), group_sizes(counts.x)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, max(2, counts.n)))])
    last = harmonic[above + size - 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        over_group = np.where(above > 0, last - harmonic[above - 1], 0.0)
    within = (size - 1) - above * (last - harmonic[above])
    total = ((counts.above_in_both * over_group + within / 2) / size).sum(axis=-1)
    tau = ratio(2 * total, np.full(len(total), max(0, counts.n - 1))) - 1
    # A sum that is rounded can leave [-1, 1] by its last digits.
    return pair.shaped(np.clip(tau, -1.0, 1.0))


def tau_ap_b(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """AP correlation corrected for ties in both lists, as tau_b corrects Kendall's tau; 1 for the same order and ties.

    tau_ap,b = (h(x, y) + h(y, x)) / 2 with h(x, y) = 2 / m sum_{i : N_i > 0} C_i / N_i - 1, where N_i items are above
    item i in x, C_i in both, and m items have any above them. Symmetric; without ties it is ``symmetric_tau_ap``.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Urbano & Marrero 2017, The treatment of ties in AP correlation. ICTIR.

    >>> float(tau_ap_b([3, 2, 2, 1], [4, 3, 2, 1]).round(4))
    0.8333
    """
    pair = Pair(estimate, truth)
    return pair.shaped(tau_ap_b_of(pair.counts))


def tau_ap_b_of(counts: Concordance) -> Floats:
    """tau_ap,b from counts, where one list is compared with many, [lists]."""
    mean: Floats = (_precision(counts, counts.x) + _precision(counts, counts.y)) / 2
    return mean


def _precision(counts: Concordance, above: Codes) -> Floats:
    """2 / m sum C_i / N_i - 1 over the m items with any above them in one of the lists."""
    share = np.divide(counts.above_in_both, above, out=np.zeros(above.shape), where=above > 0)
    precision: Floats = ratio(2 * share.sum(axis=-1), np.count_nonzero(above, axis=-1)) - 1
    return precision
