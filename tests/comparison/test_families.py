"""Families of pairs: max-T, Dunnett, margins and effect sizes against goldens, peers and plain loops."""

from __future__ import annotations

import csv
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
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired
from test_compare import scores_of

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.arrays import Floats
from cranfield.statistics import dunnett
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.equivalence import margin_power, within_margin
from cranfield.statistics.max_t import max_t_by_bootstrap, max_t_by_flips
from cranfield.statistics.monte_carlo import least, most_hits, passes, samples_needed
from cranfield.statistics.noncentral import shift_of
from cranfield.statistics.paired_bootstrap import paired_bootstrap
from cranfield.statistics.resampling import Samples, bootstrap_counts, sign_flips
from cranfield.statistics.sign_flips import sign_flip_test
from cranfield.statistics.two_way import residual_of
from data_sets import ROOT

GOLDEN = ROOT / ".." / "shared" / "golden" / "simultaneous"
SEEDS = "ignore:.*may change sides with another seed"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def sizes(z: Floats) -> float:
    """|t| of differences, by the textbook."""
    deviation = z.std(ddof=1)
    if deviation <= 1e-14:
        return math.inf if abs(z.mean()) > 1e-14 else 0.0
    return float(abs(z.mean()) / (deviation / math.sqrt(len(z))))


def adjusted_by_loops(observed: Floats, resampled: Floats) -> tuple[list[int], list[int], list[int]]:
    """Counts of |t*| >= |t|, raw, single step and step-down; resampled is [samples, pairs]."""

    def reach(values: Floats, level: float) -> int:
        return int((values >= level * (1 - 1e-9)).sum()) if math.isfinite(level) else int(np.isinf(values).sum())

    raw = [reach(resampled[:, pair], observed[pair]) for pair in range(len(observed))]
    single = [reach(resampled.max(axis=1), level) for level in observed]
    order, down, most = np.argsort(-observed, kind="stable"), [0] * len(observed), 0
    for place, pair in enumerate(order):
        most = max(most, reach(resampled[:, order[place:]].max(axis=1), observed[pair]))
        down[pair] = most
    return raw, single, down


@pytest.mark.data
def test_exact_counts_of_the_goldens() -> None:
    for case in json.loads((GOLDEN / "max-t.json").read_text())["cases"]:
        table = np.array(case["scores"])
        pairs = Contrasts.all_pairs(table.shape[1])
        signs, exact = sign_flips(len(table), 10_000, rng())
        assert exact
        found = max_t_by_flips(table, signs, pairs)
        twice = case["flips"] // len(signs)
        rows = {tuple(row["pair"]): row for row in case["statistics"]["t"]}
        for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
            row = rows[case["systems"][left], case["systems"][right]]
            counts = twice * found.raw[at], twice * found.single_step[at], twice * found.step_down[at]
            assert counts == (row["count_raw"], row["count_single_step"], row["count_step_down"])


@pytest.mark.data
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
        assert (found.pairs[["p_se", "p_adjusted_se"]] == 0).all().all()
        assert found.unsettled == 0


@given(st.integers(2, 7), st.integers(2, 5), st.integers(0, 2**32 - 1), st.sampled_from([2, 4, 1000]))
def test_max_t_is_a_plain_loop(n: int, systems: int, seed: int, steps: int) -> None:
    table = rng(seed).integers(0, steps, size=(n, systems)) / steps
    pairs = Contrasts.all_pairs(systems)
    z = table[:, pairs.left] - table[:, pairs.right]
    observed = np.array([sizes(one) for one in z.T])
    found = max_t_by_flips(table, sign_flips(n, 1 << n, rng())[0], pairs)
    flips = [(1, *rest) for rest in product((1, -1), repeat=n - 1)]
    flipped = np.array([[sizes(np.array(flip) * one) for one in z.T] for flip in flips])
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
    found = max_t_by_bootstrap(table, Samples.given(counts), pairs)
    assert (found.raw.tolist(), found.single_step.tolist(), found.step_down.tolist()) == adjusted_by_loops(
        observed, resampled
    )


def test_raw_counts_are_those_of_the_tests_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = rng(3).beta(1, 2, size=(25, 6))
    table[:, 5] = table[:, 4] + 1e-5 * rng(4).normal(size=25)
    pairs = Contrasts.all_pairs(6)
    signs, counts = sign_flips(25, 700, rng(1))[0], bootstrap_counts(25, 700, rng(1))
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
        assert passes(least(needed, exact=False), factor, alpha)
    for samples in (1, 19, 20, 999, 1000):
        hits = most_hits(0.05, samples, exact=False)
        assert hits < 0 or (hits + 1) / (samples + 1) < 0.05
        assert (hits + 2) / (samples + 1) >= 0.05


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_a_correction_that_nothing_can_pass_is_refused(test: Any, correction: Any) -> None:
    scores = scores_of(rng().normal(size=(30, 5)) + np.arange(5))
    message = f"no p of 199 resamples passes {correction} over 10 pairs at 0.05: take resamples=200 or more, or correction='max-t'"
    with pytest.raises(UsageError, match=message):
        cranfield.compare(scores, test=test, correction=correction, resamples=199)
    found = cranfield.compare(scores, test=test, correction=correction, resamples=200).pairs
    assert found["significant"].any()
    assert found["p"].min() == 1 / 201
    assert cranfield.compare(scores, test=test, resamples=199).pairs["significant"].any()


def test_too_few_topics_or_resamples_for_any_verdict() -> None:
    scores = scores_of(rng().normal(size=(30, 3)))
    with pytest.raises(UsageError, match="no p of 19 resamples lies below 0.05: take resamples=20 or more"):
        cranfield.compare(scores, test="randomized-tukey", resamples=19)
    with pytest.raises(
        UsageError, match="6 topics have 32 different sign flips, of which no p passes holm over 3 pairs"
    ):
        cranfield.compare(scores[:6], test="permutation", correction="holm")
    with pytest.warns(CranfieldWarning, match="p is at least 0.0625, and nothing can be significant at 0.05"):
        assert not cranfield.compare(scores[:5] + [0, 9, 99], test="permutation").pairs["significant"].any()


def test_monte_carlo_errors_and_verdicts_that_hang_on_the_seed() -> None:
    scores = scores_of(rng(2).normal(size=(20, 6)) + 0.45 * np.arange(6))
    with pytest.warns(CranfieldWarning, match=r"of 15 pairs may change sides with another seed.*than 400"):
        found = cranfield.compare(scores, test="permutation", resamples=400)
    pairs = found.pairs
    assert pairs["p_se"].tolist() == pytest.approx(np.sqrt(pairs["p"] * (1 - pairs["p"]) / 400))
    error = np.sqrt(pairs["p_adjusted"] * (1 - pairs["p_adjusted"]) / 400)
    assert pairs["p_adjusted_se"].tolist() == pytest.approx(error)
    assert found.unsettled == (np.abs(pairs["p_adjusted"] - 0.05) <= 2 * error).sum() > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        holm = cranfield.compare(scores, test="permutation", correction="bonferroni", resamples=400).pairs
    below = holm[holm["p_adjusted"] < 1]
    assert below["p_adjusted_se"].tolist() == pytest.approx(15 * below["p_se"])
    assert (cranfield.compare(scores).pairs[["p_se", "p_adjusted_se"]] == 0).all().all()


def test_max_t_refuses_what_it_cannot_look_at() -> None:
    scores = scores_of(rng().normal(size=(20, 3)))
    with pytest.raises(UsageError, match="correction='max-t' needs resamples of all pairs together"):
        cranfield.compare(scores, test="wilcoxon", correction="max-t")
    scores[3, 1] = np.nan
    with pytest.raises(InputError, match=r"correction=max-t needs every system's score.*correction='holm'"):
        cranfield.compare(scores, test="permutation")


def test_pairs_on_few_topics_weaken_the_bootstrap_and_a_warning_says_so() -> None:
    values = rng(1).normal(size=(40, 4)) + np.arange(4)
    values[:, 1] = values[:, 0]
    values[:2, 1] += 0.5
    with pytest.warns(CranfieldWarning, match="1 of 6 pairs differ on fewer than 20 topics"):
        cranfield.compare(scores_of(values), test="bootstrap")


# ---- intervals and verdicts


@pytest.mark.filterwarnings(SEEDS)
@pytest.mark.filterwarnings(
    "ignore:.*on every topic", "ignore:.*nothing can be significant", "ignore:.*fewer than 20 topics"
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
            found = cranfield.compare(scores, baselines=baselines, alpha=alpha, **option)
            without = (found.pairs["low"] > 0) | (found.pairs["high"] < 0)
            assert (without == found.pairs["significant"]).all(), option


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


# ---- Dunnett


def dl19() -> xr.DataArray:
    path = GOLDEN / ".." / "information" / "dl19-ndcg10.csv.gz"
    scores: xr.DataArray = cranfield.read_scores(str(path))
    return scores if isinstance(scores, xr.DataArray) else scores[next(iter(scores.data_vars))]


@pytest.mark.data
def test_dunnetts_goldens() -> None:
    golden = json.loads((GOLDEN / "dunnett.json").read_text())
    for name, value in golden["critical_two_sided_05"].items():
        k, df = (int(part.partition("=")[2]) for part in name.split(","))
        assert dunnett.quantile(0.05, k, df) == pytest.approx(value, abs=1e-9)
    rows = [row for row in golden["rows"] if row["alternative"] == "two-sided"]
    scores = dl19()
    for control in {row["control"] for row in rows}:
        some = {row["system"]: row for row in rows if row["control"] == control}
        found = cranfield.compare(scores.sel(system=[*some, control]), test="dunnett", baselines=control).pairs
        for row in found.itertuples():
            wanted = some[row.system]
            assert row.difference == pytest.approx(wanted["difference"], abs=1e-12)
            assert row.statistic == pytest.approx(wanted["t_two_way"], rel=1e-9)
            assert row.p == pytest.approx(wanted["p_two_way"], abs=1e-9)
            unpaired = dunnett.survival(np.array(abs(wanted["t_unpaired"])), len(some), wanted["df_unpaired"])
            assert unpaired == pytest.approx(wanted["p_unpaired"], abs=1e-9)


def test_dunnett_with_one_system_is_the_paired_t_test() -> None:
    scores = scores_of(rng(1).normal(size=(12, 2)))
    one = cranfield.compare(scores, test="dunnett", baselines="a").pairs.iloc[0]
    other = cranfield.compare(scores, test="t", baselines="a").pairs.iloc[0]
    for column in ("p", "statistic", "low", "high", "difference", "d_pair"):
        assert one[column] == pytest.approx(other[column], rel=1e-8)
    with pytest.raises(UsageError, match="test='dunnett' compares every system with one baseline"):
        cranfield.compare(scores, test="dunnett")


# ---- margins


@pytest.mark.data
@pytest.mark.filterwarnings("ignore:.*even if the systems were equal")
def test_two_one_sided_tests_of_the_goldens() -> None:
    scores = dl19()
    with (GOLDEN / "tost.tsv").open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            two = scores.sel(system=[row["a"], row["b"]])
            margin = float(row["margin"])
            table = cranfield.compare(two, baselines=row["b"], margin=margin).margins
            assert table is not None
            found = table.iloc[0]
            wanted = {name: float(value) for name, value in row.items() if name not in ("a", "b")}
            assert found["difference"] == pytest.approx(wanted["difference"], abs=1e-9)
            assert found["p_noninferior"] == pytest.approx(wanted["p_lower"], abs=1e-9)
            assert found["p_equivalent"] == pytest.approx(wanted["p_equivalence"], abs=1e-9)
            assert (found["low"], found["high"]) == pytest.approx((wanted["ci90_low"], wanted["ci90_high"]), abs=1e-9)
            inside = -margin < found["low"] and found["high"] < margin
            assert found["equivalent"] == inside == (wanted["p_equivalence"] < 0.05)


def test_margins_equal_statsmodels_and_have_no_error() -> None:
    x, y = rng(1).normal(size=(2, 15))
    z = x - y
    found = within_margin(np.array([z.mean()]), np.array([z.std(ddof=1) / np.sqrt(15)]), np.array([14.0]), 0.7)
    p, lower, upper = ttost_paired(x, y, -0.7, 0.7)
    assert (found.t_lower[0], found.p_lower[0]) == pytest.approx(lower[:2], rel=1e-10)
    assert (found.t_upper[0], found.p_upper[0]) == pytest.approx(upper[:2], rel=1e-10)
    assert found.p_equivalence[0] == pytest.approx(p, rel=1e-10)
    steady = within_margin(np.array([0.1, 0.3]), np.zeros(2), np.array([9.0, 9.0]), 0.2)
    assert steady.p_equivalence.tolist() == [0.0, 1.0]


def test_the_power_of_a_margin_is_what_simulation_finds() -> None:
    n, margin, error = 20, 0.7, 1 / np.sqrt(20)
    planned = margin_power(np.array([error]), np.array([n - 1.0]), margin, 0.05)
    z = rng(8).normal(size=(40_000, n))
    se = z.std(axis=1, ddof=1) / np.sqrt(n)
    found = within_margin(z.mean(axis=1), se, np.full(len(z), n - 1.0), margin)
    for power, p in ((planned.noninferiority, found.p_lower), (planned.equivalence, found.p_equivalence)):
        assert power[0] == pytest.approx((p < 0.05).mean(), abs=3.5 * 0.5 / np.sqrt(len(z)))
    assert planned.noninferiority[0] == pytest.approx(
        stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, margin / error), abs=1e-9
    )


def test_margins_look_in_the_direction_that_is_better_and_say_what_could_not_be_found() -> None:
    values = rng(3).normal(size=(10, 3)) * 0.01 + np.array([0.0, 0.0, 0.5])
    plain = cranfield.compare(scores_of(values), baselines="a", margin=0.1, correction="none").margins
    assert plain is not None
    assert plain["noninferior"].tolist() == [True, True]
    assert plain["equivalent"].tolist() == [True, False]
    turned = cranfield.compare(
        scores_of(values, larger_is_better=0), baselines="a", margin=0.1, correction="none"
    ).margins
    assert turned is not None
    assert turned["noninferior"].tolist() == [True, False]
    with pytest.warns(CranfieldWarning, match=r"10 topics would show equivalence within 0\.001 in fewer than 80%"):
        cranfield.compare(scores_of(values), baselines="a", margin=0.001)
    with pytest.raises(UsageError, match="margin=0 should be a number above 0"):
        cranfield.compare(scores_of(values), margin=0)
    assert cranfield.compare(scores_of(values)).margins is None


# ---- effect sizes


def test_effect_sizes_have_their_denominators_and_intervals() -> None:
    scores = scores_of(rng(4).normal(size=(16, 4)) + np.arange(4) * 0.4)
    values = scores.to_numpy()
    residual = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    deviation, df = np.sqrt((residual**2).sum() / 45), 45
    for row in cranfield.compare(scores).pairs.itertuples():
        z = (scores.sel(system=row.system) - scores.sel(system=row.other)).to_numpy()
        assert row.d_pair == pytest.approx(z.mean() / z.std(ddof=1), rel=1e-12)
        assert row.d_residual == pytest.approx(z.mean() / deviation, rel=1e-12)
        for d, unit, freedom, low, high in (
            (row.d_pair, np.sqrt(1 / 16), 15, row.d_pair_low, row.d_pair_high),
            (row.d_residual, np.sqrt(2 / 16), df, row.d_residual_low, row.d_residual_high),
        ):
            assert stats.nct.sf(d / unit, freedom, low / unit) == pytest.approx(0.025, abs=1e-7)
            assert stats.nct.cdf(d / unit, freedom, high / unit) == pytest.approx(0.025, abs=1e-7)


def test_bounds_of_many_t_are_those_of_each() -> None:
    t = np.concatenate([rng(1).normal(0, 6, size=600), [1e4, -300.0]])
    for p in (0.025, 0.975):
        alone = np.array([shift_of(t[at : at + 1], 20.0, p)[0] for at in range(0, 602, 7)])
        assert shift_of(t, 20.0, p)[::7] == pytest.approx(alone, rel=1e-6, abs=1e-6)


def test_the_residual_of_a_matrix_with_holes_equals_least_squares() -> None:
    values = rng(2).normal(size=(9, 4))
    values[0, 1] = values[3, 2] = values[3, 0] = np.nan
    topic, system = np.nonzero(~np.isnan(values))
    design = np.column_stack([np.eye(9)[topic], np.eye(4)[system]])
    fitted, _, rank, _ = np.linalg.lstsq(design, values[topic, system], rcond=None)
    squares = ((values[topic, system] - design @ fitted) ** 2).sum()
    found = residual_of(values)
    assert found.df == len(topic) - rank
    assert found.mean_square == pytest.approx(squares / found.df, rel=1e-10)


def test_effects_where_scores_are_missing() -> None:
    scores = scores_of(rng(4).normal(size=(16, 3)))
    scores[:4, 0] = np.nan
    for row in cranfield.compare(scores).pairs.itertuples():
        z = (scores.sel(system=row.system) - scores.sel(system=row.other)).dropna("topic").to_numpy()
        assert row.d_pair == pytest.approx(z.mean() / z.std(ddof=1), rel=1e-12)
        assert row.d_pair_low < row.d_pair < row.d_pair_high
        assert row.d_residual_low < row.d_residual < row.d_residual_high
    apart = np.full((8, 2), np.nan)
    apart[:4, 0], apart[4:, 1] = rng(1).normal(size=(2, 4))
    found = cranfield.compare(scores_of(apart), test="welch").pairs.iloc[0]
    assert np.isnan(found[["d_pair", "d_pair_low", "d_residual", "d_residual_low"]].astype(float)).all()


# ---- letters


def test_letters_are_for_twenty_systems() -> None:
    scores = scores_of(rng(1).normal(size=(10, 21)))
    assert len(cranfield.compare(scores[:, :20]).groups()) == 20
    with pytest.raises(UsageError, match="letters of 21 systems cannot be read"):
        cranfield.compare(scores).groups()


# ---- planning


def test_plans_know_the_correction() -> None:
    pilot = scores_of(rng(1).normal(size=(30, 6)) + 0.5 * rng(2).normal(size=(30, 1)))
    estimate = cranfield.comparison.estimate_topics_needed
    planned = estimate(pilot, 0.5)
    assert planned.settings["pairs"] == 15
    n, shift = planned.topics, 0.5 / planned.deviation

    def power(n: int) -> float:
        return float(stats.nct.sf(stats.t.ppf(1 - 0.05 / 30, n - 1), n - 1, np.sqrt(n) * shift))

    assert power(n) >= 0.8 > power(n - 1)
    alone = estimate(pilot, 0.5, correction="none").topics
    against = estimate(pilot, 0.5, baselines="a").topics
    assert alone < against < n
    tukey, by_max_t = (estimate(pilot, 0.5, test=test).topics for test in ("tukey", "permutation"))  # type: ignore[arg-type]
    assert alone < tukey <= n
    assert alone < by_max_t <= n
    dunnetts = estimate(pilot, 0.5, test="dunnett", baselines="a").topics
    assert alone < dunnetts <= against
    assert estimate(pilot, 0.5, systems=2).topics == alone
    critical = stats.studentized_range.ppf(0.95, 6, 5 * (tukey - 1)) / np.sqrt(2)
    assert stats.nct.sf(critical, 5 * (tukey - 1), np.sqrt(tukey) * shift) >= 0.8
    with pytest.raises(UsageError, match="systems=2 should be more than the 2 baselines"):
        estimate(pilot, 0.5, systems=2, baselines=["a", "b"])
