"""A small collection in files."""

from __future__ import annotations

from pathlib import Path

import pytest

FILES = {
    "qrels.txt": "2 0 a 1\n2 0 b 0\n1 0 a 2\n1 0 c 1\n",
    # nDCG@2: topic 2: 1; topic 1: 1
    "best.run": "1 Q0 a 1 3 x\n1 Q0 c 2 2 x\n2 Q0 a 1 2 x\n",
    # the relevant document second
    "late.run": "1 Q0 u 1 3 x\n1 Q0 a 2 2 x\n2 Q0 b 1 2 x\n2 Q0 a 2 1 x\n",
    "none.run": "1 Q0 u 1 3 x\n2 Q0 u 1 3 x\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with judgments and three runs."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path
