"""Families of pairs: max-T, what resamples can reach, and intervals, against goldens, peers and plain loops."""

from __future__ import annotations

import json
import math
import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from test_compare import scores_of

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.statistics import (
    Contrasts,
    Samples,
    bootstrap_counts,
    max_t_by_bootstrap,
    max_t_by_flips,
    paired_bootstrap,
    samples_needed,
    sign_flip_test,
)
from data_sets import GOLDEN as GOLDENS

GOLDEN = GOLDENS / "simultaneous"
SEEDS = "ignore:.*may change sides with another seed"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def sizes(z: NDArray[np.float64]) -> float:
    """|t| of differences, by the textbook."""
    deviation = z.std(ddof=1)
    if deviation <= 1e-14:
        return math.inf if abs(z.mean()) > 1e-14 else 0.0
    return float(abs(z.mean()) / (deviation / math.sqrt(len(z))))


def all_flips(n: int) -> NDArray[np.float64]:
    """Every flip of n signs up to a common one."""
    return np.array([(1.0, *rest) for rest in product((1.0, -1.0), repeat=n - 1)])


def adjusted_by_loops(
    observed: NDArray[np.float64], resampled: NDArray[np.float64]
) -> tuple[list[int], list[int], list[int]]:
    """Counts of |t*| >= |t|, raw, single step and step-down; resampled is [samples, pairs]."""

    def reach(values: NDArray[np.float64], level: float) -> int:
        return int((values >= level * (1 - 1e-9)).sum()) if math.isfinite(level) else int(np.isinf(values).sum())

    raw = [reach(resampled[:, pair], observed[pair]) for pair in range(len(observed))]
    single = [reach(resampled.max(axis=1), level) for level in observed]
    order, down, most = np.argsort(-observed, kind="stable"), [0] * len(observed), 0
    for place, pair in enumerate(order):
        most = max(most, reach(resampled[:, order[place:]].max(axis=1), observed[pair]))
        down[pair] = most
    return raw, single, down


def test_exact_counts_of_the_goldens() -> None:
    for case in json.loads((GOLDEN / "max-t.json").read_text())["cases"]:
        table = np.array(case["scores"])
        pairs = Contrasts.all_pairs(table.shape[1])
        signs = Samples.from_rows(all_flips(len(table)))
        found = max_t_by_flips(table, signs, pairs)
        twice = case["flips"] // len(signs)
        rows = {tuple(row["pair"]): row for row in case["statistics"]["t"]}
        for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
            row = rows[case["systems"][left], case["systems"][right]]
            counts = twice * found.raw[at], twice * found.single_step[at], twice * found.step_down[at]
            assert counts == (row["count_raw"], row["count_single_step"], row["count_step_down"])


def test_compare_gives_the_goldens_shares() -> None:
    case = json.loads((GOLDEN / "max-t.json").read_text())["cases"][0]
    scores = xr.DataArray(
        case["scores"],
        {"topic": [str(at) for at in range(case["topics"])], "system": case["systems"]},
        ("topic", "system"),
        name="AP",
    )
    for correction, column in (("max-t", "p_single_step"), ("max-t-step-down", "p_step_down")):
        found = cranfield.compare(scores, test="permutation", correction=correction)  # type: ignore[arg-type]
        wanted = {frozenset(row["pair"]): (row["p_raw"], row[column]) for row in case["statistics"]["t"]}
        for row in found.pairs.itertuples():
            assert (row.p, row.p_adjusted) == wanted[frozenset((row.system, row.other))]
        assert (found.pairs[["p_standard_error", "p_adjusted_standard_error"]] == 0).all().all()
        assert found.unsettled == 0


@given(st.integers(2, 7), st.integers(2, 5), st.integers(0, 2**32 - 1), st.sampled_from([2, 4, 1000]))
def test_max_t_is_a_plain_loop(n: int, systems: int, seed: int, steps: int) -> None:
    table = rng(seed).integers(0, steps, size=(n, systems)) / steps
    pairs = Contrasts.all_pairs(systems)
    z = table[:, pairs.left] - table[:, pairs.right]
    observed = np.array([sizes(one) for one in z.T])
    flips = all_flips(n)
    found = max_t_by_flips(table, Samples.from_rows(flips), pairs)
    flipped = np.array([[sizes(flip * one) for one in z.T] for flip in flips])
    counted = found.raw.tolist(), found.single_step.tolist(), found.step_down.tolist()
    assert counted == adjusted_by_loops(observed, flipped)
    assert (found.raw <= found.step_down).all()
    assert (found.step_down <= found.single_step).all()
    assert found.single_step.min() == found.step_down.min()
    if len(pairs) == 1:
        assert counted[0] == counted[1]


@given(st.integers(3, 7), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_the_bootstrap_is_a_plain_loop(n: int, systems: int, seed: int) -> None:
    table = rng(seed).normal(size=(n, systems))
    pairs = Contrasts.all_pairs(systems)
    drawn = rng(1).integers(0, n, size=(50, n))
    counts = np.array([np.bincount(one, minlength=n) for one in drawn], dtype=np.float64)
    z = table[:, pairs.left] - table[:, pairs.right]
    observed = np.array([sizes(one) for one in z.T])
    w = z - z.mean(axis=0)
    resampled = np.array([[sizes(one[places]) for one in w.T] for places in drawn])
    found = max_t_by_bootstrap(table, Samples.from_rows(counts), pairs)
    assert (found.raw.tolist(), found.single_step.tolist(), found.step_down.tolist()) == adjusted_by_loops(
        observed, resampled
    )


def test_raw_counts_are_those_of_the_tests_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = rng(3).beta(1, 2, size=(25, 6))
    table[:, 5] = table[:, 4] + 1e-5 * rng(4).normal(size=25)
    pairs = Contrasts.all_pairs(6)
    signs = Samples.from_rows(rng(1).choice([-1.0, 1.0], size=(700, 25)))
    counts = bootstrap_counts(25, 700, rng(1))
    flipped, drawn = max_t_by_flips(table, signs, pairs), max_t_by_bootstrap(table, counts, pairs)
    assert ((flipped.raw + 1) / 701).tolist() == sign_flip_test(table, signs, pairs, exact=False).tolist()
    assert (drawn.raw / 700).tolist() == paired_bootstrap(table, counts, pairs).asl.tolist()
    monkeypatch.setattr("cranfield.statistics.max_t.HEIGHT", 64)
    monkeypatch.setattr("cranfield.statistics.max_t.CELLS", 128)
    for one, other in (
        (flipped, max_t_by_flips(table, signs, pairs)),
        (drawn, max_t_by_bootstrap(table, counts, pairs)),
    ):
        assert (one.raw.tolist(), one.step_down.tolist()) == (other.raw.tolist(), other.step_down.tolist())
        assert one.maxima == pytest.approx(other.maxima, rel=1e-9)


# ---- p-values by resampling


def test_what_samples_can_reach() -> None:
    for factor, alpha in ((1, 0.05), (666, 0.05), (7875, 0.01), (3, 0.5)):
        needed = samples_needed(factor, alpha)
        assert factor / (needed + 1) < alpha
        assert factor / needed >= alpha or needed == 1


@pytest.mark.filterwarnings(SEEDS)
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_a_correction_that_nothing_can_pass_is_refused(test: Any, correction: Any) -> None:
    scores = scores_of(rng().normal(size=(30, 5)) + np.arange(5))
    message = f"no p of 199 resamples passes {correction} over 10 pairs at 0.05: take resamples=200 or more, or correct"
    with pytest.raises(UsageError, match=message):
        cranfield.compare(scores, test=test, correction=correction, resamples=199)
    found = cranfield.compare(scores, test=test, correction=correction, resamples=200).pairs
    assert found["significant"].any()
    assert found["p"].min() == 1 / 201
    assert cranfield.compare(scores, test=test, resamples=199).pairs["significant"].any()


def test_too_few_topics_or_resamples_for_any_verdict() -> None:
    scores = scores_of(rng().normal(size=(30, 3)))
    with pytest.raises(UsageError, match=r"no p of 18 resamples lies below 0[.]05: take resamples=20"):
        cranfield.compare(scores, test="randomized-tukey", resamples=18)
    with pytest.raises(
        UsageError, match="6 topics have 32 different sign flips, of which no p passes holm over 3 pairs"
    ):
        cranfield.compare(scores[:6], test="permutation", correction="holm")
    with pytest.warns(CranfieldWarning, match="p is at least 0.0625, and nothing can be significant at 0.05"):
        assert not cranfield.compare(scores[:5] + np.array([0, 9, 99]), test="permutation").pairs["significant"].any()


def test_monte_carlo_errors_and_verdicts_that_hang_on_the_seed() -> None:
    scores = scores_of(rng(2).normal(size=(20, 6)) + 0.45 * np.arange(6))
    with pytest.warns(CranfieldWarning, match=r"of 15 pairs may change sides with another seed.*than 400"):
        found = cranfield.compare(scores, test="permutation", resamples=400)
    pairs = found.pairs
    assert pairs["p_standard_error"].tolist() == pytest.approx(np.sqrt(pairs["p"] * (1 - pairs["p"]) / 400))
    error = np.sqrt(pairs["p_adjusted"] * (1 - pairs["p_adjusted"]) / 400)
    assert pairs["p_adjusted_standard_error"].tolist() == pytest.approx(error)
    assert found.unsettled == (np.abs(pairs["p_adjusted"] - 0.05) <= 2 * error).sum() > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        holm = cranfield.compare(scores, test="permutation", correction="bonferroni", resamples=400).pairs
    below = holm[holm["p_adjusted"] < 1]
    assert below["p_adjusted_standard_error"].tolist() == pytest.approx(15 * below["p_standard_error"])
    assert (cranfield.compare(scores).pairs[["p_standard_error", "p_adjusted_standard_error"]] == 0).all().all()


def test_max_t_refuses_what_it_cannot_look_at() -> None:
    scores = scores_of(rng().normal(size=(20, 3)))
    with pytest.raises(UsageError, match="correction='max-t' needs resamples of all pairs together"):
        cranfield.compare(scores, test="wilcoxon", correction="max-t")
    scores[3, 1] = np.nan
    with pytest.raises(InputError, match=r"correction=max-t needs every system's score.*correction='holm'"):
        cranfield.compare(scores, test="permutation")


@pytest.mark.filterwarnings(SEEDS)
def test_pairs_that_differ_on_few_topics_are_left_out_of_the_bootstraps_family() -> None:
    values = rng(1).normal(size=(40, 4)) + np.arange(4)
    values[:, 1] = values[:, 0]
    values[0, 1] += 0.5
    with pytest.warns(CranfieldWarning, match="1 of 6 pairs differ on fewer than half of the topics"):
        found = cranfield.compare(scores_of(values), test="bootstrap").pairs
    by_max_t = max_t_by_bootstrap(values, bootstrap_counts(40, 1000, rng(1)), Contrasts.all_pairs(4))
    # A sample without the one topic has no spread: a third of them, so that nothing could be found among all pairs.
    assert np.isinf(by_max_t.maxima).mean() > 0.3
    alike = set(found["system"] + found["other"]) & {"ab", "ba"}
    left_out = (found["system"] + found["other"]).isin(alike)
    assert found["p_adjusted"][left_out].tolist() == [1.0]
    assert found["significant"][~left_out].all()
    assert (found["low"][left_out] <= 0).all()
    assert (found["high"][left_out] >= 0).all()


# ---- intervals and verdicts


@pytest.mark.slow
@pytest.mark.filterwarnings(SEEDS)
@pytest.mark.filterwarnings(
    "ignore:.*on every topic", "ignore:.*nothing can be significant", "ignore:.*fewer than half of the topics"
)
@given(st.integers(3, 14), st.integers(2, 6), st.integers(0, 2**32 - 1), st.sampled_from([3, 9, 10**6]), st.booleans())
def test_simultaneous_intervals_are_without_0_exactly_where_the_pair_is_significant(
    n: int, systems: int, seed: int, steps: int, against: bool
) -> None:
    scores = scores_of(rng(seed).integers(0, steps, size=(n, systems)) / steps + np.arange(systems) * 0.2)
    baselines: Any = "a" if against else ()
    options: list[dict[str, Any]] = [
        {"test": "tukey"},
        {"test": "randomized-tukey", "resamples": 99},
        {"test": "permutation", "resamples": 199},
        {"test": "bootstrap", "resamples": 99},
        {"test": "t", "correction": "bonferroni"},
    ]
    for option in options + ([{"test": "dunnett"}] if against else []):
        for alpha in (0.05, 0.2):
            found = cranfield.compare(scores, baseline=baselines, alpha=alpha, **option)
            known = found.pairs[found.pairs["low"].notna()]  # the same difference on every topic has no interval
            without = (known["low"] > 0) | (known["high"] < 0)
            assert (without == known["significant"]).all(), option


@pytest.mark.filterwarnings(SEEDS)
def test_the_intervals_are_critical_values_times_errors() -> None:
    values = rng(5).normal(size=(18, 4)) + np.arange(4) * 0.3
    pairs = Contrasts.all_pairs(4)
    z = values[:, pairs.left] - values[:, pairs.right]
    flips = 1 - 2 * rng(1).integers(0, 2, size=(999, 18), dtype=np.int8).astype(float)
    largest = np.sort([max(sizes(flip * one) for one in z.T) for flip in flips])
    found = cranfield.compare(scores_of(values), test="permutation", resamples=999).pairs
    half = (found["high"] - found["low"]) / 2
    error = [z[:, at].std(ddof=1) / np.sqrt(18) for at in range(6)]
    # 48 of 999 may reach what is significant: p = 49/1000 < .05.
    assert sorted(half) == pytest.approx(sorted(largest[-49] * np.array(error)), rel=1e-9)


def test_holms_intervals_are_bonferronis_and_never_speak_against_it() -> None:
    scores = scores_of(rng(6).normal(size=(30, 8)) + np.arange(8) * 0.15)
    found = cranfield.compare(scores)
    assert found.settings["interval"] == "bonferroni"
    for row in found.pairs.itertuples():
        z = (scores.sel(system=row.system) - scores.sel(system=row.other)).to_numpy()
        interval = stats.ttest_1samp(z, 0).confidence_interval(1 - 0.05 / 28)
        assert (row.low, row.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
        assert row.significant or row.low <= 0 <= row.high
    assert cranfield.compare(scores, interval="t").settings["interval"] == "t"
    assert cranfield.compare(scores[:, :2]).settings["interval"] == "t"
