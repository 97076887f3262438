"""The audit says what its parts say, in numbers and in words."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import kendalltau

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield._text import percent
from cranfield.trust.measure_audit import DOMINANCE, MEANING, verdict
from labelled_scores import scores_of


def three() -> xr.Dataset:
    rng = np.random.default_rng(0)
    base = rng.beta(1, 2, size=(20, 1)) * 0.5 + rng.beta(2, 3, size=(20, 8)) * 0.2 + np.linspace(0, 0.3, 8)
    return xr.Dataset(
        {
            "AP": scores_of(base),
            "P@5": scores_of(np.round(base * 5) / 5, "P@5"),
            "flat": scores_of(np.full((20, 8), 0.5), "flat"),
        }
    )


def test_the_table_is_made_of_the_analyses() -> None:
    scores = three()
    found = cranfield.audit(scores, resamples=400, subsets=50, seed=3)
    assert list(found.table.columns) == [name for name in MEANING if name not in DOMINANCE]
    sensitive = cranfield.trust.estimate_sensitivity(scores, resamples=400, seed=3).table
    for name in ("AP", "P@5"):
        row, array = found.table.loc[name], scores[name]
        reliable = cranfield.trust.estimate_reliability(array, n_topics=[20])
        for which, question in (("Erho2", "order"), ("Phi", "scores")):
            ends = [which, f"{which}_low", f"{which}_high"]
            assert row[ends].tolist() == reliable.curve.loc[20, ends].tolist()
            assert row[f"{question}_needed"] == reliable.needed[which]
            within = reliable.needed_within.loc[which, ["low", "high"]].tolist()
            assert row[[f"{question}_low", f"{question}_high"]].tolist() == within
        swaps = cranfield.trust.estimate_stability(
            array, n_topics=[10], subsets=50, seed=3, fuzziness=0, disjoint=True
        ).rates.iloc[0]
        assert row[["swap_rate", "swap_se"]].tolist() == swaps[["error_rate", "error_se"]].tolist()
        taken = ["power", "required_low", "required_high"]
        assert row[taken].tolist() == sensitive.loc[name, taken].tolist()
        assert row["used"] == pytest.approx(np.ptp(array.mean("topic").to_numpy()))
        values = array.to_numpy()
        ties = np.mean([values[:, i] == values[:, j] for i in range(8) for j in range(i)])
        assert row["tied"] == pytest.approx(ties)
    tau = kendalltau(scores["AP"].mean("topic"), scores["P@5"].mean("topic")).statistic
    assert found.table.loc["AP", "agreement"] == pytest.approx(tau)


def test_an_audit_of_runs_says_what_holds_whatever_the_measure() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=6, n_topics=12, seed=3)
    measures = ["nDCG@10", "Bpref"]
    scores = cranfield.evaluate(made.runs, made.qrels, measures)
    dominance = cranfield.comparison.compute_dominance_shares(made.runs, made.qrels, ["nDCG@10"])
    table = cranfield.audit(scores, dominance=dominance, resamples=50, subsets=20).table
    assert list(table.columns) == list(MEANING)
    facts = dominance.table.iloc[0]
    assert table.loc["nDCG@10", "dominated"] == facts["dominated"]
    assert table.loc["nDCG@10", "robust"] == facts["robust"] / facts["significant"]
    assert table.loc["Bpref", list(DOMINANCE)].isna().all()


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("nDCG@10", [0.1, 0.6], 1.0),
        ("nDCG@10", [-0.1, 0.6], math.nan),  # labels below zero were kept, and nothing is the smallest
        ("DCG@10", [0.1, 0.6], math.nan),
        ("NumRelRet", [3.0, 8.0], math.nan),
        ("of my own", [0.1, 0.6], 1.0),
        ("of my own", [0.1, 60.0], math.nan),
    ],
)
def test_the_part_of_a_scale_that_is_used(name: str, values: list[float], scale: float) -> None:
    table = np.array(values) + np.linspace(0, 1e-3, 5)[:, None]
    found = cranfield.audit(xr.Dataset({name: scores_of(table, name)}), resamples=20, subsets=2)
    assert found.table.loc[name, "used"] == pytest.approx((values[1] - values[0]) / scale, nan_ok=True)
    assert ("of its scale" in found.readings[name]) == (scale == 1.0)


def test_readings_say_the_numbers() -> None:
    found = cranfield.audit(three(), resamples=400, subsets=50)
    row = found.table.loc["AP"]
    reading = found.readings["AP"]
    for question in ("order", "scores"):
        needed, low, high = row[[f"{question}_{what}" for what in ("needed", "low", "high")]]
        assert f"0.95 needs {needed:.0f} topics, interval {low:.0f} to {high:.0f})" in reading
    assert f"the order of {percent(row['swap_rate'])} of system pairs" in reading
    assert f"({percent(row['power'])}; paired bootstrap, not corrected)" in reading
    assert found.readings["flat"] == "flat gives every system the same value on every topic and cannot compare them."
    assert math.isnan(found.table.loc["flat", "Phi"])
    assert found.table.loc["flat", "tied"] == 1.0


@pytest.mark.parametrize(
    ("needed", "low", "high", "said"),
    [
        (10, 5, 20, "enough"),
        (20, 5, 21, "probably enough"),
        (21, 5, 40, "probably too few"),
        (30, 21, math.inf, "too few"),
        (30, 20, math.inf, "probably too few"),
    ],
)
def test_a_verdict_is_as_sure_as_its_interval(needed: float, low: float, high: float, said: str) -> None:
    row = {"order_needed": needed, "order_low": low, "order_high": high}
    word, numbers = verdict(row, "order", 20)
    assert word == said
    assert numbers == f"{needed} topics, interval {low} to {'any number' if math.isinf(high) else high}"


def test_a_scale_moved_changes_no_swap() -> None:
    """Which is why a decision has no fuzziness here: measures on other scales stay comparable."""
    scores = scores_of(np.random.default_rng(2).random((20, 6)))
    one, other = (cranfield.audit(array, resamples=20, subsets=50).table for array in (scores, 0.5 * scores + 0.5))
    assert one["swap_rate"].tolist() == other["swap_rate"].tolist()
    assert one["swap_rate"].iloc[0] > 0


def test_the_measures_to_report_are_named_in_a_sentence() -> None:
    scores = three()
    found = cranfield.audit(scores, resamples=50, subsets=10)
    text = found.answer("table")
    good = found.table.index[found.table["Erho2"] >= 0.95]
    powers = found.table.loc[good, "power"]
    assert text.startswith(f"Report {powers.idxmax()} (")
    assert (
        f"it separates the most pairs of systems ({100 * powers.max():.1f}% at 0.05; paired bootstrap, not corrected)"
        in text
    )
    assert all(f"{name} ({found.table.loc[name, 'Erho2']:.3f})" in text for name in good)
    assert "flat" not in text
    hard = cranfield.audit(scores, resamples=50, subsets=10, target=0.99999).answer("table")
    assert hard.startswith("20 topics are too few to rank these")
    flat = cranfield.audit(scores["flat"], resamples=50, subsets=10)
    assert flat.answer("table") == "No measure here separates these 8 systems: report none of them."


def test_where_too_few_are_drawn_no_distance_is_given() -> None:
    found = cranfield.audit(three()["AP"], resamples=20, subsets=2)
    assert (
        "too few resamples were drawn to estimate which difference between means is significant."
        in found.readings["AP"]
    )
    assert found.table[["required_low", "required_high"]].isna().all(axis=None)


def test_one_measure_and_a_seed() -> None:
    one, two = (cranfield.audit(three()["AP"], resamples=100, subsets=20, seed=2) for _ in range(2))
    pd.testing.assert_frame_equal(one.table, two.table, check_exact=True)
    assert math.isnan(one.table.loc["AP", "agreement"])
    assert "tau_b" not in one.readings["AP"]
    assert one.signature["measure"] == ["AP"]


def test_a_sensitivity_that_is_known_is_used() -> None:
    scores = three()[["AP", "P@5"]]
    known = cranfield.trust.estimate_sensitivity(scores, resamples=100, seed=2)
    given = cranfield.audit(scores, resamples=100, subsets=20, seed=2, sensitivity=known)
    alone = cranfield.audit(scores, resamples=100, subsets=20, seed=2)
    pd.testing.assert_frame_equal(given.table, alone.table, check_exact=True)
    for other in ({"resamples": 90}, {"seed": 3}, {"alpha": 0.1}):
        with pytest.raises(UsageError, match="the sensitivity is not of these measures"):
            cranfield.audit(scores, **{"resamples": 100, "subsets": 20, "seed": 2} | other, sensitivity=known)
    with pytest.raises(UsageError, match="the sensitivity is not of these measures"):
        cranfield.audit(scores["AP"], resamples=100, subsets=20, seed=2, sensitivity=known)


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="target=2 should lie between 0 and 1"):
        cranfield.audit(three(), target=2)
    with pytest.raises(InputError, match="an audit needs 4 topics or more, and the scores have 3"):
        cranfield.audit(three()["AP"][:3])
    holes = three()["AP"].copy()
    holes[0, 0] = np.nan
    with pytest.raises(InputError, match="an audit needs every system's score"):
        cranfield.audit(holes)


def test_what_is_no_measure_of_effectiveness_gets_noverdict() -> None:
    scores = three()[["AP"]].assign({name: scores_of(three()["AP"].to_numpy(), name) for name in COVERAGE})
    with pytest.warns(
        CranfieldWarning, match=r"Judged@10, .*NumRel are not measures of effectiveness and left out of the"
    ):
        found = cranfield.audit(scores, resamples=100, subsets=20)
    assert list(found.table.index) == list(found.readings) == found.signature["measure"] == ["AP"]
    with pytest.raises(
        UsageError, match="Judged@10 is not a measure of effectiveness, and an audit says how far one can be"
    ):
        cranfield.audit(scores["Judged@10"])


COVERAGE = ("Judged@10", "Judged@10 lower", "Unjudged@5", "RBPResidual(p=0.8)", "NumRet", "NumQ", "NumRel")


def test_systems_alike_on_every_topic_are_distinguished_by_no_number_of_topics() -> None:
    alike = np.repeat(np.random.default_rng(0).random((6, 1)), 3, axis=1)
    found = cranfield.audit(scores_of(alike), resamples=50, subsets=10)
    assert found.readings["AP"].startswith("No number of topics would make AP reliable: it does not separate")
    assert "nan" not in found.readings["AP"]


def test_a_distance_that_the_pairs_themselves_belie_is_left_out() -> None:
    # A third of the resamples lacks the last topic, has no spread and an infinite t: nothing can be significant.
    first = np.array([[1.0, 0.0]] * 4 + [[1.0, 1.0]])
    found = cranfield.audit(scores_of(first, "RR"), subsets=10).readings["RR"]
    assert (
        "It separates 0 of 1 pairs at 0.05 (0.0%; paired bootstrap, not corrected); which difference between means is "
        "significant cannot be estimated, as 100.0% of the pairs differ by as much as the estimate and are not "
        "separated."
    ) in found
    alike = np.repeat(np.random.default_rng(0).random((6, 1)), 3, axis=1)
    assert "cannot be estimated" in cranfield.audit(scores_of(alike), resamples=50, subsets=10).readings["AP"]
    assert "between means is significant." in cranfield.audit(three()["AP"], subsets=10).readings["AP"]


def test_topics_that_separate_two_systems_are_not_called_too_few() -> None:
    rng = np.random.default_rng(4)
    first = rng.normal(0.5, 0.1, 16)
    pair = xr.Dataset({"AP": scores_of(np.column_stack([first, first + np.tile([-0.02, 0.16], 8)]))})
    assert cranfield.compare(pair["AP"]).pairs["significant"].all()
    found = cranfield.audit(pair, resamples=400, subsets=50)
    assert found.table.loc["AP", "Erho2"] < 0.95 and found.table.loc["AP", "power"] == 1
    assert "16 topics separate the two systems; the reliability of their order" in found.readings["AP"]
    assert found.answer("table").startswith("16 topics separate these 2 systems by AP; topics needed for reliability")
    assert "too few" not in found.answer("table") + found.caption("table")
    close = xr.Dataset({"AP": scores_of(np.column_stack([first, first + np.tile([-0.08, 0.16], 8)]))})
    assert "too few" in cranfield.audit(close, resamples=400, subsets=50).caption("table")
