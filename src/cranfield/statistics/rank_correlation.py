"""Rank correlations of two lists of scores over the same items: Kendall's, the AP correlations, and others.

Every function takes two arrays of equal length n, or many at once: [..., n] and [..., n], whose leading axes are
broadcast, give [...]. Larger scores are better; equal scores are ties. Where only one list can be the reference, it is
called ``truth``, and the other is the ``estimate``.

A list that orders nothing (fewer than two items, or all tied) has no correlation: the value is NaN. A NaN among the
scores is refused, and so are two labelled arrays (pandas, xarray) whose items or their order differ.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield._typing import Floats
from cranfield._validation import share, word
from cranfield.statistics.concordance import Codes, Concordance, ScorePair, group_sizes
from cranfield.statistics.numeric import ratio

__all__ = [  # noqa: RUF022  (in their order here)
    "tau_a", "tau_b", "tau_c", "gamma", "kendall_distance", "tau_ap", "symmetric_tau_ap", "tau_ap_a", "tau_ap_b",
    "spearman", "pearson", "rmse", "rbo",
]  # fmt: skip
TauVariant = Literal["a", "b", "w"]
MIN_SYSTEMS = 3
"""Two systems have no meaningful correlation."""
BLOCK = 1 << 16
"""Scores that are processed at once."""


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
    pair = ScorePair(estimate, truth)
    counts = pair.counts
    both_order = (counts.untied_x > 0) & (counts.untied_y > 0)
    return pair.shaped(ratio(counts.surplus, np.where(both_order, counts.pairs, 0)))


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
    pair = ScorePair(estimate, truth)
    return pair.shaped(compute_tau_b(pair.counts))


def tau_c(estimate: ArrayLike, truth: ArrayLike) -> Floats:
    """Stuart's tau_c: Kendall's tau corrected for lists of few different values, as labels of grades are.

    tau_c = 2 (c - d) / (n^2 (m - 1) / m), with m the smaller number of different values of the two lists. Symmetric.
    It reaches 1 where n is a multiple of m and the lists have m values each, equally often, in the same order.

    Args:
        estimate: scores, [..., n].
        truth: scores of the same items, [..., n].

    Returns:
        [...], in [-1, 1]; NaN where a list is all tied.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length.

    Reference:
        Stuart 1953, The estimation and comparison of strengths of association in contingency tables. Biometrika 40.

    >>> float(tau_c([4, 3, 2, 1], [1, 1, 0, 0]))
    1.0
    """
    pair = ScorePair(estimate, truth)
    counts = pair.counts
    values = np.minimum(_count_values(counts.x), _count_values(counts.y)).astype(np.float64)
    return pair.shaped(ratio(2.0 * counts.surplus * values, counts.n**2 * (values - 1)))


def _count_values(above: Codes) -> NDArray[np.int64]:
    """Count the different values of each list, [lists]."""
    ordered = np.sort(above, axis=-1)
    values: NDArray[np.int64] = np.count_nonzero(np.diff(ordered, axis=-1), axis=-1) + (above.shape[-1] > 0)
    return values


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
    pair = ScorePair(estimate, truth)
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


def compute_tau_b(counts: Concordance) -> Floats:
    """tau_b from counts, where one list is compared with many, [lists]."""
    return ratio(counts.surplus, np.sqrt(counts.untied_x.astype(np.float64) * counts.untied_y))


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
    pair = ScorePair(estimate, truth)
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
    pair = ScorePair(estimate, truth)
    for which in ("estimate", "truth"):
        pair.refuse_ties(which, "tau_ap_b, its form for ties")
    return pair.shaped(compute_tau_ap_b(pair.counts))


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
    pair = ScorePair(estimate, truth)
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
    pair = ScorePair(estimate, truth)
    return pair.shaped(compute_tau_ap_b(pair.counts))


def compute_tau_ap_b(counts: Concordance) -> Floats:
    """tau_ap,b from counts, where one list is compared with many, [lists]."""
    mean: Floats = (_precision(counts, counts.x) + _precision(counts, counts.y)) / 2
    return mean


def _precision(counts: Concordance, above: Codes) -> Floats:
    """2 / m sum C_i / N_i - 1 over the m items with any above them in one of the lists."""
    share = np.divide(counts.above_in_both, above, out=np.zeros(above.shape), where=above > 0)
    precision: Floats = ratio(2 * share.sum(axis=-1), np.count_nonzero(above, axis=-1)) - 1
    return precision


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
    pair = ScorePair(estimate, truth)
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
    pair = ScorePair(estimate, truth)
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
    pair = ScorePair(estimate, truth)
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


def rbo(estimate: ArrayLike, truth: ArrayLike, *, p: float = 0.9, ties: TauVariant = "a") -> Floats:
    """Mean overlap of the tops of two rankings, seen by a user who goes one rank deeper with probability p. Symmetric.

    RBO = (1 - p) sum_{d >= 1} p^{d-1} A_d, where A_d is the agreement of the two lists at depth d, and 1 from d = n on,
    because both lists hold the same items (the extrapolated form; ``indefinite_rankings.rbo_of_rankings`` is for those
    that do not). With x_i and y_i the part of item i that lies in the first d ranks of either list:

    - ``a``: a group of t tied items of which m ranks lie above d counts m / t for each; A_d = sum x_i y_i / d. The mean
      RBO over all orders of the tied items of each list.
    - ``b``: the same parts, A_d = sum x_i y_i / sqrt(sum x_i^2 sum y_i^2), so that a list agrees fully with itself.
    - ``w``: tied items stand at one rank, all of them from the group's first rank on, as in sports; A_d =
      2 sum x_i y_i / (sum x_i + sum y_i). Webber, Moffat and Zobel's treatment.

    Args:
        estimate: scores, [..., n]; larger is better.
        truth: scores of the same items, [..., n].
        p: persistence, in (0, 1); the first 1 / (1 - p) ranks or so decide.
        ties: what equal scores mean; the three agree where there are none.

    Returns:
        [...], in [0, 1]; NaN for no items.

    Raises:
        InputError: a NaN among the scores.
        UsageError: lists of different length, a p outside (0, 1), or an unknown word for ties.

    References:
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106
        Corsi & Urbano 2024, The treatment of ties in rank-biased overlap. SIGIR. arXiv:2406.07121

    >>> float(rbo([3, 2, 1], [2, 3, 1], p=0.5))
    0.5
    """
    share(p=p)
    word("ties", ties, get_args(TauVariant))
    pair = ScorePair(estimate, truth)
    counts = pair.counts
    lists, n = counts.x.shape
    if n == 0:
        return pair.shaped(np.full(lists, np.nan))
    rows = max(1, BLOCK // n)
    blocks = [slice(start, start + rows) for start in range(0, lists, rows)]
    agreement = np.concatenate([_agreement(counts.x[block], counts.y[block], ties) for block in blocks])
    overlap = (1 - p) * (agreement * p ** np.arange(n)).sum(axis=-1) + p**n
    # A sum that is rounded can exceed 1 by its last digit.
    return pair.shaped(np.minimum(overlap, 1.0))


def _agreement(x: Codes, y: Codes, ties: TauVariant) -> Floats:
    """A_d for d = 1..n, [lists, n]."""
    untied = all((group_sizes(above) == 1).all() for above in (x, y))
    return _compute_begun_overlap(x, y) if ties == "w" or untied else _compute_partial_overlap(x, y, ties)


def _compute_begun_overlap(x: Codes, y: Codes) -> Floats:
    """The agreement where every item is in or out: items whose group has begun in both lists, or in either."""
    lists, n = x.shape

    def begun(above: Codes) -> Floats:
        index = above + np.arange(lists)[:, None] * n
        return np.bincount(index.ravel(), minlength=lists * n).reshape(lists, n).cumsum(axis=-1).astype(np.float64)

    return 2 * begun(np.maximum(x, y)) / (begun(x) + begun(y))


def _compute_partial_overlap(x: Codes, y: Codes, ties: TauVariant) -> Floats:
    sizes = [group_sizes(above) for above in (x, y)]
    out = np.empty(x.shape)
    for depth in range(1, x.shape[1] + 1):
        x_parts, y_parts = (
            np.clip((depth - above.astype(np.int64)) / size, 0.0, 1.0)
            for above, size in zip((x, y), sizes, strict=True)
        )
        both = (x_parts * y_parts).sum(axis=-1)
        norm = np.sqrt((x_parts**2).sum(axis=-1) * (y_parts**2).sum(axis=-1)) if ties == "b" else depth
        out[:, depth - 1] = both / norm
    return out
