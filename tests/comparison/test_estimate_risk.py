"""Risk against baselines: what is made of scores, and what is refused or warned of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError, plot
from cranfield.comparison import estimate_risk


def labelled(values: Any, name: str = "AP", **attributes: Any) -> xr.DataArray:
    table = np.array(values, dtype=np.float64)
    labels = {
        "topic": [f"q{at}" for at in range(len(table))],
        "system": [f"s{at}" for at in range(table.shape[1])],
    }
    return xr.DataArray(table, labels, ("topic", "system"), name=name, attrs=attributes)


SCORES = labelled([[0.5, 0.7, 0.1], [0.4, 0.3, 0.2], [0.2, 0.2, 0.9], [0.1, 0.4, 0.4]])


def row(found: Any, system: str) -> Any:
    return found.systems.set_index("system").loc[system]


def test_a_small_table_by_hand() -> None:
    """s1 less s0 is .2, -.1, 0, .3: the example of the specification."""
    found = estimate_risk(SCORES, "s0")
    mine = row(found, "s1")
    assert mine[["urisk", "trisk"]].tolist() == pytest.approx([0.075, 0.075 / (np.sqrt(0.1475 / 3) / 2)])
    assert mine[["wins", "ties", "losses", "topics"]].tolist() == [2, 1, 1, 4]
    assert mine["urisk_equal"] == pytest.approx(-0.5 * (0.2 + 0.1 + 0.3) / 4)
    assert mine[["reward", "risk"]].tolist() == pytest.approx([0.125, 0.025])
    assert row(found, "s0")["urisk"] == 0
    assert np.isnan(row(found, "s0")["trisk"])
    assert found.topics.query("system == 's1'")["weighed"].tolist() == pytest.approx([0.2, -0.2, 0, 0.3])


def test_at_alpha_0_it_is_the_comparison_by_t() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=15, depth=30, seed=3)
    scores = cranfield.evaluate(made.runs, made.qrels, "AP")
    found = estimate_risk(scores, "system2", loss_weight=0)
    compared = cranfield.compare(scores, baseline="system2", correction="none").pairs.set_index("system")
    for name in compared.index:
        mine = row(found, name)
        expected = compared.loc[name, ["difference", "statistic", "p", "low", "high"]].tolist()
        assert mine[["urisk", "trisk", "p", "low", "high"]].tolist() == pytest.approx(expected)


def test_several_baselines_are_combined_and_named() -> None:
    mean, best = (estimate_risk(SCORES, ["s0", "s2"], combine=how) for how in ("mean", "max"))  # type: ignore[arg-type]
    assert (mean.baseline, best.baseline) == ("mean of 2 systems", "best of 2 systems on each topic")
    assert mean.topics["score_baseline"][:4].tolist() == pytest.approx([0.3, 0.3, 0.55, 0.25])
    assert best.topics["score_baseline"][:4].tolist() == [0.5, 0.4, 0.9, 0.4]
    assert estimate_risk(SCORES).baseline == "mean of all 3 systems"


def test_of_costs_the_smaller_is_the_gain() -> None:
    costs = labelled(-SCORES.to_numpy(), larger_is_better=0)
    with pytest.warns(CranfieldWarning, match="ZRisk and GeoRisk need .* smaller is better"):
        found = estimate_risk(costs, "s0")
    assert row(found, "s1")["urisk"] == pytest.approx(0.075)
    assert np.isnan(row(found, "s1")["georisk"])


@pytest.mark.filterwarnings("ignore:.*means over different topics do not rank systems")
@pytest.mark.parametrize(
    ("value", "says"), [(-0.5, "'s2' has -0.5 on topic 'q1'"), (np.nan, "'s2' has no score on topic 'q1'")]
)
def test_what_georisk_cannot_use_is_named(value: float, says: str) -> None:
    scores = SCORES.copy()
    scores[1, 2] = value
    with pytest.warns(CranfieldWarning, match=says):
        found = estimate_risk(scores, "s0")
    assert found.systems[["zrisk", "georisk"]].isna().all(axis=None)
    assert row(found, "s1")["urisk"] == pytest.approx(0.075)
    assert row(found, "s2")["topics"] == (3 if np.isnan(value) else 4)


def test_intervals_among_all_systems() -> None:
    found = estimate_risk(SCORES, "s0", resamples=200).systems
    for name in ("zrisk", "georisk"):
        assert (found[f"{name}_low"] < found[name]).all()
        assert (found[name] < found[f"{name}_high"]).all()
    drawn = ["zrisk_low", "zrisk_high", "georisk_low", "georisk_high"]
    none = estimate_risk(SCORES, "s0", resamples=0)
    assert none.systems[drawn].isna().all(axis=None)
    assert none.systems["georisk"].tolist() == found["georisk"].tolist()
    many = estimate_risk(labelled(np.tile(SCORES.to_numpy(), (2501, 1))), "s0")
    assert many.settings["resamples"] == 0
    assert many.systems[drawn].isna().all(axis=None)


def test_rounding_is_no_loss() -> None:
    found = estimate_risk(labelled([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3], [0.5, 0.6]]), "s0")
    assert row(found, "s1")[["wins", "ties", "losses"]].tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"loss_weight": -0.5}, "loss_weight=-0.5 should be a number of at least 0"),
        ({"loss_weight": np.nan}, "loss_weight=nan should be a number of at least 0"),
        ({"level": 95}, "level=95 should lie between 0 and 1"),
        ({"combine": "median"}, "combine='median' is not one of mean, max"),
        ({"correction": "tukey"}, "correction='tukey' is not one of holm, bh, bonferroni, none"),
        ({"deviation": "n"}, "deviation='n' is not one of sample, population"),
        ({"interval": "t"}, "interval='t' is not one of percentile, bca"),
        ({"resamples": -1}, "resamples=-1 should be at least 0"),
        ({"baseline": "s"}, "no system is called 's'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        estimate_risk(SCORES, **arguments)


def test_too_little_is_refused() -> None:
    with pytest.raises(InputError, match="an estimate of risk needs 2 topics or more"):
        estimate_risk(labelled([[0.5, 0.2]]))


def test_the_chart_shows_every_topic_and_refuses_an_unknown_system() -> None:
    found = estimate_risk(SCORES, "s0", loss_weight=2)
    drawn = [one for data in plot.wins_and_losses(found, "s1").to_dict()["datasets"].values() for one in data]
    bars = [one for one in drawn if one.get("outcome") == "gain"]
    assert sorted(one["difference"] for one in bars) == pytest.approx([0, 0.2, 0.3])
    losses = [one["weighed"] for one in drawn if one.get("outcome") == "loss"]
    assert losses == pytest.approx([-0.3] * len(losses))
    assert losses
    with pytest.raises(UsageError, match="no system is called 'x'"):
        plot.wins_and_losses(found, "x")


def test_gains_without_a_spread_have_no_p_and_a_reason() -> None:
    with pytest.warns(CranfieldWarning, match="s1 gain or lose the same amount on every topic.*no TRisk, no p"):
        mine = row(estimate_risk(labelled([[0.25, 0.5], [0.5, 0.75], [0.125, 0.375]]), "s0"), "s1")
    assert mine["urisk"] == 0.25 and np.isnan(mine["trisk"]) and np.isnan(mine["p"])
