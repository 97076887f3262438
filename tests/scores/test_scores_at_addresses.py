"""Scores in an object store, and wherever else fsspec leads: there and back, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xarray as xr

from cranfield import CranfieldWarning, InputError, compare, evaluate, read_scores, write_scores
from object_store import object_store

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 2, "d3": 1}}
RUNS = {"a": {"q1": {"d1": 2.0}, "q2": {"d9": 2.0, "d2": 1.0}}, "b/c": {"q1": {"d2": 2.0, "d1": 1.0}}}


@pytest.fixture(scope="module")
def scores() -> xr.Dataset:
    with pytest.warns(CranfieldWarning):
        return evaluate(RUNS, QRELS, ["AP", "NumRel"])


@pytest.fixture(scope="module")
def lake() -> Iterator[Any]:
    with object_store("lake") as (_, store):
        yield store


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    for name in ("/lake",):
        if system.exists(name):
            system.rm(name, recursive=True)


@pytest.mark.parametrize("scheme", ["s3", "memory"])
@pytest.mark.parametrize("name", ["scores/", "scores.parquet"])
def test_there_and_back(scheme: str, name: str, scores: xr.Dataset, lake: Any, memory: Any) -> None:
    place = f"{scheme}://lake/{scheme}/{name}"
    write_scores(scores, place)
    found = read_scores(place.rstrip("/"))
    assert found["AP"].to_numpy().tobytes() == scores["AP"].to_numpy().tobytes()
    assert found["system"].to_numpy().tolist() == ["a", "b/c"]
    assert compare(found["AP"]).pairs.equals(compare(scores["AP"]).pairs)


def test_an_object_is_replaced_and_a_folder_is_not(scores: xr.Dataset, lake: Any) -> None:
    write_scores(scores, "s3://lake/one.parquet")
    write_scores(scores.sel(system=["a"]), "s3://lake/one.parquet")
    assert read_scores("s3://lake/one.parquet").sizes["system"] == 1
    write_scores(scores, "s3://lake/many/")
    with pytest.raises(
        InputError, match=r"s3://lake/many/: cannot be written: lake/many/part-00000.parquet is there already"
    ):
        write_scores(scores, "s3://lake/many/")


def test_nothing_is_left_where_an_object_fails(
    scores: xr.Dataset, lake: Any, memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = pq.ParquetWriter.write_batch

    def failing(writer: pq.ParquetWriter, batch: pa.RecordBatch, *more: Any, **options: Any) -> None:
        if "b/c" in batch["system"].to_pylist():
            raise RuntimeError("no more")
        write(writer, batch, *more, **options)

    monkeypatch.setattr(pq.ParquetWriter, "write_batch", failing)
    for scheme in ("s3", "memory"):
        with pytest.raises(RuntimeError, match="no more"):
            write_scores(scores, f"{scheme}://lake/failed/")
        with pytest.raises(InputError, match=r"(no file is there|no such file)"):
            read_scores(f"{scheme}://lake/failed/")


def test_a_writer_that_was_killed_leaves_what_is_refused(scores: xr.Dataset, lake: Any) -> None:
    write_scores(scores, "s3://lake/killed/")
    lake.delete_file("lake/killed/part-00001.parquet")
    with pytest.raises(InputError, match=r"s3://lake/killed: holds 1 of 2 files of scores: writing them was interr"):
        read_scores("s3://lake/killed")


def test_what_is_refused(scores: xr.Dataset, lake: Any) -> None:
    with pytest.raises(InputError, match=r"s3://lake/nothing: (there is no such file or folder|no file is there)"):
        read_scores("s3://lake/nothing")
    with lake.open_output_stream("lake/other/scores.csv") as stream:
        stream.write(b"topic,a\n1,2\n")
    with pytest.raises(InputError, match=r"s3://lake/other/scores.csv: is not called \*.parquet: scores at an address"):
        read_scores("s3://lake/other")
    with pytest.raises(InputError, match=r"s3://lake/x.tsv: scores at an address are Parquet, not tsv"):
        write_scores(scores, "s3://lake/x.tsv")
    with pytest.raises(InputError, match=r"s3://no-such-bucket/x/: cannot be written"):
        write_scores(scores, "s3://no-such-bucket/x/")
