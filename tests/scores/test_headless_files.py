"""Scores without a header, as trec_eval, ir_measures and AutoJudge write them: told by content, or refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import cranfield
from cranfield import InputError
from data_sets import GOLDEN

AUTOJUDGE = GOLDEN / "formats" / "autojudge"
NAMES = ("sample.trec_eval", "sample.tot", "header.tot", "sample.ir_measures", "sample.ranking", "sample.jsonl")


def cells(scores: object) -> dict[tuple[str, str, str], float]:
    dataset = scores
    return {
        (str(system), str(topic), str(measure)): values.sel(system=system, topic=topic).item()
        for measure, values in dataset.data_vars.items()  # type: ignore[attr-defined]
        for system in values.system.values
        for topic in values.topic.values
    }


@pytest.mark.parametrize("name", NAMES)
def test_autojudge(name: str) -> None:
    rows = [line.split("\t") for line in (AUTOJUDGE / "expected.tsv").read_text().splitlines()[1:]]
    wanted = {(run, topic, measure): float(value) for run, topic, measure, value in rows if topic != "all"}
    assert cells(cranfield.read_scores(AUTOJUDGE / name)) == wanted


def test_trec_eval_names_the_run_by_the_file(tmp_path: Path) -> None:
    for run, value in (("bm25.eval", "0.2500"), ("rm3.eval", "0.5000")):
        (tmp_path / run).write_text(
            f"map                   \t301\t{value}\nrunid                 \tall\t{run}\nmap\tall\t{value}\n"
        )
    (tmp_path / ".hidden").write_text("x")
    wanted = {("bm25.eval", "301", "map"): 0.25, ("rm3.eval", "301", "map"): 0.5}
    assert cells(cranfield.read_scores(tmp_path)) == wanted
    assert cells(cranfield.read_scores([tmp_path / "bm25.eval", tmp_path / "rm3.eval"])) == wanted


def test_measures_we_know_say_which_field_is_the_topic(tmp_path: Path) -> None:
    wanted = {("a", "q1", "AP"): 0.5, ("b", "q1", "AP"): 0.25}
    for text in ("a q1 AP .5\nb q1 AP .25\n", "a AP q1 .5\nb AP q1 .25\n"):
        (tmp_path / "x").write_text(text)
        assert cells(cranfield.read_scores(tmp_path / "x")) == wanted


def test_the_ending_of_the_name_says_which_field_is_the_topic_where_nothing_else_does(tmp_path: Path) -> None:
    wanted = {("a", "q1", "MINE"): 0.5, ("b", "q1", "MINE"): 0.25}
    for name, text in {
        "truth.ir_measures": "a q1 MINE .5\nb q1 MINE .25\n",
        "truth.tot": "a MINE q1 .5\nb MINE q1 .25\n",
    }.items():
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        assert cells(cranfield.read_scores(tmp_path / name)) == wanted
        assert cells(cranfield.read_scores(tmp_path / f"{name}.gz")) == wanted
    (tmp_path / "rows.tot").write_text("a q1 AP .5\nb q1 AP .25\n")
    assert set(cranfield.read_scores(tmp_path / "rows.tot").data_vars) == {"AP"}, "what is written decides first"


BAD = {
    "ambiguous": ("a q1 MINE .5\nb q1 MINE .25\n", None, "layout", "nothing says which is the topic"),
    "qrels": ("q 0 d1 1\nq 0 d2 0\n", None, "layout", "or is this a qrels file"),
    "run": ("q Q0 d1 1 2.5 t\nq Q0 d2 2 1.5 t\nr Q0 d3 1 1.5 t\n", None, "layout", "looks like a run"),
    "twice": ("a q1 AP .5\na q1 AP .5\n", 2, "duplicate", "occurs twice"),
    "nan": ("a q1 AP .5\nb q1 AP nan\n", 2, "score", "the score 'nan' is not a finite number"),
    "word": ("a q1 AP .5\nb q1 AP high\n", 2, "score", "'high' is not a number"),
    "fields": ("a q1 AP .5\nb q1 AP\n", 2, "fields", "3 fields, expected 4 as in the first row"),
    "json": ('{"run_id": "a", "topic_id": "1", "measure": "AP", "value": true}', 1, "score", "is not a number"),
    "key": ('{"run_id": "a", "topic_id": "1", "measure": "AP"}', 1, "fields", "expected an object with run_id"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_refused(kind: str, tmp_path: Path) -> None:
    text, line, code, said = BAD[kind]
    (tmp_path / "x").write_text(text)
    with pytest.raises(InputError, match=said) as refused:
        cranfield.read_scores(tmp_path / "x")
    assert (refused.value.path, refused.value.line, refused.value.code) == (str(tmp_path / "x"), line, code)


def test_means_alone_are_no_topics(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("map all 0.25\n")
    with pytest.raises(InputError, match="holds no score of a topic; it holds summaries only"):
        cranfield.read_scores(tmp_path / "x")


def answers(*rows: tuple[str, str, str]) -> str:
    """Answers as nuggetizer writes them: run, topic, and a letter a nugget, large where vital."""
    grades = {"s": "support", "p": "partial_support", "n": "not_support"}
    return "".join(
        json.dumps(
            {
                "qid": topic,
                "run_id": run,
                "answer_text": "-",
                "nuggets": [
                    {
                        "text": "-",
                        "importance": "vital" if letter.isupper() else "okay",
                        "assignment": grades[letter.lower()],
                    }
                    for letter in letters
                ],
            }
        )
        + "\n"
        for run, topic, letters in rows
    )


def test_answers_are_scored_by_their_nuggets(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(answers(("a", "1", "SPNs"), ("a", "2", "sp"), ("b", "1", "NNNn"), ("b", "2", "")))
    found = cells(cranfield.read_scores(file))
    by_hand = {
        ("a", "1"): (1 / 3, 2 / 4, 1.5 / 3, 2.5 / 4),
        ("a", "2"): (0, 1 / 2, 0, 1.5 / 2),  # without vital nuggets, 0, as nuggetizer says
        ("b", "1"): (0, 0, 0, 0),
        ("b", "2"): (0, 0, 0, 0),
    }
    names = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
    assert found == {
        (*key, name): value for key, row in by_hand.items() for name, value in zip(names, row, strict=True)
    }


def test_answers_of_one_run_are_called_by_the_file(tmp_path: Path) -> None:
    text = answers(("a", "1", "S"), ("a", "2", "P")).replace('"run_id": "a", ', "")
    for name in ("x.jsonl", "y.jsonl"):
        (tmp_path / name).write_text(text)
    assert set(cranfield.read_scores(tmp_path)["vital_score"].system.values) == {"x.jsonl", "y.jsonl"}


def metrics(topic: str, *values: float) -> str:
    """A line of nuggetizer's calculate_metrics.py."""
    names = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
    return json.dumps({"qid": topic, **dict(zip(names, values, strict=True))}) + "\n"


def test_metrics_of_nuggetizer_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "a").write_text(answers(("a", "1", "SPNs"), ("a", "2", "sp")))
    (tmp_path / "metrics").mkdir()
    lines = metrics("1", 1 / 3, 2 / 4, 1.5 / 3, 2.5 / 4) + metrics("2", 0.0, 1 / 2, 0.0, 1.5 / 2)
    (tmp_path / "metrics" / "a").write_text(lines + metrics("all", 1 / 6, 0.5, 0.25, 0.6875))
    found = [cells(cranfield.read_scores(tmp_path / folder)) for folder in ("answers", "metrics")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (metrics("2", 0.5, 1.5, 0, 0), "the strict_all_score '1.5' is not a number between 0 and 1"),
        (metrics("2", 0.5, True, 0, 0), "the strict_all_score 'True' is not a number"),
        ('{"qid": "2", "all_score": 1}\n', "expected an object with qid, strict_vital_score"),
        (metrics("1", 0, 0, 0, 0), "occurs twice"),
    ],
)
def test_odd_metrics_are_refused(tmp_path: Path, second: str, said: str) -> None:
    (tmp_path / "a").write_text(metrics("1", 0, 0, 0, 0) + second)
    with pytest.raises(InputError, match=said) as caught:
        cranfield.read_scores(tmp_path / "a")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"not_support"', '"maybe"'), "nugget 2 has the assignment 'maybe': it should be one of support"),
        (('"assignment": "not_support"', '"x": 1'), "nugget 2 has no assignment: it should be one of support"),
        (('"vital"', '"crucial"'), "nugget 1 has the importance 'crucial': it should be one of vital, okay"),
        (('"nuggets": [', '"nuggets": "no", "x": ['), "expected an answer with qid and a list of nuggets"),
        (('"qid": "2"', '"qid": null'), "the qid 'None' is not text"),
        (('"qid": "2"', '"qid": "1"'), "occurs twice"),
    ],
)
def test_odd_answers_are_refused(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    file = tmp_path / "answers.jsonl"
    first, second = answers(("a", "1", "S"), ("a", "2", "Sn")).splitlines()
    file.write_text(f"{first}\n{second.replace(*change)}\n")
    with pytest.raises(InputError, match=said) as caught:
        cranfield.read_scores(file)
    assert caught.value.line == 2
