"""The cost of whole processes: CPU seconds, wall seconds and peak memory, as the operating system counts them.

CPU and peak memory include the children that a process has waited for. A process never reports a lower peak than the
one that started it (Linux hands the mark on), so whoever imports this page must stay small: no NumPy in the harness.
"""

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

TIME_LIMIT = 1800.0
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in one unit of ru_maxrss


@dataclass(frozen=True)
class Measurement:
    """What one process cost, and what it said."""

    cpu: float
    wall: float
    peak: int
    status: int
    output: str
    errors: str


@dataclass(frozen=True)
class Spread:
    """Several measurements of one quantity."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        ordered = sorted(values)
        return cls(statistics.median(ordered), ordered[0], ordered[-1])


def measure(command: Sequence[str], time_limit: float = TIME_LIMIT) -> Measurement:
    """Run a command to its end; past the time limit it is killed, and its status is that of the signal."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
        )
        # A session of its own, so that the children of a process which is killed go with it.
        alarm = threading.Timer(time_limit, _kill_session, (process.pid,))
        alarm.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            _kill_session(process.pid)
            process.wait()
            raise
        finally:
            alarm.cancel()
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        return Measurement(
            cpu=usage.ru_utime + usage.ru_stime,
            wall=wall,
            peak=usage.ru_maxrss * PEAK_UNIT,
            status=process.returncode,
            output=_text(output.fileno()),
            errors=_text(errors.fileno()),
        )


def interleave(
    commands: Mapping[str, Sequence[str]],
    repeat: int,
    observe: Callable[[str, int, Measurement], None],
) -> dict[str, list[Measurement]]:
    """Measure every command once a round, so that a slow minute of the machine falls on all alike.

    Each round starts with another command, so that none always follows the same one. `observe` is called after each
    measurement with the command's name, the round (from 1) and the measurement. A command that fails is left out of
    the later rounds; its failure is its last measurement.
    """
    results: dict[str, list[Measurement]] = {name: [] for name in commands}
    for turn in range(repeat):
        first = turn % len(commands)
        names = [*commands][first:] + [*commands][:first]
        for name in names:
            if any(earlier.status != 0 for earlier in results[name]):
                continue
            measurement = measure(commands[name])
            results[name].append(measurement)
            observe(name, turn + 1, measurement)
    return results


def ratio(above: Sequence[Measurement], below: Sequence[Measurement], cost: Callable[[Measurement], float]) -> Spread:
    """Quotient of the costs of two commands, taken round by round, which is what interleaving them is for."""
    return Spread.of(cost(one) / cost(other) for one, other in zip(above, below, strict=True))


def cpu(measurement: Measurement) -> float:
    """Seconds of processor time, user and system."""
    return measurement.cpu


def wall(measurement: Measurement) -> float:
    """Seconds on the clock."""
    return measurement.wall


def peak(measurement: Measurement) -> float:
    """Largest resident memory in bytes, memory-mapped input included."""
    return measurement.peak


def _kill_session(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _text(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), encoding="utf-8", errors="replace") as file:
        return file.read()
