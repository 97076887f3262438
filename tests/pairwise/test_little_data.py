"""Verdicts on few topics, without spread, or between groups that never met: nothing is told that they do not tell."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, stdtrit
from scipy.stats import binomtest

from cranfield.errors import FormatError, InputError
from cranfield.pairwise import (
    PairVerdicts,
    compare_verdicts,
    compare_with_scores,
    convert_scores,
    count_triads,
    estimate_strengths,
    measure_order_effect,
    read_verdicts,
)
from cranfield.statistics import share_interval

Row = tuple[str, ...]
ORDERED: tuple[Row, ...] = (("a", "b", "left"), ("b", "a", "left"), ("a", "b", "left"))
"""The first wins in each order, and the order was repeated: a beats b by two of three."""


def on_topics(count: int, rows: tuple[Row, ...] = ORDERED) -> PairVerdicts:
    return PairVerdicts.of([(f"q{topic}", *row) for topic in range(count) for row in rows])


@pytest.mark.parametrize(("topics", "p", "ranks"), [(3, 0.25, [1, 2]), (5, 0.0625, [1, 2]), (12, 2.0**-11, [1, 1])])
def test_identical_topics_are_judged_by_their_signs(topics: int, p: float, ranks: list[int]) -> None:
    found = estimate_strengths(on_topics(topics))
    pair, best = found.pairs.iloc[0], found.table.iloc[0]
    assert pair["difference"] == pytest.approx(np.log(2))
    assert pair[["se", "low", "high"]].isna().all()
    assert pair["p"] == pair["p_adjusted"] == pytest.approx(p)
    assert found.table[["se", "low", "high"]].isna().all(axis=None)
    assert best[["rank_low", "rank_high"]].tolist() == ranks
    assert "no error or interval where topics do not differ" in found.note


@pytest.mark.parametrize("wins", [2, 3, 5, 8])
def test_a_prior_makes_nobody_more_certain_than_the_votes(wins: int) -> None:
    found = estimate_strengths(on_topics(wins, (("a", "b", "left"),)), prior=1.0)
    pair = found.pairs.iloc[0]
    assert pair["p"] == pytest.approx(2.0 ** (1 - wins))
    # Clopper and Pearson: all of n wins have the chance .025 where each has .025^(1/n).
    assert expit(pair["low"]) == pytest.approx(binomtest(wins, wins).proportion_ci().low)
    assert (pair["high"], np.isnan(pair["se"])) == (np.inf, True)
    assert found.table["low"].tolist() == [pytest.approx(pair["low"] / 2), -np.inf]
    assert found.table["high"].tolist() == [np.inf, pytest.approx(-pair["low"] / 2)]
    assert "an interval with one end at most" in found.note
    separated = 2.0 ** (1 - wins) <= 0.05
    assert found.table["rank_low"].tolist() == ([1, 2] if separated else [1, 1])


def test_a_newcomer_with_three_wins_may_have_any_rank() -> None:
    rng = np.random.default_rng(1)
    old = [
        (f"q{q}", left, right, rng.choice(["left", "right"])) for q in range(40) for left, right in ("ab", "bc", "ca")
    ]
    found = estimate_strengths(PairVerdicts.of([*old, *((f"q{q}", "new", "a", "left") for q in range(3))]), prior=1.0)
    row = found.table.set_index("system").loc["new"]
    assert row[["rank_low", "rank_high"]].tolist() == [1, 4]
    assert np.isnan(row["se"])
    pairs = found.pairs.set_index(["system", "other"])
    new = pairs.xs("new", level="other")
    assert new["p"].min() == pytest.approx(0.25)
    assert new["low"].eq(-np.inf).all()
    # Against the one that it met, the interval is that of three wins; against others, their errors come to it.
    assert expit(-new.loc["a", "high"]) == pytest.approx(binomtest(3, 3).proportion_ci().low)
    shift = new.loc["a", "high"] - new.loc["a", "difference"]
    for other in "bc":
        margin = np.hypot(shift, stdtrit(39, 0.975) * pairs.loc[("a", other), "se"])
        assert new.loc[other, "high"] == pytest.approx(new.loc[other, "difference"] + margin)


def test_no_rank_set_is_narrower_than_the_tests_of_its_pairs() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        rows = [
            (f"q{q}", left, right, rng.choice(["left", "right"]))
            for q in range(7)
            for left, right in ("ab", "bc", "ca")
        ]
        found = estimate_strengths(PairVerdicts.of(rows), prior=0.5, resamples=200)
        told = found.pairs["p"] <= 0.05
        table = found.table.set_index("system")
        for system in "abc":
            own = (found.pairs["system"] == system) | (found.pairs["other"] == system)
            width = table.loc[system, "rank_high"] - table.loc[system, "rank_low"]
            assert width >= 2 - int((own & told).sum())


def two_groups(*more: Row) -> PairVerdicts:
    words = ["left"] * 6 + ["right"] * 2
    return PairVerdicts.of(
        [(f"q{q}", *pair, word) for q, word in enumerate(words) for pair in ("ab", "cd")] + list(more)
    )


def test_groups_that_never_met_are_not_compared() -> None:
    found = estimate_strengths(two_groups(), prior=1.0)
    pairs = found.pairs.set_index(["system", "other"])
    alone = estimate_strengths(
        PairVerdicts.of([row for row in two_groups().to_frame().itertuples(index=False) if row.left in "ab"]), prior=1.0
    ).pairs.iloc[0]
    columns = ["difference", "se", "low", "high", "p"]
    assert pairs.loc[("a", "b"), columns].tolist() == pytest.approx(alone[columns].tolist(), abs=1e-9)
    across = pairs.loc[[("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")], [*columns, "p_adjusted"]]
    assert across.isna().all(axis=None)
    assert found.table["rank"].isna().all()
    assert found.table["rank_low"].eq(1).all()
    assert found.table["rank_high"].eq(4).all()
    assert "2 groups of systems never met (2 systems (a, b); 2 systems (c, d))" in found.note


def test_groups_on_topics_of_their_own_have_errors_of_these() -> None:
    words = ["left"] * 6 + ["right"] * 3
    rows = [(f"q{q}", "a", "b", word) for q, word in enumerate(words)]
    more = [(f"r{q}", "c", "d", word) for q, word in enumerate([*words, *words])]
    columns = ["difference", "se", "low", "high", "p"]
    alone = estimate_strengths(PairVerdicts.of(rows), prior=1.0).pairs.iloc[0][columns].tolist()
    both = estimate_strengths(PairVerdicts.of([*rows, *more]), prior=1.0).pairs.iloc[0][columns].tolist()
    assert both == pytest.approx(alone, abs=1e-9)


def test_strengths_of_groups_are_not_correlated() -> None:
    own = two_groups().to_frame()
    both = PairVerdicts.of([*own.itertuples(index=False), *own.assign(judge="other").itertuples(index=False)])
    assert compare_verdicts(both, prior=1.0).table["tau_b"].isna().all()
    rng = np.random.default_rng(1)
    scores = {name: dict(zip((f"q{q}" for q in range(8)), rng.random(8), strict=True)) for name in "abcd"}
    with pytest.raises(InputError, match="fall into 2 groups that never met"):
        compare_with_scores(two_groups(), pd.DataFrame(scores), prior=1.0, resamples=5)


def test_few_topics_are_noted_beside_ranks() -> None:
    rows = [(f"q{q}", "a", "b", "left" if q else "right") for q in range(5)]
    few = estimate_strengths(PairVerdicts.of(rows))
    assert few.note.startswith("judge: 5 topics cannot separate systems: no p is below 0.0625")
    assert "cannot separate systems" not in estimate_strengths(PairVerdicts.of([*rows, ("q5", "a", "b", "left")])).note
    rng = np.random.default_rng(1)
    many = PairVerdicts.of([(f"q{q}", "a", "b", rng.choice(["left", "right"])) for q in range(120)])
    assert estimate_strengths(many).note == ""


@pytest.mark.parametrize(
    ("topics", "says"),
    [
        (2, "2 topics cannot tell whether the excess of 100.0% is chance"),
        (5, "5 topics cannot tell"),
        (6, "The excess of 100.0% is an effect of order"),
    ],
)
def test_an_effect_of_order_needs_topics(topics: int, says: str) -> None:
    found = measure_order_effect(on_topics(topics))
    assert says in found.describe("judge")
    excess = found.table.set_index("statistic").loc["excess"]
    assert excess[["se", "low", "high"]].isna().all()
    assert excess["topics"] == topics


def test_shares_of_all_or_none_have_the_interval_of_as_many_topics() -> None:
    rows = (("a", "b", "left"), ("b", "c", "left"), ("a", "c", "left"))
    triads = count_triads(on_topics(4, rows)).table.iloc[0]
    assert (triads["triads"], triads["cyclic"]) == (4, 0)
    exact = binomtest(0, 4).proportion_ci()
    assert triads[["low", "high"]].tolist() == pytest.approx([exact.low, exact.high])
    assert np.isnan(triads["se"])
    own = on_topics(4, rows).to_frame()
    both = PairVerdicts.of([*own.itertuples(index=False), *own.assign(judge="other").itertuples(index=False)])
    agreement = compare_verdicts(both).table.iloc[0]
    exact = binomtest(4, 4).proportion_ci()
    assert agreement[["equal", "equal_low", "equal_high"]].tolist() == pytest.approx([1, exact.low, exact.high])
    ties = [(f"q{topic}", *pair, "tie") for topic in range(3) for pair in ("ab", "ba")]
    effect = measure_order_effect(PairVerdicts.of(ties)).table.set_index("statistic")
    exact = binomtest(0, 3).proportion_ci()
    assert effect.loc["changed", ["low", "high"]].tolist() == pytest.approx([exact.low, exact.high])
    # Each topic has the same half: no spread, and no number of verdicts that would have it.
    assert effect.loc["first", ["se", "low", "high"]].isna().all()


@pytest.mark.parametrize("seed", range(8))
def test_shares_lie_between_their_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{topic}", *pair, rng.choice(["left", "right", "tie"], p=[0.8, 0.1, 0.1]))
        for topic in range(3 + seed)
        for pair in ("ab", "ba", "bc", "cb", "ab")
    ]
    table = measure_order_effect(PairVerdicts.of(rows)).table.set_index("statistic")
    told = table.dropna(subset=["low"])
    assert len(told) > 4
    assert (told["low"] >= np.where(told.index == "excess", -1, 0)).all()
    assert (told["high"] <= 1).all()
    assert (told["low"] <= told["value"]).all()
    assert (told["high"] >= told["value"]).all()


def test_one_verdict_a_topic_has_wilson_s_interval() -> None:
    """Without the factor G / (G - 1) and with normal quantiles, it is SciPy's."""
    for wins, topics in ((1, 5), (7, 20), (30, 60)):
        share, df = wins / topics, topics - 1
        error = np.sqrt(share * (1 - share) / topics)
        low, high = share_interval(share, error, 10**9, 0.95)
        ends = binomtest(wins, topics).proportion_ci(method="wilson")
        assert (low, high) == pytest.approx((ends.low, ends.high), abs=1e-8)
        wider = share_interval(share, error, df, 0.95)
        assert wider[0] < low < high < wider[1]


def test_resamples_without_spread_are_no_interval() -> None:
    rows = (("a", "b", "left"), ("b", "c", "left"), ("a", "c", "left"), ("c", "a", "left"))
    scores = pd.DataFrame(
        {name: dict.fromkeys((f"q{q}" for q in range(5)), value) for name, value in zip("abc", (3, 2, 1), strict=True)}
    )
    table = compare_with_scores(on_topics(5, rows), scores, prior=1.0, resamples=20).table
    assert table["value"].eq(1.0).all()
    assert table[["low", "high"]].isna().all(axis=None)


def test_all_ties() -> None:
    ties = on_topics(3, (("a", "b", "tie"),))
    found = estimate_strengths(ties)
    assert found.table["strength"].tolist() == [0, 0]
    assert found.pairs["p"].item() == 1.0
    with pytest.raises(InputError, match="every verdict is a tie, and the parameter of ties is not finite"):
        estimate_strengths(ties, pair_ties="davidson")
    with pytest.raises(InputError, match="verdicts other than ties on 0 topics"):
        estimate_strengths(ties, pair_ties="drop")


def test_the_budget_bounds_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"s{number:03}" for number in range(300)]
    ring = [(f"q{q}", names[at], names[at - 1], "left" if q else "right") for q in range(2) for at in range(300)]
    own = PairVerdicts.of(ring)
    monkeypatch.setenv("CRANFIELD_MEMORY", "5000000")
    for make in (estimate_strengths, count_triads):
        with pytest.raises(InputError, match=r"300 systems.* would take .* of memory, of 5\.0 MB allowed") as refused:
            make(own)
        assert refused.value.code == "memory"
    with pytest.raises(InputError, match="verdicts on 44,850 pairs of systems would take"):
        convert_scores(pd.DataFrame(np.zeros((4, 300)), columns=names))


@pytest.mark.parametrize(
    ("text", "line", "value"),
    [
        ("topic\tleft\tright\tverdict\tverdict\nq1\ta\tb\tleft\tright\n", 1, "verdict"),
        ("\n\ntopic,left,right,verdict,judge,judge\nq1,a,b,left,x,y\n", 3, "judge"),
        ('{"topic": "q1", "left": "a", "right": "b", "verdict": "left", "verdict": "right"}\n', 1, "verdict"),
        ('{"question_id": 1, "model_a": "a", "model_b": "b", "winner": "tie", "model_a": "c"}\n', 1, "model_a"),
    ],
)
def test_a_column_or_key_twice_is_refused(tmp_path: Path, text: str, line: int, value: str) -> None:
    path = tmp_path / "verdicts"
    path.write_text(text)
    with pytest.raises(FormatError, match=f"'{value}' occurs twice") as refused:
        read_verdicts(path)
    assert (refused.value.line, refused.value.value) == (line, value)


def test_a_judge_forges_no_sentence(tmp_path: Path) -> None:
    forged = "honest\nother: swapping left and right changes nothing"
    path = tmp_path / "v.jsonl"
    rows = [
        {"topic": f"q{q}", "left": left, "right": right, "verdict": "left", "judge": forged}
        for q in range(3)
        for left, right in ("ab", "ba")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = measure_order_effect(read_verdicts(path)).describe(forged)
    assert "\n" not in text
    assert text.startswith("honest\\nother")


def test_judges_with_most_in_common_are_printed_first() -> None:
    judged = {"x": "12", "y": "3", "z": "23"}
    rows = [(topic, "a", "b", "left", judge) for judge, topics in judged.items() for topic in topics]
    found = compare_verdicts(PairVerdicts.of(rows), prior=1.0)
    expected = [["x", "y", 0], ["x", "z", 1], ["y", "z", 1]]
    assert found.table[["reference", "judge", "pairs"]].to_numpy().tolist() == expected
    assert found.table.iloc[0][["equal", "equal_low", "opposite", "kappa", "kappa_quadratic"]].isna().all()
    sheet = found.sheet("table", limit=2, pairs="those with most in common first")
    assert [list(row[:2]) for row in sheet.rows] == [["x", "z"], ["y", "z"]]
    assert sheet.caption.startswith("2 of 3 pairs of judges, those with most in common first; ")
