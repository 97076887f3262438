"""``cranfield audit study-tests``: the numbers of Python, a caption that says what was simulated, and its help."""

from __future__ import annotations

import json
import os
import pty
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import cranfield, printed

from cranfield import read_scores
from cranfield.comparison import study_tests

FEW = ("--trials", "17", "--resamples", "40")


@pytest.fixture(autouse=True)
def scores(folder: Path) -> None:
    draw = random.Random(3)
    names = [f"s{number}" for number in range(5)]
    rows = (",".join(f"{draw.betavariate(2, 3):.3f}" for _ in names) for _ in range(12))
    (folder / "AP.csv").write_text("\n".join([",".join(names), *rows]) + "\n")


def rows(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        printed("audit", "study-tests", "--scores", "AP.csv", *FEW, *arguments, "-f", "json")
    )["rows"]
    return found


def test_json_holds_what_python_returns() -> None:
    found = study_tests(read_scores(["AP.csv"]), trials=17, resamples=40)
    printed_rows = rows()
    expected = json.loads(found.to_json())["rows"]
    assert printed_rows == expected
    assert [row["difference"] for row in printed_rows[:3]] == [0.0, 0.05, 0.1]
    assert printed_rows[0]["power"] is None
    assert {row["topics"] for row in printed_rows} == {12}


def test_options_reach_the_study() -> None:
    options = ("--test", "t", "--test", "permutation", "--correction", "max-t", "--correction", "bh", "--seed", "4")
    more = ("--effect", "0.2", "-n", "8", "-n", "30", "--n-systems", "4", "--null", "exchangeable", "--alpha", "0.1")
    found = study_tests(
        read_scores(["AP.csv"]),
        tests=["t", "permutation"],
        corrections=["max-t", "bh"],
        effects=0.2,
        n_topics=[8, 30],
        n_systems=4,
        null="exchangeable",
        alpha=0.1,
        trials=17,
        resamples=60,
        seed=4,
    )
    assert rows(*options, *more, "--resamples", "60") == json.loads(found.to_json())["rows"]


def test_the_caption_says_what_was_simulated() -> None:
    out = printed("audit", "study-tests", "--scores", "AP.csv", *FEW, "--n-systems", "3", "--effect", "0.1")
    assert (
        "simulated: 17 trials of 3 systems of 5, drawn at random, on 12 topics, alpha 0.05, 40 resamples each, seed 1\n"
        in out
    )
    assert "each with its own distribution moved to this mean, and with the correlations observed; or two random" in out
    assert "halves, 0.1 apart\npower is empty where no pair of systems has a true difference\n" in out
    of_two = printed(
        "audit", "study-tests", "--scores", "AP.csv", *FEW, "--n-systems", "2", "--effect", "0.1", "--test", "t"
    )
    assert "\ntype_1 is empty where no pair of systems has no true difference\npower is empty" in of_two
    table = printed("audit", "study-tests", "--scores", "AP.csv", *FEW, "--test", "t", "--null", "exchangeable")
    assert "17 trials of 5 systems on 12 topics, alpha 0.05, seed 1\n" in table
    assert "all with the distribution of all scores moved to this mean, and the mean correlation" in table
    assert len(table.split("─\n", 1)[1].split("\n\n", 1)[0].splitlines()) == 3


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_delimited(form: str) -> None:
    lines = printed("audit", "study-tests", "--scores", "AP.csv", *FEW, "--test", "t", "-f", form).splitlines()
    header = lines[0].split("\t" if form == "tsv" else ",")
    assert header[:4] == ["test", "correction", "topics", "difference"]
    assert header[4:] == [
        f"{name}{end}" for name in ("type_1", "family_wise", "type_3", "power") for end in ("", "_standard_error")
    ]
    assert len(lines) == 4


def test_help_names_the_tests() -> None:
    out = " ".join(printed("audit", "study-tests", "--help").split())
    assert "t, wilcoxon, sign, permutation, bootstrap, welch, tukey or randomized-tukey" in out
    assert "family_wise: share of trials with any such pair" in out


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--test", "dunnett"), 2, "--test dunnett is not one of"),
        (("--effect", "0.9"), 2, "effects=0.9: the mean of these scores is"),
        (("--test", "t", "--correction", "max-t"), 2, "'max-t' belongs to none of the tests t"),
        (("--test", "permutation", "--correction", "holm"), 2, "no p of 40 resamples passes holm over 10 pairs"),
        (("--n-systems", "9"), 2, "--n-systems 9 should be at most 5"),
    ],
    ids=str,
)
def test_refused(options: tuple[str, ...], status: int, message: str) -> None:
    ended = cranfield("audit", "study-tests", "--scores", "AP.csv", *FEW, *options)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.slow
def test_a_terminal_gets_a_progress_bar() -> None:
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "cranfield",
            "audit",
            "study-tests",
            "--scores",
            "AP.csv",
            "--trials",
            "10",
            "--test",
            "t",
        ],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        check=True,
    )
    os.close(theirs)
    assert b"trials" in os.read(ours, 1 << 16)
    assert b"family_wise" in ended.stdout
