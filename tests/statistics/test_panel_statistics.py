"""Statistics of panels: closed forms and laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize, stats

from cranfield.statistics.error_correlation import (
    ErrorMoments,
    correlations,
    effective_number,
    estimate_effective_judges,
    mean_correlation,
    participation_number,
    ratio_over_topics,
)
from cranfield.statistics.label_combination import (
    fit_dawid_skene,
    minimum_variance_weights,
    weigh_votes,
)
from cranfield.statistics.panel_choice import accuracy_if_independent, choose_panel, squared_error
from effort import examples

errors_of_judges = arrays(np.float64, (30, 4), elements=st.integers(-2, 2).map(float))


def moments(errors: Any, topics: int = 5, group: Any = None) -> ErrorMoments:
    number = np.arange(len(errors)) % topics
    return ErrorMoments.from_errors(errors, number, np.zeros(len(errors), dtype=np.int64) if group is None else group)


def test_closed_forms() -> None:
    errors = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert correlations(moments(errors, 2).covariance())[0, 1] == pytest.approx(0.57735, abs=1e-5)
    assert effective_number(9, 0.4375) == pytest.approx(2.0)
    assert np.isnan(effective_number(3, -0.6))
    assert effective_number(3, -0.25) > 3
    assert participation_number(np.eye(5)) == 5
    assert effective_number(5, float(mean_correlation(np.eye(5)))) == 5
    rho, m = 0.3, 6
    exchangeable = rho + (1 - rho) * np.eye(m)
    assert participation_number(exchangeable) == pytest.approx(m / (1 + (m - 1) * rho**2))


@examples(40)
@given(errors_of_judges, st.integers(0, 2**31))
def test_moments_give_the_covariances_of_numpy(errors: Any, seed: int) -> None:
    group = np.random.default_rng(seed).integers(0, 3, len(errors))
    group[:3] = 0, 1, 2
    topic = np.arange(len(errors)) % 5
    sums = ErrorMoments.from_errors(errors, topic, group)
    for kept, ours in [
        (topic >= 0, sums.covariance()),
        *((topic != number, sums.covariances_without()[number]) for number in range(5)),
    ]:
        centred = errors[kept].copy()
        for value in range(3):
            rows = group[kept] == value
            if rows.any():
                centred[rows] -= centred[rows].mean(axis=0)
        assert ours == pytest.approx(centred.T @ centred / kept.sum(), abs=1e-12)


@examples(40)
@given(errors_of_judges)
def test_the_jackknife_is_that_of_its_definition(errors: Any) -> None:
    topic = np.arange(len(errors)) % 5
    found = estimate_effective_judges(moments(errors))
    with np.errstate(invalid="ignore", divide="ignore"):
        upper = np.triu_indices(4, 1)
        left_out = [np.corrcoef(errors[topic != number].T)[upper].mean() for number in range(5)]
        rho = np.corrcoef(errors.T)[upper].mean()
    if not np.isfinite([rho, *left_out]).all() or max(abs(rho), *np.abs(left_out)) > 0.999:
        return
    z = np.arctanh(left_out)
    reach = stats.t.ppf(0.975, 4) * np.sqrt(4 / 5 * ((z - z.mean()) ** 2).sum())
    assert found.rho == pytest.approx((rho, np.tanh(np.arctanh(rho) - reach), np.tanh(np.arctanh(rho) + reach)))


@examples(40)
@given(arrays(np.int64, (40, 4), elements=st.integers(0, 1)))
def test_signed_and_unsigned_errors_correlate_alike_given_the_reference(labels: Any) -> None:
    truth, votes = labels[:, 0], labels[:, 1:]
    group = np.unique(truth, return_inverse=True)[1]
    signed = correlations(moments((votes - truth[:, None]).astype(float), 5, group).covariance())
    wrong = correlations(moments((votes != truth[:, None]).astype(float), 5, group).covariance())
    assert signed == pytest.approx(wrong, abs=1e-9, nan_ok=True)


def test_ratios_are_those_of_a_cluster_sample() -> None:
    sums, counts = np.array([1.0, 3.0, 0.0, 2.0]), np.array([4.0, 5.0, 0.0, 3.0])
    found = ratio_over_topics(sums, counts, 0.95)
    kept = counts > 0
    residual = sums[kept] - 0.5 * counts[kept]
    error = np.sqrt(3 / 2 * (residual**2).sum()) / 12
    reach = stats.t.ppf(0.975, 2) * error
    assert found == pytest.approx((0.5, 0.5 - reach, 0.5 + reach))
    assert np.isnan(ratio_over_topics(sums[:1], counts[:1], 0.95).low)
    assert np.isnan(ratio_over_topics(sums[:0], counts[:0], 0.95).value)


def test_independent_judges_by_the_binomial_tail() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1000).astype(float)
    votes = np.tile(truth[:, None], (1, 3))
    for judge in range(3):
        for value in (0, 1):
            rows = np.flatnonzero(truth == value)
            wrong = rows[: round(0.3 * len(rows) / 10) * 10] if len(rows) % 10 == 0 else rows[: int(0.3 * len(rows))]
            votes[wrong, judge] = 1 - votes[wrong, judge]
    rates = [float((votes[truth == value, 0] == value).mean()) for value in (0, 1)]
    expected = sum(
        float((truth == value).mean()) * stats.binom.sf(1, 3, rate) for value, rate in zip((0, 1), rates, strict=True)
    )
    assert accuracy_if_independent(votes, truth) == pytest.approx(expected)
    ten = np.array([1.0] * 10 + [0.0] * 10)
    three_wrong = np.array([0.0] * 3 + [1.0] * 7 + [1.0] * 3 + [0.0] * 7)
    assert accuracy_if_independent(np.tile(three_wrong[:, None], (1, 3)), ten) == pytest.approx(0.784)


@examples(30)
@given(arrays(np.int64, (25, 3), elements=st.integers(0, 2)), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_objective_of_em_never_falls(labels: Any, prior: float) -> None:
    found = fit_dawid_skene(labels, 3, prior)
    size = 1.0 + np.abs(found.objective[:-1])
    assert (np.diff(found.objective) >= -1e-9 * size).all()
    assert found.posterior.sum(axis=1) == pytest.approx(1.0)
    assert found.shares.sum() == pytest.approx(1.0)
    if prior:
        assert found.confusion.sum(axis=2) == pytest.approx(1.0)


def test_weights_of_closed_forms() -> None:
    assert minimum_variance_weights(np.eye(2)) == pytest.approx([0.5, 0.5])
    shared = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert minimum_variance_weights(shared) == pytest.approx([2 / 7, 2 / 7, 3 / 7], abs=1e-9)
    assert minimum_variance_weights(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    worse = np.array([[1.0, 1.5], [1.5, 4.0]])
    assert minimum_variance_weights(worse) == pytest.approx([1.0, 0.0])


@examples(40)
@given(st.integers(2, 6), st.integers(0, 2**31))
def test_weights_are_those_of_a_general_solver(judges: int, seed: int) -> None:
    errors = np.random.default_rng(seed).normal(size=(judges + 3, judges))
    covariance = errors.T @ errors / len(errors)
    found = minimum_variance_weights(covariance)
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()
    solved = optimize.minimize(
        lambda w: w @ covariance @ w,
        np.full(judges, 1 / judges),
        jac=lambda w: 2 * covariance @ w,
        bounds=[(0, None)] * judges,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found @ covariance @ found <= solved.fun + 1e-9
    gradient = covariance @ found
    assert (gradient >= gradient[found > 0].min() - 1e-8 * np.abs(covariance).max()).all()


def test_a_topic_is_labelled_by_weights_of_the_others() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60).astype(float)
    votes = np.where(rng.random((60, 3)) < 0.3, 1 - truth[:, None], truth[:, None])
    topic = np.arange(60) % 4
    found = weigh_votes(votes, truth, topic)
    others = topic != 2
    errors = votes[others] - truth[others, None]
    weights = minimum_variance_weights(np.cov(errors.T, bias=True))
    assert found.score[topic == 2] == pytest.approx((votes[topic == 2] - errors.mean(axis=0)) @ weights)
    assert (found.labels == (found.score >= 0.5)).all()


@examples(30)
@given(arrays(np.int64, (24, 5), elements=st.integers(0, 1)))
def test_the_path_is_that_of_brute_force(labels: Any) -> None:
    truth, votes = labels[:, 0].astype(float), labels[:, 1:].astype(float)
    topic, names = np.arange(24) % 6, ("d", "c", "b", "a")
    found = choose_panel(votes, truth, topic, names)

    def forward(rows: Any) -> list[int]:
        chosen: list[int] = []
        while len(chosen) < 4:
            left = [judge for judge in range(4) if judge not in chosen]
            costs = {judge: round(squared_error(votes[rows][:, [*chosen, judge]], truth[rows]), 12) for judge in left}
            chosen.append(min(left, key=lambda judge: (costs[judge], names[judge])))
        return chosen

    assert found.added == forward(np.arange(24))
    held_out = np.zeros(4)
    for fold in range(5):
        inside = topic % 5 == fold
        order = forward(np.flatnonzero(~inside))
        held_out += [
            squared_error(votes[inside][:, order[:size]], truth[inside]) * inside.sum() for size in (1, 2, 3, 4)
        ]
    assert found.held_out == pytest.approx(held_out / 24)
    assert found.error[-1] == pytest.approx(squared_error(votes, truth))
