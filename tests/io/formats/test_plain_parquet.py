"""Runs in a file of Parquet: from Arrow's memory where every column is plain, with the same run and the same words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import InputError
from cranfield.engine import compiled
from cranfield.io.formats import parquet
from cranfield.io.formats._rows import load_rows

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
draw = random.Random(4)
ROWS = [(topic, document) for topic in range(20) for document in draw.sample(range(50), 12)]
draw.shuffle(ROWS)
PLAIN: dict[str, Any] = {
    "qid": [topic for topic, _ in ROWS],
    "docno": [f"d{document}" for _, document in ROWS],
    "score": [round(draw.random(), 2) for _ in ROWS],
}


@pytest.mark.parametrize(
    ("changed", "is_plain"),
    [
        ({}, True),
        ({"qid": [f"q{topic}" for topic in PLAIN["qid"]]}, True),
        ({"docno": [int(name[1:]) for name in PLAIN["docno"]]}, True),
        ({"rank": list(range(len(ROWS)))}, True),
        ({"rank": [f"{number}.0" for number in range(len(ROWS))]}, False),
        ({"score": [str(score) for score in PLAIN["score"]]}, False),
        ({"query": ["a question"] * len(ROWS)}, True),
    ],
)
def test_both_ways_give_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], is_plain: bool
) -> None:
    pq.write_table(pa.table(PLAIN | changed), tmp_path / "run.parquet", row_group_size=17)
    slow: list[str] = []
    monkeypatch.setattr(parquet, "load_rows", lambda file, rows: slow.append(file.name) or load_rows(file, rows))
    one = cranfield.read_run(tmp_path / "run.parquet")
    assert bool(slow) is not (is_plain and compiled() is not None)
    monkeypatch.setattr(parquet, "plain_run", lambda *_: None)
    other = cranfield.read_run(tmp_path / "run.parquet")
    assert (one.digest, one.sha256, one.topics, one.path) == (other.digest, other.sha256, other.topics, other.path)
    assert (None if one.rank is None else one.rank.tolist()) == (None if other.rank is None else other.rank.tolist())


LABELS: dict[str, Any] = {"qid": PLAIN["qid"], "docno": PLAIN["docno"], "label": [draw.choice([0, 1, 2]) for _ in ROWS]}


@pytest.mark.parametrize(
    ("changed", "is_plain"),
    [
        ({}, True),
        ({"iteration": ["0"] * len(ROWS)}, True),
        ({"label": [0.5] * len(ROWS)}, False),
        ({"iteration": [str(number % 3) for number in range(len(ROWS))]}, False),
    ],
)
def test_both_ways_give_the_same_judgments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], is_plain: bool
) -> None:
    pq.write_table(pa.table(LABELS | changed), tmp_path / "qrels.parquet")
    slow: list[str] = []
    monkeypatch.setattr(parquet, "load_rows", lambda file, rows: slow.append(file.name) or load_rows(file, rows))
    one = cranfield.read_qrels(tmp_path / "qrels.parquet")
    assert bool(slow) is not (is_plain and compiled() is not None)
    monkeypatch.setattr(parquet, "plain_qrels", lambda *_: None)
    other = cranfield.read_qrels(tmp_path / "qrels.parquet")
    assert (one.digest, one.sha256, one.topics, one.path) == (other.digest, other.sha256, other.topics, other.path)
    assert one.rows()[:3] == other.rows()[:3]
    assert one.rows()[3].tolist() == other.rows()[3].tolist()


def test_rows_are_named_as_before(tmp_path: Path) -> None:
    pq.write_table(pa.table({"qid": [1, 1, 1], "docno": ["a", "b", "a"], "score": [1.0, 2, 3]}), tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"x.parquet: row 3: column 'docno': document 'a' occurs twice in topic '1'"):
        cranfield.evaluate(tmp_path / "x.parquet", {"1": {"a": 1}}, "AP")
    nan = pa.table({"qid": [1, 1], "docno": ["a", "b"], "score": [1.0, float("nan")]})
    pq.write_table(nan, tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"x.parquet: row 2: column 'score': the score nan is not a finite number"):
        cranfield.evaluate(tmp_path / "x.parquet", {"1": {"a": 1}}, "AP")
