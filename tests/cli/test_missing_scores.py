"""``--missing-scores``, and what is said of systems that have scores on different topics."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield as run

GAPS = "topic,good,average,cherry\nEasy,95,90,96\nMid1,60,50,61\nMid2,62,52,\nMid3,58,50,\nHard1,30,22,\nHard2,28,20,\n"


@pytest.mark.parametrize("format_", ["table", "markdown", "latex", "html"])
def test_means_over_different_topics_are_not_ranked(tmp_path: Path, format_: str) -> None:
    (tmp_path / "t.csv").write_text(GAPS)
    ended = run("table", "--scores", tmp_path / "t.csv", "-f", format_)
    for mark in ("*", "_", "**", "<u>", "<strong>", "textbf", "underline"):
        assert f"78.5000{mark}" not in ended.out
        assert f"{mark}78.5000" not in ended.out
    assert "78.5000 (2)" in ended.out
    assert "55.5000 (6)" in ended.out
    assert "systems have scores on different topics" in ended.out
    assert "best in bold" not in ended.out
    assert "'cherry' has no score on 4 of 6 topics ('Mid2', 'Mid3', 'Hard1', 'Hard2')" in ended.err
    assert "--missing-scores drop-topics" in ended.err
    whole = run("table", "--scores", tmp_path / "t.csv", "-f", "markdown", "--missing-scores", "drop-systems")
    assert "**55.5000**" in whole.out


def test_letters_stand_beside_numbers_of_topics(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(GAPS)
    out = run("compare", "--groups", "--scores", tmp_path / "t.csv").out
    assert [line.split()[:3] for line in out.splitlines()[2:5]] == [
        ["cherry", "78.5000", "2"],
        ["good", "55.5000", "6"],
        ["average", "47.3333", "6"],
    ]
    assert "means are over different topics and do not rank systems" in out
    assert "bold: best" not in run("compare", "--groups", "--scores", tmp_path / "t.csv", "-f", "latex").out


@pytest.mark.parametrize(
    "command",
    [
        ("audit",), ("compare", "bayes"), ("compare",), ("compare", "--ranks"), ("audit", "reliability"),
        ("audit", "select-topics", "-n", "2"), ("audit", "sensitivity"), ("audit", "stability"), ("standardize",),
        ("table",), ("compare", "risk", "--baseline", "good"),
    ],
)  # fmt: skip
def test_missing_scores_wherever_scores_are_read(tmp_path: Path, command: tuple[str, ...]) -> None:
    text = GAPS.replace("Mid3,58,50,", "Mid3,58,50,1").replace("Hard1,30,22,", "Hard1,30,22,7")
    more = ("fair,fairer", "9,1", "8,2", "9,3", "7,4", "6,4", "5,6")
    lines = (f"{line},{end}\n" for line, end in zip(text.splitlines(), more, strict=True))
    (tmp_path / "t.csv").write_text("".join(lines))
    refused = run(*command, "--scores", tmp_path / "t.csv", "--missing-scores", "refuse")
    assert refused.status == 1
    assert (
        "'cherry' has no score on 2 of 6 topics ('Mid2', 'Hard2'), and missing scores are to be refused" in refused.err
    )
    for how, said in (
        ("drop-topics", "2 of 6 topics left out, with scores missing ('Mid2', 'Hard2'; --missing-scores drop-topics)"),
        ("drop-systems", "1 of 5 systems left out, with scores missing ('cherry'; --missing-scores drop-systems)"),
    ):
        ended = run(*command, "--scores", tmp_path / "t.csv", "--missing-scores", how)
        assert said in ended.err
        assert "missing empty" not in ended.err
        assert ended.status == 0, ended.err
    plain = run(*command, "--scores", tmp_path / "t.csv").err
    assert "evaluate with" not in plain
    assert "--missing-scores" in plain or command[0] == "standardize" or "risk" in command


def test_a_report_names_no_best_system_among_means_over_different_topics(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(GAPS)
    ended = run("report", "--scores", tmp_path / "t.csv", "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "has the best mean, followed" not in page
    assert "Systems have scores on different topics, so that their means do not rank them" in page
    assert "--missing-scores drop-topics" in ended.err
    ended = run(
        "report", "--scores", tmp_path / "t.csv", "-o", tmp_path / "page.html", "--missing-scores", "drop-systems"
    )
    assert "good (t 55.5000) has the best mean" in (tmp_path / "page.html").read_text()
    assert "'cherry'" in ended.err


def test_a_gate_leaves_no_topic_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(GAPS)
    assert (
        "'drop-topics' is not 'refuse'"
        in run("gate", "--scores", tmp_path / "t.csv", "--missing-scores", "drop-topics").err
    )
