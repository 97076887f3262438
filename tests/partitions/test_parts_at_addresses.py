"""Scores of topics that parts write to an object store: all of them or none, and what is half written is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import CranfieldWarning, InputError, read_scores
from cranfield.partitions import PartitionedScores, evaluate_partitions
from cranfield.streaming.partitions.storage import RemoteStorage
from object_store import object_store

TOPICS = 3


@pytest.fixture(scope="module")
def lake() -> Iterator[Any]:
    with object_store("shore") as (_, store):
        yield store


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    yield system
    if system.exists("/shore"):
        system.rm("/shore", recursive=True)


def part(topic: int, last: int | None = 3) -> pa.Table:
    return pa.table({"qid": [topic] * 3, "docno": pa.array([1, 2, last]), "score": [3.0, 2.0, 1.0]})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A run in a file a topic, and judgments beside it."""
    for name in ("run", "qrels"):
        (tmp_path / name).mkdir()
    for topic in range(TOPICS):
        pq.write_table(part(topic), tmp_path / "run" / f"{topic}.parquet")
    labels = {"qid": [0, 1, 1, 2], "docno": [1, 2, 3, 3], "label": [1, 1, 2, 1]}
    pq.write_table(pa.table(labels), tmp_path / "qrels" / "0.parquet", row_group_size=1)
    return tmp_path


def scored(data: Path, place: Path | str | None, **words: Any) -> PartitionedScores:
    return evaluate_partitions(data / "run", data / "qrels", ["AP", "P@2"], by_topic=place, window=1, **words)


def names(place: str) -> list[str]:
    return RemoteStorage(place).files()


@pytest.mark.parametrize("scheme", ["s3", "memory"])
def test_scores_of_a_folder(scheme: str, data: Path, lake: Any, memory: Any) -> None:
    place = f"{scheme}://shore/{scheme}/scores"
    found = scored(data, place + "/")
    assert found.totals == scored(data, data / "scores").totals
    there, here = read_scores(place), read_scores(data / "scores")
    for name in ("AP", "P@2"):
        assert there[name].to_pandas().equals(here[name].to_pandas())
    assert names(place) == ["_manifest.json", *(f"part-000-00000{number}.parquet" for number in range(TOPICS))]
    assert names(f"{place}.unfinished") == []
    with pytest.raises(InputError, match=r"scores: cannot be written: .*_manifest.json is there already"):
        scored(data, place)


@pytest.mark.parametrize("scheme", ["s3", "memory"])
def test_what_failed_is_kept_aside_and_gone_on_with(scheme: str, data: Path, lake: Any, memory: Any) -> None:
    place, spoiled = f"{scheme}://shore/{scheme}/again", data / "run" / "2.parquet"
    sound = spoiled.read_bytes()
    pq.write_table(part(2, None), spoiled)
    with (
        pytest.raises(InputError, match=r"2.parquet: row group 0, row 3"),
        pytest.warns(CranfieldWarning, match=rf"the scores of 2 parts are in {place}.unfinished; go on with them"),
    ):
        scored(data, place)
    assert names(place) == []
    with pytest.raises(InputError, match=r"again.unfinished: holds what was written of an evaluation that has not end"):
        read_scores(f"{place}.unfinished")
    spoiled.write_bytes(sound)
    with pytest.raises(InputError, match=r"again.unfinished: holds parts that an earlier run left: go on with them"):
        scored(data, place)
    RemoteStorage(f"{place}.unfinished").write("part-000-000001.parquet", b"PAR1 cut off")
    assert scored(data, place, resume=True).totals == scored(data, None).totals
    assert read_scores(place).sizes["topic"] == TOPICS
    assert names(f"{place}.unfinished") == []


def test_nothing_is_left_where_no_part_was_done(data: Path, memory: Any) -> None:
    for topic in range(1, TOPICS):
        (data / "run" / f"{topic}.parquet").unlink()
    pq.write_table(part(0, None), data / "run" / "0.parquet")
    with pytest.raises(InputError, match="null"):
        scored(data, "memory://shore/none")
    assert not memory.exists("/shore/none") and not memory.exists("/shore/none.unfinished")


def test_copies_that_fail_or_are_killed(data: Path, lake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place, copy = "s3://shore/copied", RemoteStorage.copy

    def failing(shelf: RemoteStorage, file: str, other: RemoteStorage) -> None:
        if file.endswith("2.parquet"):
            raise KeyboardInterrupt
        copy(shelf, file, other)

    with monkeypatch.context() as patch:
        patch.setattr(RemoteStorage, "copy", failing)
        with pytest.raises(KeyboardInterrupt), pytest.warns(CranfieldWarning, match="3 parts are in .*unfinished"):
            scored(data, place)
        assert names(place) == []
        patch.setattr(RemoteStorage, "remove_all", lambda shelf: None)  # as where it is killed
        with pytest.raises(KeyboardInterrupt), pytest.warns(CranfieldWarning, match="3 parts are in .*unfinished"):
            scored(data, place, resume=True)
    assert len(names(place)) == 2
    with pytest.raises(InputError, match=r"copied: holds parts of scores, and not _manifest.json, which is written wh"):
        read_scores(place)
    assert scored(data, place, resume=True).totals == scored(data, None).totals
    assert read_scores(place).sizes["topic"] == TOPICS


def test_a_list_that_says_otherwise(data: Path, memory: Any) -> None:
    place = "memory://shore/listed"
    scored(data, place)
    shelf = RemoteStorage(place)
    with shelf.open("part-000-000001.parquet") as stream:
        held = stream.read()
    shelf.write("part-000-000009.parquet", held)
    with pytest.raises(InputError, match=r"part-000-000009.parquet is not in _manifest.json, which lists all files"):
        read_scores(place)
    shelf.remove("part-000-000009.parquet")
    shelf.remove("part-000-000001.parquet")
    with pytest.raises(InputError, match=r"listed: holds 2 of 3 files of scores, and not part-000-000001.parquet"):
        read_scores(place)
    shelf.write("_manifest.json", b"{")
    with pytest.raises(InputError, match=r"listed: _manifest.json is damaged"):
        read_scores(place)


def test_a_copy_on_this_machine_needs_its_list(data: Path, memory: Any) -> None:
    scored(data, "memory://shore/down")
    local, shelf = data / "down", RemoteStorage("memory://shore/down")
    local.mkdir()
    for name in shelf.files():
        with shelf.open(name) as stream:
            (local / name).write_bytes(stream.read())
    assert read_scores(local).sizes["topic"] == TOPICS
    (local / "_manifest.json").unlink()
    with pytest.raises(InputError, match=r"down: holds parts of scores, and not _manifest.json"):
        read_scores(local)


def test_a_bucket_that_is_not_there(data: Path, lake: Any) -> None:
    with pytest.raises(InputError, match=r"s3://no-such-bucket/x"):
        scored(data, "s3://no-such-bucket/x")
