"""Comparisons of systems on very many topics, from sums that are taken in blocks.

Sakai's bootstrap, and intervals by it, of systems on very many topics: one pass over the scores.

With z = x - y, w = z - mean(z), and c_t how often topic t is drawn, all that a resample says of a pair is
D = sum c_t w_t and S = sum c_t w_t^2: its mean difference is mean(z) + D / n, and its t^2 is (n - 1) D^2 / (n S - D^2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.comparison.effect_sizes import effects_of
from cranfield.comparison.outcome import DRAWN, MAX_T, Outcome, Settings, simultaneous_interval, without_wild
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix
from cranfield.statistics.bootstrap import TIE
from cranfield.statistics.contrasts import NOISE, Contrasts
from cranfield.statistics.intervals import Interval, bca_of, percentiles_of, t_interval
from cranfield.statistics.max_t import MaxT, max_t_of_sums
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_tests import ratio, signs_tested, two_sided_t
from cranfield.statistics.streamed_bootstrap import LongSamples, long_sums
from cranfield.streaming.scores import PairSums, StreamedScores, open_or_load

FROM_SUMS = ("t", "sign", "bootstrap")
"""Tests that need no more than sums over topics, or over resamples of them."""
ByTopic = tuple[Ints, Ints, Ints, Floats, Floats]
"""Topics on which the left system is better, equal and worse, and both means."""


def scores_to_test(scores: ScoresLike | StreamedScores, test: str) -> Matrix | StreamedScores:
    """Scores as a test needs them: of very many topics and without gaps as sums, else in memory.

    Raises:
        UsageError, InputError: see ``open_or_load``.
    """
    return open_or_load(scores, sums_do=test in FROM_SUMS)


def outcome_of_sums(scores: StreamedScores, pairs: Contrasts, how: Settings) -> Outcome:
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


def pair_facts(scores: StreamedScores, pairs: Contrasts, level: float) -> tuple[ByTopic, dict[str, Floats]]:
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


@dataclass(frozen=True)
class LongBootstrap:
    """What resamples say of each pair.

    Args:
        topics: how many.
        mean: of the differences, [pairs].
        deviation: of the differences, [pairs]; 0 where they are constant.
        cubes: sum of w^3, [pairs].
        first: D, [resamples, pairs].
        second: S, [resamples, pairs].
        slack: differences up to so much are rounding, [pairs].
    """

    topics: int
    mean: Floats
    deviation: Floats
    cubes: Floats
    first: Floats
    second: Floats
    slack: Floats

    @classmethod
    def of(cls, scores: StreamedScores, pairs: Contrasts, resamples: int, seed: int) -> LongBootstrap:
        """Draw, and go through the scores once.

        Raises:
            InputError: sums of so many resamples and pairs would not fit.
        """
        sums, width = scores.sums_of(pairs).differences, len(pairs)
        mean, deviation = (np.array([getattr(one, name) for one in sums]) for name in ("mean", "deviation"))
        slack, cubes = np.array([one.largest * NOISE for one in sums]), np.zeros(width)

        def facts(block: Floats) -> Floats:
            w = pairs.differences(block.T) - mean
            w[np.abs(w) <= slack] = 0.0
            w[:, deviation == 0] = 0.0
            squares = w * w
            np.add(cubes, (squares * w).sum(axis=0), out=cubes)
            return np.concatenate([w, squares], axis=1)

        samples = LongSamples(resamples, len(scores.topics), np.random.default_rng(seed))
        found = long_sums(scores.blocks(), samples, facts, 2 * width, f"{width:,} pairs")
        return cls(len(scores.topics), mean, deviation, cubes, found[:, :width], found[:, width:], slack)

    def hits(self) -> Ints:
        """How many resamples have |t_b| >= |t|, [pairs]; see ``paired_bootstrap``."""
        n, constant = self.topics, self.deviation == 0
        t2 = n * self.mean**2 / np.where(constant, 1.0, self.deviation) ** 2
        limit = n * t2 / (n - 1 + t2) * (1 - TIE)
        floor = np.where(limit > 0, self.slack**2, 0.0)
        reached = (self.first**2 >= self.second * limit + floor).sum(axis=0)
        found: Ints = np.where(constant, np.where(self.mean == 0, len(self.first), 0), reached)
        return found

    def family(self, some: NDArray[np.bool_]) -> MaxT:
        """Of some of the pairs, the largest |t| of all of them in each resample."""
        n, deviation = self.topics, self.deviation[some]
        spread = deviation > 0
        t2 = n * np.divide(self.mean[some], deviation, out=np.zeros(len(deviation)), where=spread) ** 2
        u = np.where(spread | (self.mean[some] == 0), t2 / (n - 1.0 + t2), 1.0)
        squares = self.second[:, some] + np.where(spread, self.slack[some] ** 2, 1.0)
        first = np.ascontiguousarray(self.first[:, some].T)
        return max_t_of_sums(first, np.ascontiguousarray(squares.T) * n, u, n, engine.current().count_reached)

    def interval(self, kind: str, level: float) -> Interval:
        """Of each mean difference, ``percentile`` or ``bca``."""
        moved = self.first / self.topics
        means = self.mean + np.where(np.abs(moved) <= self.slack, 0.0, moved)
        if kind == "percentile":
            return percentiles_of(means, level)
        squares = self.deviation**2 * (self.topics - 1)
        return Interval(*bca_of(np.sort(means, axis=0), self.mean, squares, self.cubes, level))
