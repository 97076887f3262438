"""Files that hold no lines, given where a run or judgments are expected: said as what they are, with what to do."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import InputError
from cranfield.errors import FormatError

pytestmark = pytest.mark.usefixtures("each_engine")

RUN = {"q1": {"a": 2.5, "b": 1.0}, "q2": {"b": 0.5}}
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
FRAME = pd.DataFrame({"topic": ["q1", "q2"], "document": ["a", "b"], "score": [2.0, 1.0]})


def saved_array() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.arange(6.0))
    return buffer.getvalue()


def saved_arrays() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, scores=np.arange(6.0))
    return buffer.getvalue()


def parquet() -> bytes:
    buffer = io.BytesIO()
    FRAME.to_parquet(buffer)
    return buffer.getvalue()


def feather() -> bytes:
    buffer = io.BytesIO()
    FRAME.to_feather(buffer)
    return buffer.getvalue()


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def netcdf() -> bytes:
    return bytes(cranfield.evaluate(RUN, QRELS, "AP").to_netcdf(engine="scipy"))


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table run (topic text, document text, score real)")
        return connection.serialize()


FILES = {
    "parquet": (parquet, "is a Parquet file", "input_format=parquet"),
    "feather": (feather, "is an Arrow file", "pandas.read_feather"),
    "npy": (saved_array, "is an array of NumPy (.npy)", "dict"),
    "npz": (saved_arrays, "is an archive of NumPy's arrays (.npz)", "dict"),
    "netcdf": (netcdf, "is a netCDF or HDF5 file", "--scores"),
    "hdf5": (lambda: b"\x89HDF\r\n\x1a\n" + bytes(64), "is a netCDF or HDF5 file", "--scores"),
    "xlsx": (lambda: zipped("[Content_Types].xml", "xl/workbook.xml"), "is a workbook of Excel", "pandas.read_excel"),
    "zip": (lambda: zipped("a.run"), "is a zip archive", "name the files in it"),
    "sqlite": (database, "is an SQLite database", "pandas.read_sql"),
    "pickle": (lambda: pickle.dumps(RUN), "is a pickle of Python", "dict"),
    "pdf": (lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF document", "the data"),
}


def message(run: Path, qrels: object) -> str:
    with pytest.raises(InputError) as refused:
        cranfield.evaluate(run, qrels, "AP", input_format="trec")
    assert str(refused.value).isprintable()
    return str(refused.value)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
@pytest.mark.parametrize("kind", FILES)
def test_what_it_is_and_what_to_do(kind: str, packed: bool, tmp_path: Path) -> None:
    make, what, advice = FILES[kind]
    file = tmp_path / "given"
    file.write_bytes(gzip.compress(make()) if packed else make())
    good = tmp_path / "good"
    good.write_text("q1 Q0 a 1 2 t\n")
    for text in (message(file, {"q1": {"a": 1}}), message(good, file)):
        assert text.startswith(f"{file}: {what}")
        assert advice in text


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_json(indent: int | None, packed: bool, tmp_path: Path) -> None:
    """Its first line has any number of fields, among them those of other layouts."""
    file = tmp_path / "given.json"
    for run in (RUN, {"q1": {"a": 1.0}}, {"q1": {"a": 1.0, "b": 2.0}}, [["q1", "a", 1.0]]):
        text = json.dumps(run, indent=indent).encode()
        file.write_bytes(gzip.compress(text) if packed else text)
        found = message(file, {"q1": {"a": 1}})
        assert found.startswith(f"{file}:1: ")
        assert "; is this JSON? It is read with input_format=auto" in found
    assert cranfield.evaluate(json.loads(json.dumps(RUN)), QRELS, "AP") is not None


@pytest.mark.parametrize("start", ["PAR1", "CDF", "%PDF-", "PK"])
def test_topics_may_begin_as_other_files_do(start: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.run"
    file.write_text(f"{start} Q0 a 1 2 t\n")
    assert cranfield.evaluate(file, {start: {"a": 1}}, "AP")["AP"].values.tolist() == [[1.0]]


def test_a_line_that_is_wrong_is_named_where_the_file_is_text(tmp_path: Path) -> None:
    file = tmp_path / "odd.run"
    file.write_text("PAR1 Q0 a 1 2 t\nPAR1 Q0 b 2 x t\n")
    with pytest.raises(FormatError, match=r"odd\.run:2: the score 'x'"):
        cranfield.evaluate(file, {"PAR1": {"a": 1}}, "AP")
