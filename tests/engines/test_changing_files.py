"""Files that change while they are read: refused in one line, whatever the moment, and never the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield
from cranfield import InputError, reference_engine
from cranfield.errors import EngineError
from cranfield.reference_engine import decompression

TRUNCATED = """
import os, sys, threading, time
import numpy as np
from cranfield import _engine
from cranfield.errors import EngineError

path, delay = sys.argv[1], float(sys.argv[2])
qrels = _engine.read_qrels(b"1 0 a 1\\n", "trec", 0)
index = _engine.index(qrels["topics"], qrels["starts"], qrels["data"], qrels["offsets"])
begun = threading.Event()

def cut():
    begun.wait()
    time.sleep(delay)
    os.truncate(path, 1000)

thread = threading.Thread(target=cut)
thread.start()
begun.set()
try:
    _engine.judge_file(path, "trec", 0, index, "trec", "error", 2, True)
    print("read")
except EngineError as error:
    print(error.code)
thread.join()
"""


@pytest.mark.slow
def test_a_file_that_is_cut_short_while_it_is_read(tmp_path: Path, compiled: object) -> None:
    """A mapped file ended the process by a bus error in most of such tries."""
    path = tmp_path / "large.run"
    text = "".join(
        f"{n // 1000} Q0 document-{n:09} {n % 1000 + 1} {1000 - n % 1000}.5 system\n" for n in range(400_000)
    )
    seen = set()
    for delay in (0.002, 0.01, 0.03, 0.005, 0.02, 0.05, 0.001, 0.1):
        path.write_text(text)
        ended = subprocess.run(
            [sys.executable, "-c", TRUNCATED, str(path), str(delay)],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        seen.add(ended.stdout.strip())
    assert seen <= {"changed", "read"}
    assert "changed" in seen


def test_the_reference_engine_refuses_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 2 x\n" * 2)
    fstat, calls = os.fstat, []

    def cut_after_the_first(number: int) -> os.stat_result:
        facts = fstat(number)
        if not calls:
            os.truncate(path, 13)
        calls.append(number)
        return facts

    monkeypatch.setattr(decompression.os, "fstat", cut_after_the_first)
    with pytest.raises(EngineError, match="changed"):
        reference_engine.read_run(str(path), "trec", 0, "error")


def test_the_refusal_is_worded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 2 x\n")

    def changed(*_: object) -> None:
        raise EngineError("changed")

    monkeypatch.setattr("cranfield.engine.current", lambda: type("Engine", (), {"read_run": staticmethod(changed)}))
    said = rf"^{path}: the file changed while it was read: wait until it is complete, and read it again$"
    with pytest.raises(InputError, match=said):
        cranfield.read_run(path)
