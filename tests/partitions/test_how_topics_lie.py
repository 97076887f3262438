"""How topics lie in files is seen in their first rows, and what is wrong is named whatever the order of rows."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.engine import Engine
from cranfield.errors import InputError
from cranfield.partitions import Dataset, evaluate_partitions
from cranfield.streaming.partitions import plan as planning
from cranfield.streaming.partitions.lists import Listing, ScatteredTopicError, _are_scattered

Rows = list[tuple[int, int, float]]


def rows_of(topics: int, depth: int) -> Rows:
    return [(topic, 7 * place, float(depth - place)) for topic in range(topics) for place in range(depth)]


def write(path: Path, rows: Rows, number: str = "score") -> None:
    path.parent.mkdir(exist_ok=True)
    topics, documents, values = zip(*rows, strict=True)
    pq.write_table(pa.table({"query_id": topics, "doc_id": documents, number: values}), path)


def shuffled(rows: Rows) -> Rows:
    return random.Random(5).sample(rows, len(rows))


@pytest.mark.parametrize("text", [False, True])
def test_rows_in_any_order_are_told_from_rows_that_are_together(text: bool) -> None:
    def scattered(topics: list[int]) -> bool:
        names = [str(topic).encode() for topic in topics]
        offsets = np.cumsum([0, *map(len, names)])
        return _are_scattered((np.frombuffer(b"".join(names), np.uint8), offsets) if text else np.array(topics))

    assert scattered([1, 2, 1, 3, 2])
    assert not scattered([1, 1, 1, 2, 2, 2, 3])
    assert not scattered([1, 2, 3, 4])  # one row a topic
    assert not scattered([1, 1, 1, 2, 2, 1])  # few that come again: found while they are read
    assert not scattered([5])


def test_the_first_rows_say_that_topics_are_split(tmp_path: Path) -> None:
    rows, judged = rows_of(60, 12), [(topic, 14, 1.0) for topic in range(60)]
    write(tmp_path / "qrels" / "all.parquet", judged, "label")
    layouts = {
        "split": [rows[0::2], rows[1::2]],
        "apart": [[row for row in rows if row[0] % 2 == at] for at in range(2)],
        "one file": [shuffled(rows)],
    }
    found = {}
    for name, files in layouts.items():
        for number, some in enumerate(files):
            write(tmp_path / name / f"{number}.parquet", some)
        run = Dataset(tmp_path / name).fragments("score")
        (plan,) = planning.planned([run], Dataset(tmp_path / "qrels"), "auto", planning.Limits(10**9))
        found[name] = plan.topics
    assert found == {"split": "split", "apart": "auto", "one file": "auto"}
    means = [evaluate_partitions(tmp_path / name, tmp_path / "qrels", "RR").means[name] for name in layouts]
    assert means == [{"RR": 1 / 3}] * 3


def test_nothing_is_judged_before_the_order_of_rows_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "run" / "0.parquet", shuffled(rows_of(40, 10)))
    write(tmp_path / "qrels" / "0.parquet", [(topic, 0, 1.0) for topic in range(40)], "label")
    ways: list[str] = []
    together = Listing._together

    def watched(self: Listing, *given: object) -> object:
        try:
            yield from together(self, *given)  # type: ignore[arg-type]
            ways.append("judged")
        except ScatteredTopicError:
            ways.append("seen")
            raise

    monkeypatch.setattr(Listing, "_together", watched)
    assert evaluate_partitions(tmp_path / "run", tmp_path / "qrels", "RR").means == {"run": {"RR": 1.0}}
    assert ways == ["seen"]


def test_of_documents_that_occur_twice_that_of_the_first_topic_is_named(each_engine: Engine, tmp_path: Path) -> None:
    """Topics are judged in an order of their own where rows are in any order."""
    rows = rows_of(200, 5)
    twice = [rows[5 * 128], rows[5 * 70 + 2], rows[5 * 3 + 1]]
    write(tmp_path / "run" / "0.parquet", shuffled(rows + twice))
    write(tmp_path / "qrels" / "0.parquet", [(topic, 28, 1.0) for topic in range(200)], "label")
    with pytest.raises(InputError, match="document '7' occurs twice in topic '3'"):
        evaluate_partitions(tmp_path / "run", tmp_path / "qrels", "RR", topic_layout="complete")
