"""Systems that a judge favours: residuals of its means from a line on the reference's means, tested over topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.statistics.clustered_tests import clustered_t, flip_clusters
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.resampling import Samples, sign_flips
from cranfield.statistics.rounding import NOISE

TOLERANCE = 1e-9
"""Relative tolerance: closer statistics are tied, and ties count against significance."""


@dataclass(frozen=True)
class JudgeBias:
    """The bias of a judge toward each system, [systems] each.

    Args:
        favour: its mean under the judge minus what a straight line on the reference's means gives.
        low, high: ends of simultaneous intervals, which exclude 0 where p is below 1 - level, up to ties.
        p: adjusted for the number of systems by the maximum of \\|t\\| under the same flips of topics (max-T).
    """

    favour: Floats
    low: Floats
    high: Floats
    p: Floats


def contributions(reference: Floats, judge: Floats) -> Floats:
    """The contribution of each topic to each system's favour, [topics, systems]; their mean is the favour.

    favour = M mean_t(J_t), M = I - X (X'X)^-1 X' with X = [1, mean_t(H_t)]: the residuals of the judge's means on the
    reference's. As M mean_t(H_t) = 0, M (J_t - b H_t) has the same mean for every b; with b the slope of that line
    it holds least of the topics' own differences between systems, which are none of the judge's doing.

    Args:
        reference: H, scores by the reference's labels, [topics, systems].
        judge: J, scores by the judge's labels, [topics, systems].
    """
    means = reference.mean(axis=0)
    centred = means - means.mean()
    squares = float(centred @ centred)
    slope = float(centred @ judge.mean(axis=0)) / squares if squares > 0 else 0.0
    gap = judge - slope * reference
    gap = gap - gap.mean(axis=1, keepdims=True)
    along = (gap @ centred)[:, None] * centred / squares if squares > 0 else 0.0
    apart: Floats = gap - along
    return apart


def estimate_judge_bias(
    reference: Floats,
    judge: Floats,
    *,
    resamples: int,
    rng: np.random.Generator,
    level: float = 0.95,
    cluster: Ints | None = None,
) -> JudgeBias:
    """Test whether a judge favours systems beyond its own scale, by flips of topics' signs.

    A judge who gives everybody more, or spreads systems further apart, favours nobody. The null: what a topic adds to
    the favours is as likely the opposite.

    Args:
        reference, judge: scores, [topics, systems]; two topics and three systems or more.
        resamples: of the flips; all of them where there are no more.
        rng: draws them.
        level: of the simultaneous intervals.
        cluster: of each topic, the signs of whole clusters being flipped; None without clusters.
    """
    gap = contributions(reference, judge)
    scale = max(float(np.abs(reference).max()), float(np.abs(judge).max()), 1.0)
    gap = np.where(np.abs(gap) <= NOISE * scale, 0.0, gap)
    if cluster is not None:
        tested, flipped = clustered_t(gap, cluster), flip_clusters(gap, cluster, resamples, rng)
        constant = (gap == 0).all(axis=0)
        largest = np.where(constant[:, None], 0.0, flipped.drawn).max(axis=0)
        return _conclude(tested.mean, tested.error, np.abs(flipped.observed), largest, flipped.exact, constant, level)
    topics = len(gap)
    flips, exact = sign_flips(topics, resamples, rng)
    squares = (gap**2).sum(axis=0)
    observed = _t(gap.sum(axis=0)[None], squares, topics)[0]
    error = gap.std(axis=0, ddof=1) / np.sqrt(topics)
    return _conclude(gap.mean(axis=0), error, observed, _largest(flips, gap, squares), exact, squares == 0, level)


def _conclude(
    mean: Floats, error: Floats, observed: Floats, largest: Floats, exact: bool, constant: Mask, level: float
) -> JudgeBias:
    """p and intervals from |t| observed, [systems], and the largest |t| of each flip, [flips]."""
    hits = (largest[:, None] >= observed * (1 - TOLERANCE)).sum(axis=0)
    p = share(hits, len(largest), exact=exact)
    reach = float(np.quantile(np.minimum(largest, 1e6), level, method="higher")) * error
    return JudgeBias(mean, mean - reach, mean + reach, np.where(constant, 1.0, p))


def _t(sums: Floats, squares: Floats, topics: int) -> Floats:
    """|t| of signed sums, [flips, systems]: the sum of squares is that of every flip."""
    spread = topics * squares - sums**2
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.sqrt((topics - 1) * sums**2 / np.maximum(spread, 0.0))
    values = np.where(spread <= TOLERANCE * topics * squares, np.inf, values)
    out: Floats = np.where(squares > 0, values, 0.0)
    return out


def _largest(flips: Samples, gap: Floats, squares: Floats) -> Floats:
    """The largest |t| of all systems under each flip, [flips]."""
    out = np.empty(len(flips))
    for rows, signs in flips.blocks():
        out[rows] = _t(signs @ gap, squares, len(gap)).max(axis=1)
    return out
