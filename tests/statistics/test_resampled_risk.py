"""Intervals of ZRisk and GeoRisk: samples written out row by row as a twin, laws, and coverage by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import InputError, UsageError
from cranfield._typing import Floats
from cranfield.statistics.resampling import Samples, bootstrap_counts
from cranfield.statistics.risk import RiskInterval, accelerated, resampled_risk, risk_against_all, risk_intervals
from effort import examples

seeds = st.integers(0, 10_000)
alphas = st.sampled_from([0.0, 0.5, 1.0, 5.0])


def table(seed: int, topics: int = 9, systems: int = 4) -> Floats:
    return np.random.default_rng(seed).beta(1, 2, (topics, systems))


@examples(30)
@given(seed=seeds, alpha=alphas, zeros=st.booleans())
def test_samples_are_those_of_topics_written_out(seed: int, alpha: float, zeros: bool) -> None:
    scores = table(seed)
    if zeros:
        scores[2], scores[:, 1] = 0, 0
    samples = bootstrap_counts(len(scores), 40, np.random.default_rng(seed))
    found = resampled_risk(scores, alpha, samples)
    for row, times in enumerate(next(samples.blocks())[1].astype(int)):
        twin = risk_against_all(np.repeat(scores, times, axis=0), alpha)
        assert found.zrisk[row] == pytest.approx(twin.zrisk, abs=1e-9)
        assert found.georisk[row] == pytest.approx(twin.georisk, abs=1e-9)


@examples(20)
@given(seed=seeds, alpha=alphas)
def test_fewer_topics_are_scaled_to_as_many(seed: int, alpha: float) -> None:
    scores = table(seed)
    found = resampled_risk(scores, alpha, Samples.from_rows(1.0 - np.eye(len(scores))))
    for topic in range(len(scores)):
        twin = risk_against_all(np.delete(scores, topic, axis=0), alpha)
        assert found.zrisk[topic] == pytest.approx(twin.zrisk * len(scores) / (len(scores) - 1), abs=1e-9)
        assert found.georisk[topic] == pytest.approx(twin.georisk, abs=1e-9)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_laws(interval: RiskInterval) -> None:
    how: dict[str, Any] = {"interval": interval, "resamples": 400}
    scores = table(7, topics=30)
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

    scores = table(3, topics=25, systems=3)

    def of_topics(places: Floats, axis: int = -1) -> Floats:
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


@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0])
def test_coverage(alpha: float, interval: RiskInterval) -> None:
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


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match=r"scores of at least 0, and one is -0\.5"):
        risk_intervals(np.array([[-0.5, 1.0]]), 1)
    with pytest.raises(UsageError, match="interval='t' is not one of percentile, bca"):
        risk_intervals(table(1), 1, interval="t")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="level=95 should lie between 0 and 1"):
        risk_intervals(table(1), 1, level=95)
    with pytest.raises(UsageError, match=r"interval='bca' leaves out each topic in turn, and 10,001 topics are more"):
        risk_intervals(np.ones((10_001, 2)), 1, interval="bca")
