"""Signals inside long analyses: the program ends soon, whatever it computes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

TOPICS, SYSTEMS = 12_000, 4
SOON = 1.0
"""Seconds of processor time from the signal to the end."""
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
TICKS = os.sysconf("SC_CLK_TCK")


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
def begun(scores: Path) -> float:
    """Seconds of processor time after which an analysis has begun: a quarter more than all that a short one takes."""
    before = os.times()
    command = [sys.executable, "-m", "cranfield", "compare", "--test", "t", "--scores", str(scores)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    after = os.times()
    return 1.25 * (after.children_user + after.children_system - before.children_user - before.children_system)


def processor_time(process: subprocess.Popen[bytes]) -> float:
    """Seconds that it has taken so far, as the system counts them."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of a child is read from /proc")
@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ("compare", "--test", "permutation", "--resamples", "1000000")),
        (signal.SIGTERM, ("compare", "--test", "bootstrap", "--resamples", "1000000")),
        (signal.SIGINT, ("compare", "--test", "randomized-tukey", "--resamples", "1000000")),
        (signal.SIGTERM, ("compare", "--interval", "bca", "--test", "bootstrap", "--resamples", "1000000")),
        (signal.SIGINT, ("sensitivity", "--test", "permutation", "--resamples", "1000000")),
        (signal.SIGTERM, ("stability", "--subsets", "5000")),
        (signal.SIGINT, ("select-topics", "-n", "10")),
        (signal.SIGINT, ("simulate", "scores", "--make", "1000000")),
        (signal.SIGTERM, ("study-tests", "--trials", "5000")),
    ],
    ids=lambda given: given.name if isinstance(given, signal.Signals) else " ".join(given),
)
def test_a_signal_inside_an_analysis(
    scores: Path, begun: float, number: signal.Signals, arguments: tuple[str, ...]
) -> None:
    command = [sys.executable, "-m", "cranfield", *arguments, "--scores", str(scores)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    try:
        while processor_time(process) < begun and process.poll() is None:
            time.sleep(0.02)
        assert process.poll() is None, "it is done before it could be stopped"
        before = processor_time(process)
        process.send_signal(number)
        _, status, used = os.wait4(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) == -number
        assert used.ru_utime + used.ru_stime - before < SOON
        assert process.stderr is not None
        assert process.stderr.read() == b"cranfield: stopped\n"
    finally:
        process.kill()
        process.communicate()
