"""Risk of falling behind a baseline, where a loss weighs more than a gain: URisk, TRisk, ZRisk and GeoRisk.

Intervals of ZRisk and GeoRisk are bootstrapped over topics.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from scipy.special import ndtr

from cranfield._message import setting
from cranfield._typing import Floats
from cranfield._validation import not_negative, share, word
from cranfield.errors import InputError, UsageError
from cranfield.statistics.intervals import PairIntervals, compute_bca, compute_percentiles, t_interval
from cranfield.statistics.numeric import product, ratio_or
from cranfield.statistics.paired_tests import moments, two_sided_t
from cranfield.statistics.resampling import Samples, bootstrap_counts

Deviation = Literal["sample", "population"]
RiskInterval = Literal["percentile", "bca"]
MAX_BCA_TOPICS = 10_000
"""Most topics that are left out one by one: the work grows with their square."""


class OfDifferences(NamedTuple):
    """Risk from the differences from a baseline, [systems] each; NaN where undefined."""

    urisk: Floats
    trisk: Floats
    p: Floats
    interval: PairIntervals
    """Interval of URisk, by Student's distribution."""
    deviation: Floats
    """Standard deviation of the weighed differences."""


def weighed(difference: Floats, loss_weight: float) -> Floats:
    """Gains as they are, and losses times 1 + loss_weight.

    Raises:
        UsageError: a loss_weight below 0.
    """
    not_negative(loss_weight=loss_weight)
    return np.where(difference < 0, (1.0 + loss_weight) * difference, difference)


def risk_of(
    difference: Floats,
    loss_weight: float,
    level: float = 0.95,
    deviation: Deviation = "sample",
    slack: Floats | float = 0.0,
) -> OfDifferences:
    """URisk = mean(x) and TRisk = URisk / (s / sqrt(c)) of x = d, or (1 + loss_weight) d for losses, over c topics.

    With a weight of 0 TRisk is the paired t. p is two-sided, of t with c - 1 degrees of freedom, and tests mean(x) = 0:
    for a weight above 0 that is not "the systems are equal", of which the mean of x is below 0. Where all x are equal,
    TRisk is undefined.

    Args:
        difference: of scores from the baseline's, larger being better, [topics, systems]; no NaN.
        loss_weight: how much more a loss weighs than a gain, at least 0.
        level: coverage of the interval, in (0, 1).
        deviation: s divides by c - 1 (``sample``) or by c (``population``, as a published tool does).
        slack: up to what size a spread is rounding and nothing else, [systems].

    Raises:
        UsageError: a loss_weight below 0, or an unknown word.

    References:
        Wang, Bennett & Collins-Thompson 2012, Robust ranking models via risk-sensitive optimization.
        doi:10.1145/2348283.2348385
        Dincer, Macdonald & Ounis 2014, Hypothesis testing for the risk-sensitive evaluation of retrieval systems.
        doi:10.1145/2600428.2609625

    >>> found = risk_of(np.array([[0.2], [-0.1], [0.0], [0.3]]), loss_weight=1)
    >>> [round(value.item(), 4) for value in (found.urisk, found.trisk)]
    [0.075, 0.6765]
    """
    word("deviation", deviation, get_args(Deviation))
    x = weighed(difference, loss_weight)
    c = len(x)
    if c < 2:
        nothing = np.full(x.shape[1], np.nan)
        return OfDifferences(
            x.mean(axis=0) if c else nothing, nothing, nothing, PairIntervals(nothing, nothing), nothing
        )
    s = moments(x, np.broadcast_to(np.asarray(slack, dtype=np.float64), x.shape[1:])).deviation
    mean = x.mean(axis=0)
    shown = s if deviation == "sample" else s * np.sqrt((c - 1) / c)
    t = np.divide(mean, shown / np.sqrt(c), out=np.full(len(mean), np.nan), where=shown > 0)
    p = two_sided_t(t, np.full(len(t), c - 1.0))
    interval = PairIntervals(
        *(np.where((s == 0) & (mean != 0), np.nan, end) for end in t_interval(mean, s / np.sqrt(c), c - 1.0, level))
    )
    return OfDifferences(mean, t, p, interval, shown)


class AmongAll(NamedTuple):
    """Risk of each system among all systems, [systems] each."""

    zrisk: Floats
    georisk: Floats


def risk_against_all(scores: Floats, loss_weight: float) -> AmongAll:
    """ZRisk and GeoRisk of every system: how its scores depart from what its mean and its topics let expect.

    With S_i the sum of system i, T_q that of topic q, N of all and c topics, e_qi = S_i T_q / N and z_qi = (x_qi -
    e_qi) / sqrt(e_qi), 0 where e_qi = 0:

        ZRisk_i = sum of z_qi >= 0, plus (1 + loss_weight) times the sum of z_qi < 0
        GeoRisk_i = sqrt(S_i / c * Phi(ZRisk_i / c))

    Both depend on all systems: one more changes every value.

    Args:
        scores: at least 0, larger being better, [topics, systems].
        loss_weight: how much more what is missing weighs than what is added, at least 0.

    Raises:
        InputError: a score below 0.
        UsageError: a loss_weight below 0.

    Reference:
        Dincer, Macdonald & Ounis 2016, Risk-sensitive evaluation and learning to rank using multiple baselines.
        doi:10.1145/2911451.2911511

    >>> found = risk_against_all(np.array([[0.5], [0.25], [0.0]]), loss_weight=2)
    >>> found.zrisk.item(), round(found.georisk.item(), 4)
    (0.0, 0.3536)
    """
    negative = scores[scores < 0]
    if len(negative):
        raise InputError(f"ZRisk is defined for scores of at least 0, and one is {negative[0]:g}", code="score")
    total = scores.sum()
    expected = scores.sum(axis=1, keepdims=True) * scores.sum(axis=0) / (total if total > 0 else 1.0)
    z = np.divide(scores - expected, np.sqrt(expected), out=np.zeros_like(scores), where=expected > 0)
    zrisk = weighed(z, loss_weight).sum(axis=0)
    return AmongAll(zrisk, np.sqrt(scores.mean(axis=0) * ndtr(zrisk / len(scores))))


class RiskIntervals(NamedTuple):
    """Intervals of the risk of each system among all systems, [systems] each."""

    zrisk: PairIntervals
    georisk: PairIntervals


def risk_intervals(
    scores: Floats,
    loss_weight: float,
    *,
    level: float = 0.95,
    interval: RiskInterval = "percentile",
    resamples: int = 2_000,
    seed: int = 1,
) -> RiskIntervals:
    """Intervals of ZRisk and GeoRisk where topics are drawn with replacement.

    Each sample of topics has sums of its own, so that what is expected of a system on a topic is computed anew. The
    systems are the same in all samples: the intervals are about other topics, and not about other systems. ZRisk is a
    sum over topics; its interval is for as many of them. ``percentile`` takes the middle ``level`` of the samples;
    ``bca`` corrects that for bias and for skewness, by leaving out each topic in turn.

    Args:
        scores: at least 0, larger being better, [topics, systems].
        loss_weight: how much more what is missing weighs than what is added, at least 0.
        level: coverage, in (0, 1).
        interval: which.
        resamples: samples of topics.
        seed: of the samples.

    Raises:
        InputError: a score below 0.
        UsageError: numbers outside their range, an unknown word, or ``bca`` of more than 10,000 topics.

    Reference:
        Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 13 and 14.

    >>> alone = risk_intervals(np.array([[0.5], [0.25], [0.0]]), loss_weight=2, resamples=100)
    >>> [bound.item() for bound in alone.zrisk]
    [0.0, 0.0]
    """
    share(level=level)
    word("interval", interval, get_args(RiskInterval))
    if interval == "bca" and len(scores) > MAX_BCA_TOPICS:
        raise UsageError(
            f"{setting('interval', 'bca')} leaves out each topic in turn, and {len(scores):,} topics are more than "
            f"{MAX_BCA_TOPICS:,}: take 'percentile'"
        )
    observed = risk_against_all(scores, loss_weight)
    drawn = resampled_risk(scores, loss_weight, bootstrap_counts(len(scores), resamples, np.random.default_rng(seed)))
    if interval == "percentile":
        return RiskIntervals(*(compute_percentiles(values, level) for values in drawn))
    n = len(scores)
    one_less = Samples(n, n, np.random.default_rng(seed), lambda _, start, size: 1.0 - np.eye(size, n, start))
    without = resampled_risk(scores, loss_weight, one_less)
    return RiskIntervals(*(accelerated(*three, level=level) for three in zip(drawn, observed, without, strict=True)))


def resampled_risk(scores: Floats, loss_weight: float, counts: Samples) -> AmongAll:
    """ZRisk and GeoRisk of every system in samples of the topics, [samples, systems] each.

    With p = S_i / N of a sample, e_qi = p T_q, so that z_qi = x_qi / sqrt(T_q) / sqrt(p) - sqrt(T_q) sqrt(p), and it is
    below 0 where x_qi / T_q < p: sums over topics of what does not change, and of it where a share lies below p.

    Args:
        scores: at least 0, [topics, systems].
        loss_weight: how much more what is missing weighs, at least 0.
        counts: how often each topic is in each sample. ZRisk is of as many topics as there are scores.
    """
    topics, systems = scores.shape
    topic_sums = scores.sum(axis=1)
    portion = np.divide(scores, topic_sums[:, None], out=np.zeros_like(scores), where=topic_sums[:, None] > 0)
    root = np.sqrt(topic_sums)[:, None]
    added = portion * root
    zrisk, georisk = np.empty((2, len(counts), systems))
    for rows, block in counts.blocks():
        number = block.sum(axis=1, keepdims=True)
        sums, total = product(block, scores), product(block, topic_sums[:, None])
        expected = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
        added_sums, missed_sums = product(block, added), np.repeat(product(block, root), systems, axis=1)
        for system in range(systems if loss_weight else 0):
            below = block * (portion[:, system] < expected[:, system, None])
            more = loss_weight * product(below, np.column_stack([added[:, system], root[:, 0]]))
            added_sums[:, system] += more[:, 0]
            missed_sums[:, system] += more[:, 1]
        share_root = np.sqrt(expected)
        z = ratio_or(added_sums, share_root, 0.0) - missed_sums * share_root
        zrisk[rows] = z / number * topics
        georisk[rows] = np.sqrt(sums / number * ndtr(z / number))
    return AmongAll(zrisk, georisk)


def accelerated(drawn: Floats, observed: Floats, without: Floats, *, level: float) -> PairIntervals:
    """BCa of one statistic, whose acceleration is that of the values without each topic, [topics, systems]."""
    away = without.mean(axis=0) - without
    squares, cubes = (away**2).sum(axis=0), (away**3).sum(axis=0)
    return PairIntervals(*compute_bca(np.sort(drawn, axis=0), observed, squares, cubes, level))
