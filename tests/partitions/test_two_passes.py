"""Topics split over files: documents are read a second time only where scores are equal, and nothing else changes."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield.engine import Engine
from cranfield.errors import InputError
from cranfield.partitions import Dataset, evaluate_partitions
from cranfield.streaming.partitions import plan as planning
from cranfield.streaming.partitions import repeats, split_topics

Rows = list[tuple[int, Any, float]]
MEASURES = ["AP", "nDCG@10", "RR", "P@5", "NumRet"]
TIES = ["trec", "docid", "trec9", "expected"]


def table(rows: Rows, number: str) -> pa.Table:
    topics, documents, values = zip(*rows, strict=True)
    return pa.table({"query_id": topics, "doc_id": documents, number: values})


def write(folder: Path, files: Sequence[Rows], number: str = "score") -> Path:
    folder.mkdir()
    for place, rows in enumerate(files):
        pq.write_table(table(rows, number), folder / f"{place}.parquet")
    return folder


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether documents were left out, for each part of each second pass."""
    seen: list[bool] = []
    count = split_topics.SecondPass.__call__

    def watched(self: split_topics.SecondPass, part: Any) -> Any:
        seen.append(self.blind)
        return count(self, part)

    monkeypatch.setattr(split_topics.SecondPass, "__call__", watched)
    return seen


QRELS = [(1, 20, 1.0), (1, 30, 2.0), (1, 50, 1.0), (2, 11, 1.0)]
ONE: Rows = [(1, 10, 0.9), (1, 20, 0.5), (1, 40, 0.3), (2, 11, 0.25)]
OTHER: dict[str, tuple[Rows, list[bool]]] = {
    "no scores are equal": ([(1, 30, 0.4), (1, 60, 0.6), (2, 12, 0.5)], [True] * 2),
    "those of judged documents": ([(1, 30, 0.5), (1, 50, 0.2), (1, 60, 0.6), (2, 12, 0.5)], [True] * 2),
    "that of a document without a judgment, in another file": (
        [(1, 15, 0.5), (1, 30, 0.4), (1, 60, 0.5), (2, 12, 0.5)],
        [True] * 2 + [False] * 2,
    ),
    "the same in one file": ([(1, 30, 0.4), (1, 60, 0.4), (2, 12, 0.5)], [False] * 2),
}


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("which", OTHER)
def test_documents_are_read_again_where_scores_are_equal(
    each_engine: Engine, tmp_path: Path, blind: list[bool], which: str, ties: Any
) -> None:
    other, passed = OTHER[which]
    run = write(tmp_path / "run", [ONE, other])
    judged = write(tmp_path / "qrels", [QRELS], "relevance")
    found = evaluate_partitions(run, judged, MEASURES, topic_layout="split", ties=ties).means["run"]
    rows, qrels = table(ONE + other, "score"), table(QRELS, "relevance")
    assert found == cranfield.evaluate_means(rows, qrels, MEASURES, ties=ties)["run"]
    assert blind == passed


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("judged", [3, 40, 47, 48, 49, 70])
def test_lists_of_any_length_and_as_many_judged_documents(tmp_path: Path, judged: int, text: bool) -> None:
    """Few documents are compared with each row, and more are looked up in tables; rows are held in blocks of 1,024."""
    draw = random.Random(judged)

    def name(number: int) -> Any:
        return f"document-{number}" if text else number

    rows = [
        (topic, name(document), draw.random())
        for topic, depth in enumerate([1, 2, 5, 130, 2500])
        for document in draw.sample(range(3000), depth)
    ]
    qrels = [
        (topic, name(document), float(draw.choice([0, 1, 2])))
        for topic in range(5)
        for document in draw.sample(range(100 if topic < 4 else 3000), judged)
    ]
    places = write(tmp_path / "qrels", [qrels], "relevance")
    wanted = cranfield.evaluate_means(table(rows, "score"), table(qrels, "relevance"), MEASURES)["run"]
    scattered = draw.sample(rows, len(rows))
    files = {"complete": [scattered], "together": [rows], "split": [scattered[0::2], scattered[1::2]]}
    for topics, some in files.items():
        run = write(tmp_path / topics, some)
        assert evaluate_partitions(run, places, MEASURES, topic_layout=topics).means[topics] == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize("groups", [False, True])
def test_a_pass_that_was_sent_counts_the_same(each_engine: Engine, tmp_path: Path, groups: bool) -> None:
    run = Dataset(write(tmp_path / "run", [ONE, [(1, 30, 0.5), (1, 60, 0.6)]])).fragments("score")
    judged = Dataset(write(tmp_path / "qrels", [QRELS], "relevance"))
    (plan,) = planning.planned([run], judged, "split", planning.Limits(10**9))
    assert plan.judged is not None
    counter = plan.judged.pools.rank_counter(np.array([0.5, 0.5, np.nan, 0.25]), "trec")
    how: dict[str, Any] = {"judged": plan.judged, "kinds": plan.kinds, "rows": 3, "ties": "trec", "groups": groups}
    for blind in (True, False):
        second = split_topics.SecondPass(counter=counter, blind=blind, **how)
        again = pickle.loads(pickle.dumps(second))
        for part in plan.parts:
            (one, equal), (other, same) = second(part), again(part)
            assert equal == same == (2 if part.number == 0 else 1)
            assert [counts.tolist() for counts in one] == [counts.tolist() for counts in other]
            assert [len(counts) for counts in one] == [3, *[3 * (groups and not blind)] * 2]


@pytest.mark.parametrize("file", [0, 1])
def test_both_rows_of_a_document_that_occurs_twice_are_named(each_engine: Engine, tmp_path: Path, file: int) -> None:
    files = [list(ONE), [(1, 60, 0.6), (2, 12, 0.5)]]
    files[file].append((1, 20, 0.7))
    run, judged = write(tmp_path / "run", files), write(tmp_path / "qrels", [QRELS], "relevance")
    later = "0.parquet: row group 0, row 5" if file == 0 else "1.parquet: row group 0, row 3"
    with pytest.raises(InputError, match=r"document '20' occurs twice in topic '1', also in ") as caught:
        evaluate_partitions(run, judged, MEASURES, topic_layout="split")
    assert later in str(caught.value)
    assert "0.parquet: row group 0, row 2" in str(caught.value)


UNJUDGED: list[tuple[list[Rows], str, str]] = [
    ([ONE, [(1, 30, 0.4), (1, 10, 0.6)]], "0.parquet: row group 0, row 1", "1.parquet: row group 0, row 2"),
    ([ONE, [(2, 12, 0.5)], [(1, 10, 0.9)]], "0.parquet: row group 0, row 1", "2.parquet: row group 0, row 1"),
    ([[*ONE, (1, 40, 0.1)], [(1, 30, 0.4)]], "0.parquet: row group 0, row 3", "0.parquet: row group 0, row 5"),
    ([ONE, [(1, 40, 0.4)], [(1, 10, 0.6)]], "0.parquet: row group 0, row 3", "1.parquet: row group 0, row 1"),
]
"""Files, and the two rows that are named: the second one is the first that repeats another."""


@pytest.mark.parametrize("topics", ["split", "auto"])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("shares", [1, 7])
@pytest.mark.parametrize(("files", "earlier", "later"), UNJUDGED)
def test_a_document_without_a_judgment_that_occurs_twice_is_refused(
    each_engine: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[Rows],
    earlier: str,
    later: str,
    shares: int,
    text: bool,
    topics: Any,
) -> None:
    monkeypatch.setattr(planning.Limits, "hashed", 1 if shares > 1 else 100)
    made = [[(topic, f"d{document}" if text else document, score) for topic, document, score in rows] for rows in files]
    judgments = [(topic, f"d{document}" if text else document, label) for topic, document, label in QRELS]
    run, judged = write(tmp_path / "run", made), write(tmp_path / "qrels", [judgments], "relevance")
    with pytest.raises(InputError, match=r"document '.*' occurs twice in topic '1', also in ") as caught:
        evaluate_partitions(run, judged, MEASURES, topic_layout=topics)
    assert f"{later}: document" in str(caught.value)
    assert f"{earlier}; keep one of its rows" in str(caught.value)
    assert caught.value.code == "duplicate"


def test_a_document_twice_in_a_topic_without_judgments_is_none_of_ours(each_engine: Engine, tmp_path: Path) -> None:
    run = write(tmp_path / "run", [[*ONE, (9, 10, 0.5)], [(1, 30, 0.4), (9, 10, 0.5)]])
    judged = write(tmp_path / "qrels", [QRELS], "relevance")
    assert evaluate_partitions(run, judged, "P@2", topic_layout="split").means["run"]["P@2"] == 0.5


def test_documents_whose_hashes_alone_are_equal_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[Rows] = [ONE, [(1, 30, 0.4), (1, 60, 0.6), (2, 10, 0.5)]]
    run, judged = write(tmp_path / "run", files), write(tmp_path / "qrels", [QRELS], "relevance")
    wanted = evaluate_partitions(run, judged, MEASURES, topic_layout="split").means

    def poor(self: repeats.HashPass, topics: Any, documents: Any) -> repeats.Hashes:
        return (documents % 3 + 1).astype(np.uint64)

    monkeypatch.setattr(repeats.HashPass, "hash_all", poor)
    assert evaluate_partitions(run, judged, MEASURES, topic_layout="split").means == wanted
    again = write(tmp_path / "again", [*files, [(1, 40, 0.3)]])
    with pytest.raises(InputError, match=r"document '40' occurs twice"):
        evaluate_partitions(again, judged, MEASURES, topic_layout="split")


@pytest.mark.parametrize("case", OTHER)
@pytest.mark.parametrize("topics", ["auto", "split", "complete"])
def test_progress_ends_with_all_that_there_is(tmp_path: Path, case: str, topics: Any) -> None:
    judged = write(tmp_path / "qrels", [QRELS], "label")
    whole = topics == "complete"
    run = write(tmp_path / "run", [[*ONE, *OTHER[case][0]]] if whole else [ONE, OTHER[case][0]])
    told: list[tuple[int, int]] = []
    evaluate_partitions(
        [Dataset(run), Dataset(run, name="again")],
        judged,
        "AP",
        topic_layout=topics,
        progress=lambda *at: told.append(at),
    )
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert all(done <= of for done, of in told)
    assert told[-1][0] == told[-1][1] == 2 * (1 if whole else 2 + len(OTHER[case][1]))
