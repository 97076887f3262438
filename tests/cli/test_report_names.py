"""A page may be published: the folders of the machine that it was made on are not on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield

from odd_collection import write_collection

SECRET = "folder of nobody's business"


def made(folder: Path, *words: str | Path) -> str:
    """The page of a call with absolute paths, as it is written."""
    qrels, runs = write_collection(folder, topics=5, systems=3)
    # What is odd is remarked with the names of files: unjudged topics, a label that is no whole number.
    with runs[0].open("a", encoding="utf-8") as stream:
        stream.write("elsewhere Q0 d1 1 1 other-tag\n")
    with qrels.open("a", encoding="utf-8") as stream:
        stream.write("nowhere 0 d1 0.5\n")
    judge = folder / "judge.txt"
    judge.write_text(qrels.read_text(encoding="utf-8"), encoding="utf-8")
    target = folder / "page.html"
    ended = cranfield("report", qrels, *runs, f"-o{target}", f"--judge={judge}", "--title", "mine", *words)
    assert ended.status == 0, ended.err
    return target.read_text(encoding="utf-8")


def test_absolute_paths_are_not_published(tmp_path: Path) -> None:
    text = made(tmp_path / SECRET)
    assert SECRET not in text
    assert str(tmp_path) not in text
    assert "run0.txt" in text
    assert "judge.txt" in text


def test_files_below_the_folder_of_the_call_are_called_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = made(tmp_path / "data")
    assert str(tmp_path) not in text
    assert "data/run0.txt" in text
