"""Laws of pairwise verdicts, and values by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.collection import Preferences
from cranfield.errors import InputError, UsageError
from cranfield.pairwise import (
    PairVerdicts,
    compare_verdicts,
    compare_with_scores,
    convert_preferences,
    convert_scores,
    count_triads,
    count_wins,
    estimate_strengths,
    measure_order_effect,
)
from effort import examples

SYSTEMS = "abcd"


def drawn(seed: int, topics: int = 8) -> PairVerdicts:
    """Verdicts on every ordered pair, some repeated."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{topic}", left, right, rng.choice(["left", "right", "tie"], p=[0.45, 0.35, 0.2]))
        for topic in range(topics)
        for left in SYSTEMS
        for right in SYSTEMS
        if left != right
        for _ in range(rng.integers(1, 3))
    ]
    return PairVerdicts.of(rows)


def values(verdicts: PairVerdicts, **options: object) -> dict[str, float]:
    effect = measure_order_effect(verdicts, **options)  # type: ignore[arg-type]
    return dict(zip(effect.table["statistic"], effect.table["value"], strict=True))


def theta(verdicts: PairVerdicts, **options: object) -> pd.Series[float]:
    fitted = estimate_strengths(verdicts, resamples=1, **options)  # type: ignore[arg-type]
    return fitted.table.set_index("system")["strength"].sort_index()


def order(verdicts: PairVerdicts) -> float:
    return float(estimate_strengths(verdicts, order_effect=True, resamples=1).parameters["value"].item())


@examples(20)
@given(st.integers(0, 10_000))
def test_swapping_left_and_right(seed: int) -> None:
    own = drawn(seed)
    swapped = replace(own, left=own.right, right=own.left, outcome=-own.outcome)
    assert theta(swapped).to_numpy() == pytest.approx(theta(own).to_numpy(), abs=1e-9)
    assert order(swapped) == pytest.approx(-order(own), abs=1e-9)
    assert values(swapped)["first"] == pytest.approx(1 - values(own)["first"])
    assert values(swapped)["changed"] == pytest.approx(values(own)["changed"])


@pytest.mark.slow
@examples(20)
@given(st.integers(0, 10_000))
def test_reversing_every_verdict(seed: int) -> None:
    own = drawn(seed)
    reversed_ = replace(own, outcome=-own.outcome)
    assert theta(reversed_).to_numpy() == pytest.approx(-theta(own).to_numpy(), abs=1e-9)
    assert order(reversed_) == pytest.approx(-order(own), abs=1e-9)


@pytest.mark.filterwarnings("ignore:.*verdicts repeat earlier ones by the same judge")
@pytest.mark.parametrize("weights", ["pairs", "verdicts"])
@pytest.mark.parametrize("ties", ["half", "drop", "davidson"])
def test_copies_add_no_evidence(weights: str, ties: str) -> None:
    own = drawn(3)
    rows = own.to_frame()
    copied = PairVerdicts.of(pd.concat([rows, rows]))
    once, twice = (
        estimate_strengths(each, weights=weights, pair_ties=ties, resamples=1).table  # type: ignore[arg-type]
        for each in (own, copied)
    )
    for column in ("strength", "se"):
        assert twice[column].to_numpy() == pytest.approx(once[column].to_numpy(), abs=1e-9)
    factor = math.sqrt(2) if weights == "verdicts" else 1.0
    assert (twice["se_votes"] * factor).to_numpy() == pytest.approx(once["se_votes"].to_numpy(), abs=1e-9)


@examples(20)
@given(st.integers(0, 10_000))
def test_parts_of_the_order_effect_add_up(seed: int) -> None:
    own = values(drawn(seed))
    assert own["changed"] == pytest.approx(own["reversed"] + own["to_or_from_tie"])
    assert own["reversed"] == pytest.approx(own["first_both"] + own["second_both"])
    assert own["excess"] == pytest.approx(own["changed"] - own["repeat"])


@examples(20)
@given(st.integers(0, 10_000))
def test_balanced_data_have_one_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.integers(0, 4, (12, 5)) / 4, columns=list("abcde"))
    own = convert_scores(table)
    wins = count_wins(own).table
    share = pd.concat([wins.groupby("system")["wins"].sum(), wins.groupby("other")["losses"].sum()])
    total = share.groupby(level=0).sum()
    for ties in ("half", "davidson"):
        strengths = theta(own, pair_ties=ties, prior=1.0 if ties == "half" else None)
        ranked = strengths.round(9).rank().tolist()
        assert ranked == total[strengths.index].rank().tolist()


def test_always_left() -> None:
    rows = [("q1", left, right, "left") for left in "ab" for right in "ab" if left != right]
    own = values(PairVerdicts.of(rows + [("q2", *row[1:]) for row in rows]))
    assert (own["changed"], own["first"], own["first_both"]) == (1, 1, 1)
    assert own["consistency"] < 0


def test_strengths_by_hand() -> None:
    words = ["left"] * 7 + ["right"] * 3 + ["tie"] * 2
    own = PairVerdicts.of([(f"q{number}", "a", "b", word) for number, word in enumerate(words)])
    pair = estimate_strengths(own).pairs.iloc[0]
    assert pair["difference"] == pytest.approx(math.log(2))
    assert pair["se"] == pytest.approx(0.5765, abs=5e-5)
    davidson = estimate_strengths(own, pair_ties="davidson")
    assert davidson.pairs["difference"].item() == pytest.approx(math.log(7 / 3))
    assert davidson.parameters["value"].item() == pytest.approx(2 / math.sqrt(21))


def test_order_effect_by_hand() -> None:
    rows = [("q1", "a", "b", "left"), ("q1", "b", "a", "right"), ("q1", "a", "c", "left"), ("q1", "c", "a", "left")]
    rows += [("q2", "a", "b", "left"), ("q2", "a", "b", "tie"), ("q2", "b", "a", "right")]
    own = values(PairVerdicts.of(rows))
    by_hand = {"changed": 0.5, "reversed": 1 / 3, "to_or_from_tie": 1 / 6, "first_both": 1 / 3}
    by_hand |= {"first": 0.625, "repeat": 1.0, "pairs": 3}
    assert {name: own[name] for name in by_hand} == pytest.approx(by_hand)
    assert values(PairVerdicts.of(rows), repeats="first")["changed"] == pytest.approx(1 / 3)
    assert values(PairVerdicts.of(rows), repeats="last")["changed"] == pytest.approx(2 / 3)


def test_a_circle() -> None:
    rows = [("q1", "a", "b", "left"), ("q1", "b", "c", "left"), ("q1", "c", "a", "left"), ("q1", "a", "d", "tie")]
    table = count_triads(PairVerdicts.of(rows)).table.iloc[0]
    assert table[["triads", "cyclic", "triads_with_ties", "cyclic_among_systems"]].tolist() == [1, 1, 0, 1]
    rows += [("q1", "d", "b", "left"), ("q1", "d", "c", "tie")]
    table = count_triads(PairVerdicts.of(rows)).table.iloc[0]
    assert table[["triads", "cyclic", "triads_with_ties"]].tolist() == [1, 1, 3]


def test_coins_make_a_quarter_of_triads_cyclic() -> None:
    rng = np.random.default_rng(1)
    pairs = [(left, right) for at, left in enumerate("abcdef") for right in "abcdef"[at + 1 :]]
    rows = [(f"q{t}", *pair, rng.choice(["left", "right"])) for t in range(400) for pair in pairs]
    table = count_triads(PairVerdicts.of(rows)).table.iloc[0]
    assert table["triads"] == 400 * 20
    assert abs(table["z"]) < 3


@pytest.mark.filterwarnings("ignore:.* hold the same judgments")
def test_pooled_judges_and_one_judge() -> None:
    rows = drawn(5).to_frame()
    both = PairVerdicts.of(pd.concat([rows.assign(judge="x"), rows.assign(judge="y")]))
    agreement = compare_verdicts(both).table.iloc[0]
    assert agreement[["equal", "opposite", "kappa", "tau_b"]].tolist() == pytest.approx([1, 0, 1, 1])
    assert both.pool_judges().judges == ("pooled",)
    assert both.select_judge("x").judges == ("x",)
    assert theta(both.pool_judges()).to_numpy() == pytest.approx(theta(drawn(5)).to_numpy(), abs=1e-9)
    with pytest.raises(UsageError, match="there is no such judge"):
        both.select_judge("z")
    with pytest.raises(InputError, match="agreement needs two judges"):
        compare_verdicts(drawn(5))


def test_preferences_are_signs_without_ties() -> None:
    rows = [("q1", "a", "b", "left"), ("q1", "b", "a", "right"), ("q1", "a", "c", "left"), ("q1", "c", "a", "left")]
    preferences = PairVerdicts.of([*rows, ("q2", "c", "b", "right")]).preferences()
    assert preferences.pairs == {"q1": (("a", "b"),), "q2": (("b", "c"),)}


def test_randomized_orders_say_the_same() -> None:
    table = pd.DataFrame(np.random.default_rng(1).random((20, 4)), columns=list(SYSTEMS))
    plain, mixed = convert_scores(table), convert_scores(table, randomize=True)
    assert (plain.left != mixed.left).any()
    assert theta(mixed).to_numpy() == pytest.approx(theta(plain).to_numpy(), abs=1e-9)


ANALYSES = [estimate_strengths, count_triads, count_wins, measure_order_effect, compare_verdicts]


@pytest.mark.parametrize("use", ANALYSES)
def test_rows_and_frames_are_verdicts(use: Callable[[Any], Any]) -> None:
    rows = [
        (topic, left, right, verdict, judge)
        for topic in ("q1", "q2", "q3", "q4", "q5")
        for judge, verdict in (("x", "left"), ("y", "right"))
        for left, right in (("a", "b"), ("b", "c"), ("c", "a"), ("b", "a"), ("a", "c"))
    ]
    frame = pd.DataFrame(rows, columns=["topic", "left", "right", "verdict", "judge"])
    expected = use(PairVerdicts.of(rows)).to_frame()
    for source in (rows, frame, pl.DataFrame(frame.to_dict("list"))):
        pd.testing.assert_frame_equal(use(source).to_frame(), expected)


@pytest.mark.parametrize(
    "use", [*ANALYSES, lambda verdicts: compare_with_scores(verdicts, pd.DataFrame(np.ones((3, 3))))]
)
def test_a_path_is_no_verdicts(use: Callable[[Any], object]) -> None:
    with pytest.raises(UsageError, match=r"^str is not PairVerdicts: give what read_verdicts returns, rows, or a data"):
        use("verdicts.tsv")


def test_a_winner_of_all_is_refused_without_a_prior() -> None:
    rows = [(topic, "best", other, "left") for topic in ("q1", "q2") for other in ("x", "y")]
    rows += [("q1", "x", "y", "left"), ("q2", "x", "y", "right")]
    own = PairVerdicts.of(rows)
    with pytest.raises(InputError, match="system best never loses to any of the other 2 systems: "):
        estimate_strengths(own)
    assert estimate_strengths(own, prior=1).table["system"][0] == "best"
    apart = PairVerdicts.of([("q1", "a", "b", "tie"), ("q2", "c", "d", "tie")])
    with pytest.raises(InputError, match="no name occurs on two topics"):
        estimate_strengths(apart)
    assert values(apart)["pairs"] == 0


def test_an_order_that_decides_everything_is_refused() -> None:
    rows = [(f"q{topic}", *pair, "left") for topic in range(4) for pair in (("a", "b"), ("b", "a"))]
    with pytest.raises(InputError, match="strengths and effect of order are not finite together"):
        estimate_strengths(PairVerdicts.of(rows), order_effect=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pair_ties": "third"}, "pair_ties='third' is not one of"),
        ({"weights": "votes"}, "weights='votes' is not one of"),
        ({"prior": 0}, "prior=0 should be a number above 0"),
        ({"alpha": 1}, "alpha=1 should lie between 0 and 1"),
        ({"baseline": "z"}, "no verdict is on this system"),
        ({"resamples": 0}, "resamples=0 should be at least 1"),
    ],
)
def test_settings_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        estimate_strengths(drawn(1), **options)  # type: ignore[arg-type]


def test_too_little_is_refused() -> None:
    one = PairVerdicts.of([("q1", "a", "b", "tie")])
    with pytest.raises(InputError, match="has verdicts on 1 topic: errors over topics need two"):
        estimate_strengths(one)
    with pytest.raises(InputError, match="a correlation needs three systems and two topics"):
        compare_with_scores(one, pd.DataFrame({"a": [1.0], "b": [0.5]}, index=["q1"]))
    with pytest.raises(UsageError, match="repeats='all' is not one of"):
        measure_order_effect(one, repeats="all")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="verdicts need two systems"):
        convert_scores(pd.DataFrame({"a": [1.0]}))


def test_judges_of_one_order_each_are_advised_to_pool_their_verdicts() -> None:
    rows = [(f"q{topic}", *pair, "left", judge) for topic in range(3) for pair, judge in (("ab", "x"), ("ba", "y"))]
    alone, pooled = PairVerdicts.of(rows), PairVerdicts.of(rows).pool_judges()
    assert measure_order_effect(alone).caption("table") == (
        "none of the 2 judges judged a pair in both orders, so that the effect of order cannot be told from quality by "
        "judge: count them as one (pooled)"
    )
    assert "changes 100.0% of verdicts on 3 pairs" in measure_order_effect(pooled).caption("table")


def test_measures_of_which_less_is_better_are_turned() -> None:
    """The judge prefers a to b to c; so does a measure by which a has least."""
    rows = [(f"q{topic}", *pair, "left") for topic in range(3) for pair in ("ab", "ac", "bc")]
    rows += [(f"q{topic}", *pair, "right") for topic, pair in enumerate(("ab", "ac", "bc"))]
    verdicts = PairVerdicts.of(rows)
    scores = pd.DataFrame({"a": [0.1] * 3, "b": [0.2] * 3, "c": [0.3] * 3}, index=["q0", "q1", "q2"])
    for measure, tau in (("AP", -1.0), ("Unjudged@5", 1.0)):
        own = scores.to_xarray().to_array("system", name=measure).rename(index="topic").to_dataset()
        own[measure].attrs["larger_is_better"] = int(measure == "AP")
        found = compare_with_scores(verdicts, own, resamples=50).table
        assert found["value"].tolist() == pytest.approx([tau] * len(found)), measure


def test_draws_without_finite_strengths_are_counted() -> None:
    """Whoever wins on all topics of a draw has no finite strength; c loses but for the first topic."""
    rows = [(f"q{topic}", *pair, "tie") for topic in range(3) for pair in ("ab", "ba")]
    rows += [(f"q{topic}", pair, "c", "left" if topic else "tie") for topic in range(3) for pair in "ab"]
    scores = pd.DataFrame({"a": [0.3, 0.5, 0.1], "b": [0.2] * 3, "c": [0.1] * 3}, index=["q0", "q1", "q2"])
    found = compare_with_scores(PairVerdicts.of(rows), scores, resamples=300).table
    # A draw of three topics misses the first with probability (2/3)^3 = .296.
    assert (abs(found["undefined"] / 300 - 8 / 27) < 0.1).all()
    assert found[["low", "high"]].isna().all(axis=None)


def test_a_baseline_is_on_the_right() -> None:
    pairs = estimate_strengths(drawn(2), baseline="b").pairs
    assert (pairs["system"].tolist(), set(pairs["other"])) == (["a", "c", "d"], {"b"})


def test_preferences_between_lists_become_verdicts() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=6, seed=5)
    preferences = cranfield.comparison.prefer(made.runs, made.qrels, "lexirecall")
    verdicts = convert_preferences(preferences)
    assert verdicts.judges == ("lexirecall",)
    rows = {(row.topic, row.left, row.right): row.verdict for row in verdicts.to_frame().itertuples()}
    word = {1.0: "left", -1.0: "right", 0.0: "tie"}
    for column, pair in enumerate(preferences.pairs.to_dict("records")):
        for topic, value in zip(preferences.topics["topic"].values, preferences.topics.values[:, column], strict=True):
            assert rows[topic, pair["system"], pair["other"]] == word[float(np.sign(value))]
    swapped = convert_preferences(preferences, randomize=True)
    theta = [estimate_strengths(own, prior=1, resamples=10).table["strength"].tolist() for own in (verdicts, swapped)]
    np.testing.assert_allclose(*theta, atol=1e-10)


def test_preference_judgments_become_verdicts_and_come_back() -> None:
    judged = Preferences.of([("q1", "a", "b"), ("q1", "b", "c"), ("q2", "c", "a")])
    for randomize in (False, True):
        verdicts = convert_preferences(judged, randomize=randomize)
        assert {topic: set(pairs) for topic, pairs in verdicts.preferences().pairs.items()} == {
            topic: set(pairs) for topic, pairs in judged.pairs.items()
        }
