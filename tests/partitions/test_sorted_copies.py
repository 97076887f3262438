"""Topics split over files, and judgments that have no room: rows are sorted by topic once, and nothing else changes."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import namedtuple
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield.engine import Engine
from cranfield.errors import InputError, MissingPackageError, UsageError
from cranfield.partitions import Dataset, evaluate_partitions
from cranfield.streaming.partitions import part_scoring, sorted_copy
from cranfield.streaming.partitions import plan as planning
from partitions.test_evaluate_partitions import rows_of, same, whole
from partitions.test_evaluate_partitions import write as write_files

Rows = list[tuple[int, Any, float]]
MEASURES = ["AP", "nDCG@10", "RR", "P@5", "NumRet"]
TIES = ["trec", "docid", "trec9", "expected"]
QRELS = [(1, 20, 1.0), (1, 30, 2.0), (1, 50, 1.0), (2, 11, 1.0)]
ONE: Rows = [(1, 10, 0.9), (1, 20, 0.5), (1, 40, 0.3), (2, 11, 0.25)]
OTHER: dict[str, Rows] = {
    "no scores are equal": [(1, 30, 0.4), (1, 60, 0.6), (2, 12, 0.5)],
    "those of judged documents": [(1, 30, 0.5), (1, 50, 0.2), (1, 60, 0.6), (2, 12, 0.5)],
    "that of a document without a judgment": [(1, 15, 0.5), (1, 30, 0.4), (1, 60, 0.5), (2, 12, 0.5)],
}
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


def table(rows: Rows, number: str) -> pa.Table:
    topics, documents, values = zip(*rows, strict=True)
    return pa.table({"query_id": topics, "doc_id": documents, number: values})


def write(folder: Path, files: Sequence[Rows], number: str = "score") -> Path:
    folder.mkdir()
    for place, rows in enumerate(files):
        pq.write_table(table(rows, number), folder / f"{place}.parquet")
    return folder


def texts(rows: Rows) -> Rows:
    return [(topic, f"d{document}", value) for topic, document, value in rows]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("which", OTHER)
def test_topics_in_two_files_have_the_numbers_of_one(
    each_engine: Engine, tmp_path: Path, scratch: Path, which: str, ties: Any
) -> None:
    run, judged = write(tmp_path / "run", [ONE, OTHER[which]]), write(tmp_path / "qrels", [QRELS], "relevance")
    expected = cranfield.evaluate_means(
        table(ONE + OTHER[which], "score"), table(QRELS, "relevance"), MEASURES, ties=ties
    )
    for layout in ("split", "auto"):
        found = evaluate_partitions(run, judged, MEASURES, topic_layout=layout, ties=ties)  # type: ignore[arg-type]
        assert found.means["run"] == expected["run"]
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("text", [False, True])
def test_a_sorted_copy_is_cut_between_topics(tmp_path: Path, scratch: Path, text: bool) -> None:
    """Parts hold all rows once, those of a topic in one part, though row groups end within topics."""
    rows: Rows = [(topic, topic * 1000 + place, float(place)) for topic in range(40) for place in range(300)]
    files = [random.Random(seed).sample(rows[seed::2], len(rows) // 2) for seed in range(2)]
    run = Dataset(write(tmp_path / "run", [texts(some) for some in files] if text else files)).fragments("score")
    kinds = planning.find_kinds([run], None)
    room = sorted_copy.Scratch(run, kinds)
    copy = sorted_copy.sort_by_topic(run, "score", kinds, 1024, 1, room)
    assert copy.groups is not None
    assert max(group.rows for group in copy.groups) <= 4096 < copy.rows == len(rows)
    parts = sorted_copy.cut_sorted(copy, None, 3)
    assert len(parts) == 3
    met: list[Any] = []
    for part in parts:
        low, high = part.between
        (file,) = part.run
        groups = [group.number for group in file.groups or ()]
        topics = pq.ParquetFile(file.path).read_row_groups(groups, ["topic"])["topic"].to_pylist()
        met += [topic for topic in topics if (low is None or topic > low) and (high is None or topic <= high)]
    assert met == sorted(topic for topic, _, _ in rows)


def test_scores_of_topics_are_stored_and_reused(tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, judged = write(tmp_path / "run", [ONE, OTHER["no scores are equal"]]), write(tmp_path / "q", [QRELS], "label")
    first = evaluate_partitions(run, judged, MEASURES, topic_layout="split", by_topic=tmp_path / "scores")
    stored = cranfield.read_scores(tmp_path / "scores")
    assert stored["AP"].mean().item() == pytest.approx(first.means["run"]["AP"], abs=1e-15)
    (tmp_path / "scores").rename(tmp_path / "scores.unfinished")
    monkeypatch.setattr(part_scoring.PartWork, "_scored", None)  # no part is scored again
    again = evaluate_partitions(run, judged, MEASURES, topic_layout="split", by_topic=tmp_path / "scores", resume=True)
    assert again.means == first.means


@pytest.mark.parametrize("file", [0, 1])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("document", [20, 10])
def test_both_rows_of_a_document_that_occurs_twice_are_named(
    each_engine: Engine, tmp_path: Path, scratch: Path, file: int, text: bool, document: int
) -> None:
    """A judged document, and one without a judgment."""
    files = [list(ONE), [(1, 60, 0.6), (2, 12, 0.5)]]
    files[file].append((1, document, 0.7))
    made = [texts(some) for some in files] if text else files
    judgments = texts(QRELS) if text else QRELS
    run, judged = write(tmp_path / "run", made), write(tmp_path / "qrels", [judgments], "relevance")
    later = "0.parquet: row group 0, row 5" if file == 0 else "1.parquet: row group 0, row 3"
    with pytest.raises(InputError, match=rf"document 'd?{document}' occurs twice in topic '1', also in ") as caught:
        evaluate_partitions(run, judged, MEASURES, topic_layout="split")
    assert later in str(caught.value)
    assert f"0.parquet: row group 0, row {1 if document == 10 else 2}; keep one" in str(caught.value)
    assert caught.value.code == "duplicate"
    assert not list(scratch.iterdir())


def test_a_value_that_cannot_be_used_is_named_in_its_own_file(tmp_path: Path, scratch: Path) -> None:
    run = write(tmp_path / "run", [ONE, [(1, 30, 0.4), (1, 60, float("nan"))]])
    judged = write(tmp_path / "qrels", [QRELS], "relevance")
    with pytest.raises(InputError, match=r"run/1\.parquet: row group 0, row 2: column 'score': .*nan"):
        evaluate_partitions(run, judged, MEASURES, topic_layout="split")
    assert not list(scratch.iterdir())


def test_a_document_twice_in_a_topic_without_judgments_is_none_of_ours(tmp_path: Path) -> None:
    run = write(tmp_path / "run", [[*ONE, (9, 10, 0.5)], [(1, 30, 0.4), (9, 10, 0.5)]])
    judged = write(tmp_path / "qrels", [QRELS], "relevance")
    assert evaluate_partitions(run, judged, "P@2", topic_layout="split").means["run"]["P@2"] == 0.5


def test_what_cannot_be_had_of_split_topics_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, judged = write(tmp_path / "run", [ONE, OTHER["no scores are equal"]]), write(tmp_path / "q", [QRELS], "label")
    with pytest.raises(UsageError, match="ties='file' has no meaning for topics in several files"):
        evaluate_partitions(run, judged, MEASURES, topic_layout="split", ties="file")
    with pytest.raises(UsageError, match="on_duplicate='first' cannot be had of topics in several files"):
        evaluate_partitions(run, judged, MEASURES, topic_layout="split", on_duplicate="first")
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(
        MissingPackageError, match=r"sorting rows by topic needs duckdb, .*pip install 'cranfield\[sort\]'"
    ):
        evaluate_partitions(run, judged, MEASURES, topic_layout="split")


@pytest.mark.parametrize("topics", ["auto", "split", "complete"])
def test_progress_ends_with_all_that_there_is(tmp_path: Path, topics: Any) -> None:
    judged = write(tmp_path / "qrels", [QRELS], "label")
    other = OTHER["no scores are equal"]
    run = write(tmp_path / "run", [[*ONE, *other]] if topics == "complete" else [ONE, other])
    told: list[tuple[int, int]] = []
    runs = [Dataset(run), Dataset(run, name="again")]
    evaluate_partitions(runs, judged, "AP", topic_layout=topics, progress=lambda *at: told.append(at))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert all(done <= of for done, of in told)
    assert told[-1][0] == told[-1][1]


def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments of two row groups as small as can be are too many."""
    monkeypatch.setattr(planning, "ALWAYS_HELD", 0)


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_judgments_without_room_give_the_bits_of_memory(tmp_path: Path, scratch: Path, text: bool) -> None:
    run, qrels = rows_of(11, topics=40, text=text)
    mixed = [random.Random(1).sample(rows, len(rows)) for rows in (run, qrels)]
    path = write_files(tmp_path / "run", mixed[0], "prediction", [50, 200])
    judged = write_files(tmp_path / "qrels", mixed[1], "relevance", [100])
    measures = ["AP", "nDCG@10", "RBP", "INST", "Bpref", "GMAP"]
    for words in ({}, {"missing": "skip"}, {"ties": "docid"}):
        expected = whole(run, qrels, measures, **words)
        for memory in ("3kB", "12kB"):
            found = evaluate_partitions(path, judged, measures, memory=memory, **words)
            assert same(found.means["run"], expected)
    with ThreadPoolExecutor(2) as pool:
        stored = evaluate_partitions(
            path, judged, measures, memory="3kB", executor=pool, by_topic=tmp_path / "scores", topic_layout="split"
        )
    assert same(stored.means["run"], whole(run, qrels, measures))
    assert pq.read_table(tmp_path / "scores").num_rows == len({row[0] for row in qrels})
    assert not list(scratch.iterdir())


def test_many_judgments_without_room_are_scored_in_parts(tmp_path: Path, scratch: Path) -> None:
    rows: Rows = [(topic, place, float(place)) for topic in range(100) for place in range(200)]
    labels: Rows = [(topic, place, float(place % 3 == 0)) for topic in range(100) for place in range(100)]
    mixed = [random.Random(1).sample(some, len(some)) for some in (rows, labels)]
    run = write(tmp_path / "run", [mixed[0][::2], mixed[0][1::2]])
    judged = write(tmp_path / "qrels", [mixed[1]], "relevance")
    told: list[tuple[int, int]] = []
    found = evaluate_partitions(run, judged, MEASURES, memory="250kB", progress=lambda *at: told.append(at))
    expected = cranfield.evaluate_means(table(rows, "score"), table(labels, "relevance"), MEASURES)
    assert found.means["run"] == expected["run"]
    assert told[-1][0] == told[-1][1] > 1


def test_rows_that_are_refused_while_judgments_have_no_room(tmp_path: Path, scratch: Path) -> None:
    run, qrels = rows_of(11, topics=40)
    path = write_files(tmp_path / "run", [*run[::-1], run[0]], "prediction", [])
    judged = write_files(tmp_path / "qrels", qrels[::-1], "relevance", [])
    with pytest.raises(InputError, match=r"run/part-000.parquet: row group \d+, row \d+: document .* occurs twice"):
        evaluate_partitions(path, judged, MEASURES, memory="3kB")
    twice = write_files(tmp_path / "twice", [*qrels[::-1], qrels[0]], "relevance", [])
    with pytest.raises(InputError, match=r"twice/part-000.parquet \(sorted by topic\): document .* is judged twice"):
        evaluate_partitions(write_files(tmp_path / "good", run[::-1], "prediction", []), twice, MEASURES, memory="3kB")
    assert not list(scratch.iterdir())


def test_no_room_is_said_with_its_size(tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, qrels = rows_of(11, topics=40)
    path = write_files(tmp_path / "run", run[::-1], "prediction", [])
    judged = write_files(tmp_path / "qrels", qrels[::-1], "relevance", [])
    with monkeypatch.context() as patch:
        small_groups(patch)
        with pytest.raises(
            InputError, match=r"judgments would take 11.2 kB of memory, of 100 B allowed: write run and judgments"
        ):
            evaluate_partitions(path, judged, MEASURES, memory="100B")
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 10, 0))
    with pytest.raises(InputError, match=r"scratch: .* of temporary files would be needed .* of 0 B free: set TMPDIR"):
        evaluate_partitions(path, judged, MEASURES, memory="3kB")
    assert not list(scratch.iterdir())
