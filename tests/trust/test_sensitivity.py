"""Discriminative power against the golden values, other tests and brute force."""

from __future__ import annotations

import json
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats
from trust_goldens import COLLECTIONS, golden_scores, needs_scores

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.statistics import Contrasts, bootstrap_counts, pair_share, paired_bootstrap, significant_shares
from data_sets import REAL_GOLDEN, Tally
from labelled_scores import scores_of


def test_a_whole_number_of_resamples_stays_whole() -> None:
    """0.29 * 100 is a little less than 29 in floating point."""
    scores = scores_of(np.random.default_rng(0).normal(size=(12, 3)))
    found = cranfield.trust.estimate_sensitivity(scores, alpha=0.29, resamples=100, seed=4).table
    counts = bootstrap_counts(12, 100, np.random.default_rng(4))
    required = paired_bootstrap(scores.to_numpy(), counts, Contrasts.all_pairs(3), kth=29).required
    assert found["required_difference"].item() == required.max()


@needs_scores()
def test_golden_power_and_required_difference() -> None:
    """The same generator draws the same resamples, so that all digits agree."""
    tally = Tally(1e-9)
    for collection in COLLECTIONS:
        golden = json.loads((REAL_GOLDEN / f"information/{collection}.json").read_text())["discriminative_power"]
        for name in ("ap", "ndcg", "ndcg10"):
            found = cranfield.trust.estimate_sensitivity(golden_scores(collection, name), seed=20130728).table.iloc[0]
            tally.add((collection, name, "power"), found["power"], golden[name]["power"])
            tally.add((collection, name, "required"), found["required_difference"], golden[name]["required_delta"])
    for name in ("ap", "ndcg", "ndcg10"):
        golden = json.loads((REAL_GOLDEN / "information/robust03.json").read_text())["discriminative_power"][name]
        for seed, power in enumerate(golden["power_other_seeds"], 1):
            found = cranfield.trust.estimate_sensitivity(golden_scores("robust03", name), seed=seed).table.iloc[0]
            tally.add(("robust03", name, seed), found["power"], power)
    tally.check(27)


def two_measures() -> xr.Dataset:
    rng = np.random.default_rng(3)
    first = rng.beta(1, 2, size=(20, 1)) * 0.5 + rng.beta(2, 3, size=(20, 7)) * 0.3 + np.linspace(0, 0.2, 7)
    second = np.clip(first + rng.normal(0, 0.1, size=first.shape), 0, None)
    return xr.Dataset({"AP": scores_of(first), "RR": scores_of(second).rename("RR")})


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
def test_the_curve_is_the_sorted_levels_of_the_comparison() -> None:
    scores = two_measures()
    found = cranfield.trust.estimate_sensitivity(scores, seed=4)
    for measure in ("AP", "RR"):
        pairs = cranfield.compare(scores[measure], test="bootstrap", seed=4, correction="none").pairs
        # The paper's level is a share of the resamples; a p-value counts what was observed among them.
        levels = (found.curve()[measure] * 1000 + 1) / 1001
        assert levels.tolist() == pytest.approx(sorted(pairs["p"]), abs=1e-15)
        assert found.table.loc[measure, "significant"] == pairs["significant"].sum()
        assert found.table.loc[measure, "power"] == pairs["significant"].mean()
    assert found.curve().index[-1] == 1.0
    assert len(found.asl) == 21


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.parametrize("test", ["permutation", "randomized-tukey"])
def test_other_tests_are_those_of_the_comparison(test: str) -> None:
    scores = two_measures()
    found = cranfield.trust.estimate_sensitivity(scores, test=test, resamples=400, seed=4)  # type: ignore[arg-type]
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


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_what_is_required_for_most_pairs(test: str) -> None:
    """By hand, from each pair's draws: Sakai's border of the bootstrap, or the flips' largest means."""
    scores = two_measures()["AP"]
    found = cranfield.trust.estimate_sensitivity(scores, test=test, resamples=400, seed=6).table.iloc[0]  # type: ignore[arg-type]
    table = scores.to_numpy()
    rng = np.random.default_rng(6)
    draws = (
        rng.integers(0, 20, size=(400, 20))
        if test == "bootstrap"
        else 1.0 - 2.0 * rng.integers(0, 2, (400, 20), dtype=np.int8)
    )

    def borders(part: np.ndarray, kth: int) -> list[float]:
        at = []
        for i, j in combinations(range(table.shape[1]), 2):
            z = table[:, i] - table[:, j]
            if test == "bootstrap":
                w = (z - z.mean())[part]
                means, size = np.abs(w.mean(axis=1)), np.abs(w.mean(axis=1) / w.std(axis=1))
            else:
                means = size = np.abs((part * z).mean(axis=1))
            at.append(means[np.argsort(-size, kind="stable")[kth - 1]])
        return at

    whole = borders(draws, 20)
    assert found["required_difference"] == pytest.approx(max(whole))
    assert found["required_95"] == pytest.approx(np.quantile(whole, 0.95))
    parts = [np.quantile(borders(draws[at : at + 40], 2), 0.95) for at in range(0, 400, 40)]
    reach = 2 * np.std(parts, ddof=1) / np.sqrt(10)
    expected = (found["required_95"] - reach, found["required_95"] + reach)
    assert (found["required_low"], found["required_high"]) == pytest.approx(expected)


@pytest.mark.slow
@needs_scores("dl19", "robust03")
@pytest.mark.parametrize("collection", ["dl19", "robust03"])
@pytest.mark.parametrize("name", ["ap", "ndcg10"])
def test_the_digits_of_the_required_difference_hold_with_any_seed(collection: str, name: str) -> None:
    scores = golden_scores(collection, name)
    said, sentence = set(), re.compile(r"for 95% of the pairs, a difference of (\S+) between means is significant\.")
    for seed in range(1, 6):
        [distance] = sentence.findall(cranfield.audit(scores, subsets=2, seed=seed).readings[name])
        said.add(distance)
    assert len(said) == 1
    # Drawn ten times as often, it is what was said.
    exact = cranfield.trust.estimate_sensitivity(scores, resamples=10_000, seed=99).table["required_95"].iloc[0]
    [distance] = said
    assert f"{exact:.{len(distance) - 2}f}" == distance


def test_what_is_required_without_chance_has_no_error() -> None:
    found = cranfield.trust.estimate_sensitivity(two_measures()["AP"][:8], test="permutation").table.iloc[0]
    assert found["required_low"] == found["required_95"] == found["required_high"] > 0
    few = cranfield.trust.estimate_sensitivity(two_measures()["AP"], resamples=39).table.iloc[0]
    assert np.isnan(few["required_low"]) and np.isnan(few["required_high"])


def test_differences_of_power() -> None:
    found = cranfield.trust.estimate_sensitivity(two_measures())
    line = found.differences.iloc[0]
    assert (line["measure"], line["other"]) == ("AP", "RR")
    assert line["difference"] == pytest.approx(found.table.loc["AP", "power"] - found.table.loc["RR", "power"])
    assert line["low"] < line["difference"] < line["high"]
    same = xr.Dataset({"AP": two_measures()["AP"], "again": two_measures()["AP"]})
    assert cranfield.trust.estimate_sensitivity(same).differences.iloc[0, 2:].tolist() == [0.0, 0.0, 0.0]
    assert cranfield.trust.estimate_sensitivity(two_measures()["AP"]).differences.empty


def test_intervals_are_about_new_topics_too() -> None:
    scores = two_measures()
    found = cranfield.trust.estimate_sensitivity(scores, seed=5)
    counts = bootstrap_counts(20, 200, np.random.default_rng(5))
    shares = [significant_shares(scores[name].to_numpy(), counts, 0.05, simultaneous=False) for name in scores]
    squares = []
    for name in scores:
        square = np.zeros((7, 7))
        square[np.triu_indices(7, 1)] = found.asl[name] < 0.05
        squares.append(square + square.T)
    for name, square, drawn in zip(scores, squares, shares, strict=True):
        ends = pair_share(square, 0.95, drawn.var(ddof=1))
        row = found.table.loc[name]
        assert row[["power_low", "power_high"]].tolist() == [max(0.0, ends.low), min(1.0, ends.high)]
    ends = pair_share(squares[0] - squares[1], 0.95, (shares[0] - shares[1]).var(ddof=1))
    assert found.differences.iloc[0, 2:].tolist() == list(ends)
    # The topics add something, and the same topics for both measures take much of it away again.
    assert 0 < (shares[0] - shares[1]).var() < shares[0].var() + shares[1].var()


def test_a_seed_fixes_the_bits() -> None:
    one, two = (cranfield.trust.estimate_sensitivity(two_measures(), seed=9) for _ in range(2))
    pd.testing.assert_frame_equal(one.table, two.table, check_exact=True)
    pd.testing.assert_frame_equal(one.asl, two.asl, check_exact=True)


def test_two_systems_and_identical_ones() -> None:
    base = np.random.default_rng(0).beta(1, 2, size=10)
    with pytest.warns(CranfieldWarning, match="two systems make one pair"):
        found = cranfield.trust.estimate_sensitivity(scores_of(np.column_stack([base, base]))).table.iloc[0]
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
            cranfield.trust.estimate_sensitivity(scores, **options)  # type: ignore[arg-type]
    scores["AP"][1, 1] = np.nan
    with pytest.raises(InputError, match="sensitivity needs every system's score"):
        cranfield.trust.estimate_sensitivity(scores)
