"""Answered and unanswered topics: the table by hand, exact intervals, marks of a missing answer, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import cranfield
from cranfield import CranfieldWarning, InputError
from cranfield.cli import app
from cranfield.trust import count_answers

QRELS = {"1": {"a": 1}, "2": {"b": 2}, "3": {"c": 1}, "4": {"d": 0}, "5": {"none": 0}}
BOLD = {"1": {"a": 2.0}, "2": {"b": 2.0}, "3": {"z": 1.0}, "4": {"d": 1.0}, "5": {"z": 1.0}, "9": {"z": 1.0}}
SHY = {"1": {"a": 2.0}, "2": {"b": 2.0, "NONE": 1.0}, "3": {"c": 1.0}, "4": {"NONE": 1.0}}
"""Leaves topic 2 unanswered wrongly (marked beside a document), 4 (marked) and 5 (absent) rightly."""


def test_the_table_by_hand() -> None:
    found = count_answers({"bold": BOLD, "shy": SHY}, QRELS, no_answer="NONE")
    assert found.systems.iloc[:, :6].values.tolist() == [
        ["bold", "answerable", 3, 3, 0, 1.0],
        ["bold", "unanswerable", 2, 2, 0, 0.0],
        ["bold", "either", 5, 5, 0, 0.6],
        ["shy", "answerable", 3, 2, 1, 2 / 3],
        ["shy", "unanswerable", 2, 0, 2, 1.0],
        ["shy", "either", 5, 2, 3, 0.8],
    ]
    # Two of two: each end is a share s with s ** 2 = 0.025, and three of three: s ** 3.
    assert found.systems["low"][5 - 1] == pytest.approx(0.025**0.5)
    assert found.systems["low"][0] == pytest.approx(0.025 ** (1 / 3))
    assert found.systems["high"][1] == pytest.approx(1 - 0.025**0.5)
    assert found.scores.sel(system="shy").values.tolist() == [1, 0, 1, 1, 1]
    assert found.not_judged == 1
    assert "answers 2 of 3 answerable and leaves 2 of 2 unanswerable ones unanswered" in found.answer("systems")
    assert "answering everything is right on 60.0%" in found.answer("systems")


def test_a_level_makes_topics_unanswerable() -> None:
    found = count_answers({"bold": BOLD}, QRELS, rel=2)
    assert found.systems.iloc[0, 2:5].tolist() == [1, 1, 0]


def test_what_says_little_is_warned_of_and_what_does_not_fit_refused() -> None:
    with pytest.warns(CranfieldWarning, match="every topic is answerable.*`topic 0 none 0` adds"):
        found = count_answers({"bold": BOLD}, {"1": {"a": 1}})
    assert found.systems["right"].isna().tolist() == [False, True, False]
    with pytest.warns(CranfieldWarning, match="no run has the id 'NOPE'"):
        count_answers({"bold": BOLD}, QRELS, no_answer="NOPE")
    with pytest.raises(InputError, match="no topic of the runs is judged"):
        count_answers({"bold": BOLD}, {"77": {"a": 1}})


def test_credit_is_compared_as_any_scores(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {v}\n" for t, own in QRELS.items() for d, v in own.items()))
    for name, run in (("bold", BOLD), ("shy", SHY)):
        lines = (f"{t} Q0 {d} 1 {score} {name}\n" for t, own in run.items() for d, score in own.items())
        (tmp_path / f"{name}.run").write_text("".join(lines))
    files = [str(tmp_path / name) for name in ("qrels.txt", "bold.run", "shy.run")]
    call = ["difficulty", "answered", *files, "--no-answer", "NONE", "--show", "scores", "-o", str(tmp_path / "c.csv")]
    CliRunner().invoke(app, call, catch_exceptions=False)
    scores = cranfield.read_scores(tmp_path / "c.csv")["credit"]
    assert scores.mean("topic").to_series().to_dict() == {"bold": 0.6, "shy": 0.8}
