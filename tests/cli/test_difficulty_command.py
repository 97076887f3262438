"""``cranfield difficulty``: what it prints, and how it ends."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package

QRELS = {
    "1": {"a": 3, "b": 1, "c": 1, "d": 0, "e": 0, "spam": -2},
    "2": {"a": 1, "b": 0},
    "same": {"a": 1, "b": 1},
}
RUNS = {
    "good": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "same": {"a": 1.0}},
    "poor": {"1": {"b": 3.0, "spam": 2.0, "x": 1.0}, "2": {"a": 2.0, "b": 1.0}, "same": {"b": 1.0}},
}
WARNING = "cranfield: warning: qrels.txt: NDCG_std@3 has no value in topic same, left out of its mean\n"


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package.write(package.Qrels.from_dict(QRELS), "qrels.txt")
    for name, lists in RUNS.items():
        package.write(package.Run.from_dict(lists, name=name), f"{name}.run")


FILES = ("qrels.txt", "good.run", "poor.run", "-k", "3")


def out_of(*arguments: str) -> str:
    ended = cranfield("difficulty", *FILES, *arguments)
    assert (ended.status, ended.err) == (0, WARNING)
    return ended.out


def test_the_table() -> None:
    lines = out_of().splitlines()
    assert lines[0].split() == ["topic", "ease", "class", "judged", "pool_mean", "random_ndcg"]
    assert lines[2].split() == ["2", "1.0000", "easy", "2", "0.5000", "0.8155"]
    assert lines[3].split() == ["1", "0.5000", "moderately", "hard", "6", "0.5000", "0.2579"]
    assert lines[4].split() == ["same", "nan", "2", "1.0000", "1.0000"]
    assert lines[-1] == (
        "2 systems, 3 topics of qrels; NDCG_std@3, ties=trec, unjudged=zero; mean ease 0.7500: "
        "1 easy, 0 moderately easy, 1 moderately hard, 0 hard; 1 without ease"
    )


def test_numbers_for_programs() -> None:
    rows = [line.split("\t") for line in out_of("-f", "tsv", "--by-system").splitlines()]
    assert rows[0] == [
        *("topic", "ease", "class", "judged", "pool_mean", "random_ndcg"),
        "NDCG_std@3 good",
        "NDCG_std@3 poor",
    ]
    assert [row[0] for row in rows[1:]] == ["1", "2", "same"], "topics as in the qrels"
    assert rows[1][1:4] == ["0.5", "moderately hard", "6"]
    assert float(rows[1][7]) == pytest.approx(-0.432993, abs=5e-7)
    assert rows[3] == ["same", "nan", "", "2", "1.0", "1.0", "nan", "nan"]
    table = list(csv.reader(out_of("-f", "csv", "--by-system").splitlines()))
    assert table == rows
    data = json.loads(out_of("-f", "json", "--by-system"))
    assert data["rows"][2]["ease"] is None
    assert data["rows"][0]["NDCG_std@3 poor"] == float(rows[1][7])
    assert data["signature"]["settings"] == {
        "cutoff": 3,
        "unjudged": "zero",
        "depth": None,
        "baseline": None,
        "alternatives": False,
    }
    assert [run["name"] for run in data["signature"]["runs"]] == ["good", "poor"]


def test_policies_and_the_pool() -> None:
    assert (
        "NDCG_std(mean_gain=True)@3, ties=docid, unjudged=mean;"
        in cranfield("difficulty", *FILES, "--unjudged", "mean", "--ties", "docid").out
    )
    ended = cranfield("difficulty", *FILES, "--depth", "1", "--missing", "skip")
    assert "missing=skip, depth=1" in ended.out
    assert ended.out.splitlines()[2].split()[0] == "1", "the pool of topic 2 is a alone"


def test_alternatives_beside_the_ease() -> None:
    rows = [line.split("\t") for line in out_of("-f", "tsv", "--alternatives").splitlines()]
    found = package.topic_difficulty.estimate_difficulty_otherwise(RUNS, QRELS, 3).values
    assert rows[0][6:] == list(found.columns)
    for row, (topic, values) in zip(rows[1:], found.iterrows(), strict=True):
        assert row[0] == topic
        for ours, theirs in zip(row[6:], values, strict=True):
            assert ours == theirs if isinstance(theirs, str) else float(ours) == pytest.approx(theirs, nan_ok=True)
    signature = json.loads(out_of("-f", "json", "--alternatives", "--rel", "2"))["signature"]
    assert signature["alternatives"] == {"rel": 2}


def test_standard_input_is_read_once() -> None:
    run = Path("poor.run").read_bytes()
    plain = cranfield("difficulty", "qrels.txt", "good.run", "-", "-k", "3", "--alternatives", "-f", "tsv", input=run)
    assert (plain.status, plain.err) == (0, WARNING)
    assert plain.out == out_of("--alternatives", "-f", "tsv")
    both = cranfield("difficulty", "-", "-", "--alternatives", input=run)
    assert both.status == 2
    assert "standard input (-) can be the qrels or a run, not both" in both.err


def test_systems_by_a_measure() -> None:
    rows = [line.split("\t") for line in out_of("-f", "tsv", "-m", "AP", "-m", "NDCG_std@3").splitlines()]
    assert rows[0] == ["system", "measure", "mean", "weighted_mean"]
    assert [row[:2] for row in rows[1:]] == [
        [run, measure] for run in ("good", "poor") for measure in ("AP", "NDCG_std@3")
    ]
    scores = package.evaluate(RUNS, QRELS, "AP")["AP"]
    hard = package.topic_difficulty.compute_difficulty(package.evaluation.make_rankings(RUNS, QRELS), 3)
    found = package.topic_difficulty.weigh_by_difficulty(scores, hard)
    # topic 2 is easiest for both and weighs nothing; `same` has no ease
    assert found["weighted_mean"].to_numpy() == pytest.approx(scores.sel(topic="1").to_numpy())
    for row in (rows[1], rows[3]):
        assert [float(value) for value in row[2:]] == pytest.approx(found.loc[row[0]].tolist())


def test_nothing_to_weigh_with() -> None:
    ended = cranfield("difficulty", "qrels.txt", "good.run", "-k", "3", "-m", "AP")
    assert (ended.status, ended.out) == (1, "")
    assert "every topic has weight 0" in ended.err


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        ((), 2, "Missing argument 'QRELS'"),
        (("qrels.txt",), 2, "Missing argument 'RUN...'"),
        (("qrels.txt", "nothing.run"), 1, "nothing.run"),
        (("qrels.txt", "good.run", "-k", "0"), 2, "--cutoff 0 should be at least 1"),
        (("qrels.txt", "good.run", "--unjudged", "drop"), 2, "'drop' is not one of 'zero', 'mean', 'condense'"),
        (("qrels.txt", "good.run", "--negative", "keep"), 2, "--negative"),
        (("qrels.txt", "good.run", "-m", "APP"), 2, "there is no measure 'APP'"),
        (("qrels.txt", "good.run", "-m", "AP", "--by-system"), 2, "--by-system and --measure are two tables"),
        (("qrels.txt", "good.run", "-m", "GMAP"), 2, "GMAP has no value per topic"),
        (("qrels.txt", "good.run", "-o", "no/where"), 1, "there is no such folder"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], status: int, text: str) -> None:
    ended = cranfield("difficulty", *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert text in ended.err.replace("\n", " ")


def test_names_that_a_format_cannot_hold() -> None:
    package.write(package.Qrels.from_dict({"=1+1": QRELS["1"]}), "odd.txt")
    package.write(package.Run.from_dict({"=1+1": RUNS["good"]["1"]}), "odd.run")
    assert printed("difficulty", "odd.txt", "odd.run", "-f", "csv").splitlines()[1].startswith("'=1+1,")
    assert printed("difficulty", "odd.txt", "odd.run", "-f", "tsv").splitlines()[1].startswith("=1+1\t")


def test_a_file_holds_what_is_printed_without_colours() -> None:
    assert cranfield("difficulty", *FILES, "-o", "table.txt").out == ""
    assert Path("table.txt").read_text() == out_of()


@pytest.mark.parametrize("command", [("evaluate", *FILES[:2], "-m", m) for m in ("AP", "NDCG_std@3")])
def test_no_frames_are_imported(command: tuple[str, ...]) -> None:
    script = (
        f"import sys; sys.argv = {['cranfield', *command]!r}\n"
        "from cranfield.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'scipy', 'pandas', 'xarray', 'narwhals'} & set(sys.modules)), file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert ended.stderr.splitlines()[-1] == "[]"


def test_scores_of_evaluate_are_those_of_the_table() -> None:
    rows = [line.split("\t") for line in out_of("-f", "tsv", "--by-system").splitlines()]
    ended = cranfield("evaluate", "qrels.txt", "good.run", "poor.run", "-m", "NDCG_std@3", "-q", "-f", "tsv")
    assert ended.err == WARNING
    found = {tuple(line.split("\t")[:2]): float(line.split("\t")[3]) for line in ended.out.splitlines()[1:]}
    for row in rows[1:]:
        for run, value in zip(("good", "poor"), row[6:], strict=True):
            assert found[run, row[0]] == float(value) or (math.isnan(found[run, row[0]]) and value == "nan")
    assert "\tNDCG_std@3\t" in ended.out


def test_estimates_are_scored_against_the_ease(tmp_path: Path) -> None:
    made = package.simulation.simulate_runs(n_systems=4, n_topics=8, depth=20, seed=4)
    package.write(made.qrels, "made.txt")
    for run in made.runs:
        package.write(run, f"{run.name}.run")
    files = ("made.txt", *(f"{run.name}.run" for run in made.runs))
    rows = json.loads(cranfield("difficulty", *files, "--score-alternatives", "-f", "json").out)["rows"]
    ease = package.estimate_difficulty(made.runs, made.qrels).ease
    others = package.topic_difficulty.estimate_difficulty_otherwise(made.runs, made.qrels).values
    numbers = others.select_dtypes("number").rename(columns={"aslam_pavlu": "-aslam_pavlu"})
    numbers["-aslam_pavlu"] *= -1
    expected = package.topic_difficulty.compute_prediction_errors(numbers, ease).means
    assert {row["estimate"] for row in rows} == set(expected.index)
    for row in rows:
        for name in ("smare", "tau_b", "pearson", "spearman"):
            assert row[name] == pytest.approx(expected.loc[row["estimate"], name])
    assert [row["smare"] for row in rows] == sorted(row["smare"] for row in rows), "the best first"
    assert {row["topics"] for row in rows} == {8}


def test_estimates_cannot_be_scored_on_one_topic() -> None:
    package.write(package.Qrels.from_dict({"1": QRELS["1"]}), "one.txt")
    ended = cranfield("difficulty", "one.txt", "good.run", "poor.run", "--score-alternatives")
    assert ended.status != 0
    assert "median_ap and ease have 1 topic in common: ranks need two or more" in ended.err
    refused = cranfield("difficulty", *FILES, "--score-alternatives", "--by-system").err
    assert "--by-system and --score-alternatives are two tables" in refused
