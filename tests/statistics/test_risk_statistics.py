"""Risk against definitions and the paired t; its intervals against resamples written out, SciPy and simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from cranfield import InputError, UsageError
from cranfield.statistics import (
    Samples,
    bootstrap_counts,
    paired_t,
    resampled_risk,
    risk_against_all,
    risk_intervals,
    risk_of,
)
from cranfield.statistics.risk import RiskInterval, accelerated, weighed
from effort import examples

seeds = st.integers(0, 10_000)
alphas = st.floats(0, 10)


def table(seed: int, topics: int = 12, systems: int = 4) -> NDArray[np.float64]:
    return np.random.default_rng(seed).beta(1, 2, (topics, systems))


def differences(seed: int) -> NDArray[np.float64]:
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
    with pytest.raises(UsageError, match="loss_weight=-1 should be a number of at least 0"):
        risk_of(np.ones((2, 1)), -1)
    with pytest.raises(UsageError, match="deviation='n' is not one of sample, population"):
        risk_of(np.ones((2, 1)), 1, deviation="n")  # type: ignore[arg-type]


# ---- intervals of ZRisk and GeoRisk


interval_seeds = st.integers(0, 10_000)
interval_alphas = st.sampled_from([0.0, 0.5, 1.0, 5.0])


def beta_scores(seed: int, topics: int = 9, systems: int = 4) -> NDArray[np.float64]:
    return np.random.default_rng(seed).beta(1, 2, (topics, systems))


@examples(30)
@given(seed=interval_seeds, alpha=interval_alphas, zeros=st.booleans())
def test_samples_are_those_of_topics_written_out(seed: int, alpha: float, zeros: bool) -> None:
    scores = beta_scores(seed)
    if zeros:
        scores[2], scores[:, 1] = 0, 0
    samples = bootstrap_counts(len(scores), 40, np.random.default_rng(seed))
    found = resampled_risk(scores, alpha, samples)
    for row, times in enumerate(next(samples.blocks())[1].astype(int)):
        twin = risk_against_all(np.repeat(scores, times, axis=0), alpha)
        assert found.zrisk[row] == pytest.approx(twin.zrisk, abs=1e-9)
        assert found.georisk[row] == pytest.approx(twin.georisk, abs=1e-9)


@examples(20)
@given(seed=interval_seeds, alpha=interval_alphas)
def test_fewer_topics_are_scaled_to_as_many(seed: int, alpha: float) -> None:
    scores = beta_scores(seed)
    found = resampled_risk(scores, alpha, Samples.from_rows(1.0 - np.eye(len(scores))))
    for topic in range(len(scores)):
        twin = risk_against_all(np.delete(scores, topic, axis=0), alpha)
        assert found.zrisk[topic] == pytest.approx(twin.zrisk * len(scores) / (len(scores) - 1), abs=1e-9)
        assert found.georisk[topic] == pytest.approx(twin.georisk, abs=1e-9)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_laws_of_intervals(interval: RiskInterval) -> None:
    how: dict[str, Any] = {"interval": interval, "resamples": 400}
    scores = beta_scores(7, topics=30)
    found = risk_intervals(scores, 1, **how)
    observed = risk_against_all(scores, 1)
    for (low, high), value in zip(found, observed, strict=True):
        assert ((low < value) & (value < high)).all()
    wider = risk_intervals(scores, 1, level=0.99, **how)
    assert (wider.georisk.low < found.georisk.low).all()
    assert (wider.georisk.high > found.georisk.high).all()
    scaled = risk_intervals(4 * scores, 1, **how)
    assert scaled.zrisk.low == pytest.approx(2 * found.zrisk.low)
    turned = risk_intervals(scores[:, ::-1], 1, **how)
    assert turned.zrisk.high == pytest.approx(found.zrisk.high[::-1])
    twice = risk_intervals(scores[:, [0, 1, 0]], 1, **how)
    assert twice.georisk.low[0] == twice.georisk.low[2]
    assert risk_intervals(scores, 1, **how).zrisk.low.tolist() == found.zrisk.low.tolist()
    assert risk_intervals(scores, 1, seed=2, **how).zrisk.low.tolist() != found.zrisk.low.tolist()


def test_bca_is_scipys() -> None:
    """Of the same statistic and the samples that SciPy drew, its own BCa."""
    from scipy import stats

    scores = beta_scores(3, topics=25, systems=3)

    def of_topics(places: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
        chosen = np.asarray(places).astype(int)
        values = [risk_against_all(scores[row], 1).georisk[0] for row in chosen.reshape(-1, chosen.shape[-1])]
        return np.array(values).reshape(chosen.shape[:-1])

    theirs = stats.bootstrap(
        (np.arange(25),), of_topics, n_resamples=300, method="BCa", rng=np.random.default_rng(1), batch=100
    )
    drawn = theirs.bootstrap_distribution[:, None]
    without = resampled_risk(scores, 1, Samples.from_rows(1.0 - np.eye(25))).georisk[:, :1]
    ours = accelerated(drawn, risk_against_all(scores, 1).georisk[:1], without, level=0.95)
    assert [ours.low[0], ours.high[0]] == pytest.approx(list(theirs.confidence_interval), abs=1e-12)


def test_topics_without_difference_leave_no_interval() -> None:
    """Every topic the same: so is every sample."""
    found = risk_intervals(np.tile([[0.2, 0.4, 0.6]], (12, 1)), 1, resamples=200)
    assert found.zrisk.low == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.georisk.low == pytest.approx(found.georisk.high)
    nothing = risk_intervals(np.zeros((5, 2)), 1, resamples=50)
    assert [bound.tolist() for one in nothing for bound in one] == [[0, 0]] * 4


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0])
def test_intervals_cover(alpha: float, interval: RiskInterval) -> None:
    """Topics from a population of 4,000 whose ZRisk and GeoRisk are known: 250 sets of 60 topics and eight systems."""
    rng = np.random.default_rng(5)
    population = rng.beta(0.5, 1.0, (4000, 1)) + rng.normal(0, 0.2, (4000, 8)) + np.linspace(0, 0.2, 8)
    population = np.clip(population, 0, 1)
    truth, topics = risk_against_all(population, alpha), 60
    true = truth.zrisk / len(population) * topics, truth.georisk
    inside = []
    for seed in range(250):
        scores = population[rng.integers(0, len(population), topics)]
        found = risk_intervals(scores, alpha, interval=interval, resamples=400, seed=seed)
        inside.append(
            [((low <= value) & (value <= high)).mean() for (low, high), value in zip(found, true, strict=True)]
        )
    zrisk, georisk = np.mean(inside, axis=0)
    assert 0.9 < zrisk < 0.97
    assert 0.91 < georisk < 0.97


def test_intervals_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match=r"scores of at least 0, and one is -0\.5"):
        risk_intervals(np.array([[-0.5, 1.0]]), 1)
    with pytest.raises(UsageError, match="interval='t' is not one of percentile, bca"):
        risk_intervals(beta_scores(1), 1, interval="t")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="level=95 should lie between 0 and 1"):
        risk_intervals(beta_scores(1), 1, level=95)
    with pytest.raises(UsageError, match=r"interval='bca' leaves out each topic in turn, and 10,001 topics are more"):
        risk_intervals(np.ones((10_001, 2)), 1, interval="bca")
