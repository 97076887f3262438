"""What is known of true differences after seeing scores: posteriors of pairs, and of systems that share a prior."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.student_mixture import StudentMixture
from cranfield.statistics.two_way import two_way

NODES = 48
"""Of the integral over how much means are shrunk."""
NEGLIGIBLE = 40.0
"""Where the logarithm of a density lies so far below its largest, nothing is left to integrate."""


def paired_posterior(difference: Floats, error: Floats, topics: Floats, prior_topics: float = 0.0) -> StudentMixture:
    """Of the mean of normal differences whose variance is unknown.

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
    """Of differences between systems whose true means come from one normal distribution, which is learned from all.

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
    rest, weight = _rest(residual, between, anova.df_columns, df)
    kept = 1.0 - rest
    scale = np.sqrt(2.0 * kept * (residual + rest * between) / (n * df))
    shape = (len(rest), len(difference))
    location = kept[:, None] * difference
    mixture = StudentMixture(weight, location, np.broadcast_to(scale[:, None], shape), np.full(shape[1], float(df)))
    return mixture, float(weight @ kept)


def _rest(residual: float, between: float, columns: float, df: float) -> tuple[Floats, Floats]:
    """Nodes of 1 - w and their weights, by Gauss and Legendre.

    Integrated is over x = log(1 - w), where the density without w^(-1/2) is concave, in the root of -x, to which
    w^(1/2) is proportional near 0.
    """
    if residual == 0:
        return np.zeros(1), np.ones(1)
    power = (columns - 1.0) / 2.0  # one more than in the density of 1 - w, for that of its logarithm

    def log_density(x: Floats | float) -> Floats:
        at: Floats = power * x - df / 2.0 * np.log(residual + np.exp(x) * between)
        return at

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
    """Where a concave function falls below a value between a point above it and one below."""
    for _ in range(80):
        middle = (inside + outside) / 2.0
        if log_density(middle) >= least:
            inside = middle
        else:
            outside = middle
    return outside
