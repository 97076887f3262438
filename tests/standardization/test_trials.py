"""The numbers of a trial against SciPy and plain loops, on scores that are awkward on purpose."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from cranfield.standardization import trials as module
from cranfield.standardization.study import ALPHAS
from cranfield.standardization.trials import between, count_paired, count_welch, critical_squares, draw, run, within
from cranfield.statistics import pearson, tau_ap_b, tau_b

LEVELS = np.array(ALPHAS)


def awkward(topics: int, seed: int) -> NDArray[np.float64]:
    """Two identical systems, one a constant above another, one constant, one constant but for a topic."""
    rng = np.random.default_rng(seed)
    scores = rng.random((topics, 9)).round(3)
    scores[:, 1] = scores[:, 0]
    scores[:, 2] = scores[:, 3] + 0.25
    scores[:, 4] = 0.3
    scores[:, 5] = 0.1
    scores[0, 5] = 0.2
    return scores


def paired_rate(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the pairs i < j that are significant, of those whose differences vary, by SciPy."""
    values = []
    for i, j in itertools.combinations(range(scores.shape[1]), 2):
        if np.ptp((scores[:, i] - scores[:, j]).round(10)) > 0:
            values.append(scipy.stats.ttest_rel(scores[:, i], scores[:, j]).pvalue)
    return np.mean(np.array(values)[:, None] <= LEVELS, axis=0)


def welch_rate(first: NDArray[np.float64], second: NDArray[np.float64], pairs: Any) -> NDArray[np.float64]:
    values = []
    for i, j in pairs:
        if np.ptp(first[:, i]) > 0 or np.ptp(second[:, j]) > 0:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                values.append(scipy.stats.ttest_ind(first[:, i], second[:, j], equal_var=False).pvalue)
    return np.mean(np.array(values)[:, None] <= LEVELS, axis=0)


@pytest.mark.slow
@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize(("topics", "n"), [(12, 2), (12, 3), (12, 6), (40, 20)])
def test_within_is_what_loops_give(topics: int, n: int) -> None:
    raw, table = awkward(topics, 1), awkward(topics, 2) ** 2
    draws = draw(np.random.default_rng(3), topics, n, 6)
    found = within([raw, table], draws, LEVELS)
    for number, chosen in enumerate(draws):
        truth, estimate = (scores[chosen].mean(axis=0).round(12) for scores in (raw, table))
        assert found.r[0, number] == pytest.approx(pearson(estimate, truth), abs=1e-12)
        assert found.tau_b[0, number] == pytest.approx(tau_b(estimate, truth), abs=1e-12)
        assert found.tau_ap_b[0, number] == pytest.approx(tau_ap_b(estimate, truth), abs=1e-12)
        assert_allclose(found.power[0, number], paired_rate(table[chosen]), atol=1e-12)
    assert found.type_1 is None


@pytest.mark.slow
@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize(("topics", "n"), [(12, 2), (12, 3), (12, 6), (40, 20)])
def test_between_is_what_loops_give(topics: int, n: int) -> None:
    table = awkward(topics, 4)
    draws = draw(np.random.default_rng(5), topics, 2 * n, 6)
    found = between([table, table], draws, LEVELS)
    assert found.type_1 is not None
    systems = range(table.shape[1])
    for number, chosen in enumerate(draws):
        first, second = table[chosen[:n]], table[chosen[n:]]
        means = [half.mean(axis=0).round(12) for half in (first, second)]
        assert found.r[0, number] == pytest.approx(pearson(*means), abs=1e-12)
        assert found.tau_b[0, number] == pytest.approx(tau_b(*means), abs=1e-12)
        assert found.tau_ap_b[0, number] == pytest.approx(tau_ap_b(*means), abs=1e-12)
        different = itertools.permutations(systems, 2)
        assert_allclose(found.power[0, number], welch_rate(first, second, different), atol=1e-12)
        assert_allclose(found.type_1[0, number], welch_rate(first, second, zip(systems, systems, strict=True)))


def test_exact_ties_are_not_broken_by_the_noise_of_sums() -> None:
    """E-std's means are whole numbers over n: ranked as such, they tie where floating-point sums may not."""
    rng = np.random.default_rng(12)
    reached = rng.integers(1, 8, (60, 40))
    draws = draw(rng, 60, 30, 50)
    found = within([reached / 7.0, reached / 7.0], draws, LEVELS)
    first, second = (reached[half].sum(axis=1) for half in (draws[:, :15], draws[:, 15:]))
    assert any(len(set(row.tolist())) < 40 for row in first)
    assert (found.tau_b == 1).all()
    halves = between([reached / 7.0, reached / 7.0], draws, LEVELS)
    assert_allclose(halves.tau_b[0], tau_b(first, second), atol=1e-13)
    assert_allclose(halves.tau_ap_b[0], tau_ap_b(first, second), atol=1e-13)


def test_identical_systems_leave_the_denominator() -> None:
    """Of 110 systems of which two are identical, 5,994 of 5,995 pairs have a test."""
    rng = np.random.default_rng(6)
    scores = rng.random((9, 110))
    scores[:, 66] = scores[:, 68]
    draws = draw(rng, 9, 5, 3)
    power = within([scores, scores], draws, LEVELS).power[0]
    assert_allclose(power * 5994, (power * 5994).round(), atol=1e-9)
    assert not np.allclose(power * 5995, (power * 5995).round(), atol=1e-9)


@pytest.mark.usefixtures("each_engine")
def test_where_nothing_has_a_test() -> None:
    same = np.tile([[0.1], [0.5], [0.3], [0.4]], (1, 3))
    constant = np.tile([0.1, 0.7, 0.3], (4, 1))
    draws = draw(np.random.default_rng(0), 4, 2, 3)
    assert np.isnan(within([same, same], draws, LEVELS).power).all()
    assert np.isnan(within([same, same], draws, LEVELS).tau_b).all()
    assert np.isnan(within([constant, constant], draws, LEVELS).power).all()
    found = between([constant, constant], draw(np.random.default_rng(0), 4, 4, 3), LEVELS)
    assert found.type_1 is not None
    assert np.isnan(found.power).all()
    assert np.isnan(found.type_1).all()
    assert (found.tau_b == 1).all()


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("n", [2, 3, 10, 50, 1000])
def test_critical_values_decide_as_p_values_do(n: int) -> None:
    rng = np.random.default_rng(n)
    t = rng.standard_t(n, size=20_000) * 1.5
    share = rng.uniform(0.5, 1, t.shape)
    zero, one = np.zeros((len(t), 1)), np.array([0])
    p = 2 * scipy.stats.t.sf(np.abs(t), (n - 1) / share)
    # Two squared errors whose sum is 1, and the sum of whose squares is the share.
    first = (1 + np.sqrt(2 * share - 1)) / 2
    (_, none), (found, tests) = count_welch(t[:, None], first[:, None], zero, 1 - first[:, None], n, LEVELS)
    assert_array_equal(found, p[:, None] <= LEVELS)
    assert (tests == 1).all()
    assert not none.any()
    p = 2 * scipy.stats.t.sf(np.abs(t), n - 1)
    means = np.column_stack([t / np.sqrt(n), zero])
    found, tests = count_paired(n - 1 + t[:, None] ** 2, means, one, one + 1, n, LEVELS)
    assert_array_equal(found, p[:, None] <= LEVELS)
    assert (tests == 1).all()
    assert critical_squares(np.array(0.05), 10.0) == pytest.approx(2.228138852**2)


@pytest.mark.parametrize("kernel", [within, between])
def test_blocks_and_threads_change_nothing(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = awkward(12, 7)
    tables = [scores, np.sqrt(scores), scores]
    draws = draw(np.random.default_rng(8), 12, 6, 70)
    monkeypatch.setattr(module, "BLOCK", 30)
    calls: list[tuple[int, int]] = []
    one = run(kernel, tables, draws, LEVELS, 1, lambda done, total: calls.append((done, total)))
    two = run(kernel, tables, draws, LEVELS, 2)
    assert calls == [(30, 70), (60, 70), (70, 70)]
    monkeypatch.setattr(module, "CELLS", 50)
    small = run(kernel, tables, draws, LEVELS, 1)
    for name in ("r", "tau_b", "tau_ap_b", "power", "type_1"):
        values = getattr(one, name)
        if values is None:
            assert kernel is within
            continue
        assert values.shape[:2] == (2, 70)
        assert_array_equal(getattr(two, name), values)
        assert_allclose(getattr(small, name), values, atol=1e-13)


def test_draws_are_without_replacement_and_even() -> None:
    draws = draw(np.random.default_rng(9), 7, 3, 20_000)
    assert draws.shape == (20_000, 3)
    assert (np.diff(np.sort(draws, axis=1)) > 0).all()
    for place in range(3):
        assert_allclose(np.bincount(draws[:, place], minlength=7) / 20_000, 1 / 7, atol=0.012)


def test_an_error_in_a_block_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run(broken, [awkward(5, 1)] * 2, draw(np.random.default_rng(0), 5, 2, 600), LEVELS, 2)
