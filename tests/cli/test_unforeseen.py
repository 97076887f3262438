"""What no command foresaw: one line, status 1, how to report it, and a traceback for those who ask."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import pytest
from command import cranfield as program

import cranfield
from cranfield import engine
from cranfield.cli import Stopped, main
from cranfield.errors import EngineError, InputError
from privileges import without_privileges

CALL = ("evaluate", "qrels.txt", "best.run")


class PanicException(BaseException):
    """As PyO3 derives it."""


def fails(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize(
    "error",
    [
        OverflowError("int too large to convert to float"),
        RecursionError("maximum recursion depth exceeded"),
        ZeroDivisionError("division by zero"),
        KeyError("x\n\x1b[31my"),
        PanicException("index out of bounds"),
        AssertionError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_is_one_line(folder: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.comparison.leaderboard.score", fails(error))
    monkeypatch.delenv("CRANFIELD_TRACEBACK", raising=False)
    ended = program(*CALL)
    assert (ended.status, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.startswith(f"cranfield: error: {type(error).__name__}")
    assert "a fault of cranfield: please report it" in ended.err
    assert "CRANFIELD_TRACEBACK=1" in ended.err
    assert ended.err.rstrip("\n").isprintable()
    monkeypatch.setenv("CRANFIELD_TRACEBACK", "1")
    traced = program(*CALL)
    assert (traced.status, traced.out) == (1, "")
    assert traced.err.startswith("Traceback (most recent call last):\n")
    assert traced.err.splitlines()[-1].startswith(f"cranfield: error: {type(error).__name__}")
    assert "the traceback above" in traced.err


def test_memory_is_the_systems(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = MemoryError("Unable to allocate 74.5 GiB for an array")
    monkeypatch.setattr("cranfield.comparison.leaderboard.score", fails(error))
    ended = program(*CALL)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "cranfield: error: the system refuses the memory that this needs (MemoryError: Unable to allocate 74.5 GiB for "
        "an array); give the process more (`ulimit -v` shows its limit), or read fewer files at once "
        "(CRANFIELD_TRACEBACK=1 shows where)\n"
    )


def test_a_stop_is_no_fault() -> None:
    ends = mock.Mock(side_effect=SystemExit(143))
    with mock.patch("cranfield.cli.app", fails(Stopped(15))), mock.patch("cranfield.cli.end", ends):
        ended = program(*CALL)
    assert (ended.status, ended.out, ended.err) == (143, "", "cranfield: stopped\n")
    ends.assert_called_once_with(15)
    with mock.patch("cranfield.cli.app", fails(KeyboardInterrupt())), pytest.raises(KeyboardInterrupt):
        main()


PANIC = EngineError("panic", more="panicked at src/judge.rs:7: index out of bounds")


def test_a_panic_of_the_engine_refuses_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.current(), "judge_file", fails(PANIC))
    with pytest.raises(InputError, match=r"best\.run: the engine failed: panicked at src/judge\.rs:7") as refused:
        cranfield.evaluate("best.run", "qrels.txt", "AP")
    assert (refused.value.code, refused.value.__cause__) == ("fault", PANIC)
    ended = program(*CALL)
    assert (ended.status, ended.err.count("\n")) == (1, 1)
    assert "best.run: the engine failed" in ended.err
    assert "please report it with the file, `cranfield --version` and what CRANFIELD_TRACEBACK=1" in ended.err


def test_a_panic_of_the_engine_leaves_out_one_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_file = engine.current().judge_file

    def judge(path: Any, *arguments: Any, **options: Any) -> Any:
        if str(path).endswith("late.run"):
            raise PANIC
        return judge_file(path, *arguments, **options)

    monkeypatch.setattr(engine.current(), "judge_file", judge)
    ended = program("evaluate", "qrels.txt", "best.run", "late.run", "-m", "AP", "--keep-going", "-f", "tsv")
    assert ended.status == 5
    assert ended.out.splitlines()[-1].startswith("best\tall\tAP\t")
    assert "late.run: left out: the engine failed: panicked at src/judge.rs:7" in ended.err


def test_a_panic_of_the_engine_at_a_run_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.current(), "judge_run", fails(PANIC))
    with pytest.raises(InputError, match=r"^run 'a': the engine failed: panicked at src/judge\.rs:7") as refused:
        cranfield.evaluate({"a": {"q1": {"d1": 1.0}}}, "qrels.txt", "AP")
    assert refused.value.code == "fault"


@pytest.mark.parametrize("options", [(), ("--keep-going",)])
def test_a_failure_at_one_file_has_a_traceback(
    options: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.current(), "judge_file", fails(KeyError("x\n\x1b[31my")))
    monkeypatch.setenv("CRANFIELD_TRACEBACK", "1")
    ended = program(*CALL, *options)
    assert ended.status == 1
    assert ended.err.startswith("Traceback (most recent call last):\n")
    assert "in fail\n" in ended.err
    assert "KeyError: " in ended.err
    assert "the traceback above" in ended.err
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("arguments", [CALL, ("fuse", "best.run", "late.run"), ("report", "qrels.txt", "best.run")])
def test_an_output_behind_a_loop_of_links(folder: Path, arguments: tuple[str, ...]) -> None:
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")
    for output in ("a", "a/x"):
        ended = program(*arguments, "-o", output)
        assert (ended.status, ended.out) == (1, "")
        assert ended.err == f"cranfield: error: {output}: cannot be written: Too many levels of symbolic links\n"
    assert Path("a").is_symlink()


@pytest.mark.parametrize("arguments", [CALL, ("fuse", "best.run", "late.run"), ("report", "qrels.txt", "best.run")])
def test_an_output_in_a_folder_that_may_not_be_entered(
    open_folder: Path, folder: Path, arguments: tuple[str, ...]
) -> None:
    assert program(*arguments, "-o", "first").status == 0  # imports what is needed
    closed = open_folder / "closed"
    closed.mkdir(0o700)
    if os.geteuid():
        closed.chmod(0)
    with without_privileges():
        ended = program(*arguments, "-o", str(closed / "x"))
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == f"cranfield: error: {closed}/x: cannot be written: Permission denied\n"
