"""A cluster of this machine: two workers in processes of their own, which may be killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from distributed import LocalCluster

QRELS = {f"q{topic}": {f"d{topic + judged}": judged % 3 for judged in range(8)} for topic in range(40)}


def lines(system: int) -> str:
    """A run with ties, in which some topics are missing."""
    ranks = range(12)
    return "".join(
        f"q{topic} Q0 d{topic + (rank * (system + 3)) % 17} {rank + 1} {(12 - rank) // 2} s{system}\n"
        for topic in range(40)
        if topic % (system + 7)
        for rank in ranks
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    waiting = {
        # Without it a test whose workers do not come back would wait for ever.
        "distributed.scheduler.no-workers-timeout": "3 minutes",
        # A worker that was killed with what it had found is called that long: 30 s, where nobody says so.
        "distributed.comm.timeouts.connect": "8 s",
    }
    with (
        dask.config.set(waiting),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as started,
    ):
        yield started


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments and five runs in files of text."""
    folder = tmp_path_factory.mktemp("runs")
    judged = [f"{topic} 0 {doc} {label}\n" for topic, labels in QRELS.items() for doc, label in labels.items()]
    (folder / "qrels.txt").write_text("".join(judged))
    for system in range(5):
        (folder / f"s{system}.run").write_text(lines(system))
    return folder
