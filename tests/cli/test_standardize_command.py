"""``cranfield standardize``: scores, factors kept and used again, studies, and what does not go together."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from command import cranfield, printed
from test_program import on_a_terminal

import cranfield as package

MATRIX = "topic,a,b,c\nq1,0.2,0.4,0.6\nq2,0.9,0.5,0.7\nq3,0.1,0.1,0.4\n"


@pytest.fixture(autouse=True)
def matrix(folder: Path) -> Path:
    path = folder / "AP.csv"
    path.write_text(MATRIX)
    return path


def wrong(*arguments: str, status: int = 2) -> str:
    ended = cranfield("standardize", *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert ended.err.startswith("cranfield: error: ")
    assert ended.err.count("\n") == 1
    return ended.err


# ---- scores


def test_a_leaderboard_with_moves() -> None:
    assert printed("standardize", "--scores", "AP.csv") == (
        "    system    E: AP       AP   moves\n"
        "────────────────────────────────────\n"
        "1   c        0.8889   0.5667\n"
        "2   a        0.6667   0.4000\n"
        "3   b        0.5556   0.3333\n"
        "\n"
        "3 systems, 3 topics; scheme E, learned from 3 systems; moves: ranks gained (+) or lost (-) relative to the "
        "raw scores\n"
    )
    (Path("RR.csv")).write_text("a,b\n1,0.3\n0.2,0.4\n0.2,0.4\n")
    out = printed("standardize", "--scores", "RR.csv", "-s", "E").splitlines()
    assert [line.split() for line in out[2:4]] == [
        ["1", "b", "0.8333", "0.3667", "+1"],
        ["2", "a", "0.6667", "0.4667", "-1"],
    ]


def test_missing_scores_are_told(folder: Path) -> None:
    (folder / "AP.csv").write_text(MATRIX.replace("0.9", "nan"))
    lines = printed("standardize", "--scores", "AP.csv").splitlines()
    assert lines[-1].endswith("relative to the raw scores; 1 missing score left out of the means")
    assert "AP: 1 score is nan (first 'a' on topic 'q2')" in wrong("study", "--scores", "AP.csv", status=1)


def test_factors_of_one_system_serve_no_scheme_that_needs_a_spread(folder: Path) -> None:
    fitted = cranfield("standardize", "--scores", "AP.csv", "--reference-systems", "a", "--fit", "one.json")
    assert (fitted.status, fitted.err.count("with one reference score")) == (0, 1)
    assert printed("standardize", "--scores", "AP.csv", "--factors", "one.json").startswith("    system    E: AP")
    assert "one.json: AP: 3 topics (q1, q2, q3) have fewer than two reference scores" in wrong(
        "--scores", "AP.csv", "--factors", "one.json", "--scheme", "N", status=1
    )


def test_by_topic() -> None:
    out = printed("standardize", "--scores", "AP.csv", "-s", "z", "--by-topic").splitlines()
    assert [line.split() for line in out[2:6]] == [
        ["c", "q1", "1.0000", "0.6000"],
        ["c", "q2", "0.0000", "0.7000"],
        ["c", "q3", "1.1547", "0.4000"],
        ["1", "c", "all", "0.7182", "0.5667"],
    ]


@pytest.mark.parametrize("format", ["tsv", "csv", "json", "matrix"])
def test_formats_are_read_back(folder: Path, format: str) -> None:
    text = printed("standardize", "--scores", "AP.csv", "-s", "N", "-q", "-f", format)
    (folder / "AP.out").write_text(text)
    expected = package.standardize(package.read_scores("AP.csv"), "N")
    found = package.read_scores("AP.out")
    np.testing.assert_array_equal(found.to_array(), expected.to_array())
    assert found["topic"].equals(expected["topic"])
    assert found["system"].equals(expected["system"])
    printed("standardize", "--scores", "AP.csv", "-s", "N", "-q", "-f", format, "-o", "written")
    assert (folder / "written").read_text() == text
    if format == "json":
        signature = json.loads(text)["signature"]
        assert (signature["standardization"], signature["reference_systems"]) == ("N", ["a", "b", "c"])


def test_runs_and_several_measures() -> None:
    arguments = ("qrels.txt", "best.run", "late.run", "none.run", "-m", "RR", "-m", "P@1")
    out = printed("standardize", *arguments, "-f", "tsv")
    scores = package.evaluate(["best.run", "late.run", "none.run"], "qrels.txt", ["RR", "P@1"])
    summary = package.summarize(package.standardize(scores))
    for run, topic, measure, value in (line.split("\t") for line in out.splitlines()[1:]):
        assert topic == "all"
        assert float(value) == summary.loc[run, measure]
    header = printed("standardize", *arguments).splitlines()[0]
    assert header.split() == ["system", "E:", "RR", "RR", "moves", "E:", "P@1", "P@1", "moves"]


# ---- factors


def test_factors_are_kept_and_used_again(folder: Path) -> None:
    fitted = printed("standardize", "--scores", "AP.csv", "-s", "U", "--fit", "f.json", "-q", "-f", "tsv")
    assert printed("standardize", "--scores", "AP.csv", "--factors", "f.json", "-q", "-f", "tsv") == fitted
    assert json.loads((folder / "f.json").read_text())["scheme"] == "U"
    (folder / "AP.new.csv").write_text("topic,new\nq2,0.6\nq1,0.4\n")
    ended = cranfield("standardize", "--scores", "AP.new.csv", "--factors", "f.json", "-s", "E", "-q", "-f", "matrix")
    assert (ended.status, ended.out) == (0, "topic,new\nq2,0.3333333333333333\nq1,0.6666666666666666\n")
    assert ended.err == "cranfield: warning: scores called 'AP.new' are standardized with the factors of 'AP'\n"
    only = printed(
        "standardize",
        "--scores",
        "AP.csv",
        "--reference-systems",
        "a",
        "--reference-systems",
        "b",
        "-q",
        "-f",
        "matrix",
    )
    assert only.splitlines()[1] == "q1,0.5,1.0,1.0"


def test_a_topic_without_factors(folder: Path) -> None:
    printed("standardize", "--scores", "AP.csv", "--fit", "f.json")
    (folder / "AP.csv").write_text(MATRIX + "q4,1,2,3\n")
    assert "topic q4 has no standardization factors" in wrong("--scores", "AP.csv", "--factors", "f.json", status=1)


def test_nothing_is_kept_where_something_fails(folder: Path) -> None:
    (folder / "AP.csv").write_text("topic,a\nq1,0.5\n")
    assert "fewer than two reference scores" in wrong("--scores", "AP.csv", "-s", "z", "--fit", "f.json", status=1)
    assert not (folder / "f.json").exists()


# ---- studies


def big(folder: Path) -> str:
    values = np.random.default_rng(1).random((12, 5)).round(3)
    (folder / "big.csv").write_text("a,b,c,d,e\n" + "".join(",".join(map(str, row)) + "\n" for row in values.tolist()))
    return "big.csv"


def test_a_study(folder: Path) -> None:
    arguments = ("study", "--scores", big(folder), "--design", "between", "--trials", "50", "--seed", "3")
    out = printed("standardize", *arguments, "-f", "csv", "--alpha", "0.05", "-n", "3", "-n", "6")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["n_topics", "statistic", "alpha", "scheme", "mean", "sd", "standard_error", "trials"]
    assert len(rows) == 2 * 5 * 5
    scores = package.read_scores("big.csv")["big"]
    for topics in (3, 6):
        study = package.standardization.study_standardization(
            scores, design="between", n_topics=topics, trials=50, alphas=[0.05], seed=3
        )
        ours = [row for row in rows if row["n_topics"] == str(topics)]
        for (_, theirs), row in zip(study.summary().iterrows(), ours, strict=True):
            assert (row["statistic"], row["scheme"]) == (theirs["statistic"], theirs["scheme"])
            assert float(row["mean"]) == theirs["mean"]
            assert float(row["standard_error"]) == theirs["standard_error"]
    data = json.loads(printed("standardize", *arguments, "-f", "json", "-n", "3"))
    assert data["signature"]["settings"]["n_topics"] == 3
    assert data["rows"][0] | {"mean": 0, "sd": 0, "standard_error": 0} == {
        "n_topics": 3, "statistic": "r", "alpha": None, "scheme": "raw",
        "mean": 0, "sd": 0, "standard_error": 0, "trials": 50,
    }  # fmt: skip
    assert printed("standardize", *arguments, "-f", "tsv").startswith("n_topics\tstatistic\talpha\tscheme\t")


def test_a_study_as_a_table(folder: Path) -> None:
    arguments = ("--scores", big(folder), "--trials", "20", "-s", "raw", "-s", "E")
    lines = printed("standardize", "study", *arguments).splitlines()
    assert lines[0].split() == [
        "n_topics",
        "scheme",
        "r",
        "tau_b",
        "tau_ap,b",
        "power",
        "at",
        "0.01",
        "power",
        "at",
        "0.05",
    ]
    assert [line.split()[:2] for line in lines[2:4]] == [["6", "raw"], ["6", "E"]]
    assert lines[2].split()[2:8] == ["1.0000", "±0.0000"] * 3
    assert lines[-1] == (
        "big, within: means of each scheme against raw means of the same topics; mean ± standard error of 20 trials, "
        "seed 1"
    )
    one = printed(
        "standardize", "study", "--design", "between", *arguments, "--trials", "1", "--alpha", "0.2"
    ).splitlines()
    assert one[0].endswith("power at 0.2   Type I at 0.2")
    assert "±" not in one[2]


@pytest.mark.slow
def test_a_terminal_sees_how_far_a_study_is(folder: Path) -> None:
    arguments = ("standardize", "study", "--scores", big(folder), "--trials", "60", "-s", "E", "-f", "tsv")
    assert "drawing topics" in on_a_terminal(*arguments)
    assert cranfield(*arguments).err == ""


# ---- what does not go together


def test_wrong_calls() -> None:
    given = ("--scores", "AP.csv")
    assert "'X' is not a standardization scheme" in wrong(*given, "-s", "X")
    assert "learns nothing: leave out --fit" in wrong(*given, "--factors", "x", "--fit", "y")
    assert "learns nothing: leave out --fit" in wrong(*given, "--factors", "x", "--reference-systems", "a")
    assert "can be the factors or the scores, not both" in wrong("--scores", "-", "--factors", "-")
    assert "x: no such file" in wrong(*given, "--factors", "x", status=1)
    assert "no system 'z' to learn from" in wrong(*given, "--reference-systems", "z", status=1)
    assert "at least 4 topics to draw from, not 3" in wrong("study", *given, status=1)
    assert "--n-topics 3 should be at most 2" in wrong("study", *given, "-n", "3")
    assert "a matrix holds one measure, not 5" in wrong("qrels.txt", "best.run", "late.run", "-f", "matrix")
    assert "there is no such folder" in wrong(*given, "-o", "no/where", status=1)
