"""Reliability against the published values, and what it says of odd scores."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from trust_goldens import golden_scores, needs_scores

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.scores import read_scores
from data_sets import DATA, REAL_GOLDEN, Tally
from labelled_scores import scores_of


@pytest.mark.data("data/urbano/adhoc3.csv")
def test_published_values_of_adhoc3() -> None:
    scores = read_scores(str(DATA / "urbano/adhoc3.csv"))
    tally = Tally()
    whole, fewer = cranfield.trust.estimate_reliability(scores), cranfield.trust.estimate_reliability(scores, drop=0.25)
    mean_square = whole.components["mean_square"]
    printed = {"systems": ".36926", "topics": ".91661", "residual": ".01092"}
    for name, value in printed.items():
        tally.add_text(name, mean_square[name], "0" + value)
    for found, values in (
        (whole, ("0.0071668", "0.022642", "0.01092", "0.97043", "0.91436")),
        (fewer, ("0.0028117", "0.028093", "0.010152", "0.93265")),
    ):
        ours = [*found.components["variance"], *found.curve.loc[50, ["Erho2", "Phi"]]][: len(values)]
        for value, theirs in zip(ours, values, strict=True):
            tally.add_text("adhoc3", value, theirs)
    tally.check(12)
    # The spec's .78614 is computed from its own rounded components; from unrounded ones it is .786135.
    assert pytest.approx(0.78614, abs=5e-6) == 0.0028117 / (0.0028117 + (0.028093 + 0.010152) / 50)
    assert fewer.curve.loc[50, "Phi"] == pytest.approx(0.78614, abs=1e-5)
    assert (len(whole.systems), len(fewer.systems)) == (40, 30)


@pytest.mark.data("data/urbano")
def test_published_values_of_real_matrices() -> None:
    tally = Tally(6e-6)
    for name, erho2, phi in (
        ("robust2004_ap", 0.97143, 0.91322),
        ("robust2004_ndcg", 0.97967, 0.94709),
        ("terabyte2006_ap", 0.99159, 0.97231),
        ("terabyte2006_ndcg", 0.99622, 0.98841),
    ):
        path = next(path for path in published_matrices() if path.stem.lower().replace("-", "_") == name)
        curve = cranfield.trust.estimate_reliability(read_scores(str(path))).curve
        n = read_scores(str(path)).sizes["topic"]
        tally.add(name, curve.loc[n, "Erho2"], erho2)
        tally.add(name, curve.loc[n, "Phi"], phi)
    tally.check(8)


def published_matrices() -> list[Path]:
    return sorted((DATA / "urbano/sigir2019-standardization/data").rglob("*.csv"))


def test_worked_example() -> None:
    values = np.array([[0.5, 0.6, 0.4, 0.7], [0.4, 0.5, 0.5, 0.6], [0.2, 0.4, 0.1, 0.3]]).T
    found = cranfield.trust.estimate_reliability(scores_of(values), n_topics=[4], target=0.9)
    assert found.components["variance"].tolist() == pytest.approx([0.0244444, 0.0077778, 0.0055556], abs=5e-8)
    assert found.components["share"].sum() == pytest.approx(1.0)
    assert found.curve.loc[4, "Phi"] == pytest.approx(0.88, abs=1e-12)
    assert found.curve.loc[4, "Erho2"] == pytest.approx(0.946237, abs=5e-7)
    assert found.needed == {"Erho2": 3.0, "Phi": 5.0}  # .9 / .1 * .00556 / .02444 = 2.05, and with topics 4.91


def test_drop_leaves_out_the_weakest() -> None:
    values = np.random.default_rng(0).normal(size=(6, 5)) + np.array([0, 9, 4, 1, 5])
    assert cranfield.trust.estimate_reliability(scores_of(values), drop=0.4).systems == ("s1", "s2", "s4")
    assert cranfield.trust.estimate_reliability(scores_of(values, larger_is_better=0), drop=0.4).systems == (
        "s0",
        "s2",
        "s3",
    )


def test_missing_scores() -> None:
    rng = np.random.default_rng(0)
    values = rng.beta(1, 2, size=(6, 4)) + rng.normal(size=(6, 1)) + rng.normal(size=4)
    holes = values.copy()
    holes[2, 3], values[2, 3] = np.nan, 0.0
    with pytest.raises(InputError, match="'s3' has none on topic 'q2'; count it as 0"):
        cranfield.trust.estimate_reliability(scores_of(holes))
    pd.testing.assert_frame_equal(
        cranfield.trust.estimate_reliability(scores_of(holes), missing_scores="zero").curve,
        cranfield.trust.estimate_reliability(scores_of(values)).curve,
    )


def test_degenerate_scores_are_named() -> None:
    with pytest.warns(CranfieldWarning, match=r"AP: all scores are equal, which leaves reliability undefined$"):
        found = cranfield.trust.estimate_reliability(scores_of(np.full((4, 3), 0.1)))
    assert found.curve.isna().all().all()
    assert math.isnan(found.needed["Phi"])
    with pytest.warns(CranfieldWarning, match="equal scores on every topic, which leaves Erho2 undefined"):
        found = cranfield.trust.estimate_reliability(scores_of(np.repeat([[0.1], [0.5], [0.3]], 4, axis=1)))
    assert found.curve["Erho2"].isna().all()
    assert (found.curve["Phi"] == 0).all()
    values = np.array([[0.1, 0.9], [1.9, 1.1], [2.4, 2.6]])
    with pytest.warns(CranfieldWarning, match="variance of systems is estimated below zero"):
        found = cranfield.trust.estimate_reliability(scores_of(values))
    assert found.components["variance"]["systems"] == 0
    assert found.curve["Phi"].tolist() == [0.0] * len(found.curve)
    assert found.needed["Phi"] == math.inf


def test_wrong_calls() -> None:
    values = np.random.default_rng(0).beta(1, 2, size=(6, 4))
    for options, message in (
        ({"drop": 1.0}, r"drop=1\.0 leaves no system"),
        ({"target": 1.0}, "target=1.0 should lie between"),
        ({"n_topics": [0]}, "n_topics=0 should be at least 1"),
        ({"missing_scores": "skip"}, "missing_scores='skip' is not one of drop-topics, drop-systems, refuse, zero"),
    ):
        with pytest.raises(UsageError, match=message):
            cranfield.trust.estimate_reliability(scores_of(values), **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs 2 systems and 2 topics, and has 1 and 6"):
        cranfield.trust.estimate_reliability(scores_of(values), drop=0.75)
    with pytest.raises(InputError, match="needs 2 systems and 2 topics, and has 4 and 1"):
        cranfield.trust.estimate_reliability(scores_of(values[:1]))


@pytest.mark.slow
def test_the_interval_holds_what_it_says() -> None:
    """Of matrices made with known components, the interval holds the true Phi about as often as it should."""
    rng, true = np.random.default_rng(0), 0.5 / (0.5 + (1.0 + 1.0) / 20)
    held = {"Phi": 0, "Erho2": 0}
    for _ in range(300):
        values = rng.normal(0, np.sqrt(0.5), 30) + rng.normal(0, 1, (20, 1)) + rng.normal(0, 1, (20, 30))
        row = cranfield.trust.estimate_reliability(scores_of(values), n_topics=[20], level=0.9).curve.iloc[0]
        held["Phi"] += row["Phi_low"] <= true <= row["Phi_high"]
        held["Erho2"] += row["Erho2_low"] <= 0.5 / (0.5 + 1 / 20) <= row["Erho2_high"]
    for count in held.values():
        assert abs(count / 300 - 0.9) <= 3.5 * np.sqrt(0.09 / 300)


@needs_scores()
def test_golden_matrices() -> None:
    import json

    from trust_goldens import COLLECTIONS, golden_scores

    tally = Tally(1e-9)
    for collection in COLLECTIONS:
        golden = json.loads((REAL_GOLDEN / f"information/{collection}.json").read_text())["gstudy"]
        for name in ("ap", "ndcg", "ndcg10"):
            scores = golden_scores(collection, name)
            found = cranfield.trust.estimate_reliability(scores, n_topics=[scores.sizes["topic"]])
            for part, key in (("systems", "var_s"), ("topics", "var_t"), ("residual", "var_e")):
                tally.add((collection, name, key), found.components["variance"][part], golden[name][key])
            for which in ("Erho2", "Phi"):
                tally.add((collection, name, which), found.curve[which].iloc[0], golden[name][which])
    tally.check(45)


@pytest.mark.parametrize("scale", [2.0**328, 2.0**-328])
def test_intervals_do_not_depend_on_the_scale(scale: float) -> None:
    values = np.random.default_rng(1).random((8, 5)) + np.arange(5.0) + np.arange(8.0)[:, None]
    labels = {"topic": list("12345678"), "system": list("abcde")}

    def curve(table: np.ndarray) -> list[list[float]]:  # type: ignore[type-arg]
        scores = xr.DataArray(table, labels, ("topic", "system"), name="s")
        return cranfield.trust.estimate_reliability(scores).curve.to_numpy().tolist()  # type: ignore[no-any-return]

    assert curve(values * scale) == curve(values)


def test_names_decide_between_equal_means_and_it_says_so() -> None:
    values = np.array([[0.9, 0.3, 0.2, 0.7], [0.6, 0.2, 0.3, 0.5], [0.4, 0.1, 0.1, 0.3]])
    labels = {"topic": ["1", "2", "3"], "system": ["best", "alpha", "beta", "good"]}
    scores = xr.DataArray(values, labels, ("topic", "system"), name="AP")
    with pytest.warns(CranfieldWarning, match="system beta left out by name, with the same mean as 'alpha'"):
        found = cranfield.trust.estimate_reliability(scores, drop=0.25)
    assert found.systems == ("best", "alpha", "good")
    assert found.by_name == ("beta",)
    assert (
        cranfield.trust.estimate_reliability(scores, drop=0.5).by_name
        == cranfield.trust.estimate_reliability(scores).by_name
        == ()
    )


@needs_scores("dl19")
def test_topics_needed_of_dl19_with_intervals() -> None:
    """24 topics for the order and 68 for the scores, of 43; the latter between 36 and 119, rounded up."""
    found = cranfield.trust.estimate_reliability(golden_scores("dl19", "ndcg10"))
    assert found.needed == {"Erho2": 24.0, "Phi": 68.0}
    assert found.needed_within.loc["Phi", ["low", "high"]].tolist() == [37.0, 120.0]
    table = found.to_frame("needed").set_index("coefficient")
    assert list(table.columns) == ["target", "topics", "low", "high", "boot_low", "boot_high"]
    # The systems of this collection have two levels, which analysis of variance does not expect.
    assert table.loc["Phi", "boot_low"] < 37 and table.loc["Phi", "boot_high"] > 120
    topics = cranfield.trust.estimate_reliability(golden_scores("dl19", "ndcg10"), resample="topics").needed_within
    assert topics.loc["Phi", "boot_low"] > 37 and topics.loc["Phi", "boot_high"] < 120


def test_the_bootstrap_is_seeded_and_its_words_are_checked() -> None:
    scores = scores_of(np.random.default_rng(0).random((8, 5)) + np.arange(5) / 4)
    one, two, other = (cranfield.trust.estimate_reliability(scores, seed=seed) for seed in (3, 3, 4))
    assert one == two
    assert one.curve["Phi_boot_low"].tolist() != other.curve["Phi_boot_low"].tolist()
    assert one.curve["Phi_low"].tolist() == other.curve["Phi_low"].tolist()
    with pytest.raises(UsageError, match="resample='systems' is not one of both, topics"):
        cranfield.trust.estimate_reliability(scores, resample="systems")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="resamples=1 should be at least 2"):
        cranfield.trust.estimate_reliability(scores, resamples=1)
