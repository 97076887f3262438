"""Favour: residuals of means, flips of topics enumerated by hand, and judges who are blind to systems."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from cranfield.statistics import estimate_judge_bias


def tables(seed: int, topics: int = 7, systems: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    reference = rng.random((topics, systems))
    return reference, 0.2 + 0.6 * reference + 0.1 * rng.random((topics, systems))


def contributions(reference: np.ndarray, judge: np.ndarray) -> np.ndarray:
    """J_t - b H_t less its part along a constant and the reference's means, by least squares, [topics, systems]."""
    means = reference.mean(axis=0)
    gap = judge - stats.linregress(means, judge.mean(axis=0)).slope * reference
    design = np.column_stack([np.ones(len(means)), means])
    return gap - (design @ np.linalg.lstsq(design, gap.T, rcond=None)[0]).T


@pytest.mark.parametrize("seed", range(5))
def test_the_favour_is_the_residual_of_a_regression(seed: int) -> None:
    reference, judge = tables(seed)
    line = stats.linregress(reference.mean(axis=0), judge.mean(axis=0))
    expected = judge.mean(axis=0) - line.intercept - line.slope * reference.mean(axis=0)
    found = estimate_judge_bias(reference, judge, resamples=10, rng=np.random.default_rng(1))
    assert found.favour == pytest.approx(expected, abs=1e-12)


def test_p_is_the_share_of_all_flips_whose_largest_t_reaches_it() -> None:
    reference, judge = tables(1)
    gap = contributions(reference, judge)
    largest = []
    for signs in product((1, -1), repeat=len(gap)):
        largest.append(np.abs(stats.ttest_1samp(gap * np.array(signs)[:, None], 0.0).statistic).max())
    observed = np.abs(stats.ttest_1samp(gap, 0.0).statistic)
    expected = [(np.array(largest) >= t * (1 - 1e-9)).mean() for t in observed]
    found = estimate_judge_bias(reference, judge, resamples=1000, rng=np.random.default_rng(1))
    assert found.p == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_intervals_exclude_0_where_p_is_below_alpha(seed: int) -> None:
    reference, judge = tables(seed, topics=30)
    judge[:, 2] += 0.1 * (seed % 3)
    found = estimate_judge_bias(reference, judge, resamples=999, rng=np.random.default_rng(1), level=0.95)
    assert ((found.low > 0) | (found.high < 0)).tolist() == (found.p < 0.05).tolist()


def test_a_scale_is_no_favour() -> None:
    reference, _ = tables(3)
    found = estimate_judge_bias(reference, 0.3 + 0.5 * reference, resamples=500, rng=np.random.default_rng(1))
    assert found.favour == pytest.approx(np.zeros(5), abs=1e-12)
    assert found.p.tolist() == [1.0] * 5


def test_a_favoured_system_is_found() -> None:
    reference, judge = tables(4, topics=40, systems=8)
    judge[:, 6] += 0.05
    found = estimate_judge_bias(reference, judge, resamples=2000, rng=np.random.default_rng(1))
    assert found.p[6] < 0.01
    assert found.low[6] > 0
    assert int(found.favour.argmax()) == 6


def test_blind_judges_are_found_biased_no_more_often_than_asked() -> None:
    """Scores of a judge who errs alike for all systems, on topics of unlike difficulty: 5 % of them, at most."""
    rng = np.random.default_rng(20)
    found = 0
    for _ in range(200):
        strength, difficulty = rng.normal(0, 0.1, 12), rng.normal(0.5, 0.2, (25, 1))
        reference = np.clip(difficulty + strength + rng.normal(0, 0.15, (25, 12)), 0, 1)
        judge = 0.2 + 0.6 * reference + rng.normal(0, 0.1, (25, 12))
        found += estimate_judge_bias(reference, judge, resamples=199, rng=rng).p.min() < 0.05
    assert found <= 200 * 0.05 + 3 * np.sqrt(200 * 0.05 * 0.95)
