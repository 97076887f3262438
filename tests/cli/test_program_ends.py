"""The program ends as any program in Python does: its status, and what others left to the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

QRELS = "1 0 a 1\n"
RUN = "1 Q0 a 1 2.0 x\n"
CALL = ("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv")
PRINTED = "system\ttopic\tmeasure\tvalue\nbest\tall\tRR\t1.0\n"
AT_THE_END = """
import atexit, sys
from pathlib import Path
from cranfield.__main__ import main
sys.late = open("late", "w")
sys.late.write("written when the interpreter ends")
atexit.register(lambda: Path("asked").touch())
main()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "best.run").write_text(RUN)
    return tmp_path


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], capture_output=True, encoding="utf-8", timeout=120, check=False)


def test_what_others_left_to_the_end_is_done(folder: Path) -> None:
    ended = run("-W", "ignore", "-c", AT_THE_END, *CALL)
    assert (ended.returncode, ended.stdout) == (0, PRINTED)
    assert (folder / "asked").exists()
    assert (folder / "late").read_text()


def test_the_status_is_kept() -> None:
    assert run("-c", AT_THE_END, "evaluate", "qrels.txt", "nothing.run").returncode == 1
    assert run("-c", AT_THE_END, "evaluate", "--no-such-option").returncode == 2


def test_a_profile_is_printed() -> None:
    ended = run("-m", "cProfile", "-m", "cranfield", *CALL)
    assert ended.returncode == 0
    assert ended.stdout.startswith(PRINTED) and "function calls" in ended.stdout
