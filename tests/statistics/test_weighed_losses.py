"""Risk: laws, the paired t-test, plain sums as a twin, and the worked example."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cranfield import InputError, UsageError
from cranfield._typing import Floats
from cranfield.statistics.paired_tests import paired_t
from cranfield.statistics.risk import risk_against_all, risk_of, weighed
from effort import examples

seeds = st.integers(0, 10_000)
alphas = st.floats(0, 10)


def table(seed: int, topics: int = 12, systems: int = 4) -> Floats:
    return np.random.default_rng(seed).beta(1, 2, (topics, systems))


def differences(seed: int) -> Floats:
    scores = table(seed)
    return scores[:, 1:] - scores[:, :1]


@examples(30)
@given(seed=seeds)
def test_at_alpha_0_trisk_is_the_paired_t(seed: int) -> None:
    d = differences(seed)
    found, test = risk_of(d, 0), paired_t(d, np.zeros(3))
    assert found.trisk == pytest.approx(test.statistic)
    assert found.p == pytest.approx(test.p)
    by_scipy = stats.ttest_1samp(d, 0)
    assert found.trisk == pytest.approx(by_scipy.statistic)
    assert found.interval.low == pytest.approx(by_scipy.confidence_interval().low)
    assert risk_of(-d, 0).urisk == pytest.approx(-found.urisk), "antisymmetric"


@examples(30)
@given(seed=seeds, alpha=alphas)
def test_urisk_is_what_its_definition_says(seed: int, alpha: float) -> None:
    d = differences(seed)
    for column in d.T:
        x = [value if value >= 0 else (1 + alpha) * value for value in column]
        mean = math.fsum(x) / len(x)
        s = math.sqrt(math.fsum((value - mean) ** 2 for value in x) / (len(x) - 1))
        found = risk_of(column[:, None], alpha)
        assert found.urisk[0] == pytest.approx(mean)
        assert found.trisk[0] == pytest.approx(mean / (s / math.sqrt(len(x))))
        population = risk_of(column[:, None], alpha, deviation="population").trisk[0]
        assert population == pytest.approx(found.trisk[0] * math.sqrt(len(x) / (len(x) - 1)))


@examples(30)
@given(seed=seeds, alpha=alphas)
def test_urisk_is_made_of_the_mean_and_of_the_size_of_differences(seed: int, alpha: float) -> None:
    """So that URisk of equal systems, whose differences are of either sign alike, is -alpha / 2 mean(|d|)."""
    d = differences(seed)
    made = (1 + alpha / 2) * d.mean(axis=0) - alpha / 2 * np.abs(d).mean(axis=0)
    assert risk_of(d, alpha).urisk == pytest.approx(made)
    both = (risk_of(d, alpha).urisk + risk_of(-d, alpha).urisk) / 2
    assert both == pytest.approx(-alpha / 2 * np.abs(d).mean(axis=0))


@examples(30)
@given(seed=seeds, low=alphas, more=st.floats(0.01, 5))
def test_urisk_and_georisk_fall_in_alpha(seed: int, low: float, more: float) -> None:
    d, scores = differences(seed), table(seed)
    before, after = risk_of(d, low).urisk, risk_of(d, low + more).urisk
    assert ((after < before) == (d < 0).any(axis=0)).all()
    assert (risk_against_all(scores, low + more).georisk <= risk_against_all(scores, low).georisk + 1e-12).all()


@examples(30)
@given(seed=seeds, alpha=alphas, factor=st.floats(0.1, 10))
def test_another_scale(seed: int, alpha: float, factor: float) -> None:
    d, scores = differences(seed), table(seed)
    one, other = risk_of(d, alpha), risk_of(d * factor, alpha)
    assert other.urisk == pytest.approx(one.urisk * factor)
    assert other.trisk == pytest.approx(one.trisk)
    assert risk_against_all(scores * factor, alpha).zrisk == pytest.approx(
        risk_against_all(scores, alpha).zrisk * math.sqrt(factor), abs=1e-9
    )


@examples(30)
@given(seed=seeds, alpha=alphas)
def test_zrisk_and_georisk_are_what_their_definitions_say(seed: int, alpha: float) -> None:
    scores = table(seed)
    scores[3] = 0
    found = risk_against_all(scores, alpha)
    c, systems = scores.shape
    total = scores.sum()
    for i in range(systems):
        z, departures = 0.0, 0.0
        for q in range(c):
            expected = scores[:, i].sum() * scores[q].sum() / total
            departures += scores[q, i] - expected
            value = (scores[q, i] - expected) / math.sqrt(expected) if expected else 0.0
            z += value if value >= 0 else (1 + alpha) * value
        assert departures == pytest.approx(0, abs=1e-12)
        assert found.zrisk[i] == pytest.approx(z)
        assert found.georisk[i] == pytest.approx(math.sqrt(scores[:, i].mean() * stats.norm.cdf(z / c)))
        assert 0 <= found.georisk[i] <= 1


def test_equal_systems_have_equal_risk_and_one_alone_none() -> None:
    scores = table(1)
    twice = risk_against_all(scores[:, [0, 1, 0]], 2)
    assert twice.zrisk[0] == twice.zrisk[2]
    assert twice.georisk[0] == twice.georisk[2]
    alone = risk_against_all(scores[:, :1], 3)
    assert alone.zrisk[0] == pytest.approx(0, abs=1e-12)
    assert alone.georisk[0] == pytest.approx(math.sqrt(scores[:, 0].mean() / 2))
    nothing = risk_against_all(np.zeros((3, 2)), 1)
    assert nothing.zrisk.tolist() == nothing.georisk.tolist() == [0, 0]


def test_the_example_by_hand() -> None:
    d = np.array([[0.2], [-0.1], [0.0], [0.3]])
    found = risk_of(d, 1)
    assert weighed(d, 1)[:, 0].tolist() == [0.2, -0.2, 0.0, 0.3]
    assert found.urisk[0] == pytest.approx(0.075)
    assert found.deviation[0] == pytest.approx(math.sqrt(0.1475 / 3))
    assert found.trisk[0] == pytest.approx(0.6765, abs=1e-4)
    assert risk_of(d, 0).trisk[0] == pytest.approx(1.0954, abs=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.25, -0.1])
def test_without_any_spread_trisk_is_undefined(value: float) -> None:
    found = risk_of(np.full((5, 1), value), 1)
    assert found.urisk[0] == pytest.approx(value if value >= 0 else 2 * value)
    assert np.isnan(found.trisk[0])
    assert np.isnan(found.p[0])


def test_one_topic_has_no_spread() -> None:
    found = risk_of(np.array([[0.1]]), 1)
    assert found.urisk.tolist() == [0.1]
    assert np.isnan([*found.trisk, *found.p, *found.interval.low]).all()


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match=r"scores of at least 0, and one is -0\.5"):
        risk_against_all(np.array([[-0.5, 1.0]]), 1)
    with pytest.raises(UsageError, match="alpha=-1 should be a number of at least 0"):
        risk_of(np.ones((2, 1)), -1)
    with pytest.raises(UsageError, match="deviation='n' is not one of sample, population"):
        risk_of(np.ones((2, 1)), 1, deviation="n")  # type: ignore[arg-type]
