"""``cranfield compare bayes``: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed

SCORES = "topic,a,b,c\n1,0.5,0.25,0.1\n2,0.75,0.5,0.2\n3,0.25,0.5,0\n4,1,0.5,0.25\n"


@pytest.fixture(autouse=True)
def scores(folder: Path) -> None:
    (folder / "scores.csv").write_text(SCORES)


def test_the_table_says_what_was_assumed() -> None:
    text = printed("compare", "bayes", "--scores", "scores.csv", "--margin", "0.05", "--prior", "shared")
    assert "prob_equivalent" in text
    assert "prior=shared: one normal distribution of true means" in text
    assert "the difference is below 0.05" in text


def test_json_holds_every_pair_with_its_baseline_last() -> None:
    rows = json.loads(printed("compare", "bayes", "--scores", "scores.csv", "--baseline", "b", "-f", "json"))["rows"]
    assert [(row["system"], row["other"]) for row in rows] == [("c", "b"), ("a", "b")]
    assert all(0 < row["prob_superior"] < 1 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--margin", "0"), "--margin 0.0 should be a number above 0"),
        (("--prior", "shared", "--prior-topics", "3"), "belongs to --prior flat"),
        (("--baseline", "bb"), "no system is called 'bb'; did you mean 'b'?"),
        (("--level", "95"), "--level 95.0 should lie between 0 and 1"),
    ],
)
def test_wrong_numbers_and_names_are_refused(arguments: tuple[str, ...], said: str) -> None:
    ended = cranfield("compare", "bayes", "--scores", "scores.csv", *arguments)
    assert ended.status == 2
    assert said in ended.err
