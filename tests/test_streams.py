"""Streams of rows sorted by topic: DuckDB, Polars, PyArrow and whatever hands out Arrow data."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import nanoarrow
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import InputError, UsageError, evaluate_means
from cranfield.collection import streams
from cranfield.errors import TopicError
from cranfield.partitions import evaluate_partitions
from cranfield.scoring import arrow_stream

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*judged topic"),
    pytest.mark.filterwarnings("ignore:Arrow output on a DB-API result"),
]
MEASURES = ["AP", "nDCG@10", "GMAP", "NumRelRet"]
TOPICS, DOCUMENTS = 60, 20
DRAW = np.random.default_rng(7)
ROWS = pa.table(
    {
        "user_id": np.repeat(np.arange(TOPICS), DOCUMENTS),
        "item_id": np.concatenate([DRAW.permutation(50)[:DOCUMENTS] for _ in range(TOPICS)]),
        "prediction": DRAW.integers(0, 9, TOPICS * DOCUMENTS) / 8,
    }
)
QRELS = {str(t): {str(d): int(DRAW.integers(0, 3)) for d in range(12)} for t in range(TOPICS + 2)}
SYSTEMS = pa.concat_tables(
    [ROWS.append_column("system", pa.array([name] * len(ROWS))) for name in ("bm25", "dense")]
).sort_by("user_id")


class Handed:
    """An object of which no more is known than that it streams Arrow data."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.rows.__arrow_c_stream__(requested_schema)


def make_relation(rows: Any) -> Any:
    database = duckdb.connect()
    database.register("rows_of_run", rows)
    return database.sql("SELECT * FROM rows_of_run")


def make_cursor(rows: Any) -> Any:
    database = duckdb.connect()
    database.register("rows_of_run", rows)
    return database.execute("SELECT * FROM rows_of_run")


STREAMS: dict[str, Callable[[Any], Any]] = {
    "relation": make_relation,
    "cursor": make_cursor,
    "lazy frame": lambda rows: pl.from_arrow(rows).lazy(),  # type: ignore[union-attr]
    "data set": ds.dataset,
    "scanner": lambda rows: ds.dataset(rows).scanner(),
    "reader": lambda rows: rows.to_reader(),
    "handed": Handed,
    "nanoarrow": nanoarrow.ArrayStream,
}


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "ROWS", 64)
    monkeypatch.setattr(arrow_stream, "PART", 130)


def in_batches(rows: Any) -> Any:
    return pa.Table.from_batches(rows.combine_chunks().to_batches(max_chunksize=37))


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_a_stream_stands_wherever_a_frame_does(make: Callable[[Any], Any]) -> None:
    judged = pa.table({"topic": list(QRELS), "document": ["d1"] * len(QRELS), "label": [1] * len(QRELS)})
    assert cranfield.evaluate(make(ROWS), QRELS, MEASURES).equals(cranfield.evaluate(ROWS, QRELS, MEASURES))
    assert cranfield.Run.from_frame(make(ROWS)).to_dict() == cranfield.Run.from_frame(ROWS).to_dict()
    assert cranfield.Qrels.from_frame(make(judged)).to_dict() == cranfield.Qrels.from_frame(judged).to_dict()


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("how", [{}, {"missing": "skip", "ties": "docid"}], ids=["as usual", "skip"])
def test_a_stream_gives_what_a_frame_gives(make: Callable[[Any], Any], how: dict[str, Any]) -> None:
    expected = evaluate_means(ROWS, QRELS, MEASURES, **how)
    assert evaluate_means(make(in_batches(ROWS)), QRELS, MEASURES, **how) == expected
    scorer = cranfield.Scorer(QRELS, MEASURES, **how)
    assert scorer(make(in_batches(ROWS))) == expected["run"]
    assert str(scorer.by_topic(make(in_batches(ROWS)))) == str(scorer.by_topic(ROWS))
    assert scorer.result(scorer.score(make(in_batches(ROWS)))).means == scorer.result(scorer.score(ROWS)).means


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_a_topic_that_comes_back_is_refused(make: Callable[[Any], Any]) -> None:
    again = in_batches(pa.concat_tables([ROWS.slice(20), ROWS.slice(0, 20)]))
    assert evaluate_means(make(again), QRELS, "P@5")["run"]
    torn = in_batches(pa.concat_tables([ROWS.slice(10), ROWS.slice(0, 10)]))
    with pytest.raises(InputError, match=r"not sorted by topic: '0' comes back after other topics; sort them by"):
        evaluate_means(make(torn), QRELS, "P@5")


def test_a_stream_has_the_name_of_its_system_or_the_one_it_is_given() -> None:
    expected = evaluate_means(ROWS, QRELS, MEASURES)["run"]
    assert evaluate_means(make_relation(SYSTEMS), QRELS, MEASURES) == {"bm25": expected, "dense": expected}
    one = SYSTEMS.filter(pa.compute.equal(SYSTEMS["system"], "dense"))
    assert list(evaluate_means(make_relation(one), QRELS, MEASURES)) == ["dense"]
    tagged = one.rename_columns(["user_id", "item_id", "prediction", "tag"])
    assert list(evaluate_means(make_relation(tagged), QRELS, MEASURES, columns={"system": "tag"})) == ["dense"]
    both = evaluate_means({"mine": make_relation(one), "frame": ROWS}, QRELS, MEASURES)
    assert both == {"mine": expected, "frame": expected}
    assert list(evaluate_means([ROWS.to_reader(), ROWS.to_reader()], QRELS, MEASURES)) == ["run1", "run2"]
    scorer = cranfield.Scorer(QRELS, MEASURES)
    assert scorer.score_runs({"a": ROWS.to_reader(), "b": ROWS}).runs == scorer.score_runs({"a": ROWS, "b": ROWS}).runs


def test_what_cannot_be_a_stream_is_refused_in_a_few_words() -> None:
    scorer = cranfield.Scorer(QRELS, "AP")
    with pytest.raises(UsageError, match=r"one run is asked for, and the rows are of several systems: 'bm25', 'dense'"):
        scorer(make_relation(SYSTEMS))
    reader = ROWS.to_reader()
    evaluate_means(reader, QRELS, "P@5")
    with pytest.raises(InputError, match=r"^a RecordBatchReader of pyarrow has no rows: a stream that was read before"):
        evaluate_means(reader, QRELS, "P@5")
    broken: Any = duckdb.sql("SELECT 1 AS user_id, 2 AS item_id, error('no such lake') AS prediction FROM range(9)")
    with pytest.raises(InputError, match=r"^a DuckDBPyRelation of duckdb cannot be read: .*no such lake"):
        evaluate_means(broken, QRELS, "P@5")
    with pytest.raises(TopicError, match="share no topic"):
        evaluate_means(ROWS.to_reader(), {"none": {"1": 1}}, "AP")
    with pytest.raises(UsageError, match="ties='bounds' gives ranges"):
        evaluate_means(ROWS.to_reader(), QRELS, "AP", ties="bounds")
    with pytest.raises(InputError, match="no column"):
        evaluate_means(pa.table({"a": [1]}).to_reader(), QRELS, "AP")


def test_a_topic_longer_than_a_part_is_whole() -> None:
    long = pa.table({"user_id": [1] * 900 + [2], "item_id": range(901), "prediction": np.arange(901.0)})
    qrels = {"1": {"3": 1, "899": 1}, "2": {"900": 1}}
    assert evaluate_means(in_batches(long).to_reader(), qrels, MEASURES) == evaluate_means(long, qrels, MEASURES)


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_partitions_take_a_stream(make: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    one = SYSTEMS.filter(pa.compute.equal(SYSTEMS["system"], "dense"))
    found = evaluate_partitions({"mine": make(in_batches(ROWS))}, QRELS, MEASURES)
    assert found.means == {"mine": evaluate_means(ROWS, QRELS, MEASURES)["run"]}
    assert list(evaluate_partitions(make(in_batches(one)), QRELS, MEASURES).means) == ["dense"]
    torn = in_batches(pa.concat_tables([ROWS.slice(10), ROWS.slice(0, 10)]))
    with pytest.raises(InputError, match="topic '0' occurs again"):
        evaluate_partitions(make(torn), QRELS, "AP", topic_layout="together")
    assert list(tmp_path.iterdir()) == []


def test_partitions_refuse_streams_of_several_systems_and_of_none() -> None:
    with pytest.raises(InputError, match=r"bm25.*dense"):
        evaluate_partitions(SYSTEMS.to_reader(), QRELS, "AP")
    reader = ROWS.to_reader()
    evaluate_partitions(reader, QRELS, "AP")
    with pytest.raises(InputError, match=r"^a RecordBatchReader of pyarrow has no rows"):
        evaluate_partitions(reader, QRELS, "AP")
    nested = pa.table({"user_id": [1], "item_id": [2], "prediction": [0.5], "text": pa.array([b"x"], pa.binary_view())})
    assert evaluate_partitions(nested.to_reader(), {"1": {"2": 1}}, "AP").means["run"]["AP"] == 1.0


def test_a_file_of_a_data_set_is_not_fetched_ahead(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    columns = {name: random.random(200_000) for name in ("topic", "document", "score")}
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=8_000, compression="none", use_dictionary=False)

    def held(data: Any) -> int:
        before, most = pa.total_allocated_bytes(), 0
        for _ in streams.read_batches(data):
            most = max(most, pa.total_allocated_bytes() - before)
        return most

    one = ds.dataset(path)
    assert held(one.scanner()) > path.stat().st_size  # PyArrow's own way, by which the test can tell
    assert held(one) < path.stat().st_size / 2
    assert held(ds.dataset([one, ds.dataset(path)])) < path.stat().st_size / 2
