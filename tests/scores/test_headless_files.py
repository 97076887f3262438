"""Scores without a header, as trec_eval, ir_measures and AutoJudge write them: told by content, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield
from cranfield import InputError
from data_sets import SHARED

AUTOJUDGE = SHARED / "golden" / "formats" / "autojudge"
NAMES = ("sample.trec_eval", "sample.tot", "header.tot", "sample.ir_measures", "sample.ranking", "sample.jsonl")


def cells(scores: object) -> dict[tuple[str, str, str], float]:
    dataset = scores
    return {
        (str(system), str(topic), str(measure)): values.sel(system=system, topic=topic).item()
        for measure, values in dataset.data_vars.items()  # type: ignore[attr-defined]
        for system in values.system.values
        for topic in values.topic.values
    }


@pytest.mark.data("golden")
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
