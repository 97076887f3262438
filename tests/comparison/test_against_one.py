"""Dunnett's test, margins, effect sizes, letters and plans against goldens, peers and plain loops."""

from __future__ import annotations

import csv
import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired
from test_compare import scores_of

import cranfield
from cranfield import CranfieldWarning, UsageError
from cranfield.statistics import (
    dunnett_quantile,
    dunnett_survival,
    effect_interval,
    margin_power,
    residual_of,
    within_margin,
)
from data_sets import GOLDEN as GOLDENS

GOLDEN = GOLDENS / "simultaneous"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# ---- Dunnett


def dl19() -> xr.DataArray:
    table = pd.read_csv(GOLDENS / "information/dl19-ndcg10.csv.gz", index_col="run").T
    labels = {"topic": list(table.index), "system": list(table.columns)}
    return xr.DataArray(table.to_numpy(), labels, ("topic", "system"), name="nDCG@10")


def test_dunnetts_goldens() -> None:
    golden = json.loads((GOLDEN / "dunnett.json").read_text())
    for name, value in golden["critical_two_sided_05"].items():
        k, df = (int(part.partition("=")[2]) for part in name.split(","))
        assert dunnett_quantile(0.05, k, df) == pytest.approx(value, abs=1e-9)
    rows = [row for row in golden["rows"] if row["alternative"] == "two-sided"]
    scores = dl19()
    for control in {row["control"] for row in rows}:
        some = {row["system"]: row for row in rows if row["control"] == control}
        found = cranfield.compare(scores.sel(system=[*some, control]), test="dunnett", baseline=control).pairs
        for row in found.itertuples():
            wanted = some[row.system]
            assert row.difference == pytest.approx(wanted["difference"], abs=1e-12)
            assert row.statistic == pytest.approx(wanted["t_two_way"], rel=1e-9)
            assert row.p == pytest.approx(wanted["p_two_way"], abs=1e-9)
            unpaired = dunnett_survival(np.array(abs(wanted["t_unpaired"])), len(some), wanted["df_unpaired"])
            assert unpaired == pytest.approx(wanted["p_unpaired"], abs=1e-9)


def test_dunnett_with_one_system_is_the_paired_t_test() -> None:
    scores = scores_of(rng(1).normal(size=(12, 2)))
    one = cranfield.compare(scores, test="dunnett", baseline="a").pairs.iloc[0]
    other = cranfield.compare(scores, test="t", baseline="a").pairs.iloc[0]
    for column in ("p", "statistic", "low", "high", "difference", "d_pair"):
        assert one[column] == pytest.approx(other[column], rel=1e-8)
    with pytest.raises(UsageError, match="test='dunnett' compares every system with one baseline"):
        cranfield.compare(scores, test="dunnett")


# ---- margins


@pytest.mark.filterwarnings("ignore:.*even if the systems were equal")
def test_two_one_sided_tests_of_the_goldens() -> None:
    scores = dl19()
    with (GOLDEN / "tost.tsv").open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            two = scores.sel(system=[row["a"], row["b"]])
            margin = float(row["margin"])
            table = cranfield.compare(two, baseline=row["b"], margin=margin).margins
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


@pytest.mark.parametrize(("correction", "pairs"), [("none", 1), ("holm", 2)])
def test_the_interval_of_a_margin_has_both_one_sided_levels(correction: str, pairs: int) -> None:
    table = rng(2).normal(size=(12, 3))
    scores = scores_of(table)
    base, other = scores["system"].values[0], scores["system"].values[1]
    found = cranfield.compare(scores, baseline=str(base), margin=5.0, correction=correction).margins  # type: ignore[arg-type]
    row = found[found["system"] == other].iloc[0]
    z = table[:, 1] - table[:, 0]
    half = stats.t.ppf(1 - 0.05 / pairs, 11) * z.std(ddof=1) / np.sqrt(12)
    assert (row["low"], row["high"]) == pytest.approx((z.mean() - half, z.mean() + half), rel=1e-9)


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
    plain = cranfield.compare(scores_of(values), baseline="a", margin=0.1, correction="none").margins
    assert plain is not None
    assert plain["noninferior"].tolist() == [True, True]
    assert plain["equivalent"].tolist() == [True, False]
    turned = cranfield.compare(
        scores_of(values, larger_is_better=0), baseline="a", margin=0.1, correction="none"
    ).margins
    assert turned is not None
    assert turned["noninferior"].tolist() == [True, False]
    with pytest.warns(CranfieldWarning) as caught:
        cranfield.compare(scores_of(values), baseline="a", margin=0.001)
    weak = "even if the systems were equal, 10 topics would show"
    assert [str(one.message) for one in caught] == [
        f"AP: 1 of 2 pairs: {weak} non-inferiority by 0.001 in fewer than 80% of cases",
        f"AP: 2 of 2 pairs: {weak} equivalence within 0.001 in fewer than 80% of cases",
    ]
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
    together = effect_interval(t, 1.0, 20.0, 0.95)
    alone = [effect_interval(t[at : at + 1], 1.0, 20.0, 0.95) for at in range(0, 602, 7)]
    assert together.low[::7] == pytest.approx([one.low[0] for one in alone], rel=1e-6, abs=1e-6)
    assert together.high[::7] == pytest.approx([one.high[0] for one in alone], rel=1e-6, abs=1e-6)


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


@pytest.mark.filterwarnings("ignore:.*means over different topics do not rank systems")
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
    with pytest.raises(UsageError, match="21 systems are too many to mark with letters"):
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
    against = estimate(pilot, 0.5, baseline="a").topics
    assert alone < against < n
    tukey, by_max_t = (estimate(pilot, 0.5, test=test).topics for test in ("tukey", "permutation"))  # type: ignore[arg-type]
    assert alone < tukey <= n
    assert alone < by_max_t <= n
    dunnetts = estimate(pilot, 0.5, test="dunnett", baseline="a").topics
    assert alone < dunnetts <= against
    assert estimate(pilot, 0.5, n_systems=2).topics == alone
    critical = stats.studentized_range.ppf(0.95, 6, 5 * (tukey - 1)) / np.sqrt(2)
    assert stats.nct.sf(critical, 5 * (tukey - 1), np.sqrt(tukey) * shift) >= 0.8
    with pytest.raises(UsageError, match="n_systems=2 should be more than the 2 baselines"):
        estimate(pilot, 0.5, n_systems=2, baseline=["a", "b"])
