"""Memory and threads that the system refuses: one line that names the file, or fewer threads, and the process lives."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from warm import Warm

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=1),
    "zstd": zstd.compress,
}
LIMITED = """
import resource, sys
from pathlib import Path
import numpy, cranfield
from cranfield.errors import InputError
from cranfield import engine

what, file, spare = sys.argv[1], sys.argv[2], int(sys.argv[3])
small = file + ".small"
work = {
    "qrels": cranfield.read_qrels,
    "run": cranfield.read_run,
    "judge": lambda path: cranfield.evaluation.make_rankings(path, {"1": {"d1": 1}}),
}[what]
work(small)
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
usual = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + spare, usual[1]))
try:
    work(file)
    print("read")
except InputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, usual)
work(small)
"""
UNTHREADED = """
import os, resource, sys
import numpy, cranfield
from cranfield import engine
from cranfield.standardization import trials
from cranfield.threads import beside, side_by_side, started

qrels = cranfield.read_qrels(sys.argv[1])
data = open(sys.argv[2], "rb").read()
current = engine.current()
index = current.index(list(qrels.topics), qrels.starts, qrels.documents.data, qrels.documents.offsets)
runs = {"a": {"1": {"d1": 1.0}, "7": {"d1": 1.0}}, "b": {"1": {"d2": 1.0}, "7": {"d1": 1.0}}}
sources = data, sys.argv[2]  # read as a whole, and in windows
before = [current.judge_file(source, "trec", 0, index, "trec", "error", 4, True) for source in sources]
wanted = cranfield.evaluate(runs, qrels, "AP")
assert wanted.identical(wanted.copy(deep=True))  # xarray imports what compares while it may
if os.getuid() == 0:
    os.setuid(65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
assert started(1) is None
for source, usual in zip(sources, before, strict=True):
    after = current.judge_file(source, "trec", 0, index, "trec", "error", 4, True)
    assert all((after[key] == usual[key]).all() for key in ("length", "rank", "document"))
    assert after["sha256"] == usual["sha256"] == before[0]["sha256"]
assert cranfield.evaluate(runs, qrels, "AP").identical(wanted)
assert list(side_by_side(abs, [-3, 2], 2)) == [3, 2]
assert beside(lambda: 7).result() == 7
print("done")
"""


# One arena: what the threads' own arenas reserve would be room that the limit does not see.
ALONE = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1", "CRANFIELD_ENGINE": ""}


def child(script: str, *arguments: str, engine: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **ALONE, "CRANFIELD_ENGINE": engine}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=120, check=False)


@pytest.fixture(scope="module")
def imported() -> Iterator[Warm]:
    """A process that has imported what the limited ones need; one arena, as in ``child``."""
    warm = Warm(["numpy", "cranfield"], environment=ALONE)
    yield warm
    warm.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """A large file, and a small one beside it that must still be read after the large one was refused."""
    folder = tmp_path_factory.mktemp("large")

    @cache
    def text(line: bytes) -> bytes:
        return b"".join(line % number for number in range(500_000))

    @cache
    def packed(qrels: bool, packing: str) -> str:
        line = b"1 0 d%d 1\n" if qrels else b"1 Q0 d%d 1 2 t\n"
        file = folder / f"{'qrels' if qrels else 'run'}.{packing}"
        file.write_bytes(PACKED[packing](text(line)))
        file.with_name(file.name + ".small").write_bytes(PACKED[packing](line % 1))
        return str(file)

    return lambda what, packing: packed(what == "qrels", packing)


@pytest.mark.slow
@pytest.mark.parametrize("spare", [1 << 20, 30 << 20])
@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("what", ["qrels", "run", "judge"])
def test_memory_that_is_refused(
    what: str, packing: str, spare: int, files: Callable[[str, str], str], imported: Warm
) -> None:
    file = files(what, packing)
    ended = imported.run(LIMITED, (what, file, str(spare)))
    assert (ended.status, ended.err) == (0, "")
    refused = f"{file}: the system refuses the memory"
    assert ended.out == "read\n" or (ended.out.startswith(refused) and ended.out.count("\n") == 1)
    if spare == 1 << 20:
        assert ended.out.startswith(refused)
        assert "bytes) that reading it takes" in ended.out


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["", "reference"])
def test_threads_that_are_refused(engine: str, open_folder: Path) -> None:
    qrels, run = open_folder / "qrels", open_folder / "run"
    qrels.write_text("1 0 d1 1\n7 0 d1 1\n")
    count = 20_000 if engine else 400_000
    run.write_text("".join(f"{number // 100} Q0 d{number % 100} 1 2 t\n" for number in range(count)))
    ended = child(UNTHREADED, str(qrels), str(run), engine=engine)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


NARROW = """
import resource, sys
from pathlib import Path
import numpy, cranfield
from cranfield.threads import side_by_side

run, qrels = {"1": {"d1": 1.0, "d2": 0.5}}, {"1": {"d1": 1}}
wanted = cranfield.evaluate(run, qrels, "AP")
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_AS)[1]))
found = list(side_by_side(lambda run: cranfield.evaluate(run, qrels, "AP"), [run] * 4, 4))
assert all(one.identical(wanted) for one in found)
print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize("spare", [17, 33, 34, 50])
def test_threads_without_the_memory_they_take(spare: int) -> None:
    """The C library ends the process where a thread that runs already is refused what is local to it."""
    ended = child(NARROW, str(spare << 20))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
