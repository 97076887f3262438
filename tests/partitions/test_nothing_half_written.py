"""Every bad input of a data set: one clear error with the file, nothing half written, what was done kept by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import CranfieldWarning, InputError
from cranfield.partitions import PartitionedScores, evaluate_partitions

TOPICS = 6


def part(topic: int, **changed: pa.Array) -> pa.Table:
    columns = {"qid": pa.array([topic] * 3), "docno": pa.array([1, 2, 3]), "score": pa.array([3.0, 2.0, 1.0])}
    return pa.table(columns | changed)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A run in a file a topic, and judgments beside it."""
    for name in ("run", "qrels"):
        (tmp_path / name).mkdir()
    for topic in range(TOPICS):
        pq.write_table(part(topic), tmp_path / "run" / f"{topic}.parquet")
    every = [part(topic) for topic in range(TOPICS)]
    labels = pa.concat_tables(every).rename_columns(["qid", "docno", "label"])
    pq.write_table(labels, tmp_path / "qrels" / "0.parquet", row_group_size=3)
    return tmp_path


def scored(data: Path, **words: object) -> PartitionedScores:
    how = {"by_topic": data / "scores", "window": 1} | words
    return evaluate_partitions(data / "run", data / "qrels", ["AP", "P@2"], **how)  # type: ignore[arg-type]


def put(table: pa.Table) -> Callable[[Path], None]:
    return lambda path: pq.write_table(table, path)


def without_footer(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def emptied(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()


SPOILED: list[tuple[Callable[[Path], None], str]] = [
    (
        put(part(4, docno=pa.array(["a", "b", "c"]))),
        r"4.parquet: the document ids .* are text, and in .*0.parquet",
    ),
    (put(part(4).drop_columns(["score"])), r"4.parquet: the file has no column score"),
    (put(part(4, docno=pa.array([1, None, 3]))), r"4.parquet: row group 0, row 2: there is no document id \(null"),
    (put(part(4, qid=pa.array([4, None, 4]))), r"4.parquet: row group 0, row 2: there is no topic id \(null"),
    (put(part(4, score=pa.array([1.0, None, 2.0]))), r"4.parquet: row group 0, row 2: there is no score \(null"),
    (put(part(4, docno=pa.array([1, 2, 1]))), r"4.parquet: row group 0, row 3: document '1' occurs twice in topic '4'"),
    (put(part(1)), r"4.parquet: row group 0, row 1: topic '1' is also in .*1.parquet: row group 0, row 1"),
    (without_footer, r"4.parquet: the Parquet data are damaged"),
    (emptied, r"run: no file is there: a data set is a folder or a glob of files"),
]


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize(("spoil", "message"), SPOILED)
def test_one_error_and_nothing_half_written(data: Path, spoil: Callable[[Path], None], message: str) -> None:
    spoil(data / "run" / "4.parquet")
    with pytest.raises(InputError, match=message):
        scored(data, topic_layout="together")
    assert not (data / "scores").exists()
    left = data / "scores.unfinished"
    for file in left.iterdir() if left.exists() else ():
        assert pq.read_table(file).num_rows == 1  # each is whole


def test_what_is_kept_is_named_and_gone_on_with(data: Path) -> None:
    whole = scored(data, by_topic=None)
    spoiled = data / "run" / "4.parquet"
    sound = spoiled.read_bytes()
    put(part(4, docno=pa.array([1, None, 3])))(spoiled)
    with (
        pytest.raises(InputError, match=r"4.parquet: row group 0, row 2"),
        pytest.warns(CranfieldWarning, match=r"the scores of \d parts are in .*scores.unfinished; go on with them"),
    ):
        scored(data)
    with pytest.warns(CranfieldWarning, match=r"1 part failed: the scores of the others are in .*scores.unfinished"):
        kept = scored(data, resume=True, keep_going=True)
    assert [Path(name).name for name, _ in kept.failed] == ["4.parquet"]
    spoiled.write_bytes(sound)
    assert scored(data, resume=True).totals == whole.totals
    assert sorted(path.name for path in data.iterdir()) == ["qrels", "run", "scores"]


def test_a_folder_without_a_part_is_not_left(data: Path) -> None:
    put(part(0, docno=pa.array([1, None, 3])))(data / "run" / "0.parquet")
    for topic in range(1, TOPICS):
        (data / "run" / f"{topic}.parquet").unlink()
    with pytest.raises(InputError, match="null"):
        scored(data)
    assert sorted(path.name for path in data.iterdir()) == ["qrels", "run"]


@pytest.mark.parametrize("spoil", [without_footer, emptied, put(part(4).drop_columns(["score"]))])
def test_a_run_that_cannot_be_read_is_left_out(data: Path, spoil: Callable[[Path], None]) -> None:
    (data / "second").mkdir()
    pq.write_table(part(4), data / "second" / "0.parquet")
    spoil(data / "second" / "0.parquet")
    runs = [data / "second", data / "run"]
    with pytest.raises(InputError):
        evaluate_partitions(runs, data / "qrels", "AP")
    result = evaluate_partitions(runs, data / "qrels", "AP", keep_going=True)
    assert result.totals == evaluate_partitions(data / "run", data / "qrels", "AP").totals
    assert [name for name, _ in result.failed] == [str(data / "second")]
    assert [run["name"] for run in result.signature["left_out"]] == [str(data / "second")]
