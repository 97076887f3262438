"""Libraries are imported beside other work, and whatever becomes of that changes nothing else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield import threads
from cranfield.threads import importing

WAITS = 30.0
NAMES = "beside_first", "beside_second"


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two that remember the thread which imported them; the first waits for a file before it ends."""
    (tmp_path / "beside_first.py").write_text(
        "import pathlib, threading, time\n"
        "THREAD = threading.get_ident()\n"
        f"end = time.monotonic() + {WAITS}\n"
        "while not pathlib.Path(__file__).with_name('go').exists() and time.monotonic() < end:\n"
        "    time.sleep(0.001)\n"
    )
    (tmp_path / "beside_second.py").write_text("import threading\nTHREAD = threading.get_ident()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(threading.enumerate())
    yield tmp_path
    (tmp_path / "go").touch()
    wait_for_threads(before)  # one that comes late would import what the next test has written
    for name in NAMES:
        sys.modules.pop(name, None)


def wait_for_threads(before: set[threading.Thread]) -> None:
    for thread in set(threading.enumerate()) - before:
        thread.join(WAITS)


def wait_for(name: str) -> None:
    end = time.monotonic() + WAITS
    while name not in sys.modules and time.monotonic() < end:
        time.sleep(0.001)


def test_the_work_goes_on_while_they_are_imported(libraries: Path) -> None:
    with importing(*NAMES):
        wait_for("beside_first")
        assert "beside_second" not in sys.modules
        (libraries / "go").touch()
    first, second = (__import__(name) for name in NAMES)
    assert first.THREAD == second.THREAD != threading.get_ident()


def test_none_is_begun_once_the_work_has_failed(libraries: Path) -> None:
    before = set(threading.enumerate())
    with pytest.raises(ValueError, match="broken"), importing(*NAMES):
        wait_for("beside_first")
        raise ValueError("broken")
    (libraries / "go").touch()
    wait_for_threads(before)
    assert "beside_second" not in sys.modules


def test_one_that_cannot_be_imported_is_left_to_who_needs_it(libraries: Path) -> None:
    (libraries / "beside_second.py").write_text("raise RuntimeError('not here')\n")
    (libraries / "go").touch()
    with importing("no_such_library"):
        pass
    with importing("beside_second"):
        pass
    with pytest.raises(RuntimeError, match="not here"):
        __import__("beside_second")


def test_without_a_thread_the_work_is_done_alone(libraries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "started", lambda _: None)
    with importing(*NAMES):
        pass
    assert not set(NAMES) & set(sys.modules)


def test_no_thread_is_asked_for_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "started", lambda _: pytest.fail("a thread was asked for"))
    with importing("sys", "threading"):
        pass
