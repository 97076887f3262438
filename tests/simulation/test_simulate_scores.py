"""Simulated scores: their truth is what large samples show, and odd input is refused."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import norm, rankdata, spearmanr

import cranfield
from cranfield import InputError, UsageError
from cranfield.simulation import simulate_scores


def correlation(table: np.ndarray) -> np.ndarray:
    """Correlation of the columns' normal scores."""
    return np.corrcoef(norm.ppf((rankdata(table, axis=0) - 0.5) / len(table)), rowvar=False)


def pilot(seed: int = 0, topics: int = 30, systems: int = 5) -> xr.DataArray:
    rng = np.random.default_rng(seed)
    values = rng.beta(1.5, 2, size=(topics, 1)) * 0.5 + rng.beta(2, 3, size=(topics, systems)) * 0.5
    labels = {"topic": [f"q{at}" for at in range(topics)], "system": [chr(97 + at) for at in range(systems)]}
    return xr.DataArray(values, labels, ("topic", "system"), name="AP")


@pytest.mark.slow
def test_the_truth_is_the_mean_of_many_topics() -> None:
    scores = pilot()
    made = cranfield.simulation.simulate_scores(scores, 200_000)
    assert made.truth["mean"].to_numpy() == pytest.approx(scores.mean("topic").to_numpy(), abs=1e-10)
    assert made.scores.mean("topic").to_numpy() == pytest.approx(made.truth["mean"].to_numpy(), abs=0.003)
    assert np.abs(correlation(made.scores.to_numpy()) - correlation(scores.to_numpy())).max() < 0.015
    spread = made.scores.std("topic").to_numpy(), scores.std("topic").to_numpy()
    assert spread[0] == pytest.approx(spread[1], rel=0.15)


def test_given_means() -> None:
    assert cranfield.simulation.simulate_scores(pilot(), 5, means=0.3).truth["mean"].tolist() == pytest.approx(
        [0.3] * 5
    )
    some = cranfield.simulation.simulate_scores(pilot(), 5, means={"b": 0.7}).truth["mean"]
    assert some["b"] == pytest.approx(0.7)
    assert some["a"] == pytest.approx(float(pilot()[:, 0].mean()))


def test_null_systems_are_exchangeable() -> None:
    made = cranfield.simulation.simulate_scores(pilot(), 100_000, null=True)
    assert np.ptp(made.truth["mean"]) == 0
    values = made.scores.to_numpy()
    assert np.ptp(values.mean(axis=0)) < 0.005
    assert np.ptp(values.std(axis=0)) < 0.005
    off = correlation(values)[np.triu_indices(5, 1)]
    assert off == pytest.approx(np.full(10, correlation(pilot().to_numpy())[np.triu_indices(5, 1)].mean()), abs=0.02)


def test_discrete_scores_stay_discrete() -> None:
    scores = np.round(pilot() * 10) / 10
    made = cranfield.simulation.simulate_scores(scores, 500)
    assert set(made.truth["family"]) == {"beta-binomial"}
    assert np.abs(made.scores * 10 - np.round(made.scores * 10)).max() < 1e-9


def test_sizes_seeds_and_names() -> None:
    one, two = (cranfield.simulation.simulate_scores(pilot(), seed=4) for _ in range(2))
    assert one.scores.identical(two.scores)
    assert one.scores.sizes == {"topic": 30, "system": 5}
    assert not one.scores.equals(cranfield.simulation.simulate_scores(pilot(), seed=5).scores)
    assert cranfield.trust.estimate_reliability(one.scores).measure == "AP"


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match=r"the mean 1\.2 of 'a' should lie between 0 and 1"):
        cranfield.simulation.simulate_scores(pilot(), means=1.2)
    with pytest.raises(UsageError, match="means names 'z', which is not a system"):
        cranfield.simulation.simulate_scores(pilot(), means={"z": 0.5})
    with pytest.raises(UsageError, match="null=True gives all systems one mean"):
        cranfield.simulation.simulate_scores(pilot(), means={"a": 0.5}, null=True)
    with pytest.raises(UsageError, match="n_topics=0"):
        cranfield.simulation.simulate_scores(pilot(), 0)
    with pytest.raises(InputError, match=r"AP has scores from .* simulation needs \[0, 1\]"):
        cranfield.simulation.simulate_scores(pilot() * 3)
    with pytest.raises(InputError, match="simulation needs 4 topics or more"):
        cranfield.simulation.simulate_scores(pilot()[:3])
    flat = pilot()
    flat[:, 2] = 0.4
    with pytest.raises(InputError, match="'c' has the same score on every topic, which leaves nothing to fit"):
        cranfield.simulation.simulate_scores(flat)


# ---- vine copulas, and the families of simIReff


def crossed(topics: int = 120, seed: int = 3) -> pd.DataFrame:
    """Two systems that fail together and succeed apart, and a third one like the second."""
    rng = np.random.default_rng(seed)
    shock = rng.random(topics)
    one = np.where(shock < 0.4, shock * 0.2 + rng.uniform(0, 0.02, topics), rng.uniform(0.1, 0.9, topics))
    other = np.where(shock < 0.4, shock * 0.3 + rng.uniform(0, 0.02, topics), rng.uniform(0.1, 0.9, topics))
    third = np.clip(other + rng.normal(0, 0.05, topics), 0.001, 0.999)
    return pd.DataFrame({"one": one, "other": other, "third": third}, index=[f"q{at}" for at in range(topics)])


def lower_tail(values: np.ndarray) -> float:
    """How often both are among the worst fifth, of the times the first is."""
    low = values <= np.quantile(values, 0.2, axis=0)
    return float((low[:, 0] & low[:, 1]).sum() / low[:, 0].sum())


@pytest.mark.slow
def test_a_vine_has_the_means_the_correlations_and_the_tails_of_the_scores() -> None:
    observed = crossed()
    made = {copula: simulate_scores(observed, 4000, copula=copula, seed=2) for copula in ("gaussian", "vine")}  # type: ignore[arg-type]
    vine = made["vine"].scores.to_numpy()
    assert vine.mean(axis=0) == pytest.approx(observed.to_numpy().mean(axis=0), abs=0.02)
    expected, found = (spearmanr(values).statistic for values in (observed.to_numpy(), vine))
    assert np.abs(expected - found).max() < 0.12
    tails = {copula: lower_tail(each.scores.to_numpy()) for copula, each in made.items()}
    truth = lower_tail(observed.to_numpy())
    assert abs(tails["vine"] - truth) < abs(tails["gaussian"] - truth), "a Gaussian copula has no strong tail"


def test_a_vine_gives_the_same_bits_for_the_same_seed_and_leaves_the_other_copula_alone() -> None:
    observed = crossed(30)
    one, again = (simulate_scores(observed, copula="vine", seed=5) for _ in range(2))
    assert one == again
    assert one != simulate_scores(observed, copula="vine", seed=6)
    assert one.settings["copula"] == "vine"
    with pytest.raises(UsageError, match="copula='vine' needs two systems or more"):
        simulate_scores(observed, copula="vine", null=True)
    with pytest.raises(UsageError, match="copula='vine' needs two systems or more"):
        simulate_scores(observed[["one"]], copula="vine")
    with pytest.raises(UsageError, match="copula='clayton' is not one of gaussian, vine"):
        simulate_scores(observed, copula="clayton")  # type: ignore[arg-type]


def test_without_the_library_a_vine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvinecopulib", None)
    with pytest.raises(ImportError, match=r"pip install 'cranfield\[vine\]'"):
        simulate_scores(crossed(10), copula="vine")


def test_more_families_never_fit_worse_by_aic() -> None:
    two_heaps = pd.DataFrame({"one": [0.1] * 15 + [0.2] * 5 + [0.8] * 5 + [0.9] * 15, "other": [0.3, 0.4] * 20})
    for observed in (crossed(40), two_heaps):
        usual, more = (simulate_scores(observed, margins=margins).truth for margins in ("usual", "simIReff"))  # type: ignore[arg-type]
        assert (more["aic"] <= usual["aic"] + 1e-9).all()
    assert more.loc["one", "family"].startswith("discrete kernel"), "one beta-binomial has no two heaps"
