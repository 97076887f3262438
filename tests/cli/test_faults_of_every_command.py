"""Every command that writes, stopped at random calls, by every signal: a whole file or the earlier one, and one line.

Which commands write, and what they read, is listed where their outputs are tested.
"""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from test_outputs import CALLS, write_inputs

from warm import PROGRAM, THIRD_PARTIES, Ended, Warm

OUTPUT = "made"
PARTIAL = ".cranfield-"
FOLDERS: dict[str, tuple[str, ...]] = {
    "example": (),
    "simulate runs": ("--n-topics", "2", "--n-systems", "2", "--depth", "3"),
    "pool settle": ("many.txt", "first.run", "last.run", "-m", "P@6"),
}
"""Commands that write several files, or need more judgments -> what they are given."""
EVERY = CALLS | FOLDERS
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGKILL)
TIMES = 3

COUNTED = """
import os, signal, sys
calls, writing, stop = 0, 0, {stop}
def count(frame, event, argument):
    global calls, writing
    if event != "call":
        return
    calls += 1
    if not writing and frame.f_code.co_name in ("together", "whole_folder") and "atomic" in frame.f_code.co_filename:
        writing = calls
    if calls == stop:
        sys.setprofile(None)
        os.kill(os.getpid(), {number})
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.setprofile(count)
try:
    exec({program!r})
finally:
    sys.setprofile(None)
    if stop < 0:
        open("counted", "w").write(f"{{writing}} {{calls}}")
"""
"""The program, in which a signal arrives at one of its calls, or which counts them."""


@pytest.fixture(scope="module")
def programs() -> Iterator[Warm]:
    warm = Warm([*THIRD_PARTIES, "cranfield"], environment={"OPENBLAS_NUM_THREADS": "1"})
    yield warm
    warm.close()


@pytest.fixture
def inputs(folder: Path) -> dict[str, bytes]:
    """What the folder holds before each call."""
    write_inputs(folder)
    labels = [(topic, document) for topic in range(8) for document in range(6)]
    (folder / "many.txt").write_text("".join(f"{t} 0 d{d} {(t + d) % 2}\n" for t, d in labels))
    for name, step in (("first", 1), ("last", -1)):
        lines = (f"{topic} Q0 d{at} 0 {step * at} x\n" for topic in range(8) for at in range(9))
        (folder / f"{name}.run").write_text("".join(lines))
    return held(folder)


def refill(folder: Path, inputs: Mapping[str, bytes]) -> None:
    """Leave in the folder the inputs alone."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, data in inputs.items():
        (folder / name).write_bytes(data)


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def call(warm: Warm, path: str, number: int = 0, stop: int = -1) -> Ended:
    script = COUNTED.format(stop=stop, number=int(number), program=PROGRAM)
    return warm.run(script, [*path.split(), *EVERY[path], "-o", OUTPUT])


@pytest.mark.heavy
@pytest.mark.parametrize("path", EVERY)
def test_a_command_that_is_stopped_anywhere(folder: Path, inputs: dict[str, bytes], programs: Warm, path: str) -> None:
    call(programs, path)  # what the first call of a process imports, the others find
    refill(folder, inputs)
    whole = call(programs, path)
    assert whole.status == 0, whole.err
    writing, calls = map(int, (folder / "counted").read_text().split())
    (folder / "counted").unlink()
    after = held(folder)
    assert after != inputs
    assert 0 < writing < calls
    rng = random.Random(path)
    for number in SIGNALS:
        for time in range(TIMES):
            at = rng.randrange(writing if time else 50, calls - 20)
            refill(folder, inputs)
            stopped = call(programs, path, number, at)
            files = held(folder)
            told = f"{number.name} at {at} of {calls} calls: {stopped}"
            if number == signal.SIGKILL:  # partial files stay, and of several files some may be there
                files = {name: data for name, data in files.items() if PARTIAL not in name}
                files = after if files.items() <= after.items() else files
            assert files in (inputs, after), told
            if number == signal.SIGPIPE:
                assert (stopped, files) == (whole, after), told
            elif number == signal.SIGKILL:
                assert stopped.status == -number, told
            else:
                assert stopped.status == -number, told
                assert stopped.err.removesuffix("cranfield: stopped\n") in ("", whole.err), told
                assert stopped.out in ("", whole.out), told
