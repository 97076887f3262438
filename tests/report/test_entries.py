"""What organisers say of runs: files, frames and dicts say the same, and what is wrong is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError
from cranfield.reporting.entries import Entries, Entry

SYSTEMS = ("a", "b")
ROWS = {
    "a": {"team": "one", "type": "auto", "description": "x, y"},
    "b": {"team": "two", "type": "", "description": ""},
}
TABS = "system\tteam\ttype\tdescription\temail\na\tone\tauto\tx, y\tme@x\nb\ttwo\n"
COMMAS = 'team,system,description,type\none,a,"x, y",auto\ntwo,b\n'


@pytest.mark.parametrize("text", [TABS, COMMAS, "\ufeff" + TABS.replace("\n", "\r\n")])
def test_files_frames_and_dicts_say_the_same(text: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.tsv"
    path.write_text(text, encoding="utf-8")
    expected = {"a": Entry("one", "auto", "x, y"), "b": Entry("two")}
    frame = pd.DataFrame([{"system": name, **facts} for name, facts in ROWS.items()])
    frame.loc[1, "type"] = float("nan")
    for given in (path, str(path), ROWS, frame):
        assert Entries.read(given, SYSTEMS).by_system == expected
    assert Entries.read(None, SYSTEMS).by_system == {"a": Entry(), "b": Entry()}


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "runs.tsv").write_text(text, encoding="utf-8")
    return tmp_path / "runs.tsv"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run\tteam\na\tone\n", r"runs\.tsv:1: has no column called system: the head names 'run', 'team'"),
        ("system\tteam\na\tone\n\na\ttwo\n", r"runs\.tsv:4: names system 'a' twice"),
        ("system\tteam\na\tone\tmore\n", r"runs\.tsv:2: has 3 fields, and the head names 2 columns"),
        ("system\tteam\n", r"runs\.tsv: names no run"),
        ("system\tteam\nx\tone\n", r"names none of the runs: its systems are 'x', the runs are called 'a', 'b'"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        Entries.read(written(tmp_path, text), SYSTEMS)


def test_what_is_left_over_is_warned_of(tmp_path: Path) -> None:
    with pytest.warns(CranfieldWarning) as caught:
        found = Entries.read(written(tmp_path, "system\tteam\na\tone\nz\ttwo\n"), SYSTEMS)
    said = [str(one.message) for one in caught]
    assert any("system z is not among the runs" in line for line in said)
    assert any("says nothing of run b" in line for line in said)
    assert found.by_system["b"] == Entry()


def test_a_run_may_be_named_as_its_file_is() -> None:
    rows = {"runs/a.txt.gz": {"team": "one"}, "b.run": {"team": "two"}}
    found = Entries.read(rows, ["a", "b"])
    assert {name: entry.team for name, entry in found.by_system.items()} == {"a": "one", "b": "two"}
    exact = {"a": {"team": "one"}, "b.run": {"team": "two"}}
    assert Entries.read(exact, ["a", "b.run"]).by_system["b.run"].team == "two", "a system's own name comes first"


@pytest.mark.parametrize(
    "rows", [{"a": {"team": "one"}, "a.run": {"team": "two"}}, {"a.run": {}, "a.txt": {}, "b": {}}]
)
def test_two_lines_are_not_taken_for_one_system(rows: dict[str, dict[str, str]]) -> None:
    with pytest.warns(CranfieldWarning) as caught:
        found = Entries.read(rows, SYSTEMS)
    assert any("not among the runs" in str(one.message) for one in caught)
    assert found.by_system["a"].team == rows.get("a", {}).get("team", "")


def test_teams_have_runs() -> None:
    found = Entries.read(ROWS, SYSTEMS)
    assert found.select_systems("one") == ["a"]
    with pytest.raises(UsageError, match="no run is of team 'three'; teams: 'one', 'two'"):
        found.select_systems("three")


@pytest.mark.parametrize("given", [7, ["a"]])
def test_anything_else_is_refused(given: Any) -> None:
    with pytest.raises(UsageError):
        Entries.read(given, SYSTEMS)


def test_a_file_without_a_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no column called system"):
        Entries.read(written(tmp_path, "a\tone\nb\ttwo\n"), SYSTEMS)
