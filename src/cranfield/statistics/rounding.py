"""Differences that are rounding alone, and those that do not vary: one rule for every verdict.

A score is a sum of products of numbers that are each rounded to a share u = 2^-53 of themselves. A sum of n of them is
off by at most about 2 n u of the sum of their sizes, and a mean or a difference of scores by little more. For lists of
1,000 documents that is, with a few operations more, some 4,000 u or 4e-13 of the largest score: ``NOISE`` is the power
of ten above it. Differences that people mean are larger by far: scores in files have four to nine decimals.

Where differences are equal to this tolerance, their standard error is 0 or rounding, and t = mean / error says nothing:
no spread is not certainty. What holds without a spread is exact: n units with one sign have the one-sided p 2^-n under
random signs (``signs_p``), and R runs all above R' runs the p 1 / C(R + R', R) under random places (``exchange_p``).
Where all differences are 0 nothing is worse.

Where all differences but few are equal (``find_common``) the little spread that there is says as little: three
topics that lose .2, .2 and .2000001 would be surer than three that lose .2.
"""

from __future__ import annotations

import math

import numpy as np

from cranfield._typing import Floats, Ints, Mask

NOISE = 1e-12
"""Differences up to this share of the largest value are rounding; of scores from 0 to 1, this much."""


def is_noise(values: Floats, largest: Floats | float) -> Mask:
    """Return which values are rounding, where the scores that they come from go up to ``largest``."""
    small: Mask = np.abs(values) <= NOISE * np.asarray(largest)
    return small


def cleared(values: Floats, largest: Floats | float) -> Floats:
    """The values, and 0 where they are rounding; see ``is_noise``."""
    return np.where(is_noise(values, largest), 0.0, values)


def is_same(left: Floats, right: Floats, scale: float = 0.0) -> Mask:
    """Return whether values differ by no more than rounding does: ``NOISE`` of the larger one, or of ``scale``."""
    size = np.maximum(np.maximum(np.abs(left), np.abs(right)), scale)
    same: Mask = np.abs(left - right) <= NOISE * size
    return same


PRINTED = 0.006
"""The largest distance of a mean with two digits from that of the scores, as a share of the largest score."""


def are_printed_means(means: Floats, scores: Floats, largest: float) -> bool:
    """Return whether these are the means of scores, as tables print them.

    Args:
        means: [columns]; NaN is not compared.
        scores: [rows, columns]; NaN is left out, and a column of nothing else is not compared.
        largest: size of the largest score.
    """
    known = ~np.isnan(scores)
    count = known.sum(axis=0)
    compared = ~np.isnan(means) & (count > 0)
    total = np.where(known, scores, 0.0).sum(axis=0)[compared]
    return not (np.abs(means[compared] - total / count[compared]) > PRINTED * largest).any()


def equalize(values: Floats) -> Floats:
    """Values of which those that are the same but for rounding are equal, [n]; NaN stays.

    The scale is the median size, so that a value near 0 may be what rounding left, and one that is far larger than all
    others makes none of them equal. Of a group the smallest value stands for all.

    >>> equalize(np.array([0.1 + 0.2, 0.5, 0.3])).tolist()
    [0.3, 0.5, 0.3]
    """
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    ordered = values[order]
    scale = float(np.median(np.abs(ordered))) if len(ordered) else 0.0
    near = is_same(ordered[1:], ordered[:-1], scale) & (ordered[1:] != ordered[:-1])
    if not near.any():
        return values
    for at in np.flatnonzero(near) + 1:
        # The first of a group was put in its place before: a chain of small steps does not grow.
        if is_same(ordered[at : at + 1], ordered[at - 1 : at], scale)[0]:
            ordered[at] = ordered[at - 1]
    settled: Floats = values.copy()
    settled[order] = ordered
    return settled


def signs_p(units: Ints | Floats) -> Floats:
    """One-sided p of units that all have one sign: 2^-n."""
    p: Floats = 0.5 ** np.asarray(units, dtype=np.float64)
    return p


def exchange_p(left: Ints | Floats, right: Ints | Floats) -> Floats:
    """One-sided p where all of ``left`` values lie above all of ``right`` values: 1 / C(left + right, left)."""
    from scipy.special import binom  # here: scoring needs the tolerance, and not SciPy

    p: Floats = 1.0 / binom(np.asarray(left) + np.asarray(right), left)
    return p


FEW = 0.1
"""Share of values that are few among the others; one always is."""


def find_common(values: Floats, slack: Floats | float) -> float:
    """The value that all but one of three values or more, or all but a tenth, share; NaN where there is none.

    Args:
        values: such as the differences of topics, [n], without NaN.
        slack: differences that are rounding.

    >>> find_common(np.array([-1.0, -1.0, 0.0]), 1e-12), find_common(np.array([-1.0, 0.0]), 1e-12)
    (-1.0, nan)
    """
    others = max(1, int(FEW * len(values)))
    if len(values) < 3:
        return math.nan
    ordered = np.sort(values)
    begins = np.flatnonzero(ordered[len(values) - others - 1 :] - ordered[: others + 1] <= slack)
    return float(ordered[begins[0]]) if len(begins) else math.nan


def units_needed(level: float) -> int:
    """The fewest units of one sign whose p lies below a level, in (0, 1); see ``signs_p``."""
    return math.floor(-math.log2(level)) + 1
