"""Comparisons of systems on very many topics, from sums that are taken in blocks."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.comparison.effects import effects_of
from cranfield.comparison.long_bootstrap import LongBootstrap
from cranfield.comparison.outcome import DRAWN, MAX_T, Outcome, Settings, simultaneous_interval, without_wild
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix
from cranfield.scoring.streamed_scores import LongScores, PairSums, long_or_held
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import Interval, t_interval
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_tests import ratio, signs_tested, two_sided_t

FROM_SUMS = ("t", "sign", "bootstrap")
"""Tests that need no more than sums over topics, or over resamples of them."""
ByTopic = tuple[Ints, Ints, Ints, Floats, Floats]
"""Topics on which the left system is better, equal and worse, and both means."""


def scores_to_test(scores: ScoresLike | LongScores, test: str) -> Matrix | LongScores:
    """Scores as a test needs them: of very many topics and without gaps as sums, else in memory.

    Raises:
        UsageError, InputError: see ``long_or_held``.
    """
    return long_or_held(scores, sums_do=test in FROM_SUMS)


def outcome_of_sums(scores: LongScores, pairs: Contrasts, how: Settings) -> Outcome:
    """What the t-test, the sign test or the bootstrap says of each pair; the same as of scores in memory."""
    count, sums = len(scores.topics), scores.sums_of(pairs)
    mean, error = (np.array([getattr(one, name) for one in sums.differences]) for name in ("mean", "error"))
    df = np.full(len(pairs), count - 1.0)
    adjusted = simultaneous = None
    draws = how.test == "bootstrap" or how.interval in DRAWN
    drawn = LongBootstrap.of(scores, pairs, how.resamples, how.seed) if draws else None
    if how.test == "sign":
        tested = signs_tested(sums.above, sums.below)
        statistic, p = tested.statistic, tested.p
    else:
        statistic = ratio(mean, error)
        p = two_sided_t(statistic, df)
    if drawn is not None and how.test == "bootstrap":
        p, adjusted, simultaneous = _resampled(drawn, sums, mean, error, how)
    if drawn is not None and how.interval in DRAWN:
        interval = drawn.interval(str(how.interval), how.level)
    elif how.interval is None and simultaneous is not None:
        interval = simultaneous
    else:
        interval = t_interval(mean, error, count - 1.0, how.level)
    return Outcome(np.full(len(pairs), count), mean, interval, error, df, statistic, p, adjusted)


def _resampled(
    drawn: LongBootstrap, sums: PairSums, mean: Floats, error: Floats, how: Settings
) -> tuple[Floats, Floats | None, Interval | None]:
    """p of each pair, and with max-t its adjusted p and the interval that belongs to it."""
    if how.correction not in MAX_T:
        return share(drawn.hits(), how.resamples, exact=False), None, None
    wild = 2 * (sums.above + sums.below) < drawn.topics
    family = without_wild(wild, drawn.family, how.resamples)
    hits = family.step_down if how.correction == "max-t-step-down" else family.single_step
    p, adjusted = (share(one, how.resamples, exact=False) for one in (family.raw, hits))
    return p, adjusted, simultaneous_interval(mean, error, family, how.alpha, exact=False)


def pair_facts(scores: LongScores, pairs: Contrasts, level: float) -> tuple[ByTopic, dict[str, Floats]]:
    """What a table says of each pair beside the test: on how many topics it wins, both means, and effect sizes."""
    sums, count = scores.sums_of(pairs), len(scores.topics)
    wins, losses = (sums.above, sums.below) if scores.larger_is_better else (sums.below, sums.above)
    by_topic = wins, count - wins - losses, losses, scores.means[pairs.left], scores.means[pairs.right]
    return by_topic, effects_of(*_moments(sums, count), scores.residual, level)


def _moments(sums: PairSums, count: int) -> tuple[Floats, Floats, Floats]:
    """Of each pair the number of topics, and mean and standard deviation of its differences."""
    found = sums.differences
    deviation = np.array([one.deviation for one in found])
    return np.full(len(found), float(count)), np.array([one.mean for one in found]), deviation
