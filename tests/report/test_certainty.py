"""What the page says of the certainty of its ranking is what the analyses say, in the order in which a reader asks."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield
from reading_pages import data_of


@pytest.fixture(scope="module")
def collection() -> Any:
    return cranfield.simulation.simulate_runs(n_systems=8, n_topics=30, depth=30, seed=5)


@pytest.fixture(scope="module")
def words(collection: Any) -> list[str]:
    data = data_of(cranfield.report(collection.runs, collection.qrels, ["AP"]).html)
    (section,) = (section for section in data["sections"] if section["id"] == "summary")
    return list(section["words"])


def test_questions_come_in_the_order_of_a_reader(words: list[str]) -> None:
    asked = [text.partition("?")[0] for text in words if "? " in text]
    assert asked == [
        "Who may be first",
        "Which differences hold",
        "How many topics would the top need",
        "Are there enough topics for the ranking as a whole",
    ]


def test_numbers_are_those_of_the_analyses(collection: Any, words: list[str]) -> None:
    scores = cranfield.evaluate(collection.runs, collection.qrels, "AP")["AP"]
    candidates = cranfield.comparison.estimate_ranks(scores, marginal=False).among_best(1)
    either = "Either of two systems" if len(candidates) == 2 else f"Any of {len(candidates)} systems"
    named = either if len(candidates) > 1 else f"{candidates[0]} alone"
    assert words[0].startswith(f"Who may be first? {named}")
    pairs = cranfield.compare(scores, test="t").pairs
    held = int(pairs["significant"].sum())
    assert f"Of {len(pairs)} pairs of systems, {held} (" in words[1]
    means = scores.mean("topic").sortby(scores.mean("topic"), ascending=False)
    first, second = (str(name) for name in means["system"].values[:2])
    lead = float(means[0] - means[1])
    plan = cranfield.comparison.estimate_topics_needed(scores.sel(system=[first, second]), lead)
    assert (
        f"{first} over {second}, {lead:.4f}, is found with probability 0.8 on about {plan.topics:,} topics" in words[2]
    )
