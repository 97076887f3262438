"""Planning: topics for a difference and the difference for topics are each other's inverse, and simulation agrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from test_compare import scores_of

import cranfield
from cranfield import InputError, UsageError
from cranfield.statistics import two_way


@pytest.fixture
def pilot() -> Any:
    rng = np.random.default_rng(0)
    return scores_of(rng.normal(0.5, 0.1, (40, 1)) + rng.normal(0, 0.12, (40, 6)) + np.linspace(0, 0.05, 6))


def test_the_deviation_is_the_mean_over_all_pairs(pilot: Any) -> None:
    values = pilot.to_numpy()
    variances = [np.var(values[:, i] - values[:, j], ddof=1) for i in range(6) for j in range(i)]
    assert cranfield.comparison.estimate_topics_needed(pilot, 0.1).deviation ** 2 == pytest.approx(
        np.mean(variances), rel=1e-12
    )
    assert 2 * two_way(values).ms_residual == pytest.approx(np.mean(variances), rel=1e-12)


@pytest.mark.parametrize("design", ["t", "anova", "interval"])
def test_inverse(pilot: Any, design: Any) -> None:
    for difference in (0.03, 0.08, 0.3):
        needed = cranfield.comparison.estimate_topics_needed(pilot, difference, design=design).topics
        assert cranfield.comparison.estimate_detectable_difference(
            pilot, needed, design=design
        ).difference <= difference * (1 + 1e-9)
        if needed > 2:
            assert (
                cranfield.comparison.estimate_detectable_difference(pilot, needed - 1, design=design).difference
                > difference
            )


def test_the_power_is_what_simulation_finds(pilot: Any) -> None:
    planned = cranfield.comparison.estimate_topics_needed(pilot, 0.06, power=0.8, correction="none")
    rng = np.random.default_rng(5)
    z = rng.normal(0.06, planned.deviation, size=(planned.topics, 8000))
    found = (stats.ttest_1samp(z, 0.0).pvalue < 0.05).mean()
    assert 0.79 <= found <= 0.83


def test_max_t_of_more_systems_than_the_pilot_has_is_planned_for_all_their_pairs(pilot: Any) -> None:
    topics = {
        test: cranfield.comparison.estimate_topics_needed(pilot, 0.06, n_systems=20, test=test).topics
        for test in ("t", "permutation", "tukey")
    }
    # Where variances are alike, max-T is Tukey's test with each pair's own spread.
    assert 0.98 * topics["tukey"] <= topics["permutation"] <= topics["t"]


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.parametrize(
    ("test", "correction", "baseline"),
    [
        ("t", "holm", ()),
        ("t", "bonferroni", ()),
        ("t", "holm", "a"),
        ("permutation", "max-t", ()),
        ("permutation", "max-t", "a"),
        ("tukey", None, ()),
        ("dunnett", None, "a"),
    ],
)
def test_the_power_is_that_of_compare_with_its_correction(test: Any, correction: Any, baseline: Any) -> None:
    rng, systems, trials = np.random.default_rng(6), 6, 400
    how = {"test": test, "correction": correction, "baseline": baseline}
    more = {"resamples": 1000} if test == "permutation" else {}
    last_year = scores_of(rng.normal(0.5, 0.1, (60, 1)) + rng.normal(0, 0.12, (60, systems)))
    planned = cranfield.comparison.estimate_topics_needed(last_year, 0.08, power=0.8, **how)
    # Two systems are so far apart, and the others between them, where little is found.
    means = np.array([0.54, 0.46, 0.5, 0.5, 0.5, 0.5])
    hits = 0
    for _ in range(trials):
        topic = rng.normal(0, 0.1, (planned.topics, 1))
        table = means + topic + rng.normal(0, planned.deviation / np.sqrt(2), (planned.topics, systems))
        pairs = cranfield.compare(scores_of(table), **how, **more).pairs
        (found,) = pairs[[{one, other} == {"a", "b"} for one, other in zip(pairs.system, pairs.other, strict=True)]][
            "significant"
        ]
        hits += bool(found)
    error = 3.5 * np.sqrt(0.8 * 0.2 / trials)
    # Holm's later steps, and one topic more or less, find a little more than what is planned.
    assert 0.8 - error <= hits / trials <= 0.84 + error


def test_wrong_calls(pilot: Any) -> None:
    with pytest.raises(UsageError, match=r"difference=0\.0 should be a number above 0"):
        cranfield.comparison.estimate_topics_needed(pilot, 0.0)
    with pytest.raises(UsageError, match=r"power=0\.01 should be larger than alpha=0\.05"):
        cranfield.comparison.estimate_topics_needed(pilot, 0.1, power=0.01)
    with pytest.raises(UsageError, match="design='f'"):
        cranfield.comparison.estimate_topics_needed(pilot, 0.1, design="f")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="more than 10,000,000 topics"):
        cranfield.comparison.estimate_topics_needed(pilot, 1e-9)
    with pytest.raises(UsageError, match="n_topics=1 should be at least 2"):
        cranfield.comparison.estimate_detectable_difference(pilot, 1)
    with pytest.raises(InputError, match="does not vary over topics"):
        cranfield.comparison.estimate_topics_needed(scores_of([[0.1, 0.2], [0.1, 0.2], [0.1, 0.2]]), 0.1)
    with pytest.raises(InputError, match="needs every system's score on every topic"):
        cranfield.comparison.estimate_topics_needed(scores_of([[0.1, 0.2], [np.nan, 0.2]]), 0.1)


def test_a_plan_is_for_the_pairs_that_are_compared(pilot: Any) -> None:
    values = pilot.to_numpy() + np.random.default_rng(3).normal(0, 0.4, (40, 1)) * (np.arange(6) == 5)
    noisy = scores_of(values)
    variances = {(i, j): np.var(values[:, i] - values[:, j], ddof=1) for j in range(6) for i in range(j)}
    estimate = cranfield.comparison.estimate_topics_needed
    largest = estimate(noisy, 0.1, spread="largest")
    assert largest.deviation**2 == pytest.approx(max(variances.values()), rel=1e-12)
    assert largest.settings["spread"] == "largest" and largest.topics > estimate(noisy, 0.1).topics
    first = str(pilot["system"].to_numpy()[0])
    against = estimate(noisy, 0.1, baseline=first)
    of_first = [variance for pair, variance in variances.items() if 0 in pair]
    assert against.deviation**2 == pytest.approx(np.mean(of_first), rel=1e-12)
    assert against.settings["baseline"] == [first]
    assert against.topics < estimate(noisy, 0.1).topics
    by_largest = estimate(noisy, 0.1, baseline=first, spread="largest", correction="none")
    assert by_largest.deviation**2 == pytest.approx(max(of_first), rel=1e-12)
    two = pilot.isel(system=[0, 5])
    assert estimate(two, 0.1, spread="largest").topics == estimate(two, 0.1).topics
    with pytest.raises(UsageError, match="spread"):
        estimate(pilot, 0.1, spread="widest")  # type: ignore[arg-type]


def test_what_is_said_of_a_plan_names_its_pairs(pilot: Any) -> None:
    def told(scores: Any) -> str:
        return cranfield.compare(scores, difference=0.05).caption("pairs")

    said = told(pilot)
    assert "these are for pairs of average spread; for the pair that varies most: " in said
    assert (
        "one-way ANOVA of all systems, which, unlike tests of pairs, does not remove what topics have in common" in said
    )
    alone = told(pilot.isel(system=[0, 1]))
    assert "ANOVA" not in alone and "average spread" not in alone
