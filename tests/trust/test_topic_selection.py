"""Greedy topics against a plain loop, and what they are worth on systems that did not choose."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import cranfield
from cranfield import InputError, UsageError
from cranfield.trust import topic_selection
from labelled_scores import scores_of


def values_of(topics: int = 14, systems: int = 9, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ability, use = np.linspace(0, 0.4, systems), rng.uniform(0, 1.5, (topics, 1))
    return rng.uniform(0, 0.5, (topics, 1)) + use * ability + rng.normal(0, 0.05, (topics, systems))


def phi_of(table: np.ndarray) -> float:
    """Phi of the means over all topics of a table, [topics, systems], by the mean squares of a two-way design."""
    topics, systems = table.shape
    by_topic, by_system = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    residual = ((table - by_topic - by_system + table.mean()) ** 2).sum() / ((topics - 1) * (systems - 1))
    system = max(0.0, (topics * by_system.var(ddof=1) - residual) / topics)
    topic = max(0.0, (systems * by_topic.var(ddof=1) - residual) / systems)
    return float(system / (system + (topic + residual) / topics))


def test_phi_of_subsets_is_that_of_their_own_study() -> None:
    table = values_of()
    subsets = np.array(list(combinations(range(7), 4)))
    expected = [phi_of(table[list(subset)]) for subset in subsets]
    assert topic_selection._Phi(table).worth(subsets) == pytest.approx(expected, abs=1e-10)


def test_greedy_phi_equals_a_plain_loop() -> None:
    scores = scores_of(values_of())
    found = cranfield.select_topics(scores, 5)
    table = scores.sel(system=list(found.choosing)).to_numpy()

    def phi(topics: list[int]) -> float:
        return phi_of(table[topics])

    chosen = list(max(combinations(range(14), 2), key=lambda pair: phi(list(pair))))
    while len(chosen) < 5:
        chosen.append(
            max((topic for topic in range(14) if topic not in chosen), key=lambda topic: phi([*chosen, topic]))
        )
    assert found.topics == tuple(f"q{at}" for at in chosen)
    assert found.curve["chosen_by"].tolist() == pytest.approx([phi(chosen[:n]) for n in range(2, 6)], abs=1e-9)
    held_out = scores.sel(system=list(found.held_out)).to_numpy()
    expected = phi_of(held_out[chosen])
    assert found.curve.loc[5, "held_out"] == pytest.approx(expected, abs=1e-9)


def test_tau_of_the_choice_is_that_of_its_means() -> None:
    scores = scores_of(values_of())
    found = cranfield.select_topics(scores, 6, objective="tau_b")
    for systems, column in ((found.choosing, "chosen_by"), (found.held_out, "held_out")):
        whole = scores.sel(system=list(systems))
        for size in (2, 6):
            part = whole.sel(topic=list(found.topics[:size])).mean("topic")
            tau = kendalltau(part, whole.mean("topic")).statistic
            assert found.curve.loc[size, column] == pytest.approx(tau, abs=1e-8)
    assert (found.curve["random_low"] <= found.curve["random_high"]).all()


@pytest.mark.parametrize("objective", ["Phi", "tau_b"])
def test_some_subsets_at_a_time_choose_as_all_together(monkeypatch: pytest.MonkeyPatch, objective: str) -> None:
    scores = scores_of(np.round(values_of(40), 1))
    whole = cranfield.select_topics(scores, 6, objective=objective)  # type: ignore[arg-type]
    monkeypatch.setattr(topic_selection, "CELLS", 90)
    parts = cranfield.select_topics(scores, 6, objective=objective)  # type: ignore[arg-type]
    assert parts.topics == whole.topics
    pd.testing.assert_frame_equal(parts.curve, whole.curve, check_exact=True)


def test_pairs_of_topics_come_in_order() -> None:
    for topics, systems in ((2, 4), (7, 2), (50, 100_000)):
        blocks = list(topic_selection._pairs(topics, systems))
        assert np.concatenate(blocks).tolist() == [list(pair) for pair in combinations(range(topics), 2)]


def test_systems_are_split_and_all_topics_can_be_chosen() -> None:
    scores = scores_of(values_of())
    found = cranfield.select_topics(scores, 14, subsets=10)
    assert (len(found.choosing), len(found.held_out)) == (5, 4)
    assert set(found.choosing) | set(found.held_out) == set(scores["system"].to_numpy())
    assert sorted(found.topics) == sorted(scores["topic"].to_numpy())
    again = cranfield.select_topics(scores, 14, subsets=10)
    pd.testing.assert_frame_equal(found.curve, again.curve, check_exact=True)


def test_good_topics_are_good_for_other_systems_where_topics_differ_in_worth() -> None:
    curve = cranfield.select_topics(scores_of(values_of(60, 40, 2)), 8).curve
    assert curve.loc[8, "held_out"] > curve.loc[8, "random_high"]


def test_wrong_calls() -> None:
    scores = scores_of(values_of())
    with pytest.raises(UsageError, match="n_topics=1 should be at least 2"):
        cranfield.select_topics(scores, 1)
    with pytest.raises(UsageError, match="n_topics=15 should lie between 2 and 14, the number of topics"):
        cranfield.select_topics(scores, 15)
    with pytest.raises(UsageError, match="objective='rho' is not one of Phi, tau_b"):
        cranfield.select_topics(scores, 3, objective="rho")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="topic selection needs 4 systems or more"):
        cranfield.select_topics(scores_of(values_of(6, 3)), 3)
    with pytest.raises(InputError, match="all scores are equal"):
        cranfield.select_topics(scores_of(np.full((5, 5), 0.2)), 3)


def test_ease_chooses_the_topics_nearest_one_half() -> None:
    scores = scores_of(values_of())
    ease = {f"q{at}": value for at, value in enumerate([0.9, 0.3, 0.5, 0.7, 1.0, 0.4, np.nan, 0.0, 0.6] + [0.95] * 5)}
    found = cranfield.select_topics(scores, 14, objective="ease", ease=ease)
    assert found.topics[:6] == ("q2", "q5", "q8", "q1", "q3", "q0"), (
        "0.3 and 0.7 are equally near, and keep their order"
    )
    assert found.topics[-1] == "q6", "a topic without ease comes last"
    assert found.topics[-3:-1] == ("q4", "q7"), "0 and 1 say as little as each other"
    for systems, column in ((found.choosing, "chosen_by"), (found.held_out, "held_out")):
        part = scores.sel(topic=list(found.topics[:5]), system=list(systems)).to_numpy()
        expected = phi_of(part)
        assert found.curve.loc[5, column] == pytest.approx(expected, abs=1e-9), "both halves check, by Phi"
    assert found == cranfield.select_topics(scores, 14, objective="ease", ease=pd.Series(ease))
    assert found.settings["topics"] == list(found.topics)


def test_ease_as_it_is_estimated() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=6, depth=20, seed=4)
    ease = cranfield.estimate_difficulty(made.runs, made.qrels).ease
    found = cranfield.select_topics(cranfield.evaluate(made.runs, made.qrels, "AP"), 3, objective="ease", ease=ease)
    distance = np.abs(ease - 0.5)
    chosen = distance.sel(topic=list(found.topics)).values
    assert chosen.max() <= distance.drop_sel(topic=list(found.topics)).values.min() + 1e-12


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ({"objective": "ease"}, UsageError, "objective='ease' needs ease="),
        ({"ease": {"q0": 0.5}}, UsageError, "ease= is for objective='ease'"),
        ({"ease": pd.Series({"q0": 0.5})}, UsageError, "ease= is for objective='ease'"),
        ({"objective": "ease", "ease": {"q0": 0.5}}, InputError, r"13 topics \(q1, .*\): no ease is given"),
        (
            {"objective": "ease", "ease": {f"q{at}": at for at in range(14)}},
            InputError,
            r"the ease 2 of topic 'q2' should lie in \[0, 1\]",
        ),
        ({"objective": "ease", "ease": [0.5] * 14}, UsageError, "the ease is a list: give numbers by topic"),
        (
            {"objective": "ease", "ease": scores_of(values_of())},
            UsageError,
            r"the ease has the dims \('topic', 'system'\), and needs \(topic,\)",
        ),
    ],
)
def test_an_ease_that_does_not_fit(words: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cranfield.select_topics(scores_of(values_of()), 4, **words)
