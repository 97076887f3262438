"""Errors of score files and factors as data: path, line, code and value, and every code documented."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.findings import REFUSALS, TABLE

ROWS = "system\ttopic\tmeasure\tvalue\n"
FACTORS = {"format": "cranfield standardization factors 1", "scheme": "E", "systems": ["a"], "source": None}
TOPIC = {"mean": 1.0, "sd": 0.0, "scores": [2.0, 2.0]}
WORD = {"system": "a", "topic": "1", "measure": "AP", "value": "x"}
FILES = {
    "a number": ("AP.csv", "topic,a\n1,0.5\n2,x\n", 3, "score", "x"),
    "too large": ("AP.csv", "topic,a\n1,1e999\n", 2, "overflow", "1e999"),
    "fields": ("AP.csv", "topic,a\n1,0.5\n2,0.5,7\n", 3, "fields", ""),
    "a topic twice": ("AP.csv", "topic,a\n1,0.5\n1,0.5\n", 3, "duplicate", "1"),
    "a system twice": ("AP.csv", "topic,a,a\n1,0.5,1\n", 1, "duplicate", "a"),
    "no header": ("AP.csv", "0.5,0.7\n0.5,0.8\n", 1, "fields", "0.5"),
    "nothing": ("AP.csv", "", None, "empty", ""),
    "a header alone": ("AP.csv", "topic,a\n", None, "empty", ""),
    "no CSV": ("AP.csv", 'topic,a\n1,"0.5\n', 2, "csv", ""),
    "no UTF-8": ("AP.csv", b"topic,a\n\xff,1\n", 2, "utf8", ""),
    "a row": ("rows.tsv", ROWS + "a\t1\tAP\n", 2, "fields", ""),
    "a row twice": ("rows.tsv", ROWS + "a\t1\tAP\t1\n" * 2, 3, "duplicate", "1"),
    "a system without a name": ("rows.tsv", ROWS + "\t1\tAP\t1\n", 2, "id", ""),
    "summaries": ("rows.tsv", ROWS + "a\tall\tAP\t1\n", None, "no-scores", ""),
    "a measure of the name of an axis": ("rows.tsv", ROWS + "a\t1\tsystem\t1\n", None, "reserved", "system"),
    "a file of the name of an axis": ("topic.csv", "topic,a\n1,0.5\n", None, "reserved", "topic"),
    "broken JSON": ("rows.json", '{"rows": [\n]', 2, "json", ""),
    "a key twice": ("rows.json", '{"rows": [], "rows": []}', None, "json", "rows"),
    "no rows": ("rows.json", "{}", None, "layout", ""),
    "a word": (
        "rows.json",
        '{"rows": [{"system": "a", "topic": "1", "measure": "AP", "value": "x"}]}',
        None,
        "score",
        "x",
    ),
    "netCDF": ("rows.nc", b"CDF\1 and no more", None, "damaged", ""),
}


@pytest.mark.parametrize("what", FILES)
def test_refused_score_files_say_where_and_why(what: str, tmp_path: Path) -> None:
    name, content, line, code, value = FILES[what]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as refused:
        cranfield.read_scores(path)
    error = refused.value
    assert (error.path, error.line, error.code, error.value) == (str(path), line, code, value)
    assert str(error).startswith(f"{path}:{'' if line is None else f'{line}:'} ")
    assert str(error).endswith(error.text)


@pytest.mark.parametrize(
    ("content", "code", "value", "part"),
    [
        ("{}", "layout", "", ""),
        (json.dumps(FACTORS), "factors", "", ""),
        (json.dumps(FACTORS | {"measures": {"AP": {}}}), "factors", "", "AP"),
        (json.dumps(FACTORS | {"measures": {"AP": {"7": TOPIC}}}), "factors", "1", "AP: topic 7"),
        (json.dumps(FACTORS | {"measures": {"AP": {"7": {}}}}), "factors", "", "AP: topic 7"),
    ],
)
def test_refused_factors_say_where_and_why(content: str, code: str, value: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / "factors.json"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        cranfield.standardization.read_factors(path)
    error = refused.value
    assert (error.path, error.line, error.code, error.value) == (str(path), None, code, value)
    assert str(error) == f"{path}: {part and f'{part}: '}{error.text}"


def test_files_that_cannot_be_written_say_which(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "AP.csv"
    with pytest.raises(InputError, match="cannot be written") as refused:
        cranfield.write_scores(cranfield.evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, "AP"), path)
    assert (refused.value.path, refused.value.code) == (str(path), "unwritable")


def test_a_frame_without_a_column_says_so() -> None:
    import pandas as pd

    with pytest.raises(InputError, match=r"the frame has no column topic \(qid, query_id") as refused:
        cranfield.Run.from_frame(pd.DataFrame({"docno": ["a"], "score": [1.0]}))
    assert (refused.value.code, refused.value.value) == ("column", "topic")


ROOMS = ("scores", "standardization", "io", "cli", "results", "findings", "collection/frames.py")


def test_every_refusal_in_these_rooms_has_a_documented_code() -> None:
    package = Path(cranfield.__file__).parent
    files = [file for room in ROOMS for file in ([package / room] if "." in room else (package / room).rglob("*.py"))]
    raised = 0
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if called not in ("InputError", "FormatError", "TopicError") or not isinstance(node, ast.Call):
                continue
            raised += 1
            codes = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            assert codes, f"{file.name}:{node.lineno} has no code"
            if isinstance(codes[0], ast.Constant):
                assert codes[0].value in {*REFUSALS, *TABLE}, f"{file.name}:{node.lineno}"
    assert raised > 60
