"""Totals over a population that is known, of which a stratified random sample was looked at: the difference estimator.

Every member has a prediction. The total of the predictions is corrected by what the sampled members of each stratum
were found to differ from theirs, N/n times each. It is right on average however wrong the predictions are, and its
error is that of what the predictions leave open. With predictions of 0 it is the Horvitz-Thompson estimator.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints


class SampledDraw(NamedTuple):
    """A stratified random sample of a population.

    Args:
        stratum: of each sampled member, int64 [sampled].
        size: members of each stratum, float64 [strata].
        sampled: those of them that were sampled, float64 [strata].
    """

    stratum: Ints
    size: Floats
    sampled: Floats

    @property
    def weight(self) -> Floats:
        """The number of members that each sampled one stands for, float64 [sampled]."""
        weight: Floats = (self.size / np.maximum(self.sampled, 1.0))[self.stratum]
        return weight

    def variances(self, difference: Floats) -> Floats:
        """Variance of the estimated total of each stratum, float64 [strata].

        N^2 (1 - n/N) s^2 / n, s^2 being the variance of the sampled differences with divisor n - 1; 0 where all were
        sampled, or one.

        Args:
            difference: of each sampled member from its prediction, float64 [sampled].
        """
        return np.maximum(self.covariances(difference, difference), 0.0)

    def covariances(self, difference: Floats, other: Floats) -> Floats:
        """Covariance of two estimated totals in each stratum, float64 [strata]; see ``variances``."""
        strata, n = len(self.size), np.maximum(self.sampled, 1.0)
        centre = np.bincount(self.stratum, difference, strata) / n
        products = np.bincount(self.stratum, (difference - centre[self.stratum]) * other, strata)
        left = self.size * (self.size - self.sampled)
        covariances: Floats = left * products / np.maximum(self.sampled - 1.0, 1.0) / n
        return covariances


def freedom(variances: Floats, sampled: Floats) -> float:
    """Degrees of freedom of a sum of such variances, by Satterthwaite; infinity where nothing is open.

    Args:
        variances: of the strata.
        sampled: members of each.
    """
    known = variances > 0
    parts = variances[known]
    if not parts.size:
        return float("inf")
    return float(parts.sum() ** 2 / (parts**2 / np.maximum(sampled[known] - 1.0, 1.0)).sum())


def mean_by_group(value: Floats, weight: Floats, group: Ints, towards: Floats, pull: float) -> Floats:
    """Weighted means of groups, each drawn a little towards another number, float64 [groups, columns].

    Args:
        value: of each member, float64 [members, columns].
        weight: of each member.
        group: of each member.
        towards: which number, of each group, float64 [groups, columns].
        pull: for how much weight that number counts.
    """
    groups = len(towards)
    sums = np.stack([np.bincount(group, weight * column, groups) for column in value.T], axis=1)
    means: Floats = (sums + pull * towards) / (np.bincount(group, weight, groups)[:, None] + pull)
    return means
