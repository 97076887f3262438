"""Scores as Parquet: there and back, read by column, refused by file, and folders that appear whole."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from cranfield import CranfieldWarning, InputError, compare, evaluate, read_scores, write_scores
from effort import examples

QRELS = {"q1": {"d1": 1}, "q2": {"d2": 2, "d3": 1}}
RUNS = {"a": {"q1": {"d1": 2.0}, "q2": {"d9": 2.0, "d2": 1.0}}, "b/c": {"q1": {"d2": 2.0, "d1": 1.0}}}


@pytest.fixture(scope="module")
def scores() -> xr.Dataset:
    with pytest.warns(CranfieldWarning):
        return evaluate(RUNS, QRELS, ["AP", "nDCG@10", "NumRel"])


@pytest.fixture
def folder(tmp_path: Path, scores: xr.Dataset) -> Path:
    write_scores(scores, f"{tmp_path}/scores/")
    return tmp_path / "scores"


def alike(found: xr.Dataset, expected: xr.Dataset) -> None:
    """Equal names in equal order, equal bits, and what is said of each measure."""
    assert list(found.data_vars) == list(expected.data_vars)
    for dim in ("topic", "system"):
        assert found[dim].to_numpy().tolist() == expected[dim].to_numpy().tolist()
    for name, array in expected.data_vars.items():
        assert found[name].to_numpy().tobytes() == array.to_numpy().tobytes()
        assert {"summary", "larger_is_better", "signature"} <= set(found[name].attrs)
        assert found[name].attrs["summary"] == array.attrs["summary"]


@pytest.mark.parametrize("name", ["scores/", "scores.parquet"])
def test_there_and_back(tmp_path: Path, scores: xr.Dataset, name: str) -> None:
    write_scores(scores, f"{tmp_path}/{name}")
    alike(read_scores(tmp_path / name), scores)
    source = read_scores(tmp_path / name).attrs["signature"]
    assert str(scores.attrs["qrels_sha256"]) in source
    assert sorted(path.name for path in tmp_path.iterdir()) == [name.rstrip("/")]


def test_a_file_is_what_polars_reads(folder: Path, scores: xr.Dataset) -> None:
    frame = pl.read_parquet(f"{folder}/*.parquet")
    assert frame.columns == ["system", "topic", "AP", "nDCG@10", "NumRel"]
    means = dict(frame.group_by("system").agg(pl.col("AP").mean()).iter_rows())
    assert means == {"a": scores["AP"].sel(system="a").mean(), "b/c": scores["AP"].sel(system="b/c").mean()}


numbers = st.one_of(st.floats(allow_nan=True, allow_infinity=False), st.just(0.0))


@examples(20)
@given(st.data())
def test_rows_in_any_order_and_any_split_are_the_same_table(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    topics = data.draw(st.lists(st.text("abcß☃", min_size=1, max_size=3), min_size=1, max_size=6, unique=True))
    systems = data.draw(st.lists(st.text("xyz", min_size=1, max_size=2), min_size=1, max_size=3, unique=True))
    value = {(s, t): data.draw(numbers) for s in systems for t in topics}
    rows = data.draw(st.permutations(list(value)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    folder = tmp_path_factory.mktemp("split")
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(rows)], strict=True)):
        part = rows[start:end]
        columns = {"system": [s for s, _ in part], "topic": [t for _, t in part], "AP": [value[one] for one in part]}
        schema = pa.schema([("system", pa.string()), ("topic", pa.large_string()), ("AP", pa.float64())])
        pq.write_table(pa.table(columns, schema), folder / f"{number}.parquet")
    found = read_scores(folder)["AP"]
    by_system = [topic for first in dict.fromkeys(one for one, _ in rows) for one, topic in rows if one == first]
    assert found["topic"].to_numpy().tolist() == list(dict.fromkeys(by_system))
    for (system, topic), expected in value.items():
        np.testing.assert_array_equal(found.sel(system=system, topic=topic).item(), expected)


def test_only_the_measure_asked_for_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    columns_of = pq.ParquetFile.read

    def noted(file: pq.ParquetFile, columns: list[str], **options: object) -> pa.Table:
        read.extend(name for name in columns if name not in ("system", "topic"))
        return columns_of(file, columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "read", noted)
    held = read_scores(folder)
    assert read == []
    held["AP"].to_numpy()
    assert read == ["AP", "AP"]


def test_what_does_not_fit_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topics, systems = [f"q{number}" for number in range(200)], [f"s{number}" for number in range(40)]
    values = xr.DataArray(np.zeros((200, 40)), {"topic": topics, "system": systems}, ("topic", "system"), name="AP")
    write_scores(values, tmp_path / "scores.parquet")
    monkeypatch.setenv("CRANFIELD_MEMORY", "64000")
    held = read_scores(tmp_path / "scores.parquet")
    held["AP"].to_numpy()
    monkeypatch.setenv("CRANFIELD_MEMORY", "63999")
    with pytest.raises(InputError, match=r"200 topics of 40 systems by AP would take 64.0 kB of memory"):
        read_scores(tmp_path / "scores.parquet")["AP"].to_numpy()
    monkeypatch.setenv("CRANFIELD_MEMORY", "19999")
    with pytest.raises(InputError, match=r"200 topics by name would take 20.0 kB of memory"):
        read_scores(tmp_path / "scores.parquet")


# ---- refusals


def altered(folder: Path, columns: dict[str, list[object]], name: str = "part-00002.parquet") -> None:
    pq.write_table(pa.table(columns), folder / name)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"system": ["x"], "AP": [0.5]}, "part-00002.parquet: expected columns system and topic"),
        ({"system": ["x"], "topic": ["q1"]}, "holds no column of scores"),
        ({"system": ["x"], "topic": ["q1"], "AP": ["high"]}, "the column 'AP' is string: scores are numbers"),
        ({"system": ["x"], "topic": ["q1"], "AP": [0.5]}, "nDCG@10, NumRel not in every file"),
        ({"system": ["x"], "topic": [None], "AP": [0.5], "nDCG@10": [0.5], "NumRel": [1]}, "the column topic holds"),
        ({"system": ["x"], "topic": [1], "AP": [0.5], "nDCG@10": [0.5], "NumRel": [1]}, "holds int64: ids are text"),
        (
            {"system": ["b/c"], "topic": ["q2"], "AP": [0.5], "nDCG@10": [0.5], "NumRel": [1]},
            "part-00002.parquet: system 'b/c' has two rows of topic 'q2', here and in .*part-00001.parquet",
        ),
    ],
)
def test_files_that_do_not_fit(folder: Path, columns: dict[str, list[object]], message: str) -> None:
    altered(folder, columns)
    with pytest.raises(InputError, match=message):
        read_scores(folder)


def test_an_infinite_score(folder: Path) -> None:
    altered(folder, {"system": ["x"], "topic": ["q1"], "AP": [np.inf], "nDCG@10": [0.5], "NumRel": [1]})
    with pytest.warns(CranfieldWarning, match="1 cell without a row, read as nan"):
        held = read_scores(folder)
    with pytest.raises(InputError, match=r"part-00002.parquet: row 1: AP is infinite"):
        held["AP"].to_numpy()


def test_damage_and_change(folder: Path) -> None:
    held = read_scores(folder)
    part = folder / "part-00000.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole + b"PAR1")
    with pytest.raises(InputError, match=r"part-00000.parquet: was changed while it was read"):
        held["AP"].to_numpy()
    part.write_bytes(whole[:-9])
    with pytest.raises(InputError, match=r"part-00000.parquet: the Parquet data are damaged"):
        read_scores(folder)


def test_a_folder_that_is_not_filled_yet(folder: Path) -> None:
    half = folder.rename(folder.with_name("scores.unfinished"))
    with pytest.raises(InputError, match=r"scores.unfinished/?: holds what was written of an evaluation that has not"):
        read_scores(f"{half}/")


def test_parts_of_other_judgments(folder: Path, tmp_path: Path) -> None:
    other = evaluate({"x": RUNS["a"]}, {"q1": {"d1": 2}, "q2": {"d2": 2}}, ["AP", "nDCG@10", "NumRel"])
    write_scores(other, tmp_path / "other.parquet")
    (tmp_path / "other.parquet").rename(folder / "part-00002.parquet")
    with pytest.raises(InputError, match=r"part-00002.parquet: was scored otherwise than .*: qrels"):
        read_scores(folder)


def test_two_sets_of_the_same_measures_are_further_systems(folder: Path, tmp_path: Path) -> None:
    write_scores(read_scores(folder).sel(system=["a"]), tmp_path / "other.parquet")
    assert read_scores([folder, tmp_path / "other.parquet"])["system"].to_numpy().tolist() == [
        "scores/a",
        "b/c",
        "other/a",
    ]


# ---- folders appear whole


def test_scores_are_replaced_and_nothing_else(folder: Path, scores: xr.Dataset) -> None:
    write_scores(scores.sel(system=["a"]), f"{folder}/")
    assert [file.name for file in folder.iterdir()] == ["part-00000.parquet"]
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds something else \('notes.txt'\)"):
        write_scores(scores, f"{folder}/")
    assert len(list(folder.iterdir())) == 2


KILLED = """
import os, signal, sys
from pathlib import Path
from cranfield.io.atomic_write import whole_folder
with whole_folder(Path(sys.argv[1]), lambda file: True) as folder:
    (folder / "part").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_what_was_there(folder: Path) -> None:
    before = sorted(file.name for file in folder.iterdir())
    stop = subprocess.run([sys.executable, "-c", KILLED, str(folder)], timeout=60, check=False)
    assert stop.returncode == -signal.SIGKILL
    assert sorted(file.name for file in folder.iterdir()) == before
    assert len(list(folder.parent.iterdir())) == 2
    # A folder is swept once a process.
    again = "import sys, cranfield; cranfield.write_scores(cranfield.read_scores(sys.argv[1]), sys.argv[2])"
    subprocess.run([sys.executable, "-c", again, str(folder), f"{folder}/../again/"], timeout=60, check=True)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["again", "scores"]


def test_a_comparison_of_columns_is_that_of_the_scores_in_memory(folder: Path, scores: xr.Dataset) -> None:
    ours, theirs = compare(read_scores(folder)["AP"]), compare(scores["AP"])
    assert ours.pairs.equals(theirs.pairs)
