"""Classical tests, intervals and corrections against SciPy and statsmodels."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.libqsturng import psturng
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from corrections import multipletests
from cranfield import UsageError
from cranfield.statistics import (
    Contrasts,
    adjust,
    anova_power,
    bca_interval,
    bootstrap_counts,
    interval_width,
    paired_t,
    percentile_interval,
    sign_test,
    smallest_effect,
    t_interval,
    t_power,
    tukey_quantile,
    tukey_survival,
    welch,
    wilcoxon,
)
from effort import examples

SLACK = np.array([1e-12])


@pytest.mark.parametrize("n", [2, 5, 13, 14, 50, 51, 120])
def test_t_and_wilcoxon_equal_scipy(n: int) -> None:
    z = np.random.default_rng(n).normal(0.2, 1.0, size=(n, 40))
    t, w = paired_t(z, SLACK), wilcoxon(z, SLACK)
    for pair in range(40):
        peer = stats.ttest_1samp(z[:, pair], 0.0)
        assert t.statistic[pair] == pytest.approx(peer.statistic, rel=1e-12)
        assert t.p[pair] == pytest.approx(peer.pvalue, rel=1e-10)
        signed = stats.wilcoxon(z[:, pair])
        assert w.statistic[pair] == pytest.approx(signed.statistic, rel=1e-12)
        assert w.p[pair] == pytest.approx(signed.pvalue, rel=1e-10)


@pytest.mark.slow
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=30).filter(any))
@examples(40)
def test_wilcoxon_with_ties_and_zeros_equals_scipy(values: list[int]) -> None:
    z = np.array(values, dtype=np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = stats.wilcoxon(z)
    ours = wilcoxon(z[:, None] / 10 + 0.0, np.array([1e-12]))
    assert ours.statistic[0] == pytest.approx(peer.statistic)
    assert ours.p[0] == pytest.approx(peer.pvalue, rel=1e-9)


def test_rounding_parts_no_ties() -> None:
    """0.3 - 0.2 and 0.2 - 0.1 are one difference, whatever their last bits are."""
    z = np.array([0.3 - 0.2, 0.2 - 0.1, 0.7 - 0.6, -(0.5 - 0.1)])[:, None]
    assert len(set(z[:3, 0].tolist())) > 1
    found = wilcoxon(z, np.array([1e-12]))
    assert found.statistic[0] == 4.0
    assert found.p[0] == stats.wilcoxon([1, 1, 1, -4]).pvalue


@given(st.lists(st.integers(-1, 1), min_size=1, max_size=60))
def test_sign_test_equals_scipy(values: list[int]) -> None:
    z = np.array(values, dtype=np.float64)[:, None]
    wins, losses = values.count(1), values.count(-1)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    found = sign_test(z, np.array([1e-12]))
    assert found.p[0] == pytest.approx(expected, rel=1e-12)
    assert found.statistic[0] == wins - losses


def test_degenerate_differences_have_defined_tests() -> None:
    z = np.zeros((6, 3))
    z[:, 1] = 0.1
    z[:, 2] = -0.1
    slack = np.full(3, 1e-12)
    assert paired_t(z, slack).p.tolist() == [1.0, 2.0**-5, 2.0**-5], "no spread is not certainty: exact signs"
    assert paired_t(z, slack).statistic.tolist() == [0.0, np.inf, -np.inf]
    assert wilcoxon(z, slack).p == pytest.approx([1.0, 2 / 64, 2 / 64])
    assert sign_test(z, slack).p == pytest.approx([1.0, 2 / 64, 2 / 64])


def test_welch_equals_scipy() -> None:
    rng = np.random.default_rng(3)
    left, right = rng.normal(0.1, 1, 23), rng.normal(0, 2, 40)
    found = welch(
        (np.array([left.mean()]), np.array([right.mean()])),
        (np.array([left.var(ddof=1)]), np.array([right.var(ddof=1)])),
        (np.array([23.0]), np.array([40.0])),
    )
    peer = stats.ttest_ind(left, right, equal_var=False)
    assert found.difference[0] / found.error[0] == pytest.approx(peer.statistic, rel=1e-12)
    assert found.df[0] == pytest.approx(peer.df, rel=1e-12)
    low, high = t_interval(found.difference, found.error, found.df, 0.95)
    interval = peer.confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx((interval.low, interval.high), rel=1e-9)


# ---- intervals


def bca(means: NDArray[np.float64], z: NDArray[np.float64], level: float) -> tuple[float, float]:
    """Efron's interval from the resampled means of differences, by its formula."""
    w = z - z.mean()
    bias = stats.norm.ppf(((means < z.mean()).mean() + (means <= z.mean()).mean()) / 2)
    acceleration = (w**3).sum() / (6 * (w @ w) ** 1.5)
    shifted = bias + stats.norm.ppf([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(means, stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)))
    return float(low), float(high)


def test_the_formula_of_bca_is_scipys() -> None:
    rng = np.random.default_rng(11)
    for z in (rng.exponential(size=25), rng.normal(size=8), rng.beta(0.5, 2, size=60)):
        peer = stats.bootstrap((z,), np.mean, n_resamples=1500, rng=np.random.default_rng(5), method="BCa")
        low, high = bca(peer.bootstrap_distribution, z, 0.95)
        assert low == pytest.approx(peer.confidence_interval.low, abs=1e-12)
        assert high == pytest.approx(peer.confidence_interval.high, abs=1e-12)


def test_bootstrap_intervals_of_pairs_equal_those_of_their_differences() -> None:
    table = matrix(30, 5, 2)
    indices = np.random.default_rng(4).integers(0, 30, size=(999, 30))
    counts = bootstrap_counts(30, 999, np.random.default_rng(4))
    pairs = Contrasts.all_pairs(5)
    plain, better = percentile_interval(table, counts, pairs, 0.9), bca_interval(table, counts, pairs, 0.9)
    for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        z = table[:, left] - table[:, right]
        means = z[indices].mean(axis=1)
        assert (plain.low[at], plain.high[at]) == pytest.approx(np.quantile(means, [0.05, 0.95]), abs=1e-12)
        assert (better.low[at], better.high[at]) == pytest.approx(bca(means, z, 0.9), abs=1e-10)


def test_a_constant_difference_is_its_own_interval() -> None:
    table = np.column_stack([np.linspace(0, 1, 9), np.linspace(0, 1, 9) + 0.25])
    counts = bootstrap_counts(9, 200, np.random.default_rng(0))
    for interval in (percentile_interval, bca_interval):
        low, high = interval(table, counts, Contrasts.all_pairs(2), 0.95)
        assert (low[0], high[0]) == pytest.approx((-0.25, -0.25), abs=1e-12)


# ---- corrections


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")])
@pytest.mark.parametrize("seed", range(8))
def test_corrections_equal_statsmodels(ours: str, theirs: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.choice([0.0, 0.001, 0.01, 0.011, 0.02, 0.2, 0.5, 1.0], size=seed + 1)
    assert adjust(p, ours) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-12)  # type: ignore[arg-type]


def test_no_correction_and_an_unknown_one() -> None:
    assert adjust(np.array([0.2, 0.1]), "none").tolist() == [0.2, 0.1]
    assert adjust(np.array([]), "holm").tolist() == []
    with pytest.raises(UsageError, match="correction='sidak' is not one of holm, bh, bonferroni, none"):
        adjust(np.array([0.2]), "sidak")  # type: ignore[arg-type]


# ---- the studentised range


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 10, 129, 400])
@pytest.mark.parametrize("df", [2, 7, 60, 6272, 99_000])
def test_studentized_range_equals_scipy(k: int, df: int) -> None:
    q = np.array([0.3, 1.0, 2.5, 4.0, 6.0, 9.0])
    assert tukey_survival(q, k, df) == pytest.approx(stats.studentized_range.sf(q, k, df), abs=1e-9)


def test_studentized_range_equals_published_tables_and_statsmodels() -> None:
    # Upper 5 % points of the studentised range, Pearson & Hartley, Biometrika tables for statisticians.
    for k, df, q in ((3, 10, 3.88), (5, 20, 4.23), (10, 60, 4.65), (2, 5, 3.64)):
        assert tukey_quantile(0.05, k, df) == pytest.approx(q, abs=0.006)
        assert float(tukey_survival(np.array(q), k, df)) == pytest.approx(
            float(np.ravel(psturng(q, k, df))[0]), abs=2e-3
        )
    assert tukey_survival(np.array([0.0, np.inf]), 4, 9).tolist() == [1.0, 0.0]
    two_means = 2 * stats.t.sf(2.1, 17)
    assert float(tukey_survival(np.array(2.1 * np.sqrt(2)), 2, 17)) == pytest.approx(two_means, abs=1e-10)


# ---- topic set sizes


@pytest.mark.parametrize(("difference", "deviation", "power"), [(0.1, 0.3, 0.8), (0.05, 0.2, 0.9), (0.3, 0.2, 0.8)])
def test_t_power_and_size_equal_statsmodels(difference: float, deviation: float, power: float) -> None:
    peer = TTestPower()
    effect = difference / deviation
    n = next(n for n in itertools.count(2) if t_power(n, difference, deviation) >= power)
    assert n == int(np.ceil(peer.solve_power(effect_size=effect, power=power, alpha=0.05)))
    assert t_power(n, difference, deviation) == pytest.approx(peer.power(effect, n, 0.05), abs=1e-9)
    found = smallest_effect(lambda delta: t_power(40, delta, deviation), power)
    solved = peer.solve_power(nobs=40, power=power, alpha=0.05) * deviation
    assert found == pytest.approx(solved, rel=1e-6)


@pytest.mark.parametrize(("systems", "span"), [(2, 0.2), (10, 0.2), (100, 0.3)])
def test_anova_power_equals_statsmodels(systems: int, span: float) -> None:
    deviation, n = 0.35, 60
    effect = np.sqrt(span**2 / (2 * deviation**2) / systems)  # Cohen's f of two extremes and the rest half way
    peer = FTestAnovaPower().power(effect, nobs=n * systems, alpha=0.05, k_groups=systems)
    assert anova_power(n, systems, span, deviation) == pytest.approx(peer, abs=1e-9)


def test_interval_width_is_the_mean_of_simulated_widths() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(0, 0.4, size=(200_000, 6))
    widths = 2 * stats.t.isf(0.025, 5) * z.std(axis=1, ddof=1) / np.sqrt(6)
    assert interval_width(6, 0.4) == pytest.approx(widths.mean(), abs=4 * widths.std() / np.sqrt(len(widths)))
