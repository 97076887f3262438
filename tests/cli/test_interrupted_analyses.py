"""Signals inside long analyses: the program ends soon, whatever it computes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from warm import PROGRAM, THIRD_PARTIES, Warm

TOPICS, SYSTEMS = 12_000, 4
SOON = 1.0
"""Seconds of processor time from the signal to the end."""
TICKS = os.sysconf("SC_CLK_TCK")
IMPORTS = """
import importlib, pkgutil, sys
for room in sys.argv[1:]:
    for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
        importlib.import_module(module.name)
"""
ROOMS = ("cranfield.cli", "cranfield.comparison", "cranfield.trust", "cranfield.simulation", "cranfield.statistics")


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More topics than any of the analyses is done with at once."""
    rng = np.random.default_rng(0)
    values = 0.6 * rng.beta(1, 2, (TOPICS, 1)) + 0.3 * rng.beta(2, 3, (TOPICS, SYSTEMS))
    lines = ["topic," + ",".join(f"s{system}" for system in range(SYSTEMS))]
    lines += [f"{topic}," + ",".join(map(repr, row)) for topic, row in enumerate(values.tolist())]
    path = tmp_path_factory.mktemp("scores") / "AP.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def programs() -> Iterator[Warm]:
    """Programs that find imported what an analysis needs, so that their time is the analysis's."""
    warm = Warm([*THIRD_PARTIES, "cranfield"], environment={"OPENBLAS_NUM_THREADS": "1"})
    assert warm.run(IMPORTS, ROOMS).status == 0
    yield warm
    warm.close()


@pytest.fixture(scope="module")
def begun(scores: Path, programs: Warm) -> float:
    """Seconds of processor time after which an analysis has begun: a quarter more than all that a short one takes."""
    ended = programs.run(PROGRAM, ["compare", "--test", "t", "--scores", str(scores)])
    assert ended.status == 0
    return 1.25 * programs.seconds


def processor_time(process: int) -> float:
    """Seconds that it has taken so far, as the system counts them."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def is_done(process: int) -> bool:
    """Whether it has ended, though nobody has asked how."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of a child is read from /proc")
@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ("compare", "--test", "permutation", "--resamples", "1000000")),
        (signal.SIGTERM, ("compare", "--test", "bootstrap", "--resamples", "1000000")),
        (signal.SIGINT, ("compare", "--test", "randomized-tukey", "--resamples", "1000000")),
        (signal.SIGTERM, ("compare", "--interval", "bca", "--test", "bootstrap", "--resamples", "1000000")),
        (signal.SIGINT, ("audit", "sensitivity", "--test", "permutation", "--resamples", "1000000")),
        (signal.SIGTERM, ("audit", "stability", "--subsets", "5000")),
        (signal.SIGINT, ("audit", "select-topics", "-n", "10")),
        (signal.SIGINT, ("simulate", "scores", "--n-topics", "1000000")),
        (signal.SIGTERM, ("audit", "study-tests", "--trials", "5000")),
    ],
    ids=lambda given: given.name if isinstance(given, signal.Signals) else " ".join(given),
)
def test_a_signal_inside_an_analysis(
    scores: Path, programs: Warm, begun: float, number: signal.Signals, arguments: tuple[str, ...]
) -> None:
    before = 0.0

    def stop(process: int) -> None:
        nonlocal before
        while processor_time(process) < begun and not is_done(process):
            time.sleep(0.02)
        assert not is_done(process), "it is done before it could be stopped"
        before = processor_time(process)
        os.kill(process, number)

    ended = programs.run(PROGRAM, [*arguments, "--scores", str(scores)], meanwhile=stop)
    assert ended.status == -number
    assert programs.seconds - before < SOON
    assert ended.err == "cranfield: stopped\n"
