"""Comparisons of systems on very many topics, from sums that are taken in blocks."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.comparison.effects import effects_of
from cranfield.comparison.outcome import IntervalKind, Outcome, Settings
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.matrix import Matrix
from cranfield.scoring.long_scores import LongScores, PairSums, long_or_held
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.paired_tests import ratio, signs_tested, two_sided_t

FROM_SUMS = ("t", "sign")
"""Tests that need no more than sums over topics."""
ByTopic = tuple[Ints, Ints, Ints, Floats, Floats]
"""Topics on which the left system is better, equal and worse, and both means."""


def scores_to_test(scores: ScoresLike | LongScores, test: str, interval: IntervalKind | None) -> Matrix | LongScores:
    """Scores as a test needs them: of very many topics and without gaps as sums, else in memory.

    Raises:
        UsageError, InputError: see ``long_or_held``.
    """
    return long_or_held(scores, sums_do=test in FROM_SUMS and interval in (None, "t"))


def outcome_of_sums(scores: LongScores, pairs: Contrasts, how: Settings) -> Outcome:
    """What the t-test or the sign test says of each pair; the same as of scores in memory."""
    count, sums = len(scores.topics), scores.sums_of(pairs)
    mean, error = (np.array([getattr(one, name) for one in sums.differences]) for name in ("mean", "error"))
    df = np.full(len(pairs), count - 1.0)
    if how.test == "sign":
        tested = signs_tested(sums.above, sums.below)
        statistic, p = tested.statistic, tested.p
    else:
        statistic = ratio(mean, error)
        p = two_sided_t(statistic, df)
    interval = t_interval(mean, error, count - 1.0, how.level)
    return Outcome(np.full(len(pairs), count), mean, interval, error, df, statistic, p)


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
