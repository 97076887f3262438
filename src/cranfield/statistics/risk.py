"""Risk of falling behind a baseline, where a loss weighs more than a gain: URisk, TRisk, ZRisk and GeoRisk."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from scipy.special import ndtr

from cranfield._typing import Floats
from cranfield._validation import not_negative, word
from cranfield.errors import InputError
from cranfield.statistics.intervals import Interval, t_interval
from cranfield.statistics.paired_tests import moments, two_sided_t

Deviation = Literal["sample", "population"]


class OfDifferences(NamedTuple):
    """Of the differences from a baseline, [systems] each; NaN where undefined."""

    urisk: Floats
    trisk: Floats
    p: Floats
    interval: Interval
    """Of URisk, by Student's distribution."""
    deviation: Floats
    """Standard deviation of the weighed differences."""


def weighed(difference: Floats, alpha: float) -> Floats:
    """Gains as they are, and losses times 1 + alpha.

    Raises:
        UsageError: an alpha below 0.
    """
    not_negative(alpha=alpha)
    return np.where(difference < 0, (1.0 + alpha) * difference, difference)


def risk_of(
    difference: Floats, alpha: float, level: float = 0.95, deviation: Deviation = "sample", slack: Floats | float = 0.0
) -> OfDifferences:
    """URisk = mean(x) and TRisk = URisk / (s / sqrt(c)) of x = d, or (1 + alpha) d for losses, over c topics.

    TRisk at alpha 0 is the paired t. p is two-sided, of t with c - 1 degrees of freedom, and tests mean(x) = 0: for
    alpha above 0 that is not "the systems are equal", of which the mean of x is below 0. Where all x are equal, TRisk
    is undefined.

    Args:
        difference: of scores from the baseline's, larger being better, [topics, systems]; no NaN.
        alpha: how much more a loss weighs than a gain, at least 0.
        level: coverage of the interval, in (0, 1).
        deviation: s divides by c - 1 (``sample``) or by c (``population``, as a published tool does).
        slack: up to what size a spread is rounding and nothing else, [systems].

    Raises:
        UsageError: an alpha below 0, or an unknown word.

    References:
        Wang, Bennett & Collins-Thompson 2012, Robust ranking models via risk-sensitive optimization.
        doi:10.1145/2348283.2348385
        Dincer, Macdonald & Ounis 2014, Hypothesis testing for the risk-sensitive evaluation of retrieval systems.
        doi:10.1145/2600428.2609625

    >>> found = risk_of(np.array([[0.2], [-0.1], [0.0], [0.3]]), alpha=1)
    >>> [round(value.item(), 4) for value in (found.urisk, found.trisk)]
    [0.075, 0.6765]
    """
    word("deviation", deviation, get_args(Deviation))
    x = weighed(difference, alpha)
    c = len(x)
    if c < 2:
        nothing = np.full(x.shape[1], np.nan)
        return OfDifferences(x.mean(axis=0) if c else nothing, nothing, nothing, Interval(nothing, nothing), nothing)
    s = moments(x, np.broadcast_to(np.asarray(slack, dtype=np.float64), x.shape[1:])).deviation
    mean = x.mean(axis=0)
    shown = s if deviation == "sample" else s * np.sqrt((c - 1) / c)
    t = np.divide(mean, shown / np.sqrt(c), out=np.full(len(mean), np.nan), where=shown > 0)
    p = two_sided_t(t, np.full(len(t), c - 1.0))
    interval = Interval(
        *(np.where((s == 0) & (mean != 0), np.nan, end) for end in t_interval(mean, s / np.sqrt(c), c - 1.0, level))
    )
    return OfDifferences(mean, t, p, interval, shown)


class AmongAll(NamedTuple):
    """Of each system among all of them, [systems] each."""

    zrisk: Floats
    georisk: Floats


def risk_against_all(scores: Floats, alpha: float) -> AmongAll:
    """ZRisk and GeoRisk of every system: how its scores depart from what its mean and its topics let expect.

    With S_i the sum of system i, T_q that of topic q, N of all and c topics, e_qi = S_i T_q / N and z_qi = (x_qi -
    e_qi) / sqrt(e_qi), 0 where e_qi = 0:

        ZRisk_i = sum of z_qi >= 0, plus (1 + alpha) times the sum of z_qi < 0
        GeoRisk_i = sqrt(S_i / c * Phi(ZRisk_i / c))

    Both depend on all systems: one more changes every value.

    Args:
        scores: at least 0, larger being better, [topics, systems].
        alpha: how much more what is missing weighs than what is added, at least 0.

    Raises:
        InputError: a score below 0.
        UsageError: an alpha below 0.

    Reference:
        Dincer, Macdonald & Ounis 2016, Risk-sensitive evaluation and learning to rank using multiple baselines.
        doi:10.1145/2911451.2911511

    >>> found = risk_against_all(np.array([[0.5], [0.25], [0.0]]), alpha=2)
    >>> found.zrisk.item(), round(found.georisk.item(), 4)
    (0.0, 0.3536)
    """
    negative = scores[scores < 0]
    if len(negative):
        raise InputError(f"ZRisk is defined for scores of at least 0, and one is {negative[0]:g}", code="score")
    total = scores.sum()
    expected = scores.sum(axis=1, keepdims=True) * scores.sum(axis=0) / (total if total > 0 else 1.0)
    z = np.divide(scores - expected, np.sqrt(expected), out=np.zeros_like(scores), where=expected > 0)
    zrisk = weighed(z, alpha).sum(axis=0)
    return AmongAll(zrisk, np.sqrt(scores.mean(axis=0) * ndtr(zrisk / len(scores))))
