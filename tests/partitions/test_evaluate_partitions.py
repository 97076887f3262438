"""Runs scored part by part have the numbers of the whole, to the bit, whatever the parts are."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.engine import Engine
from cranfield.measures import registry
from cranfield.partitions import evaluate_partitions
from effort import examples

PLAIN = [name for name, one in registry.items() if not one.needs_intents and not one.required]
EXPECTED = [name for name in PLAIN if registry[name].expected]
Rows = list[tuple[Any, Any, float]]


def rows_of(
    seed: int, topics: int = 14, depth: int = 12, *, text: bool = False, ties: bool = True
) -> tuple[Rows, Rows]:
    """A run and judgments, topic by topic; some scores are equal, some topics lack a run or judgments."""
    draw = random.Random(seed)

    def name(prefix: str, number: int) -> Any:
        return f"{prefix}{number}" if text else number

    run: Rows = []
    qrels: Rows = []
    for topic in sorted(draw.sample(range(200), topics)):
        pool = draw.sample(range(60), depth + 8)
        if draw.random() < 0.9:
            run += [
                (name("q", topic), name("d", document), round(draw.random(), 1 if ties else 9))
                for document in pool[:depth]
            ]
        if draw.random() < 0.9:
            qrels += [(name("q", topic), name("d", document), draw.choice([0, 0, 1, 2])) for document in pool[4::2]]
    return run, qrels


def write(folder: Path, rows: Rows, value: str, cuts: list[int], *, group: int = 7) -> Path:
    """Rows in as many files as there are pieces between the cuts."""
    folder.mkdir(parents=True, exist_ok=True)
    bounds = [0, *sorted(cuts), len(rows)]
    whole = all(isinstance(row[0], int) for row in rows)
    kind = pa.int64() if whole else pa.string()
    for number, (start, end) in enumerate(itertools.pairwise(bounds)):
        topics, documents, values = zip(*rows[start:end], strict=True) if end > start else ((), (), ())
        columns = {"user_id": pa.array(topics, kind), "item_id": pa.array(documents, kind)}
        table = pa.table({**columns, value: pa.array(values, pa.float64())})
        pq.write_table(table, folder / f"part-{number:03}.parquet", row_group_size=group)
    return folder


def between_topics(rows: Rows, parts: int) -> list[int]:
    """Cuts between topics."""
    ends = [at for at in range(1, len(rows)) if rows[at][0] != rows[at - 1][0]]
    return [ends[len(ends) * part // parts] for part in range(1, parts)]


def frame(rows: Rows, value: str) -> pa.Table:
    topics, documents, values = zip(*rows, strict=True)
    return pa.table({"user_id": topics, "item_id": documents, value: values})


def whole(run: Rows, qrels: Rows, measures: Any = PLAIN, **words: Any) -> dict[str, float]:
    return cranfield.evaluate_means(frame(run, "prediction"), frame(qrels, "relevance"), measures, **words)["run"]


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return repr(one) == repr(other)


pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"ties": "docid", "unjudged": "condense"},
        {"ties": "expected"},
        {"missing": "skip", "undefined": "keep"},
        {"ties": "trec9"},
    ],
)
def test_parts_have_the_numbers_of_the_whole(
    each_engine: Engine, tmp_path: Path, text: bool, words: dict[str, Any]
) -> None:
    run, qrels = rows_of(3, text=text)
    measures = EXPECTED if words.get("ties") == "expected" else PLAIN
    expected = whole(run, qrels, measures, **words)
    for parts in (1, 3, 8):
        path = write(tmp_path / f"run{parts}", run, "prediction", between_topics(run, parts))
        judged = write(tmp_path / f"qrels{parts}", qrels, "relevance", between_topics(qrels, 2))
        beside = evaluate_partitions(path, judged, measures, **words)
        assert same(beside.means[path.name], expected)
        held = evaluate_partitions(path, cranfield.Qrels.from_frame(frame(qrels, "relevance")), measures, **words)
        assert same(held.means[path.name], expected)


@examples(12)
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 6), backward=st.booleans(), scattered=st.booleans())
def test_any_parts_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, seed: int, parts: int, backward: bool, scattered: bool
) -> None:
    run, qrels = rows_of(seed)
    if not run or not qrels or not {row[0] for row in run} & {row[0] for row in qrels}:
        return
    folder = tmp_path_factory.mktemp("parts")
    cuts = between_topics(run, parts)
    rows = list(run)
    if scattered:
        bounds = [0, *cuts, len(run)]
        rows = []
        for start, end in itertools.pairwise(bounds):
            rows += random.Random(seed).sample(run[start:end], end - start)
    path = write(folder / "run", rows, "prediction", cuts)
    judged = write(folder / "qrels", qrels[::-1] if backward else qrels, "relevance", [])
    measures = ["AP", "nDCG@10", "RBP", "INST", "ERR", "Bpref", "GMAP"]
    with ThreadPoolExecutor(2) as pool:
        found = evaluate_partitions(path, judged, measures, executor=pool if backward else None)
    assert same(found.means["run"], whole(run, qrels, measures))


def test_rows_in_any_order_in_files_of_one_row_group(tmp_path: Path) -> None:
    """Statistics say that topics are in order, as there is nothing that they could contradict."""
    run, qrels = rows_of(8)
    topics = sorted({row[0] for row in run})
    draw, ahead = random.Random(8), [row for row in run if row[0] < topics[6]]
    behind = run[len(ahead) :]
    scattered = draw.sample(ahead, len(ahead)) + draw.sample(behind, len(behind))
    lake = write(tmp_path / "run", scattered, "prediction", [len(ahead)], group=10_000)
    judged = write(tmp_path / "qrels", qrels, "relevance", [], group=10_000)
    for judgments in (judged, frame(qrels, "relevance")):
        assert same(evaluate_partitions(lake, judgments, PLAIN).means["run"], whole(run, qrels))


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["trec", "docid", "trec9", "expected"])
@pytest.mark.parametrize(("seed", "parts", "text"), [(1, 2, False), (2, 5, True), (3, 3, False), (4, 1, True)])
def test_topics_split_over_files(
    each_engine: Engine, tmp_path: Path, seed: int, parts: int, text: bool, ties: Any
) -> None:
    run, qrels = rows_of(seed, text=text)
    rows = random.Random(seed).sample(run, len(run))
    path = write(tmp_path / "run", rows, "prediction", [len(rows) * part // parts for part in range(1, parts)])
    judged = write(tmp_path / "qrels", qrels, "relevance", [])
    measures = ["AP", "nDCG@10", "P@5", "RR", "R@100", "NumRet"]
    expected = whole(run, qrels, measures, ties=ties)
    for told in ("split", "auto"):
        found = evaluate_partitions(path, judged, measures, topic_layout=told, ties=ties)  # type: ignore[arg-type]
        assert same(found.means["run"], expected), told
