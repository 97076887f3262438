"""Rows `system topic score` that name no measure, and objects of JSON, one a line, that no format has."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield
from cranfield import InputError

ROWS = [("a", "q1", 0.5), ("a", "q2", 0.4), ("b", "q1", 0.3), ("b", "q2", 0.6)]


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("header", ["system topic score", "run qid value", "topic system score", "score Query name"])
def test_the_file_names_the_measure(header: str, separator: str, tmp_path: Path) -> None:
    names = header.split(" ")
    lines = [separator.join(names)]
    for system, topic, score in ROWS:
        cells = {"system": system, "run": system, "name": system, "score": str(score), "value": str(score)}
        cells |= {"topic": topic, "qid": topic, "Query": topic}
        lines.append(separator.join(cells[name] for name in names))
    path = tmp_path / "Fancy.csv"
    path.write_text("\n".join(lines) + "\n")
    scores = cranfield.read_scores(path)
    assert list(scores.data_vars) == ["Fancy"]
    assert scores["Fancy"].sel(system="b").transpose("topic").values.tolist() == [0.3, 0.6]


def test_names_are_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "AP.csv").write_text("system,topic,score\n'=a,q1,0.5\n'=a,q2,0.4\n")
    assert cranfield.read_scores(tmp_path / "AP.csv")["system"].values.tolist() == ["=a"]


def test_a_matrix_of_systems_called_as_columns_are(tmp_path: Path) -> None:
    (tmp_path / "AP.csv").write_text("topic,run,value\nq1,0.5,0.3\nq2,0.4,0.1\n")
    assert cranfield.read_scores(tmp_path / "AP.csv")["system"].values.tolist() == ["run", "value"]


@pytest.mark.parametrize(
    "lines",
    [
        '{"topic":"q1","a":{"AP":0.5}}\n{"topic":"q2","a":{"AP":0.4}}\n',
        '{"topic":"q1","a":[0.5,0.2]}\n{"topic":"q2","a":[0.4]}\n',
        '{"system":"a","topic":"q1","score":0.5}\r\n{"system":"a","topic":"q2","score":0.5}\r\n',
    ],
)
def test_lines_of_json_that_are_no_scores(lines: str, tmp_path: Path) -> None:
    (tmp_path / "AP.jsonl").write_text(lines, newline="")
    with pytest.raises(InputError, match=r"AP\.jsonl: holds objects of JSON, one a line, with .*; scores one a"):
        cranfield.read_scores(tmp_path / "AP.jsonl")


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('{"query":"q1","docs":{"a":2,"b":1}}\n{"query":"q2","docs":{"a":1}}\n', "docs"),
        ('{"q1":{"a":2,"b":1}}\n\n{"q2":{"a":1}}\n', "q1"),
        ('{"qid":"q1","docno":"a","score":{"x":1}}\n', "score"),
    ],
)
def test_lines_of_json_that_are_no_rows(lines: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines)
    expected = rf"a\.jsonl: holds objects of JSON, one a line, and '{key}' is neither text nor a number: give a row"
    with pytest.raises(InputError, match=expected) as refused:
        cranfield.read_run(tmp_path / "a.jsonl")
    assert (refused.value.code, refused.value.value) == ("layout", key)
    with pytest.raises(InputError, match=expected):
        cranfield.read_qrels(tmp_path / "a.jsonl")
