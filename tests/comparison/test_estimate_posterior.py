"""``estimate_posterior``: what it says of scores, what it refuses, and how well it is calibrated.

Heavy where thorough; docs/questions/how-probable-is-it.md has what
``python tests/comparison/test_estimate_posterior.py`` prints.
"""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison import compare, estimate_posterior
from cranfield.statistics import Contrasts, paired_posterior, shared_posterior
from effort import thorough


def scores(systems: int = 4, topics: int = 12, seed: int = 1, name: str = "AP") -> xr.DataArray:
    values = np.random.default_rng(seed).uniform(0, 1, (topics, systems))
    coordinates = {"topic": [f"t{q}" for q in range(topics)], "system": [f"s{j}" for j in range(systems)]}
    return xr.DataArray(values, coordinates, ("topic", "system"), name)


def test_the_flat_prior_agrees_with_the_t_test() -> None:
    given = scores()
    found = estimate_posterior(given).pairs
    tested = compare(given, correction="none").pairs
    assert found[["low", "high"]].to_numpy() == pytest.approx(tested[["low", "high"]].to_numpy(), rel=1e-10)
    assert 2 * (1 - found["prob_superior"].to_numpy()) == pytest.approx(tested["p"].to_numpy(), rel=1e-9)


@pytest.mark.parametrize("prior", ["flat", "shared"])
def test_probabilities_of_a_margin_add_up_and_turn_with_the_pair(prior: str) -> None:
    given = scores(3)
    found = estimate_posterior(given, prior=prior, margin=0.1, baseline=["s0", "s1", "s2"]).pairs
    assert found[["prob_better", "prob_equivalent", "prob_worse"]].sum(axis=1).to_numpy() == pytest.approx(1)
    every = {(row.system, row.other): row for row in found.itertuples()}
    for row in estimate_posterior(given, prior=prior, margin=0.1).pairs.itertuples():
        other = every.get((row.other, row.system))
        if other is not None:
            assert other.prob_superior == pytest.approx(1 - row.prob_superior, rel=1e-9)
            assert (other.prob_better, other.low) == pytest.approx((row.prob_worse, -row.high), rel=1e-9)


def test_smaller_is_better_turns_the_probabilities_alone() -> None:
    given = scores()
    turned = given.assign_attrs(larger_is_better=0)
    usual = {(row.system, row.other): row for row in estimate_posterior(given, margin=0.1).pairs.itertuples()}
    for row in estimate_posterior(turned, margin=0.1).pairs.itertuples():
        same = usual[(row.other, row.system)]
        assert row.difference == pytest.approx(-same.difference)
        assert (row.prob_superior, row.prob_better) == pytest.approx((same.prob_superior, same.prob_better))


def test_equal_scores_are_superior_with_one_half() -> None:
    given = scores(2)
    given[:, 1] = given[:, 0]
    row = estimate_posterior(given, margin=0.1).pairs.iloc[0]
    assert (row["prob_superior"], row["prob_equivalent"], row["low"], row["high"]) == (0.5, 1.0, 0.0, 0.0)


def test_prior_topics_pull_towards_no_difference() -> None:
    given = scores(2)
    none, some = (estimate_posterior(given, prior_topics=k) for k in (0, 12))
    assert some.kept == 0.5
    assert some.pairs["expected"][0] == pytest.approx(none.pairs["expected"][0] / 2)


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ({"prior": "jeffreys"}, UsageError, "prior='jeffreys' is not one of flat, shared"),
        ({"margin": 0}, UsageError, "margin=0 should be a number above 0"),
        ({"level": 1.0}, UsageError, "level=1.0 should lie between 0 and 1"),
        ({"prior_topics": -1}, UsageError, "prior_topics=-1 should be a number of at least 0"),
        ({"prior": "shared", "prior_topics": 1}, UsageError, "belongs to prior='flat'"),
        ({"baseline": "s9"}, UsageError, "no system is called 's9'"),
    ],
)
def test_what_means_nothing_is_refused(words: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        estimate_posterior(scores(), **words)  # type: ignore[arg-type]
    assert said in str(raised.value)


def test_a_shared_prior_needs_three_systems_and_all_scores() -> None:
    with pytest.raises(InputError, match="needs 3 systems or more, and the scores have 2"):
        estimate_posterior(scores(2), prior="shared")
    given = scores(3)
    given[0, 0] = np.nan
    with pytest.raises(InputError, match="prior='flat'"):
        estimate_posterior(given, prior="shared")
    with pytest.warns(CranfieldWarning, match="'s0' has no score on 1 of 12 topics"):
        assert estimate_posterior(given).pairs["topics"].tolist().count(11) == 2


def calibration(apart: float, topics: int, trials: int, shape: str) -> dict[str, tuple[float, float, float]]:
    """Of 10 systems whose true means are normal: coverage of 95% intervals; of pairs in which one system is better with
    a probability above .9, the mean probability and the share in which it is."""
    pairs = Contrasts.all_pairs(10)
    held = {prior: np.zeros(3) for prior in ("flat", "shared")}
    sure = dict.fromkeys(held, 0)
    for seed in range(trials):
        rng = np.random.default_rng([seed, topics])
        truth = apart * rng.standard_normal(10)
        residual = rng.exponential(size=(topics, 10)) - 1 if shape == "skewed" else rng.standard_normal((topics, 10))
        if shape == "unequal":
            residual = residual * np.linspace(0.4, 1.5, 10)
        table = truth + residual
        z, true = pairs.differences(table), truth[pairs.left] - truth[pairs.right]
        error = z.std(axis=0, ddof=1) / np.sqrt(topics)
        for prior, sums in held.items():
            if prior == "flat":
                found = paired_posterior(z.mean(axis=0), error, np.full(len(pairs), float(topics)))
            else:
                found = shared_posterior(table, z.mean(axis=0))[0]
            interval = found.middle(0.95)
            superior = found.above(0.0)
            chosen = np.maximum(superior, 1 - superior) > 0.9
            right = (superior > 0.5) == (true > 0)
            sums[0] += ((interval.low <= true) & (true <= interval.high)).mean() / trials
            sums[1:] += np.maximum(superior, 1 - superior)[chosen].sum(), right[chosen].sum()
            sure[prior] += int(chosen.sum())
    return {prior: (of[0], of[1] / sure[prior], of[2] / sure[prior]) for prior, of in held.items()}


def test_calibration() -> None:
    trials = 1000 if thorough() else 20
    found = calibration(0.7, 25, trials, "normal")
    for coverage, probability, right in found.values():
        assert coverage == pytest.approx(0.95, abs=0.02)
        assert right == pytest.approx(probability, abs=0.02)


if __name__ == "__main__":
    for shape in ("normal", "skewed", "unequal"):
        for apart in (0.2, 0.7):
            for prior, of in calibration(apart, 25, 300, shape).items():
                print(shape, apart, prior, np.round(of, 3).tolist())
