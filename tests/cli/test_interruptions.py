"""Signals, full disks and closed streams: whole files or none, nothing left over, one line and the right status."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import cranfield, printed

from privileges import without_privileges

PROGRAM = (sys.executable, "-m", "cranfield")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENGINES = ("", "reference")


@pytest.fixture
def large(folder: Path) -> Path:
    """Judgments and a run whose scores by topic are more than a disk of 64 KiB holds."""
    topics = range(1500)
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 a 1\n" for topic in topics))
    (folder / "best.run").write_text("".join(f"{topic} Q0 a 1 1 x\n" for topic in topics))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@contextlib.contextmanager
def started(*arguments: str, engine: str = "", **options: object) -> Iterator[subprocess.Popen[str]]:
    """The program as a process of its own, ended at the latest here."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "CRANFIELD_ENGINE": engine},
        **options,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


# ---- a program that is interrupted wherever it is


def interrupted_at(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program, all of it, after a script that prepares the interruption."""
    argv = f"import sys\nsys.argv = {['cranfield', *arguments]!r}\n"
    code = f"{argv}from cranfield.__main__ import main\n{script}\nmain()\n"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, check=False)


IN_THE_MIDDLE = """
import os
from cranfield.io import atomic_write
def fill(stream, data):
    data = data if isinstance(data, bytes) else b"".join(data)
    stream.write(data[:100])
    stream.flush()
    assert os.fstat(stream.fileno()).st_size == 100
    os.kill(os.getpid(), {number})
    stream.write(data[100:])
atomic_write.fill = fill
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("old", [None, b"before"])
def test_a_signal_while_a_file_is_written(large: Path, number: signal.Signals, old: bytes | None) -> None:
    if old is not None:
        (large / "scores").write_bytes(old)
    before = contents(large)
    stop = interrupted_at(
        IN_THE_MIDDLE.format(number=int(number)), "evaluate", "qrels.txt", "best.run", "-q", "-f", "tsv", "-o", "scores"
    )
    assert (stop.returncode, stop.stdout, stop.stderr) == (-number, "", "cranfield: stopped\n")
    assert contents(large) == before


def test_a_signal_while_a_collection_is_written(folder: Path) -> None:
    (folder / "sim" / "runs").mkdir(parents=True)
    (folder / "sim" / "runs" / "mine.run").write_text("1 Q0 a 1 1 mine\n")
    before = contents(folder)
    script = IN_THE_MIDDLE.replace("os.kill(", "len(os.listdir('sim/runs')) == 5 and os.kill(")
    stop = interrupted_at(script.format(number=int(signal.SIGINT)), "simulate", "runs", "-o", "sim")
    assert (stop.returncode, stop.stdout, stop.stderr) == (-signal.SIGINT, "", "cranfield: stopped\n")
    assert contents(folder) == before


IN_A_FINALIZER = """
import os, signal, time
from cranfield.io import atomic_write
class Last:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
def fill(stream, data):
    Last()
    time.sleep(5)
atomic_write.fill = fill
"""


def test_a_signal_while_an_object_is_deleted(folder: Path) -> None:
    """Python drops what is raised there, and goes on."""
    before = contents(folder)
    stop = interrupted_at(IN_A_FINALIZER, "evaluate", "qrels.txt", "best.run", "-f", "tsv", "-o", "scores")
    assert (stop.returncode, stop.stdout, stop.stderr) == (-signal.SIGINT, "", "cranfield: stopped\n")
    assert contents(folder) == before


WHERE_A_CLASS_IS_DEFINED = """
import os
import cranfield.cli
class Name:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), {number})
def define(**_):
    type("Owner", (), {{"name": Name()}})
def define_and_go_on(**_):
    try:
        define()
    except (RuntimeError, cranfield.cli.Stopped):
        pass
def define_and_exit(**_):
    define_and_go_on()
    sys.exit(3)
cranfield.cli.app = {function}
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("function", ["define", "define_and_go_on", "define_and_exit"])
def test_a_signal_while_a_class_is_defined(number: signal.Signals, function: str) -> None:
    """Up to Python 3.11 the exception that is raised there becomes a RuntimeError."""
    stop = interrupted_at(WHERE_A_CLASS_IS_DEFINED.format(number=int(number), function=function))
    assert (stop.returncode, stop.stdout, stop.stderr) == (-number, "", "cranfield: stopped\n")


AT_A_CALL = """
import os, signal
calls = 0
def count(frame, event, argument):
    global calls
    calls += event == "call"
    if calls == {calls}:
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)
sys.setprofile(count)
"""


@pytest.mark.parametrize("calls", [30, 1_000, 10_000, 40_000, 70_000, 90_000, 100_000, 107_000, 109_000])
def test_ctrl_c_at_every_stage(folder: Path, calls: int) -> None:
    """From the first call of the program to its last: loading, reading, scoring, writing."""
    before = contents(folder)
    asked = ("evaluate", "qrels.txt", "best.run", "late.run", "-f", "json", "-o", "scores")
    stop = interrupted_at(AT_A_CALL.format(calls=calls), *asked)
    left = contents(folder)
    if stop.returncode == 0:  # it was done before
        assert calls > 50_000
        assert (stop.stdout, stop.stderr, left.keys()) == ("", "", before.keys() | {"scores"})
        return
    assert (stop.returncode, stop.stdout) == (-signal.SIGINT, "")
    assert stop.stderr in ("", "cranfield: stopped\n"), "nothing is said while the program is still being loaded"
    whole = left.pop("scores", b"}\n")
    assert whole.endswith(b"}\n")
    assert left == before


# ---- inputs that take a while


@pytest.fixture(scope="module")
def half_a_million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments that the compiled engine reads for some tenths of a second."""
    path = tmp_path_factory.mktemp("large") / "qrels.txt"
    path.write_text("".join(f"{number // 100} 0 doc{number} {number % 3}\n" for number in range(500_000)))
    return path


IN_THE_ENGINE = """
import signal, cranfield, cranfield.io.trec
from cranfield import engine
signal.signal(signal.SIGALRM, signal.default_int_handler)
read = engine.current().read_qrels
try:
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    read({path!r}, "trec", 0)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_in_the_first_read_of_a_process(half_a_million: Path) -> None:
    """The signal comes while the engine reads, and is looked at when it makes its first array."""
    code = IN_THE_ENGINE.format(path=str(half_a_million))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "interrupted\n", "")


@pytest.fixture(scope="module")
def seconds(half_a_million: Path) -> float:
    """How long they are read where nobody interrupts, start and end included."""
    begin = time.monotonic()
    with started("check", "labels", str(half_a_million)) as process:
        assert ended(process)[0] == 0
    return time.monotonic() - begin


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_a_large_file_is_read(
    half_a_million: Path, seconds: float, number: signal.Signals, share: float
) -> None:
    with started("check", "labels", str(half_a_million)) as process:
        time.sleep(share * seconds)
        process.send_signal(number)
        status, _, err = ended(process)
    assert status in (0, -number)
    assert err == "" or (status, err) == (-number, "cranfield: stopped\n")


# ---- pipes that nobody writes to


def interrupted(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Ctrl-C, and once more after a while: one that comes just before the program waits does not wake it."""
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=5)
    return process.returncode, out, err


def opened_for_a_call(pipe: str) -> str:
    """A new pipe under the name by which a shell hands over what it opened."""
    os.mkfifo(pipe)
    return f"/proc/{os.getpid()}/fd/{os.open(pipe, os.O_PATH)}"


def wait_for_a_reader(pipe: str) -> int:
    """The writing end of a pipe, once the program has opened the other."""
    for _ in range(2000):
        with contextlib.suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    raise AssertionError("nobody reads the pipe")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "pipe"),
        ("evaluate", "qrels.txt", "best.run", "pipe", "late.run", "-o", "scores"),
        ("evaluate", "pipe", "best.run"),
        ("check", "qrels.txt", "pipe"),
        ("check", "qrels.txt", "best.run", "--docids", "pipe"),
    ],
    ids=" ".join,
)
def test_ctrl_c_while_a_pipe_is_read(folder: Path, engine: str, arguments: tuple[str, ...]) -> None:
    name = opened_for_a_call("pipe")
    before = sorted(folder.iterdir())
    with started(*(name if word == "pipe" else word for word in arguments), engine=engine) as process:
        writer = wait_for_a_reader("pipe")
        try:
            os.write(writer, b"1 Q0 a 1 1 x\n")
            assert interrupted(process) == (-signal.SIGINT, "", "cranfield: stopped\n")
        finally:
            os.close(writer)
    assert sorted(folder.iterdir()) == before


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_while_a_pipe_is_opened(folder: Path, engine: str) -> None:
    with started("evaluate", "qrels.txt", opened_for_a_call("pipe"), engine=engine) as process:
        time.sleep(1)  # to stand before the pipe; too early is as good
        assert interrupted(process)[:2] == (-signal.SIGINT, "")


def test_ctrl_c_while_nobody_reads_the_output(large: Path) -> None:
    """More than a pipe holds: the program waits for its reader, and does not wait once more when it is stopped."""
    with started("evaluate", "qrels.txt", "best.run", "-q", "-f", "tsv") as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == "s"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == -signal.SIGINT


@pytest.mark.parametrize("engine", ENGINES)
def test_pipes_hold_what_files_hold(folder: Path, engine: str) -> None:
    wanted = printed("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv")
    name = opened_for_a_call("pipe.run")
    with started("evaluate", "qrels.txt", name, "-m", "RR", "-f", "tsv", engine=engine) as process:
        Path("pipe.run").write_bytes(Path("best.run").read_bytes())
        assert ended(process) == (0, wanted.replace("best", Path(name).name), "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "odd", "best.run"),
        ("evaluate", "qrels.txt", "odd"),
        ("evaluate", "qrels.txt", "best.run", "--topic-groups", "odd"),
        ("evaluate", "qrels.txt", "best.run", "--intent-weights", "odd", "-m", "alpha_nDCG@5"),
        ("evaluate", "odd", "best.run", "--dataset"),
        ("evaluate", "qrels.txt", "odd", "--dataset"),
        ("evaluate", "qrels.txt", "folder", "--dataset"),
        ("report", "qrels.txt", "best.run", "--runs", "odd", "-o", "page.html"),
        ("report", "qrels.txt", "best.run", "--topics", "odd", "-o", "page.html"),
        ("check", "qrels.txt", "best.run", "--docids", "odd"),
        ("compare", "--scores", "odd"),
        ("compare", "--scores", "odd.parquet"),
        ("compare", "--scores", "folder"),
        ("gate", "qrels.txt", "best.run", "--against", "odd"),
        ("evaluate", "qrels.txt", "best.run", "--protocol", "odd"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_named_pipes_and_devices_are_refused(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    """A stranger's folder may hold them; nothing waits for one, or reads it to an end that it has not."""
    Path("folder").mkdir()
    for name in ("odd", "odd.parquet", "folder/z.parquet"):
        if kind == "pipe":
            os.mkfifo(name)
        else:
            Path(name).symlink_to("/dev/zero")
    with started(*arguments) as process:
        status, out, err = ended(process)
    assert (status, out) == (1, ""), err
    assert "odd" in err or "folder/z.parquet" in err
    assert "is a named pipe" in err or "is a device" in err


@pytest.mark.parametrize(
    ("before", "status"),
    [
        ("", -signal.SIGTERM),
        ("signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])", -signal.SIGTERM),
        # As the kernel does in the first process of a container, which no default action ends.
        ("signal.raise_signal = lambda number: None", 128 + signal.SIGTERM),
    ],
)
def test_the_default_action_ends_the_program(before: str, status: int) -> None:
    code = f"import signal\nfrom cranfield.cli import end\n{before}\nend(signal.SIGTERM)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == status


def test_a_signal_that_was_ignored_stays_ignored(folder: Path) -> None:
    """As behind ``nohup``, or in the background of a script."""
    name = opened_for_a_call("pipe.run")

    def ignore() -> None:
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    with started("evaluate", "qrels.txt", name, preexec_fn=ignore) as process:
        writer = wait_for_a_reader("pipe.run")
        for number in (signal.SIGINT, signal.SIGHUP):
            process.send_signal(number)
        os.write(writer, Path("best.run").read_bytes())
        os.close(writer)
        assert ended(process)[0] == 0


# ---- places that cannot be written, also for the superuser


def test_a_folder_that_no_one_may_write_to(folder: Path) -> None:
    for where in ("/proc/self/scores", "best.run/scores", "/dev/full"):
        before = contents(folder)
        stop = cranfield("evaluate", "qrels.txt", "best.run", "-o", where)
        assert (stop.status, stop.out) == (1, "")
        assert stop.err.startswith(f"cranfield: error: {where}: cannot be written: ")
        assert stop.err.count("\n") == 1
        assert contents(folder) == before


def test_a_folder_that_others_own(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(open_folder)
    Path("q").write_text("1 0 a 1\n")
    Path("x.run").write_text("1 Q0 a 1 1 x\n")
    Path("scores").write_text("before")
    for file in (Path("scores"), Path("new")):
        printed("evaluate", "q", "x.run", "-f", "tsv")
        before = contents(open_folder)
        open_folder.chmod(0o555)
        with without_privileges():
            stop = cranfield("evaluate", "q", "x.run", "-f", "tsv", "-o", file)
        open_folder.chmod(0o755)
        reason = "its folder is read-only; make it writable, or name another file"
        reason = "Permission denied" if file.exists() else reason
        said = f"cranfield: error: {file}: cannot be written: {reason}\n"
        assert (stop.status, stop.out, stop.err) == (1, "", said)
        assert contents(open_folder) == before


def test_a_file_that_may_not_be_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system refuses the last step, as for an immutable file or a file system that turned read-only."""

    def refuse(self: Path, target: Path) -> Path:
        assert self.exists()
        raise PermissionError(30, "Read-only file system", str(self))

    (folder / "scores").write_text("before")
    before = contents(folder)
    monkeypatch.setattr(Path, "replace", refuse)
    stop = cranfield("evaluate", "qrels.txt", "best.run", "-o", "scores")
    assert (stop.status, stop.out) == (1, "")
    assert stop.err == "cranfield: error: scores: cannot be written: Read-only file system\n"
    assert contents(folder) == before


# ---- a full disk


def small_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("evaluate", "qrels.txt", "best.run", "-q", "-f", "tsv", "-o", "scores"), "scores"),
        (("simulate", "runs", "-o", "sim", "--n-topics", "22"), "sim/runs/system01.run"),
    ],
    ids=["evaluate", "simulate"],
)
def test_a_file_that_the_disk_has_no_room_for(large: Path, arguments: tuple[str, ...], place: str) -> None:
    """The system writes 64 KiB of each file and refuses the rest."""
    (large / "scores").write_text("before")
    before = contents(large), sorted(large.rglob("*"))
    with started(*arguments, preexec_fn=small_disk) as process:
        assert ended(process) == (1, "", f"cranfield: error: {place}: cannot be written: File too large\n")
    assert (contents(large), sorted(large.rglob("*"))) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("evaluate", "--help"),
        ("measures",),
        ("check", "qrels.txt", "best.run"),
        ("evaluate", "qrels.txt", "best.run"),
        ("simulate", "runs", "-o", "sim", "--depth", "5"),
    ],
    ids=" ".join,
)
def test_a_full_standard_output(folder: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        stop = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=60, check=False
        )
    said = "cranfield: error: standard output cannot be written: No space left on device\n"
    assert (stop.returncode, stop.stderr) == (1, said)


# ---- nobody to tell


def closed() -> None:
    os.close(2)


@pytest.mark.parametrize("prepare", [None, closed], ids=["full", "closed"])
def test_warnings_and_errors_that_nobody_hears(folder: Path, prepare: Callable[[], None] | None) -> None:
    """They never go to standard output instead, and change no status."""
    (folder / "late.run").write_text((folder / "late.run").read_text() + "9 Q0 a 1 3 z\n")
    late = "system\ttopic\tmeasure\tvalue\nlate\tall\tRR\t0.5\n"
    many = [f"r{number}.run" for number in range(9)]
    for name in many:
        (folder / name).write_text((folder / "best.run").read_text())
    nine = printed("evaluate", "qrels.txt", *many, "-m", "RR", "-f", "tsv")
    with Path("/dev/full").open("w") as full:
        for arguments, status, out in (
            (("evaluate", "qrels.txt", "late.run", "-m", "RR", "-f", "tsv"), 0, late),
            (("evaluate", "qrels.txt", *many, "-m", "RR", "-f", "tsv"), 0, nine),
            (("evaluate", "qrels.txt", "nothing.run"), 1, ""),
            (("evaluate", "qrels.txt"), 2, ""),
            ((), 2, ""),
        ):
            stop = subprocess.run(
                [*PROGRAM, *arguments],
                stdout=subprocess.PIPE,
                stderr=full,
                preexec_fn=prepare,
                encoding="utf-8",
                timeout=60,
                check=False,
            )
            assert stop.returncode == status
            assert stop.stdout == out
