"""Fitted distributions: right where the truth is known, exact where a mean is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.stats import beta

from cranfield.statistics import copula_sample, copulas, exchangeable_sample, marginals
from cranfield.statistics.copulas import correlation
from cranfield.statistics.marginals import (
    _beta,
    _beta_binomial,
    _kernel,
    _truncated_normal,
    beta_kernel,
    discrete_kernels,
    fit,
    step_count,
)
from effort import examples


@pytest.mark.parametrize(
    ("true", "family"),
    [(stats.beta(0.6, 2.5), "beta"), (stats.truncnorm(-1.5, 3.5, 0.3, 0.2), "truncated normal")],
)
def test_the_right_family_is_found_again(true: object, family: str) -> None:
    rng = np.random.default_rng(0)
    found = fit(true.rvs(3000, random_state=rng))  # type: ignore[attr-defined]
    assert found.family == family
    assert found.mean == pytest.approx(true.mean(), abs=0.015)  # type: ignore[attr-defined]
    p = np.array([0.1, 0.5, 0.9])
    assert found.quantile(p) == pytest.approx(true.ppf(p), abs=0.02)  # type: ignore[attr-defined]


def test_two_heaps_need_a_kernel() -> None:
    rng = np.random.default_rng(0)
    sample = np.concatenate([rng.normal(0.2, 0.03, 300), rng.normal(0.8, 0.03, 300)])
    assert fit(np.clip(sample, 0, 1)).family == "kernel"


def test_few_values_are_beta_binomial() -> None:
    sample = stats.betabinom(10, 2, 3).rvs(2000, random_state=np.random.default_rng(0)) / 10
    assert step_count(sample) == 10
    found = fit(sample)
    assert found.family == "beta-binomial"
    assert found.cumulative == pytest.approx(stats.betabinom(10, 2, 3).cdf(np.arange(11)), abs=0.03)
    assert step_count(np.array([0.1, 1 / 3])) == 30
    assert step_count(np.array([0.123456])) == 0


def test_likelihoods_equal_scipys() -> None:
    sample = stats.beta(2, 3).rvs(200, random_state=np.random.default_rng(1))
    a, b, _, _ = stats.beta.fit(sample, floc=0, fscale=1)
    assert _beta(sample).aic == pytest.approx(4 - 2 * stats.beta.logpdf(sample, a, b).sum(), abs=1e-4)
    normal = _truncated_normal(sample)
    best = min(
        -stats.truncnorm.logpdf(sample, -mu / sd, (1 - mu) / sd, mu, sd).sum()
        for mu in np.linspace(0.2, 0.6, 81)
        for sd in np.linspace(0.1, 0.5, 81)
    )
    assert normal.aic <= 4 + 2 * best + 1e-9
    assert normal.aic == pytest.approx(4 + 2 * best, abs=0.05)
    counts = np.round(sample * 8)
    found = _beta_binomial(counts, 8)
    nearby = [-2 * stats.betabinom.logpmf(counts, 8, a, b).sum() + 4 for a in (1.5, 2, 2.5) for b in (2, 3, 4)]
    assert found.aic <= min(nearby)


def test_kernels_are_distributions_and_their_freedom_is_counted() -> None:
    sample = np.random.default_rng(0).beta(2, 3, 60)
    found = _kernel(sample)
    assert (found.cumulative[0], found.cumulative[-1]) == (0.0, 1.0)
    assert (np.diff(found.cumulative) >= 0).all()
    density = np.gradient(found.cumulative, found.value)
    log_likelihood = np.log(np.interp(sample, found.value, density)).sum()
    freedom = (found.aic + 2 * log_likelihood) / 2
    assert 1.5 < freedom < 12


def test_kernels_of_many_scores_stand_at_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near what a kernel for each score gives, which some at a time give to the same bits."""
    sample = np.random.default_rng(0).beta(2, 3, 3000)
    exact = _kernel(sample)
    monkeypatch.setattr(marginals, "CELLS", 9000)
    by_rows = _kernel(sample)
    assert (by_rows.aic, by_rows.cumulative.tobytes()) == (exact.aic, exact.cumulative.tobytes())
    monkeypatch.setattr(marginals, "EXACT", 2999)
    near = _kernel(sample)
    # Each score moves by up to 6e-5, to either side: what is left is their mean.
    assert near.cumulative == pytest.approx(exact.cumulative, abs=1e-5)
    assert near.aic == pytest.approx(exact.aic, abs=0.01)


@given(st.integers(0, 50), st.floats(0.02, 0.97), st.booleans())
@examples(20)
def test_a_mean_is_met_exactly(seed: int, mean: float, discrete: bool) -> None:
    sample = np.random.default_rng(seed).beta(1, 2, size=30)
    margin = fit(np.round(sample * 10) / 10 if discrete else sample).with_mean(mean)
    assert margin.mean == pytest.approx(mean, abs=1e-10)
    values = margin.quantile(np.linspace(0.0005, 0.9995, 1000))
    assert (np.diff(values) >= 0).all()
    assert ((values >= 0) & (values <= 1)).all()
    assert values.mean() == pytest.approx(mean, abs=2e-3)


# ---- dependence


def test_a_copula_keeps_the_correlations() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(12, 1)) + rng.normal(size=(12, 20))  # more columns than rows
    made = copula_sample(table, 100_000, np.random.default_rng(1))
    assert np.abs(correlation(made) - correlation(table)).max() < 0.015
    assert stats.kstest(made[:, 3], "uniform").pvalue > 0.001


@pytest.mark.slow
def test_a_copula_of_many_rows_keeps_the_correlations(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many rows as columns are combined, whatever their rank; one more number decides."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(300, 1)) + rng.normal(size=(300, 6))
    table[:, 4] = table[:, 2]
    table[:, 5] = 0.5
    monkeypatch.setattr(copulas, "COMBINED", 300 * 50_000)
    whole = copula_sample(table, 50_000, np.random.default_rng(1))
    monkeypatch.setattr(copulas, "COMBINED", 300 * 50_000 - 1)
    made = copula_sample(table, 50_000, np.random.default_rng(1))
    assert made.shape == whole.shape
    assert (made != whole).any()
    for one in (made, whole):
        assert np.abs(correlation(one)[:5, :5] - correlation(table)[:5, :5]).max() < 0.02
        assert one[:, 4] == pytest.approx(one[:, 2], abs=1e-9)
        assert np.abs(np.corrcoef(one.T)[5, :5]).max() < 0.02


def test_combinations_are_drawn_as_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    z = np.random.default_rng(0).normal(size=(40, 3))
    wanted = np.random.default_rng(1).standard_normal((500, 40)) @ z
    monkeypatch.setattr(copulas, "DRAWN", 300)
    assert copulas._combined(z, 500, np.random.default_rng(1)).tobytes() == wanted.tobytes()
    monkeypatch.setenv("CRANFIELD_MEMORY", "40000")
    assert copulas._combined(z, 500, np.random.default_rng(1)) == pytest.approx(wanted, abs=1e-12)


def test_constant_columns_are_independent_and_uniform() -> None:
    table = np.column_stack([np.arange(10.0), np.ones(10), np.arange(10.0)])
    made = copula_sample(table, 50_000, np.random.default_rng(1))
    assert np.abs(np.corrcoef(made.T)[0, 1]) < 0.02
    assert np.corrcoef(made.T)[0, 2] == pytest.approx(1.0)
    assert stats.kstest(made[:, 1], "uniform").pvalue > 0.001


@pytest.mark.parametrize("shared", [0.0, 0.4, 1.0])
def test_exchangeable_columns(shared: float) -> None:
    made = stats.norm.ppf(exchangeable_sample(100_000, 4, shared, np.random.default_rng(2)))
    assert np.corrcoef(made.T)[np.triu_indices(4, 1)] == pytest.approx(np.full(6, shared), abs=0.015)


def test_beta_kernels_by_a_plain_sum() -> None:
    sample = np.array([0.02, 0.1, 0.15, 0.4, 0.9])
    grid = np.linspace(0, 1, 2049)
    cumulative, aic = beta_kernel(sample, grid)
    width = 5**-0.4

    def density(x: float) -> float:
        return float(np.mean([beta.pdf(s, x / width + 1, (1 - x) / width + 1) for s in sample]))

    area = quad(density, 0, 1)[0]
    for at in (0.1, 0.5, 0.8):
        assert np.interp(at, grid, cumulative) == pytest.approx(quad(density, 0, at)[0] / area, abs=1e-5)
    freedom = np.mean([beta.pdf(s, s / width + 1, (1 - s) / width + 1) / density(s) for s in sample])
    assert aic == pytest.approx(2 * freedom - 2 * sum(np.log(density(s) / area) for s in sample), abs=1e-4)


def test_discrete_kernels_by_a_plain_sum() -> None:
    counts = np.array([0, 0, 1, 1, 1, 2, 5, 7, 7, 10], dtype=np.float64)
    found = discrete_kernels(counts, 10)
    assert found[0].family == "discrete kernel, 1 x"

    def mass(width: float) -> np.ndarray:
        kernel = [[(1 - width) if x == y else (1 - width) / 2 * width ** abs(x - y) for y in counts] for x in range(11)]
        raw = np.array(kernel).mean(axis=1)
        return np.array(raw / raw.sum())

    def cost(width: float) -> float:
        raw = np.array(
            [[(1 - width) if x == y else (1 - width) / 2 * width ** abs(x - y) for y in counts] for x in range(11)]
        ).mean(axis=1)
        left = [
            np.mean(
                [
                    (1 - width) if x == y else (1 - width) / 2 * width ** abs(x - y)
                    for b, y in enumerate(counts)
                    if b != a
                ]
            )
            for a, x in enumerate(counts)
        ]
        return float((raw**2).sum() - 2 * np.mean(left))

    widths = np.linspace(0.001, 0.999, 999)
    best = widths[int(np.argmin([cost(width) for width in widths]))]
    assert found[0].cumulative == pytest.approx(np.cumsum(mass(best)), abs=2e-3)
    assert found[0].cumulative[-1] == pytest.approx(1)
