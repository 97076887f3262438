"""Posteriors of true differences: of single pairs, and of systems that share a prior; mixtures of Student's t."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, stdtr, stdtrit

from cranfield._typing import Floats
from cranfield.statistics.anova import two_way
from cranfield.statistics.intervals import PairIntervals
from cranfield.statistics.numeric import CELLS

NODES = 48
"""Nodes of the integral over the shrinkage of means."""
NEGLIGIBLE = 40.0
"""The distance of the logarithm of a density from its largest, beyond which nothing is left to integrate."""
STEPS = 100
"""Most steps to a quantile; a few are usual."""
PRECISION = 1e-13
"""Precision of a quantile, in scales and relative to itself."""


def paired_posterior(difference: Floats, error: Floats, topics: Floats, prior_topics: float = 0.0) -> StudentMixture:
    """The posterior of the mean of normal differences whose variance is unknown.

    With the prior p(variance) ~ 1 / variance, and the mean flat, this is Student's distribution around the mean
    difference on n - 1 degrees of freedom. With k > 0 prior topics, mean | variance ~ N(0, variance / k): Student's on
    n degrees of freedom around n d / (n + k).

    Args:
        difference: mean of each pair's differences, [pairs].
        error: its standard error, s / sqrt(n), [pairs].
        topics: n of each, at least 2, [pairs].
        prior_topics: k, at least 0.

    Reference:
        Gelman et al. 2013, Bayesian Data Analysis, sections 3.2 and 3.3.
    """
    n, k = topics, prior_topics
    if k == 0:
        location, scale, df = difference, error, n - 1.0
    else:
        squares = np.square(error) * n * (n - 1.0) + k * n / (n + k) * np.square(difference)
        location, scale, df = n / (n + k) * difference, np.sqrt(squares / (n * (n + k))), n
    return StudentMixture(np.ones(1), location[None], scale[None], df)


def shared_posterior(table: Floats, difference: Floats) -> tuple[StudentMixture, float]:
    """The posterior of differences between systems whose true means share a normal prior, learned from all.

    score = topic + system + residual, system ~ N(mean, v), residual ~ N(0, r); flat priors of the topics, of the mean
    and of sqrt(v), and p(r) ~ 1 / r. Given w = n v / (n v + r), a difference d of means is Student's on
    f = n (m - 1) - 1 degrees of freedom around w d, its scale the root of 2 w (S + (1 - w) B) / (n f), with S the
    residual sum of squares and B that of the systems. Over w this integrates, whose density is
    w^(-1/2) (1 - w)^(m / 2 - 2) / (S + (1 - w) B)^(f / 2).

    Args:
        table: scores without NaN, [topics, systems], at least 2 x 3.
        difference: of the systems' means, [pairs].

    Returns:
        The posterior, and the mean of w: what differences are multiplied by.

    References:
        Carterette 2015, Bayesian inference for information retrieval evaluation. doi:10.1145/2808194.2809469
        Gelman 2006, Prior distributions for variance parameters in hierarchical models. doi:10.1214/06-BA117A
    """
    anova = two_way(table)
    n, df = len(table), len(table) * anova.df_columns - 1
    residual, between = anova.ms_residual * anova.df_residual, anova.ms_columns * anova.df_columns
    shrinkage, weight = _shrinkage_nodes(residual, between, anova.df_columns, df)
    factor = 1.0 - shrinkage
    scale = np.sqrt(2.0 * factor * (residual + shrinkage * between) / (n * df))
    shape = (len(shrinkage), len(difference))
    location = factor[:, None] * difference
    mixture = StudentMixture(weight, location, np.broadcast_to(scale[:, None], shape), np.full(shape[1], float(df)))
    return mixture, float(weight @ factor)


def _shrinkage_nodes(residual: float, between: float, columns: float, df: float) -> tuple[Floats, Floats]:
    """Nodes of 1 - w and their weights, by Gauss-Legendre quadrature.

    Integrated is over x = log(1 - w), where the density without w^(-1/2) is concave, in the root of -x, to which
    w^(1/2) is proportional near 0.
    """
    if residual == 0:
        return np.zeros(1), np.ones(1)
    power = (columns - 1.0) / 2.0  # one more than in the density of 1 - w, for that of its logarithm

    def log_density(x: Floats | float) -> Floats:
        value: Floats = power * x - df / 2.0 * np.log(residual + np.exp(x) * between)
        return value

    rising = df / 2.0 - power
    peak = 0.0 if rising * between <= power * residual else math.log(power * residual / (rising * between))
    least = log_density(peak) - NEGLIGIBLE
    low = _reached(log_density, peak, peak - 2.0 * NEGLIGIBLE / power - 10.0, least)
    high = 0.0 if log_density(0.0) >= least else _reached(log_density, peak, 0.0, least)
    first, last = math.sqrt(-high), math.sqrt(-low)
    node, weight = np.polynomial.legendre.leggauss(NODES)
    root = (first + last) / 2.0 + (last - first) / 2.0 * node
    x = -np.square(root)
    weight = weight * root / np.sqrt(-np.expm1(x)) * np.exp(log_density(x) - log_density(peak))
    return np.exp(x), weight / weight.sum()


def _reached(log_density: Callable[[float], Floats], inside: float, outside: float, least: Floats | float) -> float:
    """The point where a concave function falls below a value, between a point above it and one below."""
    for _ in range(80):
        middle = (inside + outside) / 2.0
        if log_density(middle) >= least:
            inside = middle
        else:
            outside = middle
    return outside


@dataclass(frozen=True)
class StudentMixture:
    """sum_k weight_k t_df(location_k, scale_k), of many differences at once.

    Args:
        weight: of each component, adding up to 1, [components].
        location: [components, differences].
        scale: at least 0, [components, differences]; 0 is a value without doubt.
        df: degrees of freedom of all components, [differences].
    """

    weight: Floats
    location: Floats
    scale: Floats
    df: Floats

    @property
    def mean(self) -> Floats:
        """The mean of the locations, which is that of the mixture where df > 1, [differences]."""
        mean: Floats = self.weight @ self.location
        return mean

    def above(self, bound: float | Floats) -> Floats:
        """Probability of a value above ``bound``; one half of what lies on it counts, [differences]."""
        return self._share(np.broadcast_to(np.asarray(bound, dtype=np.float64), self.df.shape), upper=True)

    def below(self, bound: float | Floats) -> Floats:
        """Probability of a value below ``bound``; one half of what lies on it counts, [differences]."""
        return self._share(np.broadcast_to(np.asarray(bound, dtype=np.float64), self.df.shape), upper=False)

    def middle(self, level: float) -> PairIntervals:
        """The central interval of this probability, with equal shares on either side.

        Args:
            level: in (0, 1).
        """
        tail = (1.0 - level) / 2.0
        return PairIntervals(self._quantile(tail, upper=False), self._quantile(tail, upper=True))

    def _share(self, bound: Floats, *, upper: bool) -> Floats:
        out = np.zeros(len(self.df))
        width = max(1, CELLS // len(self.weight))
        sign = -1.0 if upper else 1.0
        for start in range(0, len(out), width):
            block = slice(start, start + width)
            apart, scale = sign * (bound[block] - self.location[:, block]), self.scale[:, block]
            certain = (np.sign(apart) + 1.0) / 2.0
            t = np.divide(apart, scale, out=np.zeros(apart.shape), where=scale > 0)
            out[block] = self.weight @ np.where(scale > 0, stdtr(self.df[block], t), certain)
        return out

    def _quantile(self, tail: float, *, upper: bool) -> Floats:
        """The value beyond which ``tail`` lies: Newton's steps within what the components' own quantiles enclose."""
        sign = 1.0 if upper else -1.0
        each = sign * self.location - stdtrit(self.df, tail) * self.scale
        low, high = each.min(axis=0), each.max(axis=0)
        value = self.weight @ each
        left = np.flatnonzero(low < high)
        for _ in range(STEPS):
            if not len(left):
                break
            part = StudentMixture(self.weight, self.location[:, left], self.scale[:, left], self.df[left])
            current = value[left]
            excess = part._share(sign * current, upper=upper) - tail
            low[left], high[left] = np.where(excess > 0, current, low[left]), np.where(excess > 0, high[left], current)
            density = part._density(sign * current)
            step = np.divide(excess, density, out=np.full(len(current), np.inf), where=density > 0)
            inside = (low[left] < current + step) & (current + step < high[left])
            value[left] = np.where(inside, current + step, (low[left] + high[left]) / 2.0)
            left = left[np.abs(value[left] - current) > PRECISION * (np.abs(current) + self.weight @ part.scale)]
        bound: Floats = sign * value
        return bound

    def _density(self, at: Floats) -> Floats:
        """The density of the components that have one, [differences]."""
        out = np.zeros(len(self.df))
        width = max(1, CELLS // len(self.weight))
        for start in range(0, len(out), width):
            block = slice(start, start + width)
            df, scale = self.df[block], np.where(self.scale[:, block] > 0, self.scale[:, block], np.inf)
            log_constant = gammaln((df + 1.0) / 2.0) - gammaln(df / 2.0) - np.log(df * np.pi) / 2.0
            t = (at[block] - self.location[:, block]) / scale
            out[block] = self.weight @ (np.exp(log_constant - (df + 1.0) / 2.0 * np.log1p(t * t / df)) / scale)
        return out
