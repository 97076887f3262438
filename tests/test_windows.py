"""What the package does where the system has no POSIX calls: they are taken away, and the platform is called Windows.

These tests run on POSIX. They hold that nothing asks for what is not there, not that Windows does what it documents.
"""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from cranfield import InputError, memory, threads
from cranfield.cli import _send, end
from cranfield.conformance import read_cases
from cranfield.conformance.programs import answer_by_program
from cranfield.io import atomic_write
from cranfield.io.atomic_write import whole_folder, write_bytes
from cranfield.results import table_text

PACKAGE = Path(__file__).parents[1] / "src" / "cranfield"

WITHOUT_POSIX = """
import os, signal, sys, time
for module, names in {
    os: "fchmod fchown chown chroot fork forkpty getegid geteuid getgid getuid getloadavg getpgid getppid kill "
        "killpg lockf mkfifo nice posix_spawn pread pwrite sched_getaffinity setsid statvfs sysconf umask wait wait4",
    signal: "SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 alarm setitimer pthread_kill pthread_sigmask sigwait",
    time: "tzset",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
from cranfield.__main__ import main
main()
"""
"""The program after what Windows lacks was taken away."""

CALLS = {
    "evaluate": ("evaluate", "made/qrels.txt", "made/runs/system01.run", "-m", "nDCG@10"),
    "compare": ("compare", "made/qrels.txt", "made/runs/system01.run", "made/runs/system02.run", "-m", "AP"),
    "scores": ("evaluate", "made/qrels.txt", "made/runs/system01.run", "-o", "scores.tsv", "-f", "tsv"),
    "check": ("check", "made/qrels.txt", "made/runs/system01.run"),
    "report": ("report", "made/qrels.txt", "made/runs/system01.run", "made/runs/system02.run", "-o", "report.html"),
}
"""Calls whose outcome must not depend on POSIX."""


def call(folder: Path, *arguments: str, prelude: str = "", engine: str = "") -> subprocess.CompletedProcess[bytes]:
    program = ["-c", prelude] if prelude else ["-m", "cranfield"]
    environment = {**os.environ, **({"CRANFIELD_ENGINE": engine} if engine else {})}
    return subprocess.run(
        [sys.executable, *program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("windows")
    assert call(folder, "simulate", "runs", "-o", "made", "--n-topics", "5", "--seed", "1").returncode == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_commands_do_without_what_windows_lacks(made: Path, name: str) -> None:
    usual = call(made, *CALLS[name])
    files = {path.name: path.read_bytes() for path in made.iterdir() if path.is_file()}
    without = call(made, *CALLS[name], prelude=WITHOUT_POSIX)
    assert (without.returncode, without.stdout, without.stderr) == (usual.returncode, usual.stdout, usual.stderr)
    assert usual.returncode == 0
    assert {path.name: path.read_bytes() for path in made.iterdir() if path.is_file()} == files
    assert all(b"\r\n" not in content for content in (usual.stdout, *files.values()))


def test_a_file_is_replaced_where_files_have_no_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fchown", "fchmod"):
        monkeypatch.delattr(os, name)
    (tmp_path / "x").write_text("before")
    write_bytes(tmp_path / "x", b"after\n")
    assert (tmp_path / "x").read_bytes() == b"after\n"


def refuse(*_: object) -> NoReturn:
    raise AssertionError("a process was asked for, or stopped")


def test_partial_files_are_left_until_they_are_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Number 0 is Ctrl-C there, so that nobody asks whether a process lives."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", refuse)
    young, old = (tmp_path / atomic_write.partial_name() for _ in range(2))
    for path in (young, old):
        path.write_text("x")
    past = path.stat().st_mtime - 2 * atomic_write.DAY
    os.utime(old, (past, past))
    write_bytes(tmp_path / "x", b"x")
    assert {path.name for path in tmp_path.iterdir()} == {"x", young.name}


def in_use(*_: object) -> NoReturn:
    raise PermissionError(13, "The process cannot access the file because it is being used by another process")


def test_a_file_that_another_program_has_open_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text("before")
    monkeypatch.setattr(Path, "replace", in_use)
    with pytest.raises(InputError, match="x: cannot be written: The process cannot access the file"):
        write_bytes(tmp_path / "x", b"after")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x", "before")]


def test_a_folder_that_another_program_has_open_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scores").mkdir()
    (tmp_path / "scores" / "part-0").write_text("before")
    monkeypatch.setattr(Path, "rename", in_use)
    with (
        pytest.raises(InputError, match="scores: cannot be written: The process cannot access the file"),
        whole_folder(tmp_path / "scores", lambda _: True) as folder,
    ):
        (folder / "part-0").write_text("after")
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]
    assert (tmp_path / "scores" / "part-0").read_text() == "before"


class Ended(BaseException):
    pass


def test_a_stopped_program_ends_with_the_status_of_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """There, os.kill ends the process with its second argument as the status, and 2 is a wrong call."""
    calls: list[tuple[int, int]] = []

    def leave(process: int, status: int) -> NoReturn:
        calls.append((process, status))
        raise Ended

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", leave)
    with pytest.raises(Ended):
        end(signal.SIGINT)
    assert calls == [(os.getpid(), 128 + signal.SIGINT)]


def test_a_signal_is_raised_and_does_not_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", refuse)
    with pytest.raises(KeyboardInterrupt):
        _send(signal.SIGINT)


def test_bold_is_for_windows_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_text, "_is_terminal", lambda: True)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delenv("WT_SESSION", raising=False)
    monkeypatch.delenv("TERM", raising=False)
    assert not table_text.shows_bold()
    monkeypatch.setenv("WT_SESSION", "x")
    assert table_text.shows_bold()


def test_processors_and_addresses_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setitem(sys.modules, "resource", None)
    assert threads.cpus() == os.cpu_count()
    memory.require_address_space(1 << 60)


POSIX_ONLY = {
    "os": {"fchmod", "fchown", "chown", "fork", "geteuid", "getuid", "getpgid", "kill", "killpg", "mkfifo", "nice"}
    | {"pread", "pwrite", "sched_getaffinity", "setsid", "statvfs", "sysconf", "uname", "wait", "lockf"},
    "signal": {"SIGHUP", "SIGKILL", "SIGPIPE", "SIGUSR1", "alarm", "setitimer", "pthread_kill"},
    "select": {"poll", "epoll", "select"},
    "time": {"tzset"},
}
MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
"""What Windows lacks; of ``os.kill`` it has the name, and not the meaning; of ``select`` the half for sockets."""


def nodes() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        yield from ((name, node) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.slow
def test_a_program_is_ended_without_groups_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("killpg", "waitid"):
        monkeypatch.delattr(os, name)
    first = read_cases(PACKAGE.parents[1] / "conformance" / "all.jsonl")[:1]
    (answer,) = answer_by_program(first, [sys.executable, "-c", "print('no answer', flush=True)"])
    assert "error" in answer


def test_what_only_posix_has_is_in_few_files() -> None:
    """A new call needs its form for Windows, and a test above."""
    used = set()
    for file, node in nodes():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in POSIX_ONLY.get(node.value.id, ()):
                used.add((file, f"{node.value.id}.{node.attr}"))
        elif isinstance(node, ast.Import):
            used |= {(file, alias.name) for alias in node.names if alias.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            used.add((file, node.module))
    assert used == {
        ("cli/__init__.py", "os.kill"),
        ("cli/__init__.py", "signal.SIGKILL"),
        ("conformance/programs.py", "os.killpg"),
        ("conformance/programs.py", "signal.SIGKILL"),
        ("io/atomic_write.py", "os.fchmod"),
        ("io/atomic_write.py", "os.fchown"),
        ("io/atomic_write.py", "os.kill"),
        ("memory.py", "resource"),
        ("threads.py", "os.sched_getaffinity"),
    }


def is_written_as_text(node: ast.Call) -> bool:
    """Whether a call writes a text file, in which Windows would end lines by two characters."""
    if any(keyword.arg == "newline" for keyword in node.keywords):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "write_text":
        return not (isinstance(node.func.value, ast.Name) and node.func.value.id == "formatter")  # Click's
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    modes = [*node.args[:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    words = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
    return name in ("open", "fdopen") and any(word in ("w", "a", "x", "wt", "w+", "r+", "at", "xt") for word in words)


def test_files_are_written_as_bytes() -> None:
    texts = {file for file, node in nodes() if isinstance(node, ast.Call) and is_written_as_text(node)}
    assert texts == {"cli/_declared_stub.py", "measures/_stub.py"}, "which writes the sources of this package"
