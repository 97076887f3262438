"""The command ``board``: what it prints in each format, what it refuses, and files as people have them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import cranfield, printed

TASKS = tuple(f"t{number}" for number in range(8))
SYSTEMS = ("a", "b", "c", "d")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a board, its transpose, groups, single queries and errors."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(7)
    scores = np.round(0.5 + 0.05 * np.arange(4)[::-1, None] + 0.02 * rng.random((4, 8)), 4)
    rows = [["model", *TASKS], *([name, *map(str, row)] for name, row in zip(SYSTEMS, scores, strict=True))]
    write("board.csv", rows)
    lines = [["task", *SYSTEMS]] + [[task, *map(str, scores[:, at])] for at, task in enumerate(TASKS)]
    write("turned.csv", lines)
    write("tasks.tsv", [["task", "type"], *([task, "first" if at < 2 else "last"] for at, task in enumerate(TASKS))])
    queries = [["task", "query", "system", "score"]]
    queries += [[t, f"q{q}", s, f"{rng.random():.3f}"] for t in TASKS[:2] for q in range(9) for s in SYSTEMS]
    write("queries.csv", queries)
    write("errors.csv", [["model", *TASKS], *([name, *["0.01"] * 8] for name in SYSTEMS)])
    return tmp_path


def write(name: str, rows: list[list[str]]) -> None:
    between = "\t" if name.endswith(".tsv") else ","
    Path(name).write_text("".join(between.join(row) + "\n" for row in rows))


def in_csv(*arguments: str, input: bytes = b"") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(printed("board", *arguments, "-f", "csv", input=input))))


def refused(*arguments: str) -> str:
    ended = cranfield("board", *arguments)
    assert (ended.status, ended.out) == (2, "")
    return ended.err


@pytest.mark.usefixtures("folder")
def test_a_table_answers_who_is_best() -> None:
    text = printed("board", "board.csv")
    assert text.split()[:4] == ["system", "value", "rank", "interval"]
    assert "by mean, a has the largest value and is the only one of 4 systems that may be the best" in text
    assert "95%; the tasks are taken as a sample of such tasks" in text


@pytest.mark.usefixtures("folder")
def test_csv_json_and_both_orientations_are_the_same_board() -> None:
    rows = in_csv("board.csv")
    assert [row["system"] for row in rows] == list(SYSTEMS)
    assert rows == in_csv("turned.csv")
    document = json.loads(printed("board", "board.csv", "-f", "json"))
    assert [row["high"] for row in document["rows"]] == [int(row["high"]) for row in rows]
    assert document["signature"]["settings"]["sampled"] == "tasks"


@pytest.mark.usefixtures("folder")
def test_a_board_is_read_from_a_pipe_and_packed() -> None:
    import gzip

    content = Path("board.csv").read_bytes()
    Path("board.csv.gz").write_bytes(gzip.compress(content))
    assert in_csv("-", input=content) == in_csv("board.csv.gz") == in_csv("board.csv")
    several = in_csv("-", "--aggregate", "mean,borda", input=content)
    assert [row["aggregate"] for row in several] == ["mean"] * 4 + ["borda"] * 4


@pytest.mark.usefixtures("folder")
def test_several_aggregates_have_a_signature_each() -> None:
    call = ("board.csv", "--aggregate", "group-mean,wins", "--aggregate", "z", "--groups", "tasks.tsv")
    document = json.loads(printed("board", *call, "-f", "json"))
    assert list(document["signature"]["aggregate"]) == ["group-mean", "wins", "z"]
    groups: dict[str, Any] = {name: each.get("groups") for name, each in document["signature"]["aggregate"].items()}
    assert groups["group-mean"] == {task: int(at >= 2) for at, task in enumerate(TASKS)}
    assert groups["wins"] is None
    assert [row["aggregate"] for row in document["rows"]][::4] == ["group-mean", "wins", "z"]


@pytest.mark.usefixtures("folder")
def test_pairs_over_queries_and_over_errors() -> None:
    pairs = in_csv("queries.csv", "--sampled", "queries", "--show", "pairs")
    assert len(pairs) == 6
    assert list(pairs[0]) == ["system", "other", "difference", "standard_error", "df", "p"]
    text = printed("board", "board.csv", "--sampled", "queries", "--standard-errors", "errors.csv")
    assert "these tasks and no others" in text
    assert "errors of two systems taken as independent; on shared queries they are cautious" in text
    assert "taken as independent" in printed(
        "board", "board.csv", "--sampled", "queries", "--standard-errors", "errors.csv", "--show", "pairs"
    )
    assert "independent" not in printed("board", "queries.csv", "--sampled", "queries")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--aggregate", "median"), "--aggregate median is not one of mean, group-mean"),
        (
            ("--groups", "tasks.tsv"),
            "--groups changes nothing of this table: it is for --aggregate group-mean, --group",
        ),
        (("--aggregate", "group-mean"), "group-mean needs groups"),
        (("--show", "pairs"), "tests of pairs are over queries: they need --sampled queries"),
        (("--sampled", "both"), "--sampled both is not one of tasks, queries"),
        (("--standard-errors", "errors.csv"), "--standard-errors is for --sampled queries"),
        (("--aggregate", "borda", "--missing-cells", "fit"), "--missing-cells fit is for mean"),
        (("--smaller-is-better", "t9"), "the board has no task 't9'"),
        (("--alpha", "1.5"), "--alpha 1.5 should lie between 0 and 1"),
    ],
)
def test_what_does_not_go_together(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("board.csv", *arguments)


@pytest.mark.usefixtures("folder")
def test_odd_files_are_refused_with_their_names() -> None:
    write("empty.csv", [])
    write("unknown.csv", [["thing", *TASKS], ["a", *["1"] * 8]])
    write("words.csv", [["model", "t0", "t1"], ["a", "0.1", "good"], ["b", "1", "2"]])
    Path("binary.csv").write_bytes(b"model,t\xff\n")
    for name, message in {
        "empty.csv": "the file is empty",
        "unknown.csv": "--rows systems",
        "words.csv": ":2: 'good' is not a number",
        "binary.csv": "not valid UTF-8",
        "none.csv": "no such file",
    }.items():
        ended = cranfield("board", name)
        assert ended.status != 0
        assert not ended.out
        assert message in ended.err
        assert name in ended.err


@pytest.mark.usefixtures("folder")
def test_what_a_reader_should_know_is_said_once() -> None:
    rows = [["system", "task", "measure", "score"]]
    rows += [[s, t, "acc" if t == "t0" else "f1", str(at)] for t in TASKS for at, s in enumerate(SYSTEMS)]
    write("long.csv", rows)
    ended = cranfield("board", "long.csv", "--aggregate", "mean,borda")
    assert ended.err.count("these measures differ by task ('acc', 'f1')") == 1
    board = Path("board.csv").read_text().splitlines()
    Path("flat.csv").write_text("\n".join(line + (",same" if at == 0 else ",1") for at, line in enumerate(board)))
    assert "all systems are equal on 'same': nothing is learned there" in cranfield("board", "flat.csv").err
    gap = "\n".join([*board[:-1], board[-1].rsplit(",", 1)[0] + ","])
    Path("gap.csv").write_text(gap)
    zero = cranfield("board", "gap.csv", "--aggregate", "borda", "--missing-cells", "zero")
    assert "a missing task counts as worse than last" in zero.err
    remedies = cranfield("board", "gap.csv").err
    assert "1 system of 4 lacks scores (first: 'd' on 't7')" in remedies
    assert "(--aggregate wins with --missing-cells pairwise)" in remedies
    assert "--missing-cells complete" in remedies
    for extra in (["--missing-cells", "complete"], ["--aggregate", "wins", "--missing-cells", "pairwise"]):
        assert cranfield("board", "gap.csv", *extra).status == 0


@pytest.mark.usefixtures("folder")
def test_a_page_is_written_where_the_output_is_html() -> None:
    call = ("board.csv", "--aggregate", "mean,group-mean", "--groups", "tasks.tsv", "-o", "page.html")
    assert printed("board", *call) == ""
    text = Path("page.html").read_text()
    for id in ("leaderboard", "groups", "topics", "missing", "provenance"):
        assert f'"id":"{id}"' in text.replace(" ", "")
    assert "a has the largest value and is the only one of 4 systems that may be the best" in text
    assert "rank by group-mean" in text


@pytest.mark.usefixtures("folder")
def test_a_board_with_a_column_of_tasks_is_a_file_of_scores_elsewhere() -> None:
    Path("topics.csv").write_text(Path("turned.csv").read_text().replace("task,", "topic,", 1))
    by_task, by_topic = (
        printed("compare", "--scores", name, "-f", "csv").splitlines() for name in ("turned.csv", "topics.csv")
    )
    assert by_task == by_topic
    assert len(by_task) == 1 + 6


@pytest.mark.usefixtures("folder")
def test_a_system_with_two_easy_tasks_is_not_the_best_elsewhere() -> None:
    lines = Path("turned.csv").read_text().splitlines()
    gaps = [f"{line},{'easy' if at == 0 else '0.99' if at < 3 else ''}" for at, line in enumerate(lines)]
    Path("gaps.csv").write_text("\n".join(gaps) + "\n")
    ended = cranfield("table", "--scores", "gaps.csv")
    assert "means over different topics do not rank systems" in ended.err
    assert "--missing-scores drop-topics" in ended.err
    assert "0.9900 (2)" in ended.out
    assert "none is the best" in ended.out
    ended = cranfield("compare", "--scores", "gaps.csv", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert {row["topics"] for row in rows if "easy" in (row["system"], row["other"])} == {"2"}
    assert cranfield("audit", "--scores", "gaps.csv", "--missing-scores", "drop-systems").status == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--values-only", "--sampled", "queries"), "--values-only leaves the ranks out, which --sampled is about"),
        (("--values-only", "--alpha", ".1"), "--values-only leaves the ranks out, which --alpha is about"),
        (("--values-only", "--marginal"), "--values-only leaves the ranks out, which --marginal is about"),
        (("--values-only", "--seed", "4"), "--values-only leaves the ranks out, which --seed is about"),
        (("-o", "page.html", "--limit", "2"), "--limit is for a table, and -o FILE.html writes a page of all rows"),
        (("-o", "page.html", "--show", "ranks"), "--show is for a table"),
        (("-o", "page.html", "-f", "csv"), "--format is for a table"),
        (("--tasks", "t9"), "--tasks: the board has no task 't9'"),
    ],
)
def test_an_option_without_effect_is_refused_by_name(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("board.csv", *arguments)
    assert not Path("page.html").exists()


@pytest.mark.usefixtures("folder")
def test_the_page_shows_the_ranks_of_each_system_by_itself() -> None:
    for extra, is_there in (((), False), (("--marginal",), True)):
        assert printed("board", "board.csv", "-o", "page.html", *extra) == ""
        assert ("worst rank by itself" in Path("page.html").read_text()) is is_there


@pytest.mark.usefixtures("folder")
def test_the_caller_chooses_the_tasks() -> None:
    lines = Path("board.csv").read_text().splitlines()
    Path("more.csv").write_text(
        "\n".join(f"{line},{more}" for line, more in zip(lines, ("team", *"abcd"), strict=True))
    )
    ended = cranfield("board", "more.csv")
    assert (
        "more.csv:2: 'a' is not a number such as 0.25: it is in column 'team', which --not-tasks can leave out"
        in ended.err
    )
    assert in_csv("more.csv", "--not-tasks", "team") == in_csv("board.csv")
    chosen = (argument for task in TASKS[:6] for argument in ("--tasks", task))
    document = json.loads(printed("board", "more.csv", *chosen, "-f", "json"))
    assert document["signature"]["tasks"] == list(TASKS[:6])
    assert {row["tasks"] for row in document["rows"]} == {6}


def test_a_system_without_scores_is_not_ranked_and_that_is_said(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("task,A,B,C,D\nt1,.9,.5,,.2\n")
    out = cranfield("board", scores, "--missing-cells", "fit", "--min-tasks", "1").out
    assert "1 system not ranked, as it has scores on no task" in out
