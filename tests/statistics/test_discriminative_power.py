"""Shares of significant pairs on resampled rows against SciPy on each resample."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matrices import matrix
from scipy import stats

from cranfield.statistics import bootstrap_counts, pair_share, significant_shares, two_way


@pytest.mark.parametrize("simultaneous", [False, True])
def test_each_resample_is_tested_as_scipy_tests_it(simultaneous: bool) -> None:
    table = matrix(15, 6, 4, spread=0.5)
    draws = np.random.default_rng(2).integers(0, 15, size=(30, 15))
    ours = significant_shares(table, bootstrap_counts(15, 30, np.random.default_rng(2)), 0.1, simultaneous=simultaneous)
    least = stats.studentized_range.isf(0.1, 6, 14 * 5)
    for share, drawn in zip(ours, draws, strict=True):
        some = table[drawn]
        if simultaneous:
            spread = np.sqrt(two_way(some).ms_residual / 15)
            gaps = [abs(np.mean(some[:, i] - some[:, j])) / spread for i, j in combinations(range(6), 2)]
            significant = np.array(gaps) > least
        else:
            p = [float(stats.ttest_rel(some[:, i], some[:, j]).pvalue) for i, j in combinations(range(6), 2)]
            significant = np.array(p) < 0.1
        assert share == pytest.approx(np.mean(significant))
    assert 0 < ours.mean() < 1


def test_equal_columns_and_constant_leads() -> None:
    table = matrix(10, 3, 1)
    table[:, 1], table[:, 2] = table[:, 0], table[:, 0] + 0.25
    counts = bootstrap_counts(10, 20, np.random.default_rng(0))
    assert significant_shares(table, counts, 0.05, simultaneous=False).tolist() == [2 / 3] * 20


def test_variance_from_elsewhere_is_added() -> None:
    kernel = np.triu(np.random.default_rng(0).integers(0, 2, size=(6, 6)).astype(float), 1)
    kernel += kernel.T
    alone, more = pair_share(kernel, 0.9), pair_share(kernel, 0.9, 0.01)
    half = stats.t.ppf(0.95, 5)
    expected = np.sqrt(((alone.high - alone.value) / half) ** 2 + 0.01) * half
    assert more.high - more.value == pytest.approx(expected) == more.value - more.low
