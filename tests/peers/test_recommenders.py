"""Measures of recommenders against the numbers that RePlay 0.22.0 and RecTools 0.19.0 print for the same lists."""

from __future__ import annotations

import pytest

import cranfield

BOUGHT = {"1": dict.fromkeys("bcxy", 1), "2": {"a": 1}, "3": {"z": 1}}
LISTS = {"1": list("abc"), "2": list("dea"), "3": list("bcf")}


@pytest.mark.parametrize(
    ("name", "users"),
    [
        ("HitRate@3", [1.0, 1.0, 0.0]),  # both
        ("MRR@3", [0.5, 0.3333333333333333, 0.0]),  # both
        ("Recall@3", [0.5, 1.0, 0.0]),  # both
        ("P@3", [0.6666666666666666, 0.3333333333333333, 0.0]),  # both
        ("MAP@3", [0.29166666666666663, 0.3333333333333333, 0.0]),  # RecTools, MAP(3)
        ('AP(denominator="min")@3', [0.38888888888888884, 0.3333333333333333, 0.0]),  # RePlay, MAP(3)
        ("nDCG@3", [0.5307212739772434, 0.5, 0.0]),  # RePlay, and RecTools with divide_by_achievable=True
    ],
)
def test_the_numbers_of_both_packages(name: str, users: list[float]) -> None:
    scorer = cranfield.Scorer(BOUGHT, name)
    assert [next(iter(row.values())) for row in scorer.by_topic(LISTS).values()] == pytest.approx(users, abs=1e-15)


def test_rectools_divides_by_a_list_of_relevant_items() -> None:
    rows = cranfield.Scorer(BOUGHT, "DCG@3").by_topic(LISTS).values()
    found = [row["DCG@3"] / 2.1309297535714573 for row in rows]
    assert found == pytest.approx([0.5307212739772434, 0.23463936301137822, 0.0], abs=1e-15)


def test_novelty_is_one_less_the_precision_on_the_past() -> None:
    """The example in the documentation of RePlay's ``Novelty``: 1, 0 and 0 at 2, and 1/3 on average."""
    past = {"1": [5, 6, 8, 9, 2], "2": [5, 8, 11, 1, 3], "3": [4, 9, 2]}
    shown = {"1": ["3", "7", "10", "11", "2"], "2": ["5", "8", "11", "1", "3"], "3": ["4", "9", "2"]}
    scorer = cranfield.Scorer({user: {str(item): 1 for item in items} for user, items in past.items()}, "P@2")
    assert [1 - row["P@2"] for row in scorer.by_topic(shown).values()] == [1.0, 0.0, 0.0]
