"""What organisers say of runs: files, frames and dicts say the same, and what is wrong is named."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError
from reading_pages import data_of

ROWS = {
    "a": {"team": "one", "type": "auto", "description": "x, y"},
    "b": {"team": "two", "type": "", "description": ""},
}
TABS = "system\tteam\ttype\tdescription\temail\na\tone\tauto\tx, y\tme@x\nb\ttwo\n"
COMMAS = 'team,system,description,type\none,a,"x, y",auto\ntwo,b\n'
NOTHING = ["", "", ""]


def report(entries: Any, systems: Sequence[str] = ("a", "b"), **options: Any) -> Any:
    """A page on two systems and two topics, the smallest that has entries."""
    labels = {"topic": ["1", "2"], "system": list(systems)}
    scores = xr.DataArray(np.array([[0.5, 0.25], [0.75, 0.5]]), labels, ("topic", "system"), "AP")
    return cranfield.report_scores(scores, entries=entries, **options)


def facts(entries: Any, systems: Sequence[str] = ("a", "b")) -> dict[str, list[str]]:
    """System -> team, type and description on the page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        data = data_of(report(entries, systems).html)
    return dict(zip(systems, data["facts"], strict=True))


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "runs.tsv").write_text(text, encoding="utf-8")
    return tmp_path / "runs.tsv"


@pytest.mark.parametrize("text", [TABS, COMMAS, "\ufeff" + TABS.replace("\n", "\r\n")])
def test_files_frames_and_dicts_say_the_same(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    frame = pd.DataFrame([{"system": name, **facts} for name, facts in ROWS.items()])
    frame.loc[1, "type"] = float("nan")
    for entries in (path, str(path), ROWS, frame):
        assert facts(entries) == {"a": ["one", "auto", "x, y"], "b": ["two", "", ""]}
    assert facts(None) == {"a": NOTHING, "b": NOTHING}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "run\tteam\na\tone\n",
            FormatError,
            r"runs\.tsv:1: has no column called system: the head names 'run', 'team'",
        ),
        ("a\tone\nb\ttwo\n", FormatError, "has no column called system"),
        ("system\tteam\na\tone\n\na\ttwo\n", InputError, r"runs\.tsv:4: names system 'a' twice"),
        ("system\tteam\na\tone\tmore\n", FormatError, r"runs\.tsv:2: has 3 fields, and the head names 2 columns"),
        ("system\tteam\tteam\na\tone\ttwo\n", FormatError, r"runs\.tsv:1: has two columns called 'team'"),
        ("system\tteam\n", InputError, r"runs\.tsv: names no run"),
        (
            "system\tteam\nx\tone\n",
            InputError,
            r"names none of the runs: its systems are 'x', the runs are called 'a', 'b'",
        ),
        (7, UsageError, "is a file, a frame or a dict, not int"),
        (["a"], UsageError, "is a file, a frame or a dict, not list"),
    ],
)
def test_what_is_wrong_is_named(text: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    entries = written(tmp_path, text) if isinstance(text, str) else text
    with pytest.raises(error, match=message):
        report(entries)


def test_what_is_left_over_is_warned_of(tmp_path: Path) -> None:
    path = written(tmp_path, "system\tteam\na\tone\nz\ttwo\n")
    with pytest.warns(CranfieldWarning) as caught:
        report(path)
    messages = [str(warning.message) for warning in caught]
    assert any("system z is not among the runs" in message for message in messages)
    assert any("says nothing of run b" in message for message in messages)
    assert facts(path)["b"] == NOTHING


def test_a_run_may_be_named_as_its_file_is() -> None:
    rows = {"runs/a.txt.gz": {"team": "one"}, "b.run": {"team": "two"}}
    assert facts(rows) == {"a": ["one", "", ""], "b": ["two", "", ""]}
    exact = {"a": {"team": "one"}, "b.run": {"team": "two"}}
    assert facts(exact, ("a", "b.run"))["b.run"][0] == "two", "a system's own name comes first"


@pytest.mark.parametrize(
    "rows", [{"a": {"team": "one"}, "a.run": {"team": "two"}}, {"a.run": {}, "a.txt": {}, "b": {}}]
)
def test_two_lines_are_not_taken_for_one_system(rows: dict[str, dict[str, str]]) -> None:
    with pytest.warns(CranfieldWarning) as caught:
        report(rows)
    assert any("not among the runs" in str(warning.message) for warning in caught)
    assert facts(rows)["a"][0] == rows.get("a", {}).get("team", "")


def test_teams_have_runs() -> None:
    sheet = data_of(report(ROWS, participant="one").html)
    assert [part["title"] for part in sheet["sections"]] == ["Means", "a"]
    with pytest.raises(UsageError, match="no run is of team 'three'; teams: 'one', 'two'"):
        report(ROWS, participant="three")


def test_the_leaderboard_of_trec_is_read(tmp_path: Path) -> None:
    head = "tag,team,report,runtype,contributed judgments,topicformat,ndcg@20\n"
    path = written(tmp_path, f"{head}a,one,reports/a.pdf,feedback,yes,,0.5\nb,two,,automatic,no,,0.4\n")
    assert facts(path) == {"a": ["one", "feedback", ""], "b": ["two", "automatic", ""]}
    assert facts(pd.read_csv(path)) == facts(path)


def test_names_of_trec_do_not_replace_ours(tmp_path: Path) -> None:
    path = written(tmp_path, "tag,system,runtype,type\nx,a,feedback,auto\ny,b,feedback,manual\n")
    assert facts(path) == {"a": ["", "auto", ""], "b": ["", "manual", ""]}
    with pytest.raises(FormatError, match="two columns called 'tag'"):
        report(written(tmp_path, "tag,tag,team\na,a,one\n"))
