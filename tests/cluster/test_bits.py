"""One run has the same bits in any number of files, in any order, on threads, processes and clusters, killed or not."""

from __future__ import annotations

import os
import random
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import LocalCluster
from test_parts import wrap_work

from cranfield import UsageError, evaluate_means
from cranfield.partitions import evaluate_partitions

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
cloudpickle.register_pickle_by_value(sys.modules[__name__])
MEASURES = ["nDCG@10", "AP", "RR", "R@100", "P@10", "RBP(p=0.8)", "GMAP"]
TOPICS, DEPTH = 256, 12
PARTS = (1, 8, 64)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run in 1, 8 and 64 files, whose names say nothing of their order; and its rows over 8 files."""
    folder, draw = tmp_path_factory.mktemp("lake"), np.random.default_rng(11)
    documents = np.concatenate([draw.permutation(30)[:DEPTH] for _ in range(TOPICS)])
    score = np.round(draw.random(TOPICS * DEPTH), 1)
    run = pa.table({"topic": np.repeat(np.arange(TOPICS), DEPTH), "document": documents, "score": score})
    judged = {"topic": np.repeat(np.arange(TOPICS), 6), "document": np.tile(np.arange(0, 30, 5), TOPICS)}
    qrels = pa.table(judged | {"label": draw.integers(0, 4, 6 * TOPICS)})
    for parts in PARTS:
        _write(folder / f"run-{parts}", run, TOPICS // parts * DEPTH)
        _write(folder / f"qrels-{parts}", qrels, TOPICS // parts * 6)
    _write(folder / "split", run.take(draw.permutation(run.num_rows)), run.num_rows // 8)
    return folder


def _write(folder: Path, table: pa.Table, rows: int) -> None:
    folder.mkdir()
    starts = list(range(0, table.num_rows, rows))
    for name, start in enumerate(random.Random(rows).sample(starts, len(starts))):
        pq.write_table(table.slice(start, rows), folder / f"{name:02}.parquet")


def totals(lake: Path, run: str, qrels: str, **words: Any) -> Any:
    found = evaluate_partitions(lake / run, lake / qrels, MEASURES, **words)
    (total,) = found.totals.values()
    return total


@pytest.fixture(scope="module")
def expected(lake: Path) -> Any:
    """Of one file; the means are those of the whole run in memory."""
    found = totals(lake, "run-1", "qrels-1")
    whole = evaluate_means(pq.read_table(lake / "run-1"), pq.read_table(lake / "qrels-1"), MEASURES)
    assert found.means == whole["run"]
    return found


@pytest.mark.parametrize("parts", PARTS)
def test_any_number_of_parts_on_threads(lake: Path, expected: Any, parts: int) -> None:
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as three:
        for pool in (None, one, three):
            assert totals(lake, f"run-{parts}", f"qrels-{parts}", executor=pool) == expected
    assert totals(lake, f"run-{parts}", "qrels-8") == expected  # judgments cut elsewhere
    assert totals(lake, "split", f"qrels-{parts}", topic_layout="split") == expected


def test_any_number_of_parts_on_processes(lake: Path, expected: Any) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for parts in PARTS:
            assert totals(lake, f"run-{parts}", f"qrels-{parts}", executor=pool) == expected
        assert totals(lake, "split", "qrels-8", topic_layout="split", executor=pool) == expected


@pytest.mark.slow
def test_any_number_of_parts_on_a_cluster(lake: Path, expected: Any, cluster: LocalCluster) -> None:
    for parts in PARTS:
        assert totals(lake, f"run-{parts}", f"qrels-{parts}", executor=cluster) == expected


def test_topics_in_several_files_are_not_sorted_for_a_cluster(lake: Path, cluster: LocalCluster) -> None:
    with pytest.raises(UsageError, match="sorts the rows on this machine, which the workers of a cluster do not see"):
        totals(lake, "split", "qrels-8", topic_layout="split", executor=cluster)
    judged = pq.read_table(lake / "qrels-8")
    (lake / "qrels-shuffled").mkdir()
    pq.write_table(
        judged.take(np.random.default_rng(1).permutation(judged.num_rows)), lake / "qrels-shuffled" / "a.parquet"
    )
    with pytest.raises(UsageError, match="judgments out of order that memory does not hold are sorted on this machine"):
        totals(lake, "run-8", "qrels-shuffled", executor=cluster, memory="3kB")


class KillsTwice:
    """Work whose process is killed in two of its parts, once in each."""

    def __init__(self, work: Any, folder: Path) -> None:
        self.work, self.folder = work, str(folder)

    def __call__(self, part: Any) -> Any:
        flag = f"{self.folder}/killed-{part.number}"
        if part.number in (2, 5) and not os.path.exists(flag):  # noqa: PTH110
            open(flag, "w").close()  # noqa: PTH123
            os.kill(os.getpid(), signal.SIGKILL)
        return self.work(part)


@pytest.mark.slow
def test_two_workers_killed(
    lake: Path,
    expected: Any,
    cluster: LocalCluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrap_work(monkeypatch, lambda work: KillsTwice(work, tmp_path))
    assert totals(lake, "run-8", "qrels-8", executor=cluster) == expected
    assert len(list(tmp_path.iterdir())) == 2
