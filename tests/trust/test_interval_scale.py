"""Scales of attainable values: against all rankings written out and scored one by one, and what is made of them."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import InputError, UsageError, plot
from cranfield.errors import MeasureError
from cranfield.measures import parse_measures
from cranfield.measures.attainable_values import attainable, rankings_possible
from cranfield.trust import compare_scales

MADE = cranfield.simulation.simulate_runs(n_systems=6, n_topics=8, depth=12, seed=5)
# Topic 1 has few documents of each label, topic 2 enough for a list full of any.
QRELS = {"1": {"a": 1, "b": 2, "c": 1, "n": 0}, "2": {f"{label}{i}": label for label in (1, 2) for i in range(4)}}


def values_of(measure: str, topic: str, every: Any) -> list[float]:
    """Distinct scores of rankings of documents of a topic, each ranking as a run of its own."""
    runs = {
        f"run{number}": {topic: {document: -float(place) for place, document in enumerate(ranking)}}
        for number, ranking in enumerate(every)
    }
    scores = cranfield.evaluate(runs, {topic: QRELS[topic]}, measure)
    return sorted(set(np.round(scores[str(parse_measures(measure)[0])].to_numpy().ravel(), 10)))


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("measure", ["nDCG@3", "AP@3", "R@3", "AP(rel=2)@3"])
def test_of_a_measure_that_sees_the_judgments_all_rankings_of_the_topic_count(measure: str) -> None:
    rankings = cranfield.evaluation.make_rankings({"x": {topic: {"n": 1.0} for topic in QRELS}}, QRELS)
    found = attainable(parse_measures(measure)[0], rankings)[0]
    documents = [*QRELS["1"], "u1", "u2", "u3"]
    assert np.round(found, 10).tolist() == values_of(measure, "1", permutations(documents, 3))


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("measure", ["P@3", "RR@3", "DCG@3", "ERR@3", "RBP(p=0.5)@3"])
def test_of_a_measure_of_lists_alone_topics_share_all_rankings_of_labels(measure: str) -> None:
    rankings = cranfield.evaluation.make_rankings({"x": {topic: {"n": 1.0} for topic in QRELS}}, QRELS)
    first, second = attainable(parse_measures(measure)[0], rankings)
    assert first is second
    lists = [
        [f"{label}{place}" if label else f"u{place}" for place, label in enumerate(labels)]
        for labels in product((0, 1, 2), repeat=3)
    ]
    assert np.round(first, 10).tolist() == values_of(measure, "2", lists)


def test_rankings_are_counted_as_they_are_listed() -> None:
    for available in ([2], [1, 3], [2, 2, 1], []):
        letters = [label for label, most in enumerate(available, 1) for _ in range(most)] + [0] * 4
        assert rankings_possible(available, 4) == len(set(permutations(letters, 4)))


def found(measures: Any = ("P@3", "RR@3", "nDCG@3"), **words: Any) -> Any:
    return compare_scales(list(MADE.runs), MADE.qrels, measures, **words)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_ranks_keep_the_order_of_a_topic_and_stand_in_equal_steps() -> None:
    ranked = found().scores
    scores = cranfield.evaluate(list(MADE.runs), MADE.qrels, ["P@3", "RR@3", "nDCG@3"])
    for name in ranked.data_vars:
        for before, after in zip(scores[name].to_numpy(), ranked[name].to_numpy(), strict=True):
            order = np.sign(before[:, None] - before)
            assert (np.sign(after[:, None] - after) == order).all()
            assert ((after >= 0) & (after <= 1)).all()
    steps = ranked["RR@3"].to_numpy() * 3
    assert np.abs(steps - np.round(steps)).max() < 1e-12
    # Values in equal steps stay what they are.
    assert ranked["P@3"].to_numpy() == pytest.approx(scores["P@3"].to_numpy(), abs=1e-12)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_precision_and_the_sign_test_conclude_the_same() -> None:
    row = found("P@3").measures.iloc[0]
    assert (row["tau_b"], row["reversed"], row["lost"], row["gained"]) == (1.0, 0, 0, 0)
    for row in found(test="sign").measures.to_dict("records"):
        assert (row["lost"], row["gained"]) == (0, 0)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_reciprocal_ranks_by_hand() -> None:
    """Two topics: RR 1 and 1/3 against 1/2 and 1/2; by ranks 1 and 1/3 against 2/3 and 2/3."""
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {
        "one": {"1": {"a": 3, "x": 2, "y": 1}, "2": {"x": 3, "y": 2, "a": 1}},
        "two": {topic: {"x": 3, "a": 2, "y": 1} for topic in qrels},
    }
    result = compare_scales(runs, qrels, "RR@3")
    means = result.systems.set_index("system")[["mean", "mean_ranked"]]
    assert means.loc["one"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert means.loc["two"].tolist() == pytest.approx([1 / 2, 2 / 3])


@pytest.mark.parametrize(
    ("measures", "words", "error", "said"),
    [
        ("AP", {}, MeasureError, "AP has no cutoff, so the rankings that it may see have no end: give it one"),
        ("Bpref", {}, MeasureError, "Bpref takes no cutoff"),
        ("DCG@20", {}, MeasureError, "DCG@20: 1,099,511,627,776 rankings of 20 documents with 4 labels"),
        ("P@5", {"test": "welch"}, UsageError, "test='welch' is not one of"),
        ("P@5", {"alpha": 1}, UsageError, "alpha=1 should lie between 0 and 1"),
        ("P@5", {"ties": "expected"}, UsageError, "a scale of attainable values"),
    ],
)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_has_no_scale_is_refused(measures: str, words: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        found(measures, **words)
    assert said in str(raised.value)


def test_one_system_is_refused() -> None:
    with pytest.raises(InputError, match="2 systems"):
        compare_scales(list(MADE.runs)[:1], MADE.qrels, "P@3")


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_chart_shows_both_means_and_refuses_an_unknown_measure() -> None:
    result = found(("P@3", "RR@3"))
    drawn = [one for data in plot.scale_scatter(result, "RR@3").to_dict()["datasets"].values() for one in data]
    expected = result.systems[result.systems["measure"] == "RR@3"]
    assert [one["mean_ranked"] for one in drawn] == pytest.approx(expected["mean_ranked"].tolist())
    assert [one["mean"] for one in drawn] == pytest.approx(expected["mean"].tolist())
    assert "P@3" in plot.scale_scatter(result).to_dict()["title"]["text"][0]
    with pytest.raises(UsageError, match=r"no measure is called 'AP@3', only 'P@3', 'RR@3'"):
        plot.scale_scatter(result, "AP@3")
