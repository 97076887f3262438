"""One call of the benchmarks: its settings, and how a group of commands is measured under them."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drawn.catalogue import Collection, collection
from harness.measure import Measurement, interleave

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent

Check = Callable[[str, Measurement], None]


class BenchmarkError(Exception):
    """The benchmark cannot go on; the message says why."""


@dataclass(frozen=True)
class Session:
    """What the command line asked for. `named` says that the tools were chosen by name; `rows` are those of `scale`."""

    repeat: int
    scale: float
    rows: int
    tools: Sequence[str]
    named: bool

    @property
    def judges(self) -> bool:
        """Targets hold for the full size only."""
        return self.scale == 1

    def collections(self, *names: str) -> list[Collection]:
        """The collections of those names, written first where they are absent.

        A process of its own writes them, because the large arrays would otherwise raise the peak of all that follows.
        """
        wanted = [collection(name, self.scale) for name in names]
        absent = [each.recipe.name for each in wanted if not each.is_present()]
        if absent:
            command = [sys.executable, str(HERE / "generate.py"), "--scale", f"{self.scale!r}", *absent]
            if subprocess.run(command, check=False).returncode != 0:
                raise BenchmarkError("the collections could not be written: see the message above")
        return wanted

    def measured(
        self, experiment: str, commands: Mapping[str, Sequence[str]], *, required: Iterable[str], check: Check
    ) -> tuple[dict[str, list[Measurement]], list[str]]:
        """Measurements of the commands that work, and a line on each one that failed.

        `check` sees every measurement of a command that worked. Raises BenchmarkError where a required one fails.
        """
        needed = set(required)
        failures: dict[str, str] = {}

        def observe(name: str, turn: int, measurement: Measurement) -> None:
            progress(f"{experiment}  {turn}/{self.repeat}  {name:20} {measurement.cpu:8.2f} s CPU")
            if measurement.status != 0:
                failures[name] = _failure(name, measurement)
                if name in needed:
                    raise BenchmarkError(failures[name])
                progress(failures[name])
                return
            check(name, measurement)

        results = interleave(commands, self.repeat, observe)
        worked = {name: several for name, several in results.items() if name not in failures}
        return worked, list(failures.values())


def read_once(files: Iterable[Path]) -> None:
    """Bring files into the page cache, so that no tool pays for the disk."""
    buffer = bytearray(1 << 20)
    for path in files:
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass


def unchecked(name: str, measurement: Measurement) -> None:
    """For commands whose output is not compared."""


def progress(line: str) -> None:
    """A line on standard error, which leaves standard output to the tables."""
    print(line, file=sys.stderr, flush=True)


def _failure(name: str, measurement: Measurement) -> str:
    last_lines = " / ".join(measurement.errors.strip().splitlines()[-3:])
    return f"FAILED: {name} ended with status {measurement.status}: {last_lines}"
