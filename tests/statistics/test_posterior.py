"""Posteriors of differences: against SciPy's Student distribution, and against sums over grids of all parameters."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import linalg, special, stats

from cranfield.statistics import Contrasts, StudentMixture, paired_posterior, shared_posterior


def one(differences: NDArray[np.float64], prior_topics: float = 0.0) -> StudentMixture:
    n = len(differences)
    error = differences.std(ddof=1) / np.sqrt(n)
    return paired_posterior(np.array([differences.mean()]), np.array([error]), np.array([float(n)]), prior_topics)


def test_the_flat_prior_gives_the_t_distribution_of_scipy() -> None:
    differences = np.random.default_rng(1).normal(0.05, 0.2, 12)
    t = stats.t(11, differences.mean(), stats.sem(differences))
    found = one(differences)
    interval = found.middle(0.9)
    assert found.above(0.02) == pytest.approx(t.sf(0.02), rel=1e-12)
    assert found.below(-0.02) == pytest.approx(t.cdf(-0.02), rel=1e-12)
    assert (interval.low[0], interval.high[0]) == pytest.approx(t.interval(0.9), rel=1e-10)
    tested = stats.ttest_1samp(differences, 0, alternative="greater").pvalue
    assert found.below(0.0) == pytest.approx(tested, rel=1e-12)


@pytest.mark.parametrize("prior_topics", [0.5, 4.0])
def test_the_conjugate_prior_agrees_with_the_integral_over_the_variance(prior_topics: float) -> None:
    differences = np.random.default_rng(2).normal(0.1, 0.2, 8)

    mean, log_sd = np.meshgrid(np.linspace(-2, 2, 1601), np.linspace(-4, 2, 301), indexing="ij")
    sd = np.exp(log_sd)
    # The prior of the mean, and 1 / variance, which is flat in log sd.
    log_joint = stats.norm.logpdf(mean, 0, sd / np.sqrt(prior_topics))
    log_joint = log_joint + sum(stats.norm.logpdf(value, mean, sd) for value in differences)
    weight = np.exp(log_joint - log_joint.max()).sum(axis=1)
    bound = mean[:, 0][820] + 0.00125  # half-way between two means
    assert one(differences, prior_topics).above(bound)[0] == pytest.approx(weight[821:].sum() / weight.sum(), abs=1e-5)


def by_grid(table: NDArray[np.float64], bound: float) -> tuple[float, float]:
    """P(first - second > bound) and its mean, from the likelihood of all contrasts of systems within topics."""
    n, m = table.shape
    contrasts = linalg.helmert(m)
    z = table @ contrasts.T
    log_r, log_sd = np.meshgrid(np.linspace(-7, 1, 161), np.linspace(-18, 7, 501), indexing="ij")
    r, v = np.exp(log_r), np.exp(2 * log_sd)
    # Of each contrast: n values with variance r, and a common part with variance v.
    total = n * v + r
    squares = (z**2).sum() / r - v * (z.sum(axis=0) ** 2).sum() / (r * total)
    log_weight = -0.5 * ((m - 1) * ((n - 1) * log_r + np.log(total)) + squares) + log_sd  # flat in sd
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    kept, c = n * v / total, contrasts[:, 0] - contrasts[:, 1]
    mean, deviation = kept * (c @ z.mean(axis=0)), np.sqrt(c @ c * kept * r / n)
    return float((weight * special.ndtr((mean - bound) / deviation)).sum()), float((weight * mean).sum())


@pytest.mark.parametrize("apart", [0.0, 0.2])
def test_the_shared_prior_agrees_with_a_sum_over_both_variances(apart: float) -> None:
    rng = np.random.default_rng(3)
    table = apart * rng.standard_normal(5) + rng.standard_normal((9, 1)) + 0.3 * rng.standard_normal((9, 5))
    means = table.mean(axis=0)
    found, kept = shared_posterior(table, np.array([means[0] - means[1]]))
    expected = by_grid(table, 0.03)
    assert found.above(0.03)[0] == pytest.approx(expected[0], abs=2e-6)
    assert found.mean[0] == pytest.approx(expected[1], abs=2e-6)
    assert found.mean[0] == pytest.approx(kept * (means[0] - means[1]), rel=1e-12)


def test_quantiles_are_where_the_probability_is() -> None:
    table = np.random.default_rng(4).standard_normal((6, 12))
    pairs = Contrasts.all_pairs(12)
    means = table.mean(axis=0)
    found, _ = shared_posterior(table, means[pairs.left] - means[pairs.right])
    interval = found.middle(0.9)
    assert found.below(interval.low) == pytest.approx(0.05, abs=1e-10)
    assert found.above(interval.high) == pytest.approx(0.05, abs=1e-10)


def test_systems_that_do_not_differ_by_more_than_chance_shrink_more() -> None:
    rng = np.random.default_rng(5)
    noise = rng.standard_normal((20, 8))
    noise -= noise.mean(axis=0)
    kept = [shared_posterior(noise + spread * np.arange(8), np.zeros(1))[1] for spread in (0.0, 0.1, 1.0)]
    assert kept == sorted(kept)
    assert kept[2] > 0.99


def test_without_a_residual_nothing_is_in_doubt() -> None:
    table = np.arange(4.0)[:, None] + np.array([0.0, 1.0, 1.0])
    found, kept = shared_posterior(table, np.array([-1.0, 0.0]))
    assert kept == 1
    assert found.above(0.0).tolist() == [0.0, 0.5]
    assert found.middle(0.9).low.tolist() == [-1.0, 0.0]


def test_all_systems_alike_but_for_noise_do_not_break_the_integral() -> None:
    residual = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]])
    found, kept = shared_posterior(residual, np.zeros(1))
    assert 0 < kept < 1
    assert found.above(0.0)[0] == pytest.approx(0.5)
