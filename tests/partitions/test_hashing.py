"""Judgments out of order and larger than memory: both sides by a hash of the topic, and the same bits."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cranfield import InputError
from cranfield.partitions import evaluate_partitions
from partitions.test_evaluate_partitions import rows_of, same, whole, write

MEASURES = ["AP", "nDCG@10", "RBP", "INST", "Bpref", "GMAP"]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_the_bits_are_those_of_memory_and_nothing_is_left(tmp_path: Path, scratch: Path, text: bool) -> None:
    run, qrels = rows_of(11, topics=40, text=text)
    mixed = [random.Random(1).sample(rows, len(rows)) for rows in (run, qrels)]
    path = write(tmp_path / "run", mixed[0], "prediction", [50, 200])
    judged = write(tmp_path / "qrels", mixed[1], "relevance", [100])
    for words in ({}, {"missing": "skip"}, {"ties": "docid"}):
        expected = whole(run, qrels, MEASURES, **words)
        for memory in ("3kB", "12kB"):
            found = evaluate_partitions(path, judged, MEASURES, memory=memory, **words)
            assert same(found.means["run"], expected)
    with ThreadPoolExecutor(2) as pool:
        stored = evaluate_partitions(
            path, judged, MEASURES, memory="3kB", executor=pool, by_topic=tmp_path / "scores", topic_layout="split"
        )
    assert same(stored.means["run"], whole(run, qrels, MEASURES))
    assert pq.read_table(tmp_path / "scores").num_rows == len({row[0] for row in qrels})
    assert not list(scratch.iterdir())


def test_what_is_wrong_with_a_row_is_said_with_its_file(tmp_path: Path, scratch: Path) -> None:
    run, qrels = rows_of(11, topics=40)
    path = write(tmp_path / "run", [*run[::-1], run[0]], "prediction", [])
    judged = write(tmp_path / "qrels", qrels[::-1], "relevance", [])
    with pytest.raises(
        InputError, match=r"run/part-000.parquet \(part \d+ of \d+\): row \d+: document .* occurs twice"
    ):
        evaluate_partitions(path, judged, MEASURES, memory="3kB")
    twice = write(tmp_path / "twice", [*qrels[::-1], qrels[0]], "relevance", [])
    with pytest.raises(InputError, match=r"twice/part-000.parquet \(part \d+ of \d+\): document .* is judged twice"):
        evaluate_partitions(write(tmp_path / "good", run[::-1], "prediction", []), twice, MEASURES, memory="3kB")
    assert not list(scratch.iterdir())


def test_no_room_is_said_with_its_size(tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, qrels = rows_of(11, topics=40)
    path = write(tmp_path / "run", run[::-1], "prediction", [])
    judged = write(tmp_path / "qrels", qrels[::-1], "relevance", [])
    with pytest.raises(
        InputError, match=r"judgments would take 11.2 kB of memory, of 100 B allowed: write run and judgments"
    ):
        evaluate_partitions(path, judged, MEASURES, memory="100B")
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 10, 0))
    with pytest.raises(InputError, match=r"scratch: run and judgments are not sorted .* of 0 B free: set TMPDIR"):
        evaluate_partitions(path, judged, MEASURES, memory="3kB")
