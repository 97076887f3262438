"""Names of outputs that promise a format which is not written are refused before the work; other names are free."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield

EVALUATE = ("evaluate", "qrels.txt", "best.run", "-m", "AP")


@pytest.mark.parametrize("name", ["o.xlsx", "o.XLS", "o.pdf", "o.html", "o.htm.gz", "o.png"])
def test_names_of_formats_that_are_not_written(name: str, folder: Path) -> None:
    ended = cranfield(*EVALUATE, "-o", name)
    assert (ended.status, ended.out) == (2, "")
    what = name.removesuffix(".gz").partition(".")[2].lower()
    assert (
        f"{name}: this command does not write {what}: let the name end in .tsv, .csv, .json, .tex or .md" in ended.err
    )
    assert not (folder / name).exists()


@pytest.mark.parametrize("name", ["o", "o.txt", "o.out", "o.csv", "o.json.gz", "o.v1.2"])
def test_other_names_are_free(name: str, folder: Path) -> None:
    assert cranfield(*EVALUATE, "-o", name).status == 0
    assert (folder / name).stat().st_size


@pytest.mark.parametrize("name", ["o.pdf", "o.png", "o.svg", "o.csv", "o.json", "o.md", "o.xlsx"])
def test_a_report_is_a_page(name: str, folder: Path) -> None:
    ended = cranfield("report", "qrels.txt", "best.run", "late.run", "-o", name)
    assert (ended.status, ended.out) == (2, "")
    assert f"{name}: a page is HTML, not {name[2:]}: let the name end in .html" in ended.err
    assert not (folder / name).exists()


def test_a_command_without_formats(folder: Path) -> None:
    ended = cranfield("fuse", "best.run", "late.run", "-o", "fused.pdf")
    assert (ended.status, ended.out) == (2, "")
    assert "fused.pdf: this command does not write pdf: give another ending" in ended.err


def test_a_page_may_be_called_htm(folder: Path) -> None:
    assert cranfield("report", "qrels.txt", "best.run", "late.run", "-o", "o.htm").status == 0
