"""Scores as other tools and people hold them: the column of topics, rows of means, long frames, dicts, rows of text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
import xarray as xr

import cranfield
from cranfield import InputError
from cranfield.errors import UsageError
from cranfield.pooling import read_teams

TOPICS = [301, 302, 303, 304, 305, 306]
SCORES = {"A": [0.5, 0.2, 0.3, 0.9, 0.4, 0.6], "B": [0.4, 0.1, 0.3, 0.7, 0.3, 0.5]}
MAX_IN_MEMORY = [
    (system, topic, value) for system in SCORES for topic, value in zip(TOPICS, SCORES[system], strict=True)
]
MATRIX = "topic,A,B\nq1,0.9,0.6\nq2,0.2,0.1\nq3,0.7,0.2\n"


def pairs(scores: Any) -> list[tuple[str, str, float]]:
    found = cranfield.compare(scores, test="t").pairs
    return [(row.system, row.other, round(row.p_adjusted, 4)) for row in found.itertuples()]


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("head", ["topic", "qid", "Query_ID", "topics", "index", "Unnamed: 0"])
def test_a_column_of_topics_is_no_system(head: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({head: TOPICS, **SCORES})
    file = tmp_path / "AP.csv"
    frame.to_csv(file, index=False)
    for scores in (
        frame,
        frame[["A", "B", head]],
        pl.DataFrame(frame.to_dict("list")),
        cranfield.read_scores(file)["AP"],
    ):
        assert pairs(scores) == [("A", "B", 0.0117)]


def test_numbers_of_topics_under_another_head_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame({"number": TOPICS, **SCORES})
    frame.to_csv(tmp_path / "AP.csv", index=False)
    labelled = xr.DataArray(frame.rename(columns={"number": "qid"}), dims=("topic", "system"))
    for scores in (frame, labelled):
        with pytest.raises(InputError, match="whole numbers that all differ"):
            cranfield.compare(scores)
    with pytest.raises(InputError, match=r"AP.csv:1: the column 'number' would be a system"):
        cranfield.read_scores(tmp_path / "AP.csv")
    with pytest.raises(UsageError, match="two columns of the frame could hold the topics, 'index' and 'qid'"):
        cranfield.compare(pd.DataFrame({"index": range(6), "qid": TOPICS, **SCORES}))


def test_whole_scores_and_a_system_called_query_stay(tmp_path: Path) -> None:
    counts = pd.DataFrame({"A": [3, 7, 5], "B": [2, 8, 6]})
    assert len(pairs(counts)) == 1
    assert len(pairs(pd.DataFrame({"query": SCORES["A"], "B": SCORES["B"]}, index=TOPICS))) == 1
    file = written(tmp_path, "AP.csv", "topic,query,B\nq1,0.9,0.6\nq2,0.2,0.1\n")
    assert cranfield.read_scores(file)["AP"].system.values.tolist() == ["query", "B"]


@pytest.mark.parametrize("name", ["all", "ALL", "mean", "amean", "average"])
def test_a_row_of_means_is_no_topic(name: str, tmp_path: Path) -> None:
    matrix = written(tmp_path, "AP.csv", f"{MATRIX}{name},0.6,0.3\n")
    tabs = written(tmp_path, "AP.tsv", matrix.read_text().replace(",", "\t"))
    frame = pd.read_csv(matrix)
    parquet = tmp_path / "AP.parquet"
    frame.melt("topic", var_name="system", value_name="AP").to_parquet(parquet, index=False)
    for file in (matrix, tabs, parquet):
        with pytest.warns(cranfield.CranfieldWarning, match=f"the row '{name}' is read as a summary"):
            assert pairs(cranfield.read_scores(file)["AP"]) == [("A", "B", 0.1217)]
    with pytest.warns(cranfield.CranfieldWarning, match=f"the frame: the row '{name}' is read as a summary"):
        assert pairs(frame) == [("A", "B", 0.1217)]


def test_a_topic_called_as_means_are_is_refused_where_its_scores_are_others(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="topic 'mean' is called as a row of means is"):
        cranfield.read_scores(written(tmp_path, "AP.csv", f"{MATRIX}mean,0.1,0.9\n"))


def test_rows_of_ir_measures(tmp_path: Path) -> None:
    for topics in (("q1", "q2", "q10"), ("1", "2", "10")):
        for run in ("A", "B"):
            rows = [(topic, name, 0.5) for topic in topics for name in ("AP", "RR")] + [("all", "AP", 0.5)]
            written(tmp_path, f"{run}.txt", "".join(f"{topic}\t{name}\t{value}\n" for topic, name, value in rows[:-1]))
            keys = ("query_id", "measure", "value")
            lines = [json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows]
            written(tmp_path, f"{run}.jsonl", "".join(lines))
        for ending in ("txt", "jsonl"):
            found = cranfield.read_scores([tmp_path / f"A.{ending}", tmp_path / f"B.{ending}"])
            assert (list(found), found.topic.values.tolist()) == (["AP", "RR"], list(topics))
            assert found.system.values.tolist() == [f"A.{ending}", f"B.{ending}"]


def test_three_fields_that_could_be_exchanged_are_refused_until_a_header_tells(tmp_path: Path) -> None:
    rows = "q1 MINE .5\nq2 MINE .25\n"
    with pytest.raises(InputError, match="write the line `topic measure value`"):
        cranfield.read_scores(written(tmp_path, "x", rows))
    for text in (f"topic measure value\n{rows}", f"qid,measure,value\n{rows.replace(' ', ',')}"):
        found = cranfield.read_scores(written(tmp_path, "x", text))
        assert (list(found), found.topic.values.tolist()) == (["MINE"], ["q1", "q2"])


@pytest.mark.parametrize(
    "text",
    [
        "map q1 0.5\nrelstring_10 q1 '10-'\nmap q2 0.25\nrelstring q2 '01'\n",
        "runid all A\nmap all 0.375\nmap q1 0.5\nmap q2 0.25\n",
        "map q1 0.5\nmap q2 0.25\nrunid all A\nmap all 0.375\n",
        "relstring q1 01\nmap q1 0.5\nmap q2 0.25\n".replace("01", "'01'"),
    ],
)
def test_rows_of_trec_eval_that_hold_text(text: str, tmp_path: Path) -> None:
    found = cranfield.read_scores(written(tmp_path, "x", text))
    assert (list(found), found["map"].values.ravel().tolist()) == (["map"], [0.5, 0.25])


def test_means_alone_behind_the_name_of_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it holds summaries only: write scores with --by-topic, or -q of trec_eval"):
        cranfield.read_scores(written(tmp_path, "x", "runid all A\nmap all 0.5\n"))


def test_long_frames() -> None:
    plain = pd.DataFrame(MAX_IN_MEMORY, columns=["system", "topic", "score"])
    of_pyterrier = plain.set_axis(["name", "qid", "value"], axis=1).assign(measure="map")
    for frame in (plain, of_pyterrier, pl.DataFrame(of_pyterrier.to_dict("list"))):
        assert pairs(frame) == [("A", "B", 0.0117)]


def test_dicts_in_memory_and_in_json(tmp_path: Path) -> None:
    by_system: dict[str, dict[str, dict[str, float]]] = {"A": {}, "B": {}}
    for system, topic, value in MAX_IN_MEMORY:
        by_system[system][str(topic)] = {"map": value}
    assert pairs(by_system) == [("A", "B", 0.0117)]
    for indent in (None, 2):
        whole = written(tmp_path, "both.json", json.dumps(by_system, indent=indent))
        parts = [written(tmp_path, f"{name}.json", json.dumps(one, indent=indent)) for name, one in by_system.items()]
        assert pairs(cranfield.read_scores(whole)["map"]) == [("A", "B", 0.0117)]
        assert pairs(cranfield.read_scores(parts)["map"]) == [("A.json", "B.json", 0.0117)]
    with pytest.raises(InputError, match="nothing says that 301"):
        cranfield.compare({"A": {"301": 0.5}, "B": {"301": 0.25}})  # type: ignore[arg-type]


def test_a_pattern_stands_for_its_files(tmp_path: Path) -> None:
    for name in ("A", "B"):
        written(tmp_path, f"{name}.eval", "map q1 0.5\nmap q2 0.25\n")
    assert cranfield.read_scores(str(tmp_path / "*.eval")).system.values.tolist() == ["A.eval", "B.eval"]


def test_an_infinite_score_in_parquet_is_refused_by_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "AP.parquet"
    rows = [("A", "1", 0.5), ("A", "2", float("inf")), ("B", "1", 0.2), ("B", "2", 0.1)]
    pd.DataFrame(rows, columns=["system", "topic", "AP"]).to_parquet(file, index=False)
    with pytest.raises(InputError, match=r"AP\.parquet: row 2: AP is infinite"):
        cranfield.compare(cranfield.read_scores(file)["AP"])


@pytest.mark.parametrize("blank", ["\xa0", "\x85"])
def test_blanks_of_unicode_belong_to_names(blank: str, tmp_path: Path) -> None:
    file = written(tmp_path, "x", f"map q1{blank} 0.5\nmap q2 0.25\n")
    assert cranfield.read_scores(file).topic.values.tolist() == [f"q1{blank}", "q2"]
    scores = cranfield.read_scores(file)
    for text in (f"q1{blank} easy\nq2 hard\n", f"q1{blank},easy\nq2,hard\n"):
        groups = str(written(tmp_path, "groups", text))
        with pytest.warns(cranfield.CranfieldWarning, match="2 groups have fewer than 10 topics"):
            found = cranfield.repeat_by_group(cranfield.estimate_means, scores, groups).to_frame()
        assert dict(zip(found["group"], found["mean"], strict=True)) == {"easy": 0.5, "hard": 0.25}
    assert read_teams(written(tmp_path, "teams", f"a{blank}\tx\nb\ty\n")) == {f"a{blank}": "x", "b": "y"}


def test_a_head_that_stands_twice_is_refused(tmp_path: Path) -> None:
    groups = written(tmp_path, "groups", "topic,kind,kind\nq1,a,b\n")
    scores = cranfield.read_scores(written(tmp_path, "mine.csv", MATRIX))
    with pytest.raises(InputError, match="has two columns called 'kind'"):
        cranfield.repeat_by_group(cranfield.estimate_means, scores, f"{groups}#kind")
    with pytest.raises(InputError, match="has two columns called 'team'"):
        cranfield.report_scores(scores, entries=written(tmp_path, "runs.csv", "system,team,team\na,x,y\n"))
    with pytest.raises(InputError, match="system 'A' occurs twice"):
        cranfield.read_scores(written(tmp_path, "AP.csv", "topic,A,A\nq1,1,0\nq2,0,1\n"))
