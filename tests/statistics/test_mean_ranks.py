"""Tests of mean ranks against SciPy, statsmodels, published formulas and brute force."""

from __future__ import annotations

import itertools
from dataclasses import astuple

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

from cranfield.statistics import Contrasts, MeanRanks, cochran_q, is_yes_no, rank_rows


def drawn(seed: int, rows: int, systems: int, levels: int) -> np.ndarray:
    """Values of few levels have ties."""
    return np.random.default_rng(seed).integers(0, levels, (rows, systems)).astype(float)


@pytest.mark.parametrize("levels", [3, 10_000])
@pytest.mark.parametrize(("rows", "systems"), [(8, 3), (30, 7), (200, 4)])
def test_friedman_is_scipys(rows: int, systems: int, levels: int) -> None:
    values = drawn(rows, rows, systems, levels)
    found, expected = MeanRanks.of(values).friedman(), stats.friedmanchisquare(*values.T)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)


def test_iman_davenport_is_demsars_example() -> None:
    """Demsar 2006, section 3.2.2: 14 data sets, mean ranks 3.143, 2.000, 2.893 and 1.964: chi2 9.28, F 3.69."""
    ranks = np.tile([3.143, 2.000, 2.893, 1.964], (14, 1))
    chi2 = 12 * 14 / (4 * 5) * ((ranks[0] ** 2).sum() - 4 * 25 / 4)
    assert chi2 == pytest.approx(9.28, abs=0.02)
    assert 13 * chi2 / (14 * 3 - chi2) == pytest.approx(3.69, abs=0.02)
    values = drawn(3, 14, 4, 10_000)
    of_values = MeanRanks.of(values)
    chi2 = of_values.friedman().statistic
    found = of_values.iman_davenport()
    assert found.statistic == pytest.approx(13 * chi2 / (14 * 3 - chi2))
    assert (found.df, found.df_error) == (3, 39)
    assert found.p == pytest.approx(stats.f.sf(found.statistic, 3, 39))
    # Table 5 of the same paper: q at .05 of four systems is 2.569, and its critical difference 1.25.
    assert of_values.critical_difference(0.05) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), rel=2e-4)


@pytest.mark.parametrize("systems", [2, 3, 5, 10, 40])
def test_nemenyi_is_the_studentised_range(systems: int) -> None:
    ranks, pairs = MeanRanks.of(drawn(systems, 12, systems, 10_000)), Contrasts.all_pairs(systems)
    statistic, p = ranks.nemenyi(pairs)
    gaps = [abs(ranks.means[a] - ranks.means[b]) for a, b in itertools.combinations(range(systems), 2)]
    expected = np.array(gaps) / np.sqrt(systems * (systems + 1) / (6 * 12))
    assert statistic == pytest.approx(expected, abs=1e-12)
    some = slice(0, 20)
    assert p[some] == pytest.approx(stats.studentized_range.sf(expected[some] * np.sqrt(2), systems, np.inf), abs=2e-6)
    critical = ranks.critical_difference(0.05)
    assert ((p < 0.05) == (np.array(gaps) > critical)).all()


def test_where_all_rows_agree_p_is_that_of_all_orders() -> None:
    """Three systems on three rows: 6^3 equally probable triples of orders, of which 6 agree."""
    found = MeanRanks.of(np.tile([3.0, 2.0, 1.0], (3, 1))).iman_davenport()
    orders = list(itertools.permutations(range(3)))
    alike = sum(a == b == c for a, b, c in itertools.product(orders, repeat=3)) / 6**3
    assert np.isinf(found.statistic) and found.p == pytest.approx(alike)
    # With two equal systems there are three orders of a row.
    assert MeanRanks.of(np.tile([3.0, 1.0, 1.0], (3, 1))).iman_davenport().p == pytest.approx(1 / 9)


def test_equal_systems_are_not_different() -> None:
    ranks = MeanRanks.of(np.ones((5, 3)))
    assert astuple(ranks.friedman())[1:] == pytest.approx((0, 2, np.nan, 1), nan_ok=True)
    assert astuple(ranks.iman_davenport())[1:] == (0, 2, 8, 1)
    assert ranks.nemenyi(Contrasts.all_pairs(3))[1].tolist() == [1, 1, 1]


def test_rounding_parts_no_equals() -> None:
    assert rank_rows(np.array([[0.1 + 0.2, 0.3, 0.5], [0.3, 0.3, 0.1]])).tolist() == [[2.5, 2.5, 1], [1.5, 1.5, 3]]


@pytest.mark.parametrize("systems", [2, 3, 6])
def test_cochran_is_friedman_of_yes_and_no_and_statsmodels(systems: int) -> None:
    values = drawn(systems, 40, systems, 2)
    found, expected = cochran_q(values), cochrans_q(values)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    of_ranks = MeanRanks.of(values).friedman()
    assert (of_ranks.statistic, of_ranks.p) == pytest.approx((found.statistic, found.p))
    if systems == 2:
        table = [[int(((values[:, 0] == a) & (values[:, 1] == b)).sum()) for b in (1, 0)] for a in (1, 0)]
        assert found.statistic == pytest.approx(mcnemar(table, exact=False, correction=False).statistic)


def test_rows_on_which_all_agree_say_nothing_to_cochran() -> None:
    assert astuple(cochran_q(np.ones((4, 3))))[1:] == pytest.approx((0, 2, np.nan, 1), nan_ok=True)
    values = drawn(1, 20, 3, 2)
    more = cochran_q(np.vstack([values, np.ones((9, 3)), np.zeros((5, 3))]))
    assert more.statistic == pytest.approx(cochran_q(values).statistic)


@pytest.mark.parametrize(("values", "yes"), [([0, 1, np.nan], True), ([0, 100], True), ([0, 0.5, 1], False)])
def test_what_is_yes_or_no(values: list[float], yes: bool) -> None:
    assert is_yes_no(np.array(values)) is yes
