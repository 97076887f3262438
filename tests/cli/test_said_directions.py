"""Which scores are better stands above every table of a measure that nobody knows, and can be said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield

COMMANDS = ("compare risk", "compare friedman", "compare teams", "standardize means --resamples 50")


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    rows = "".join(f"q{n},{10 + n % 3},{11 + n % 4}\n" for n in range(12))
    (tmp_path / "mine.csv").write_text(f"topic,a,b\n{rows}")
    return tmp_path / "mine.csv"


def above(out: str) -> str:
    """What stands above the table."""
    return out.partition("\n\n")[0] + "\n"


@pytest.mark.parametrize("command", [*COMMANDS, "audit stability -n 4"])
def test_it_is_said_in_the_answer(command: str, scores: Path) -> None:
    ended = cranfield(*command.split(), "--scores", scores)
    assert ended.status == 0
    assert "mine: larger is better, as nothing says otherwise.\n" in above(ended.out)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_can_be_told(command: str, scores: Path) -> None:
    plain = cranfield(*command.split(), "--scores", scores, "-f", "csv").out.splitlines()
    told = cranfield(*command.split(), "--scores", scores, "-f", "csv", "--smaller-is-better", "mine").out.splitlines()
    assert "b" in plain[1].split(",") and "a" in told[1].split(","), "the other system is first"
    shown = cranfield(*command.split(), "--scores", scores, "--smaller-is-better", "mine").out
    assert "mine: smaller is better.\n" in above(shown)
    assert (
        "none of the measures mine" in cranfield(*command.split(), "--scores", scores, "--smaller-is-better", "x").err
    )


def test_an_audit_compares_orders_by_what_is_told(tmp_path: Path) -> None:
    """Two measures order systems alike or in opposite ways, as their directions have it."""
    rows = "".join(
        f"s{system},t{topic},{name},{times * (system + topic % 3)}\n"
        for system in range(3)
        for topic in range(6)
        for name, times in (("AP", 0.1), ("mine", 1))
    )
    (tmp_path / "two.csv").write_text(f"system,topic,measure,value\n{rows}")
    called = ("audit", "--scores", tmp_path / "two.csv", "--resamples", "50")
    assert "order of systems by the other measures: 1.00" in cranfield(*called).out
    told = cranfield(*called, "--smaller-is-better", "mine").out
    assert "order of systems by the other measures: -1.00" in told
    assert "mine: smaller is better" in told
    signed = json.loads(cranfield(*called, "--smaller-is-better", "mine", "-f", "json").out)["signature"]
    assert signed["settings"]["directions"] == {"mine": "smaller is better"}
    assert "direction" not in signed
    called = ("audit", "sensitivity", "--scores", tmp_path / "two.csv", "--resamples", "50", "-f", "json")
    signed = json.loads(cranfield(*called).out)["signature"]
    assert signed["settings"]["directions"] == {"mine": "larger is better, as nothing says otherwise"}


def test_a_page_of_scores_can_be_told(scores: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert cranfield("report", "--scores", scores, "--smaller-is-better", "mine", "-o", page).status == 0
    assert "mine: smaller is better." in page.read_text()
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 a\n")
    refused = cranfield("report", tmp_path / "qrels.txt", tmp_path / "a.run", "--smaller-is-better", "AP", "-o", page)
    assert "is about a measure of score files" in refused.err
