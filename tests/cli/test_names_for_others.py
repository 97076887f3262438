"""What commands print for others names no folder of the machine, whatever the call names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
import pytest
from command import cranfield
from test_outputs import CALLS, commands, write_inputs

FOR_OTHERS = ("json", "csv", "html", "markdown", "latex", "junit")


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> None:
    write_inputs(folder)


def formats() -> list[tuple[str, str]]:
    found = []
    for called, command in commands().items():
        chosen = next((one for one in command.params if one.name == "format_"), None)
        if called in CALLS and chosen is not None and isinstance(chosen.type, click.Choice):
            some = [name for name in FOR_OTHERS if name in chosen.type.choices]
            found += [(called, name) for name in (*some[:1], *some[2:]) if name != "csv"]
    return found


def absolute(word: str) -> str:
    """A word of a call, in which a file has its absolute path."""
    return os.path.abspath(word) if Path(word).is_file() else word  # noqa: PTH100


@pytest.mark.parametrize(("called", "format_"), formats())
def test_no_folder_is_named(called: str, format_: str, folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    words = list(map(absolute, CALLS[called]))
    os.chdir(folder / "elsewhere")
    ended = cranfield(*called.split(), *words, "-f", format_)
    assert ended.status in (0, 3, 4), ended.err
    assert ended.out
    assert str(folder) not in ended.out
    assert str(folder) not in ended.out.replace("\\", "")


def test_no_folder_is_named_on_a_page(folder: Path) -> None:
    words = list(map(absolute, CALLS["report"]))
    assert cranfield("report", *words, "-o", "page.html").status == 0
    assert str(folder) not in Path("page.html").read_text()


def test_findings_name_files_and_not_folders(folder: Path) -> None:
    Path("kept").mkdir()
    Path("kept/broken.run").write_text("1 Q0 d1 1 high broken\n")
    given = [absolute("qrels.txt"), absolute("kept/broken.run")]
    assert f"{folder}" not in cranfield("check", *given).out
    assert cranfield("check", *given).out.startswith("error: kept/broken.run:1: ")
    rows = json.loads(cranfield("check", *given, "-f", "json").out)["rows"]
    assert rows[0]["file"] == "kept/broken.run"
    Path("elsewhere").mkdir()
    os.chdir("elsewhere")
    signature = json.loads(cranfield("check", *given, "-f", "json").out)["signature"]
    assert [signature["qrels"]["name"], signature["runs"][0]["name"]] == ["qrels.txt", "broken.run"]
    assert cranfield("check", "../qrels.txt", given[1], "--all").out.startswith("error: broken.run:1: ")
