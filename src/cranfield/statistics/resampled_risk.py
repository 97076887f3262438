"""Intervals of ZRisk and GeoRisk over topics, by the bootstrap."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from scipy.special import ndtr

from cranfield._typing import Floats
from cranfield._validation import share, word
from cranfield.errors import UsageError
from cranfield.statistics.intervals import Interval, bca_of, percentiles_of
from cranfield.statistics.product import product
from cranfield.statistics.resampling import Draw, Samples, bootstrap_counts
from cranfield.statistics.risk import AmongAll, risk_against_all

RiskInterval = Literal["percentile", "bca"]
TURNS = 10_000
"""Topics that are left out one by one at the most: the work grows with their square."""


class RiskIntervals(NamedTuple):
    """Of each system among all of them, [systems] each."""

    zrisk: Interval
    georisk: Interval


def risk_intervals(
    scores: Floats,
    alpha: float,
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
        alpha: how much more what is missing weighs than what is added, at least 0.
        level: coverage, in (0, 1).
        interval: which.
        resamples: samples of topics.
        seed: of the samples.

    Raises:
        InputError: a score below 0.
        UsageError: numbers outside their range, an unknown word, or ``bca`` of more than 10,000 topics.

    Reference:
        Efron & Tibshirani 1993, An introduction to the bootstrap, ch. 13 and 14.

    >>> alone = risk_intervals(np.array([[0.5], [0.25], [0.0]]), alpha=2, resamples=100)
    >>> [bound.item() for bound in alone.zrisk]
    [0.0, 0.0]
    """
    share(level=level)
    word("interval", interval, get_args(RiskInterval))
    if interval == "bca" and len(scores) > TURNS:
        raise UsageError(
            f"interval='bca' leaves out each topic in turn, and {len(scores):,} topics are more than {TURNS:,}: take "
            "'percentile'"
        )
    observed = risk_against_all(scores, alpha)
    drawn = resampled_risk(scores, alpha, bootstrap_counts(len(scores), resamples, np.random.default_rng(seed)))
    if interval == "percentile":
        return RiskIntervals(*(percentiles_of(values, level) for values in drawn))
    one_less = Samples(len(scores), len(scores), np.random.default_rng(seed), _without_one(len(scores)))
    without = resampled_risk(scores, alpha, one_less)
    return RiskIntervals(*(accelerated(*three, level=level) for three in zip(drawn, observed, without, strict=True)))


def resampled_risk(scores: Floats, alpha: float, counts: Samples) -> AmongAll:
    """ZRisk and GeoRisk of every system in samples of the topics, [samples, systems] each.

    With p = S_i / N of a sample, e_qi = p T_q, so that z_qi = x_qi / sqrt(T_q) / sqrt(p) - sqrt(T_q) sqrt(p), and it is
    below 0 where x_qi / T_q < p: sums over topics of what does not change, and of it where a share lies below p.

    Args:
        scores: at least 0, [topics, systems].
        alpha: how much more what is missing weighs, at least 0.
        counts: how often each topic is in each sample. ZRisk is of as many topics as there are scores.
    """
    topics, systems = scores.shape
    of_topic = scores.sum(axis=1)
    portion = np.divide(scores, of_topic[:, None], out=np.zeros_like(scores), where=of_topic[:, None] > 0)
    root = np.sqrt(of_topic)[:, None]
    added = portion * root
    zrisk, georisk = np.empty((2, len(counts), systems))
    for rows, block in counts.blocks():
        number = block.sum(axis=1, keepdims=True)
        sums, total = product(block, scores), product(block, of_topic[:, None])
        expected = np.divide(sums, total, out=np.zeros_like(sums), where=total > 0)
        found, missed = product(block, added), np.repeat(product(block, root), systems, axis=1)
        for system in range(systems if alpha else 0):
            below = block * (portion[:, system] < expected[:, system, None])
            more = alpha * product(below, np.column_stack([added[:, system], root[:, 0]]))
            found[:, system] += more[:, 0]
            missed[:, system] += more[:, 1]
        share_root = np.sqrt(expected)
        z = np.divide(found, share_root, out=np.zeros_like(found), where=share_root > 0) - missed * share_root
        zrisk[rows] = z / number * topics
        georisk[rows] = np.sqrt(sums / number * ndtr(z / number))
    return AmongAll(zrisk, georisk)


def _without_one(topics: int) -> Draw:
    """All topics but the first, but the second, and so on."""

    def draw(_: np.random.Generator, start: int, size: int) -> Floats:
        return 1.0 - np.eye(size, topics, start)

    return draw


def accelerated(drawn: Floats, observed: Floats, without: Floats, *, level: float) -> Interval:
    """BCa of one statistic, whose acceleration is that of the values without each topic, [topics, systems]."""
    away = without.mean(axis=0) - without
    squares, cubes = (away**2).sum(axis=0), (away**3).sum(axis=0)
    return Interval(*bca_of(np.sort(drawn, axis=0), observed, squares, cubes, level))
