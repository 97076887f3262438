"""Discriminative power against the golden values, other tests and brute force."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats
from test_reliability import scores_of
from trust_goldens import COLLECTIONS, golden_scores

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.statistics.pair_shares import pair_share
from data_sets import GOLDEN, Tally


@pytest.mark.data
def test_golden_power_and_required_difference() -> None:
    """The same generator draws the same resamples, so that all digits agree."""
    tally = Tally(1e-9)
    for collection in COLLECTIONS:
        golden = json.loads((GOLDEN / f"information/{collection}.json").read_text())["discriminative_power"]
        for name in ("ap", "ndcg", "ndcg10"):
            found = cranfield.sensitivity(golden_scores(collection, name), seed=20130728).table.iloc[0]
            tally.add((collection, name, "power"), found["power"], golden[name]["power"])
            tally.add((collection, name, "required"), found["required_difference"], golden[name]["required_delta"])
    for name in ("ap", "ndcg", "ndcg10"):
        golden = json.loads((GOLDEN / "information/robust03.json").read_text())["discriminative_power"][name]
        for seed, power in enumerate(golden["power_other_seeds"], 1):
            found = cranfield.sensitivity(golden_scores("robust03", name), seed=seed).table.iloc[0]
            tally.add(("robust03", name, seed), found["power"], power)
    tally.check(27)


def two_measures() -> xr.Dataset:
    rng = np.random.default_rng(3)
    first = rng.beta(1, 2, size=(20, 1)) * 0.5 + rng.beta(2, 3, size=(20, 7)) * 0.3 + np.linspace(0, 0.2, 7)
    second = np.clip(first + rng.normal(0, 0.1, size=first.shape), 0, None)
    return xr.Dataset({"AP": scores_of(first), "RR": scores_of(second).rename("RR")})


def test_the_curve_is_the_sorted_levels_of_the_comparison() -> None:
    scores = two_measures()
    found = cranfield.sensitivity(scores, seed=4)
    for measure in ("AP", "RR"):
        pairs = cranfield.compare(scores[measure], test="bootstrap", seed=4, correction="none").pairs
        assert found.curve()[measure].tolist() == sorted(pairs["p"])
        assert found.table.loc[measure, "significant"] == pairs["significant"].sum()
        assert found.table.loc[measure, "power"] == pairs["significant"].mean()
    assert found.curve().index[-1] == 1.0
    assert len(found.asl) == 21


@pytest.mark.parametrize("test", ["permutation", "randomized-tukey"])
def test_other_tests_are_those_of_the_comparison(test: str) -> None:
    scores = two_measures()
    found = cranfield.sensitivity(scores, test=test, resamples=400, seed=4)  # type: ignore[arg-type]
    for measure in ("AP", "RR"):
        pairs = cranfield.compare(scores[measure], test=test, resamples=400, seed=4, correction="none").pairs  # type: ignore[arg-type]
        assert sorted(found.asl[measure]) == pytest.approx(sorted(pairs["p"]), abs=1e-12)
        required = found.table.loc[measure, "required_difference"]
        if test == "randomized-tukey":
            assert (pairs["significant"] == (pairs["difference"] > required)).all()
        else:
            assert (pairs[pairs["difference"] > required]["significant"]).all()


def test_the_interval_is_the_jackknife_over_systems() -> None:
    kernel = np.random.default_rng(0).integers(0, 2, size=(6, 6)).astype(float)
    kernel = np.triu(kernel, 1) + np.triu(kernel, 1).T
    found = pair_share(kernel, 0.9)

    def mean(systems: list[int]) -> float:
        return float(np.mean([kernel[i, j] for i, j in combinations(systems, 2)]))

    without = np.array([mean([j for j in range(6) if j != i]) for i in range(6)])
    half = stats.t.ppf(0.95, 5) * np.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum())
    assert found == pytest.approx((mean(list(range(6))), mean(list(range(6))) - half, mean(list(range(6))) + half))


def test_differences_of_power() -> None:
    found = cranfield.sensitivity(two_measures())
    line = found.differences.iloc[0]
    assert (line["measure"], line["other"]) == ("AP", "RR")
    assert line["difference"] == pytest.approx(found.table.loc["AP", "power"] - found.table.loc["RR", "power"])
    assert line["low"] < line["difference"] < line["high"]
    same = xr.Dataset({"AP": two_measures()["AP"], "again": two_measures()["AP"]})
    assert cranfield.sensitivity(same).differences.iloc[0, 2:].tolist() == [0.0, 0.0, 0.0]
    assert cranfield.sensitivity(two_measures()["AP"]).differences.empty


def test_a_seed_fixes_the_bits() -> None:
    one, two = (cranfield.sensitivity(two_measures(), seed=9) for _ in range(2))
    pd.testing.assert_frame_equal(one.table, two.table, check_exact=True)
    pd.testing.assert_frame_equal(one.asl, two.asl, check_exact=True)


def test_two_systems_and_identical_ones() -> None:
    base = np.random.default_rng(0).beta(1, 2, size=10)
    with pytest.warns(CranfieldWarning, match="two systems make one pair"):
        found = cranfield.sensitivity(scores_of(np.column_stack([base, base]))).table.iloc[0]
    assert (found["power"], found["significant"], found["required_difference"]) == (0.0, 0, 0.0)
    assert np.isnan(found["power_low"])  # as documented: one pair says nothing of other systems


def test_wrong_calls() -> None:
    scores = two_measures()
    for options, message in (
        ({"test": "t"}, "test='t' is not one of bootstrap, permutation, randomized-tukey"),
        ({"alpha": 1.0}, "alpha=1.0 should lie between"),
        ({"resamples": 19}, "resamples=19 are too few for alpha=0.05: take 20 or more"),
    ):
        with pytest.raises(UsageError, match=message):
            cranfield.sensitivity(scores, **options)  # type: ignore[arg-type]
    scores["AP"][1, 1] = np.nan
    with pytest.raises(InputError, match="sensitivity needs every system's score"):
        cranfield.sensitivity(scores)
