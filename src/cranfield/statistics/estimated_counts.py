"""Estimates of how many members of a population reach each of several levels, from a random sample of it.

A few sampled members of a topic say little of its other members. So their number is taken for Gamma distributed: what
was predicted, times a factor that topics share a distribution of, with a mean of 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from cranfield._typing import Floats, Ints

LEAST_SPREAD = 0.002
"""Relative variance of topics around what was predicted that is taken at least."""
QUANTILES = (np.arange(15) + 0.5) / 15
"""The quantiles at which the distribution of a number is looked at."""
TINY = 1e-9
LIMIT = 1.5
"""Standard errors of a topic's own estimate by which it is drawn towards what was predicted, at most: topics that are
unlike all others stay so (limited translation)."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Numbers of members that reach each level, float64 [topics, levels] each.

    Args:
        seen: among those that were sampled.
        left: how many others there are, float64 [topics, 1].
        mean: expected of these.
        variance: of their number.
        beyond: how much each sampled member adds to the expected number, for each member that it stands for, beyond
            what was predicted of it, float64 [sampled, levels].
    """

    seen: Floats
    left: Floats
    mean: Floats
    variance: Floats
    beyond: Floats

    def mean_inverse(self, steps: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """The total whose inverse is the mean inverse, float64 [topics], and how it moves with each number.

        A total is the sum of weights of the best order, each times the step of every level that is reached: the DCG of
        the ideal list. At least one member reaches the first level.

        Args:
            steps: from level to level, float64 [levels].
            weights: of ranks, descending, float64 [ranks].

        Returns:
            the total and its slopes, float64 [topics, levels].
        """
        ranks = np.arange(len(weights) + 1)
        sums = np.concatenate([[0.0], np.cumsum(weights)])

        def total(others: Floats) -> Floats:
            at = self._ordered(others)
            return np.asarray(np.interp(at, ranks, sums) @ steps)

        shape = self.mean**2 / self.variance
        inverse = [
            1.0 / total(stats.gamma.ppf(quantile, shape, scale=self.variance / self.mean)) for quantile in QUANTILES
        ]
        best = np.where(self.left[:, 0] > 0, 1.0 / np.mean(inverse, axis=0), total(self.mean))
        at = self._ordered(self.mean)
        grown = np.interp(at + 0.5, ranks, sums) - np.interp(at - 0.5, ranks, sums)
        return best, np.where(at < len(weights), grown, 0.0) * steps

    def _ordered(self, others: Floats) -> Floats:
        """Numbers of all members, of which no more reach a level than the one below it."""
        count = self.seen + np.clip(others, 0.0, self.left)
        count[:, 0] = np.maximum(count[:, 0], 1.0)
        return np.minimum.accumulate(count, axis=1)


def estimate_counts(found: Floats, predicted: Floats, rows: Ints, topic: Ints, weight: Floats) -> Counts:
    """Estimate how many members of each topic reach each level.

    Args:
        found: whether each sampled member does, float64 [sampled, levels].
        predicted: the probability that a member does, float64 [members, levels].
        rows: the sampled members.
        topic: of each member, int64 [members].
        weight: how many members each sampled one stands for, itself included, float64 [sampled].

    References:
        Bühlmann & Straub 1970, Glaubwürdigkeit für Schadensätze.
        Efron & Morris 1972, Limiting the risk of Bayes and empirical Bayes estimators.
        doi:10.1080/01621459.1972.10481215
    """
    topics, others = int(topic.max(initial=-1)) + 1, np.ones(len(topic), dtype=bool)
    others[rows] = False

    def sums(values: Floats, members: Ints) -> Floats:
        return np.stack([np.bincount(members, column, topics) for column in values.T], axis=1)

    besides, of_sample = (weight - 1.0)[:, None], topic[rows]
    # As many members as the others would be worth if each of them counted the same.
    scale = sums(besides, of_sample) / np.maximum(sums(besides**2, of_sample), TINY)
    had, hoped, noise = (
        sums(besides * part, of_sample) * scale
        for part in (found, predicted[rows], predicted[rows] * (1.0 - predicted[rows]))
    )
    spread = ((had - hoped) ** 2 - noise).sum(axis=0) / np.maximum((hoped**2).sum(axis=0), TINY)
    # Credibility: what is likely anyhow varies less than rare members do, so that a topic's own sample counts for more.
    calm = np.divide(noise, hoped, out=np.ones_like(hoped), where=hoped > 0)
    prior = np.maximum(calm, LEAST_SPREAD) / np.maximum(spread, LEAST_SPREAD)
    left, guess = sums(others[:, None].astype(float), topic), sums(predicted * others[:, None], topic)
    own = np.maximum(hoped, TINY)
    most = LIMIT * np.sqrt(np.maximum(np.maximum(calm, 1.0 - (1.0 - calm) * had / own), TINY) * np.maximum(had, 1.0))
    drawn = (had + prior) / (hoped + prior)
    factor = np.clip(drawn, np.maximum(had - most, TINY) / own, (had + most) / own)
    mean = np.maximum(guess * factor, TINY)
    chance = sums(predicted * (1.0 - predicted) * others[:, None], topic)
    variance = np.maximum(guess**2 * factor * calm / (hoped + prior) + chance * np.minimum(factor, 1.0), TINY)
    slope = 1.0 / np.where(factor == drawn, hoped + prior, own)
    moved = (guess * scale * slope)[of_sample] * besides / weight[:, None] + 1.0 / weight[:, None]
    return Counts(sums(found, of_sample), left, mean, variance, (found - predicted[rows]) * moved)
