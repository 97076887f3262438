"""The ease of topics by hand, against a second implementation, and its laws."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputError, UsageError, estimate_difficulty
from cranfield.topic_difficulty import compute_difficulty
from effort import examples

LABELS = {"q": {"a": 3.0, "b": 1.0, "c": 1.0, "d": 0.0, "e": 0.0, "spam": -2.0}}
RUNS = {
    "good": {"q": {"a": 2.0, "b": 1.0}},
    "poor": {"q": {"b": 3.0, "spam": 2.0, "x": 1.0}},
    "short": {"q": {"b": 1.0}},
    "unknown": {"q": {"x": 1.0}},
}


def test_the_worked_example() -> None:
    found = compute_difficulty(cranfield.evaluation.make_rankings(RUNS, LABELS), cutoff=3)
    scores = found.values["ndcg_std"].sel(topic="q")
    assert scores.dims == ("system",)
    assert round(float(scores.sel(system="poor")), 6) == -0.432993
    assert round(float(scores.sel(system="short")), 3) == -0.021
    assert found.ease.item() == 1 / 4
    assert found.values["class"].item() == "hard"
    assert found.values["judged"].item() == 6
    assert found.values["pool_mean"].item() == 0.5
    assert round(found.values["random_ndcg"].item(), 6) == 0.257924
    assert found.settings == {"cutoff": 3, "unjudged": "zero", "depth": None, "baseline": None, "alternatives": False}


def test_unjudged_documents_in_three_ways() -> None:
    rankings = cranfield.evaluation.make_rankings(RUNS, LABELS)
    ease = {
        unjudged: compute_difficulty(rankings, 3, unjudged).ease.item() for unjudged in ("zero", "mean", "condense")
    }
    # one relevant document and nothing else is better than chance if the rest is as good as chance
    assert ease == {"zero": 1 / 4, "mean": 2 / 4, "condense": 2 / 4}


def test_a_score_of_exactly_0_is_not_above_it() -> None:
    # all unknown: 0 by definition, whatever the rounding
    assert (
        compute_difficulty(cranfield.evaluation.make_rankings(RUNS, LABELS), 3, "mean")
        .values["ndcg_std"]
        .sel(system="unknown")
        .item()
        == 0
    )
    # labels 0.1, 0.2, 0.3 with the middle one first: DCG = mu S_1 in exact arithmetic
    labels = {"q": {"a": 0.1, "b": 0.2, "c": 0.3}}
    for order in ({"b": 1.0}, {"b": 2.0, "a": 1.0}):
        found = compute_difficulty(cranfield.evaluation.make_rankings({"run": {"q": order}}, labels), 1)
        assert abs(found.values["ndcg_std"].item()) < 1e-12
        assert found.ease.item() == 0


def test_a_topic_of_one_label_has_no_ease() -> None:
    labels = {"same": {"a": 1.0, "b": 1.0}, "one": {"a": 2.0}, "two": {"a": 1.0, "b": 0.0}}
    found = compute_difficulty(
        cranfield.evaluation.make_rankings({"run": {topic: {"a": 1.0} for topic in labels}}, labels)
    )
    assert found.ease.values.tolist() == pytest.approx([np.nan, np.nan, 1], nan_ok=True)
    assert found.values["class"].values.tolist() == ["", "", "easy"]
    assert found.values["random_ndcg"].values.tolist()[:2] == [1, 1]
    assert found.values["ndcg_std"].isnull().values.ravel().tolist() == [True, True, False]


def test_random_ndcg_is_unknown_without_a_label_above_0() -> None:
    labels = {"none": {"a": 0.0, "b": -1.0}, "below": {"a": -1.0, "b": -2.0}}
    found = compute_difficulty(
        cranfield.evaluation.make_rankings({"run": {topic: {"a": 1.0} for topic in labels}}, labels)
    )
    assert np.isnan(found.values["random_ndcg"]).all()
    assert found.ease.values.tolist() == [1, 1]


def test_random_ndcg_of_one_relevant_document() -> None:
    """The mean of its discounts at the ranks that it may have; below the cutoff it adds nothing."""
    labels = {"q": {"a": 1.0, "b": 0.0, "c": 0.0}}
    found = compute_difficulty(cranfield.evaluation.make_rankings({"run": {"q": {"a": 1.0}}}, labels), 2)
    assert found.values["random_ndcg"].item() == pytest.approx((1 + 1 / np.log2(3)) / 3)


def test_a_missing_list_retrieves_nothing() -> None:
    labels = {"mostly spam": {"a": 1.0, "b": -2.0, "c": -2.0}, "mostly good": {"a": 1.0, "b": 1.0, "c": 0.0}}
    runs = {"one": {"mostly spam": {"a": 1.0}}, "two": {"mostly good": {"c": 1.0}}}
    # DCG = 0 is above mu S_k only where the mean label is below 0
    assert compute_difficulty(cranfield.evaluation.make_rankings(runs, labels), 2).ease.values.tolist() == [1, 0]
    skipped = compute_difficulty(cranfield.evaluation.make_rankings(runs, labels, missing="skip"), 2)
    assert skipped.ease.values.tolist() == [1, 0]
    assert skipped.values["ndcg_std"].isnull().values.tolist() == [[False, True], [True, False]]


def test_skipped_lists_are_no_systems() -> None:
    labels = {"1": {"a": 1.0, "b": 0.0}, "2": {"a": 1.0, "b": 0.0}, "3": {"a": 1.0, "b": 0.0}}
    runs = {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 1.0}, "2": {"a": 1.0}}}
    rankings = {
        missing: cranfield.evaluation.make_rankings(runs, labels, missing=missing) for missing in ("empty", "skip")
    }
    assert compute_difficulty(rankings["empty"]).ease.values.tolist() == [1 / 2, 1 / 2, 0]
    assert compute_difficulty(rankings["skip"]).ease.values.tolist() == pytest.approx([1 / 2, 1, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("above_chance", "systems", "name"),
    [
        *((0, 4, "hard"), (1, 4, "hard"), (26, 100, "moderately hard"), (2, 4, "moderately hard")),
        *((51, 100, "moderately easy"), (3, 4, "moderately easy"), (76, 100, "easy"), (4, 4, "easy")),
        *((13, 52, "hard"), (39, 52, "moderately easy")),
    ],
)
def test_a_border_belongs_to_the_harder_class(above_chance: int, systems: int, name: str) -> None:
    runs = {f"s{number}": {"q": {"a" if number < above_chance else "b": 1.0}} for number in range(systems)}
    found = compute_difficulty(cranfield.evaluation.make_rankings(runs, {"q": {"a": 1.0, "b": 0.0}}))
    assert found.ease.item() == above_chance / systems
    assert found.values["class"].item() == name


# ---- the pool


def test_a_pool_of_the_first_ranks() -> None:
    labels = {"q": {"a": 2.0, "b": 0.0, "c": 1.0, "far": 3.0, "alone": -2.0}}
    runs = {"one": {"q": {"a": 4.0, "x": 3.0, "b": 2.0, "far": 1.0}}, "two": {"q": {"c": 2.0, "b": 1.0}}}
    rankings = cranfield.evaluation.make_rankings(runs, labels)
    restricted = {"q": {document: labels["q"][document] for document in ("a", "b", "c")}}
    ours = compute_difficulty(rankings, 2, depth=2).values.drop_vars("ndcg_std")
    assert ours.equals(
        compute_difficulty(cranfield.evaluation.make_rankings(runs, restricted), 2).values.drop_vars("ndcg_std")
    )
    assert ours["judged"].item() == 3
    assert compute_difficulty(rankings, 2).values["judged"].item() == 5
    again = estimate_difficulty(runs, labels, 2, depth=2)
    assert again.values.equals(compute_difficulty(rankings, 2, depth=2).values)


def test_a_pool_may_be_empty() -> None:
    labels = {"q": {"a": 1.0, "b": 0.0}, "r": {"a": 1.0, "b": 0.0}}
    found = compute_difficulty(
        cranfield.evaluation.make_rankings({"run": {"q": {"x": 2.0, "a": 1.0}, "r": {"a": 1.0}}}, labels),
        1,
        depth=1,
    )
    assert found.values["judged"].values.tolist() == [0, 1]
    assert found.ease.isnull().all()


# ---- a second implementation, in exact arithmetic but for the logarithm


SHOWN = st.lists(st.sampled_from([None, 0, 1, 2, -2]), max_size=6)


@examples(150)
@given(
    lists=st.lists(SHOWN, min_size=1, max_size=4),
    elsewhere=st.lists(st.sampled_from([0, 1, 3, -1]), min_size=1, max_size=5),
    cutoff=st.integers(1, 7),
    unjudged=st.sampled_from(["zero", "mean"]),
)
def test_ease_from_its_definition(
    lists: list[list[int | None]], elsewhere: list[int], cutoff: int, unjudged: str
) -> None:
    labels: dict[str, int] = {f"e{number}": label for number, label in enumerate(elsewhere)}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for system, shown in enumerate(lists):
        documents = [f"s{system}r{rank}" for rank in range(len(shown))]
        labels |= {name: label for name, label in zip(documents, shown, strict=True) if label is not None}
        retrieved = {name: -float(rank) for rank, name in enumerate(documents)}
        runs[f"s{system}"] = ({"q": retrieved} if retrieved else {}) | {"other": {"x": 1.0}}
    qrels = {"q": dict(labels), "other": {"x": 1}}
    rankings = cranfield.evaluation.make_rankings(runs, qrels)
    found = compute_difficulty(rankings, cutoff, unjudged).values.sel(topic="q")  # type: ignore[arg-type]
    mu = Fraction(sum(labels.values()), len(labels))
    depth = min(cutoff, len(labels))
    better = 0
    for shown in lists:
        filled = [*shown, *[None] * depth][:depth]
        missing = mu if unjudged == "mean" else Fraction(0)
        terms = [(missing if label is None else label) - mu for label in filled]
        total = math.fsum(float(term) / math.log2(rank + 1) for rank, term in enumerate(terms, 1))
        better += total > 1e-12
    expected = np.nan if len(set(labels.values())) == 1 else better / len(lists)
    assert found["ease"].item() == pytest.approx(expected, nan_ok=True)
    assert found["pool_mean"].item() == pytest.approx(float(mu))


# ---- what follows from the definition


@examples(40)
@given(data=st.data())
def test_one_run_more_or_less_moves_the_ease_by_at_most_one_share(data: st.DataObject) -> None:
    labels = {"q": {"a": 2.0, "b": 1.0, "c": 0.0, "d": -2.0}}
    run = st.lists(st.sampled_from([*"abcdx"]), min_size=1, max_size=4, unique=True)
    found = data.draw(st.lists(run, min_size=2, max_size=6))
    runs = {
        f"s{number}": {"q": {name: -float(rank) for rank, name in enumerate(documents)}}
        for number, documents in enumerate(found)
    }
    ease = compute_difficulty(cranfield.evaluation.make_rankings(runs, labels), 3).ease.item()
    for left_out in runs:
        others = {name: lists for name, lists in runs.items() if name != left_out}
        assert (
            abs(compute_difficulty(cranfield.evaluation.make_rankings(others, labels), 3).ease.item() - ease)
            <= 1 / len(runs) + 1e-12
        )


def test_the_ease_of_a_topic_is_its_own() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=9, n_topics=10, depth=20, seed=4)
    whole = estimate_difficulty(made.runs, made.qrels)
    half = {topic: found for topic, found in made.qrels.to_dict().items() if int(topic) % 2}
    with pytest.warns(cranfield.CranfieldWarning, match="not judged, so (it is|they are) ignored"):
        part = estimate_difficulty(made.runs, half)
    assert part.values.equals(whole.values.sel(topic=list(half)))


# ---- entrances


def test_both_entrances_agree() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=6, depth=20, seed=1)
    for unjudged in ("zero", "mean", "condense"):
        one = estimate_difficulty(made.runs, made.qrels, 10, unjudged)  # type: ignore[arg-type]
        other = compute_difficulty(cranfield.evaluation.make_rankings(made.runs, made.qrels), 10, unjudged)  # type: ignore[arg-type]
        assert one.values.equals(other.values)
        assert one.settings == other.settings
        scores = cranfield.evaluate(made.runs, made.qrels, cranfield.NDCG_std(unjudged=unjudged) @ 10)
        (name,) = scores.data_vars
        assert np.array_equal(scores[name].values, one.values["ndcg_std"].values)
        assert one.values["ndcg_std"].attrs["measure"] == name


def test_signatures_hold_what_changes_the_numbers() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=2, n_topics=3, depth=20, seed=1)
    found = estimate_difficulty(made.runs, made.qrels, 7, "mean", depth=9, ties="docid").signature
    assert found["settings"] == {"cutoff": 7, "unjudged": "mean", "depth": 9, "baseline": None, "alternatives": False}
    assert found["ties"] == "docid"
    assert len(found["runs"]) == 2
    seen = [
        compute_difficulty(cranfield.evaluation.make_rankings(runs, made.qrels)).signature
        for runs in (made.runs, made.runs[:1])
    ]
    assert seen[0]["rankings"]["sha256"] != seen[1]["rankings"]["sha256"]
    assert seen[0]["rankings"]["topics"] == list(made.qrels.topics)


def test_rankings_judged_in_one_way_are_not_read_in_another() -> None:
    condensed = cranfield.evaluation.make_rankings(RUNS, LABELS, unjudged="condense")
    with pytest.raises(UsageError, match=r"judged with unjudged='condense', which contradicts unjudged='zero'"):
        compute_difficulty(condensed)
    assert compute_difficulty(condensed, 3, "condense").ease.item() == 2 / 4


def test_ranges_have_no_ease() -> None:
    for of in (cranfield.estimate_difficulty, cranfield.topic_difficulty.estimate_difficulty_otherwise):
        with pytest.raises(UsageError, match="ties='bounds' gives a range for each score, for which ease is undefined"):
            of({"run": {"q": {"a": 1.0}}}, {"q": {"a": 1.0, "b": 0.0}}, ties="bounds")
    rankings = cranfield.evaluation.make_rankings(
        {"run": {"q": {"a": 1.0}}}, {"q": {"a": 1.0, "b": 0.0}}, ties="bounds"
    )
    with pytest.raises(UsageError, match="choose 'expected' or an order"):
        compute_difficulty(rankings)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"cutoff": 0}, "cutoff=0 should be at least 1"),
        ({"cutoff": 2.5}, "cutoff=2.5 should be"),
        ({"depth": -1}, "depth=-1 should be"),
        ({"unjudged": "drop"}, "unjudged='drop' is not one of zero, mean, condense"),
    ],
)
def test_mistakes_are_answered(arguments: dict[str, object], text: str) -> None:
    rankings = cranfield.evaluation.make_rankings(RUNS, LABELS)
    with pytest.raises(UsageError) as refused:
        compute_difficulty(rankings, **arguments)  # type: ignore[arg-type]
    assert text in str(refused.value)
    with pytest.raises((UsageError, InputError)):
        estimate_difficulty(RUNS, LABELS, **arguments)  # type: ignore[arg-type]


def test_both_entrances_say_what_is_odd_in_the_data() -> None:
    runs = {"run": {"1": {"a": 1.0}, "9": {"a": 1.0}}}
    labels = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0, "b": 0.0}}
    with pytest.warns(cranfield.CranfieldWarning) as said:
        estimate_difficulty(runs, labels)
    texts = "\n".join(str(warning.message) for warning in said)
    assert "judged topic 2 missing from the run" in texts
    assert "1 topic (9) is not judged, so it is ignored" in texts
    assert "NDCG_std@20 has no value in topic 1, left out of its mean" in texts
