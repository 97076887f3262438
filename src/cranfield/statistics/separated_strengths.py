"""Bounds of differences that verdicts bound on one side only: one system won all that leads to the other.

Strengths are finite there by a prior alone, and errors by their spread would be the prior's. The bound is exact where
two systems met alone: differences at which all wins have a chance of at least alpha / 2 (Clopper and Pearson).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import expit, stdtrit

from cranfield._typing import Floats, Ints, Mask
from cranfield.statistics.paired_comparisons import Comparisons, StrengthFit

STEPS = 60
"""Halvings of a range in which a bound or a p is sought."""
FARTHEST = 60.0
"""Log odds beyond which a bound is not sought, for each system that leads to another by wins."""
LEAST_LOG_P = -700.0
SAME = 1e-9
"""A contrast is one that was compared where its coefficients differ by no more."""


class ContrastBounds(NamedTuple):
    """Lower and upper bound, and two-sided p; NaN where a contrast is bounded on both sides, [contrasts]."""

    low: Floats
    high: Floats
    p: Floats


@dataclass(frozen=True)
class Separation:
    """Paths of wins from one system to another.

    Args:
        fit: strengths with a prior.
        at: the comparisons.
        island: the group of each system, within which all met directly or through others, [S].
    """

    fit: StrengthFit
    at: Comparisons
    island: Ints

    @cached_property
    def leads(self) -> Mask:
        """[j, k]: j beat k, or one that beat k, and so on; a tie is a win of both."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import shortest_path

        at, count = self.at, len(self.island)
        winner = np.concatenate([at.left[at.outcome >= 0], at.right[at.outcome <= 0]])
        loser = np.concatenate([at.right[at.outcome >= 0], at.left[at.outcome <= 0]])
        beats = coo_array((np.ones(len(winner)), (winner, loser)), shape=(count, count)).tocsr()
        return np.asarray(np.isfinite(shortest_path(beats, unweighted=True)))

    @cached_property
    def core(self) -> Mask:
        """Systems of the largest part of their group in which wins lead both ways; of none where all are alone, [S]."""
        both = self.leads & self.leads.T
        size, core = both.sum(axis=1), np.zeros(len(self.island), dtype=bool)
        for island in np.unique(self.island):
            own = self.island == island
            largest = int(size[own].max())
            # Of several parts that are equally large, none is what the others are measured by.
            core |= own & (size == largest) & (largest > 1) & ((own & (size == largest)).sum() == largest)
        return core

    def bound_pairs(self, left: Ints, right: Ints, alpha: float) -> ContrastBounds:
        """Bound differences of strengths, [pairs]; systems of different groups are left to the caller."""
        theta, leads = self.fit.theta, self.leads
        found = ContrastBounds(*(np.full(len(left), np.nan) for _ in range(3)))
        forth, back = leads[left, right], leads[right, left]
        for values, value in zip(found, (-np.inf, np.inf, 1.0), strict=True):
            values[~forth & ~back] = value
        for upper, lower, one_sided in ((left, right, forth & ~back), (right, left, back & ~forth)):
            own = np.flatnonzero(one_sided)
            contrast = np.zeros((len(own), len(theta)))
            contrast[np.arange(len(own)), upper[own]] = 1.0
            contrast[np.arange(len(own)), lower[own]] = -1.0
            low, p = np.full(len(own), np.inf), np.zeros(len(own))
            # Two cuts part the two: those that lead to the upper one, and those that the lower one leads to.
            for ends, is_above in ((upper[own], leads.T), (lower[own], ~leads)):
                for end in np.unique(ends):
                    cut, at_end = self._cut(is_above[end], end), ends == end
                    found_low, found_p = cut.bound(self.fit, contrast[at_end], 1.0, alpha)
                    low[at_end], p[at_end] = np.minimum(low[at_end], found_low), np.maximum(p[at_end], found_p)
            found.p[own] = p
            found.low[own], found.high[own] = (low, np.inf) if upper is left else (-np.inf, -low)
        return found

    def bound_systems(self, alpha: float) -> ContrastBounds:
        """Bound strengths minus the mean of their group, without p, [S]: those outside the core of it."""
        found = ContrastBounds(*(np.full(len(self.island), np.nan) for _ in range(3)))
        for system in np.flatnonzero(~self.core).tolist():
            group = self.island == self.island[system]
            others = group & (self.core if (self.core & group).any() else True)
            leads, led = bool(self.leads[system, others].all()), bool(self.leads[others, system].all())
            if leads and led:
                continue
            found.low[system], found.high[system] = -np.inf, np.inf
            if leads == led:
                continue
            upper = self.leads[:, system] if leads else ~self.leads[system]
            moved = (group & (~upper if leads else upper)).sum() / group.sum()
            contrast = (np.arange(len(group)) == system) - group / group.sum()
            sign = 1.0 if leads else -1.0
            low, _ = self._cut(upper, system).bound(self.fit, sign * contrast[None, :], float(moved), alpha)
            (found.low if leads else found.high)[system] = sign * low[0]
        return found

    def _cut(self, upper: Mask, end: int) -> _Cut:
        """Sum the wins across a cut of the group of ``end``, of those above it against those below."""
        at, count = self.at, len(self.island)
        group = self.island == self.island[end]
        across = (upper[at.left] != upper[at.right]) & group[at.left]
        topic, left, right = (values[across] for values in (at.topic, at.left, at.right))
        weight = at.weight[across]
        keys, inverse = np.unique(left * count + right, return_inverse=True)
        weight = weight / np.bincount(topic, weight)[topic]
        shared = np.bincount(inverse, weight, len(keys)).astype(np.float64)
        df = len(np.unique(at.topic[group[at.left]])) - 1
        return _Cut(keys // count, keys % count, np.where(upper[keys // count], 1.0, -1.0), shared, df)


class _Cut(NamedTuple):
    """Verdicts between two parts, all won by the systems of the upper one.

    Args:
        left: what was shown first, [n].
        right: what was shown second.
        sign: 1 where left is the upper one, -1 otherwise.
        weight: of verdicts, 1 a topic together.
        df: degrees of freedom of strengths within the parts.
    """

    left: Ints
    right: Ints
    sign: Floats
    weight: Floats
    df: int

    def chance(self, fit: StrengthFit, shift: Floats) -> Floats:
        """Log of the chance that the upper ones win all that they did, if they are all moved by a shift, [shifts].

        On a topic it is at most the geometric mean of the chances of its verdicts, whatever these have in common.
        """
        d = self.sign * (fit.theta[self.left] - fit.theta[self.right] + fit.order) + shift[:, None]
        both = np.logaddexp(d / 2, -d / 2)
        total = np.logaddexp(both, np.log(fit.nu)) if fit.nu else both
        return np.asarray((d / 2 - total) @ self.weight)

    def bound(self, fit: StrengthFit, contrast: Floats, moved: float, alpha: float) -> tuple[Floats, Floats]:
        """The lower bound and the two-sided p of contrasts that have no upper one.

        value - sqrt(s^2 + m^2): s the farthest shift at which the chance of all these wins is still alpha / 2, m a
        t interval's reach of the strengths within the parts, as far as the contrast is not one of those that were
        compared across; p is the alpha at which that is 0.

        Args:
            fit: strengths.
            contrast: [contrasts, S].
            moved: how far they move with a shift of 1.
            alpha: 1 - coverage.
        """
        shift = self._find_shift(fit, alpha)
        value, error = contrast @ fit.theta, self._find_error(fit, contrast, moved, shift)

        def reach(p: Floats) -> Floats:
            known = (error > 0) & (self.df > 0)
            quantile = -stdtrit(max(self.df, 1), np.where(known, p / 2.0, 0.5))
            return np.asarray(error * np.where(np.isnan(quantile), np.inf, quantile))

        low = value - np.hypot(moved * shift, reach(np.full(len(value), alpha)))
        log_low, log_high = np.full(len(value), LEAST_LOG_P), np.zeros(len(value))
        for _ in range(STEPS):
            log_p = (log_low + log_high) / 2
            room = np.sqrt(np.maximum(value**2 - reach(np.exp(log_p)) ** 2, 0.0)) * (value > 0)
            is_less = self.chance(fit, -room / moved) + np.log(2.0) > log_p
            log_low, log_high = np.where(is_less, log_p, log_low), np.where(is_less, log_high, log_p)
        return low, np.exp(log_high)

    def _find_shift(self, fit: StrengthFit, alpha: float) -> float:
        low, high = -(FARTHEST - 2 * np.log(alpha)), 0.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            enough = self.chance(fit, np.array([middle]))[0] >= np.log(alpha / 2)
            low, high = (low, middle) if enough else (middle, high)
        return high

    def _find_error(self, fit: StrengthFit, contrast: Floats, moved: float, shift: float) -> Floats:
        """Errors of contrasts minus the mean of those that were compared, weighed by what they tell at the bound."""
        count = len(fit.theta)
        d = self.sign * (fit.theta[self.left] - fit.theta[self.right] + fit.order) + shift
        told = self.weight * expit(-d)
        told = moved * self.sign * told / told.sum()
        mean = np.bincount(self.left, told, count) - np.bincount(self.right, told, count)
        within = contrast - mean
        variance = ((within @ fit.covariance[:count, :count]) * within).sum(axis=1)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)) * (np.abs(within).max(axis=1, initial=0.0) > SAME))
