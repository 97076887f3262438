"""Rank-biased overlap of two rankings of the same items, with ties."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield._validation import share, word
from cranfield.statistics._concordance import Codes, Pair, group_sizes

Ties = Literal["a", "b", "w"]

BLOCK = 1 << 16
"""Scores that are worked on at once."""


def rbo(estimate: ArrayLike, truth: ArrayLike, *, p: float = 0.9, ties: Ties = "a") -> Floats:
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
    word("ties", ties, get_args(Ties))
    pair = Pair(estimate, truth)
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


def _agreement(x: Codes, y: Codes, ties: Ties) -> Floats:
    """A_d for d = 1..n, [lists, n]."""
    untied = all((group_sizes(above) == 1).all() for above in (x, y))
    return _whole(x, y) if ties == "w" or untied else _by_parts(x, y, ties)


def _whole(x: Codes, y: Codes) -> Floats:
    """Every item is in or out: count those whose group has begun in both lists, or in either."""
    lists, n = x.shape

    def begun(above: Codes) -> Floats:
        place = above + np.arange(lists)[:, None] * n
        return np.bincount(place.ravel(), minlength=lists * n).reshape(lists, n).cumsum(axis=-1).astype(np.float64)

    return 2 * begun(np.maximum(x, y)) / (begun(x) + begun(y))


def _by_parts(x: Codes, y: Codes, ties: Ties) -> Floats:
    sizes = [group_sizes(above) for above in (x, y)]
    out = np.empty(x.shape)
    for depth in range(1, x.shape[1] + 1):
        of_x, of_y = (
            np.clip((depth - above.astype(np.int64)) / size, 0.0, 1.0)
            for above, size in zip((x, y), sizes, strict=True)
        )
        both = (of_x * of_y).sum(axis=-1)
        whole = np.sqrt((of_x**2).sum(axis=-1) * (of_y**2).sum(axis=-1)) if ties == "b" else depth
        out[:, depth - 1] = both / whole
    return out
