"""``cranfield report``: a whole page or none, and what wrong calls are told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command import cranfield

import cranfield as package
from odd_collection import write_collection


def test_the_command_writes_a_whole_page(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path / "data", topics=5, systems=3)
    target = tmp_path / "report.html"
    ended = cranfield("report", qrels, *runs, "-o", target, "--title", "<i>mine</i>", "-m", "AP", "--names", "tag")
    assert (ended.status, ended.out) == (0, "")
    text = target.read_text(encoding="utf-8")
    assert "<title>&lt;i&gt;mine&lt;/i&gt;</title>" in text
    assert len(text) < 150_000
    before = target.read_bytes()
    cranfield("report", qrels, *runs, "-o", target, "--title", "<i>mine</i>", "-m", "AP", "--names", "tag")
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "report.html"]
    printed = cranfield("report", qrels, *runs, "-o", "-", "-m", "AP")
    assert (printed.status, printed.out[:15]) == (0, "<!doctype html>")


def test_wrong_calls_say_what_to_do(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path / "data", topics=3, systems=2)
    missing = cranfield("report", qrels, *runs)
    assert missing.status == 2
    assert "-o" in missing.err
    nowhere = cranfield("report", qrels, *runs, "-o", tmp_path / "no" / "x.html")
    assert nowhere.status == 1
    assert "there is no such folder" in nowhere.err
    nobody = cranfield("report", qrels, *runs, "-o", tmp_path / "x.html", "--baseline", "nobody")
    assert nobody.status == 2
    assert "nobody" in nobody.err
    assert not (tmp_path / "x.html").exists()


def test_it_needs_no_package_for_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = write_collection(tmp_path / "data", topics=3, systems=2)
    for name in ("altair", "vl_convert"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if name.startswith(("cranfield.plot", "cranfield.reporting"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(package, "reporting", raising=False)
    ended = cranfield("report", qrels, *runs, "-o", tmp_path / "x.html")
    assert ended.status == 0
    assert "cranfield.plot" not in sys.modules
