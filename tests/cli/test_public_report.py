"""Pages that are published: chosen sections, no paths and commands, each sentence once; and the sheets of all teams."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from command import cranfield as call

import cranfield
from cranfield.errors import UsageError
from reading_pages import data_of

TEAMS = ("Our group", "our group", "../x", "", "zeta")
NAMES = [f"run{number}" for number in range(len(TEAMS))]
HIDDEN = {"systems", "checks"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments, runs in a folder of their own, and TREC's list of them."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "secret").mkdir()
    collection = cranfield.simulation.simulate_runs(n_systems=len(NAMES), n_topics=12, depth=20, seed=3)
    cranfield.io.write(collection.qrels, folder / "secret" / "qrels.txt")
    for name, run in zip(NAMES, collection.runs, strict=True):
        cranfield.io.write(run, folder / "secret" / f"{name}.txt")
    rows = [f"{name},{team},automatic" for name, team in zip(NAMES, TEAMS, strict=True)]
    (folder / "runs.csv").write_text("\n".join(["tag,team,runtype", *rows, ""]), encoding="utf-8")
    return folder


def files(folder: Path) -> list[str]:
    return [str(folder / "secret" / name) for name in ("qrels.txt", *(f"{name}.txt" for name in NAMES))]


def page(folder: Path, *options: str) -> dict[str, Any]:
    ended = call("report", *files(folder), "--runs", folder / "runs.csv", "-o", folder / "page.html", *options)
    assert ended.status == 0, ended.err
    return data_of((folder / "page.html").read_text(encoding="utf-8"))


def list_sentences(data: dict[str, Any]) -> list[str]:
    texts = [text for section in data["sections"] for text in section["words"]]
    texts += [figure["notes"] for section in data["sections"] for figure in section["figures"]]
    return [sentence for text in texts for sentence in re.split(r"(?<=[.?!]) (?=[A-Z“])", text) if sentence]


def test_a_public_page_has_neither_paths_nor_advice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    data = page(folder, "--public")
    ids = [section["id"] for section in data["sections"]]
    assert not HIDDEN & set(ids)
    assert ids == ["leaderboard", "teams", "summary", "topics", "measures", "provenance"]
    text = json.dumps(data)
    for part in ("secret", str(folder), "`", "cranfield report", "See cranfield", '"command": "'):
        assert part not in text.replace('"command": ""', ""), part
    measures = data["sections"][4]
    assert [figure["id"] for figure in measures["figures"]] == ["d-study", "agreement-matrix"]
    assert measures["tables"] == []


@pytest.mark.parametrize("options", [(), ("--public",), ("-m", "AP")])
def test_a_sentence_stands_once(folder: Path, options: tuple[str, ...]) -> None:
    data = page(folder, *options)
    sentences = list_sentences(data)
    assert len(sentences) == len(set(sentences))
    remedies = [row for section in data["sections"] for table in section["tables"] for row in table["rows"]]
    assert "`" not in json.dumps(remedies)


def test_sections_are_chosen(folder: Path) -> None:
    data = page(folder, "--sections", "topics, checks")
    assert [section["id"] for section in data["sections"]] == ["leaderboard", "topics", "checks"]
    assert [section["id"] for section in page(folder, "--public", "--sections", "systems")["sections"]] == [
        "leaderboard",
        "systems",
    ]
    ended = call("report", *files(folder), "-o", folder / "page.html", "--sections", "nothing")
    assert ended.status == 2
    assert "there is no section 'nothing': sections are checks, diversity, holes" in ended.err
    with pytest.raises(UsageError, match="no section 'x'"):
        cranfield.report(files(folder)[1:], files(folder)[0], sections=["x"])


def test_a_section_that_is_named_and_has_nothing_says_why(folder: Path) -> None:
    data = page(folder, "--sections", "judges, holes")
    assert {section["id"]: len(section["missing"]) for section in data["sections"]} == {
        "leaderboard": 0,
        "holes": 1,
        "judges": 1,
    }
    assert "it needs judgments of others" in data["sections"][2]["missing"][0]
    assert "judges" not in [section["id"] for section in page(folder)["sections"]]


def test_ties_of_rr_stand_where_rr_is_a_measure(folder: Path) -> None:
    assert "RR cannot separate" in " ".join(list_sentences(page(folder, "-m", "AP", "-m", "RR")))
    assert "RR cannot separate" not in " ".join(list_sentences(page(folder, "-m", "AP")))


def test_all_sheets_are_written_by_one_call(folder: Path) -> None:
    words = ("report", *files(folder), "--runs", folder / "runs.csv", "--title", "A task")
    ended = call(*words, "--participants", folder / "sheets")
    assert ended.status == 0, ended.err
    written = sorted(path.name for path in (folder / "sheets").iterdir())
    assert len(written) == len({name.casefold() for name in written}) == 4
    assert {"x.html", "zeta.html", "Our-group.html", "our-group-2.html"} == set(written)
    alone = call(*words, "--participant", "zeta", "-o", "-")
    assert (folder / "sheets" / "zeta.html").read_text(encoding="utf-8") == alone.out
    both = call(*words, "--participants", folder / "again", "-o", folder / "with.html")
    assert both.status == 0, both.err
    assert (folder / "with.html").exists()
    for options, message in (
        ((), "Missing option"),
        (("--participants", folder / "x", "--participant", "zeta"), "leave out --participant"),
    ):
        ended = call(*words, *options)
        assert ended.status == 2
        assert message in ended.err
    ended = call("report", *files(folder), "--participants", folder / "x")
    assert "--participants needs --runs" in ended.err


def test_a_folder_without_sheets_does_not_stay(folder: Path) -> None:
    words = ("report", *files(folder), "--runs", folder / "runs.csv", "--participants")
    (folder / "earlier").mkdir()
    with mock.patch.object(Path, "replace", side_effect=OSError(28, "No space left on device")):
        ended = call(*words, folder / "new" / "sheets")
        assert (ended.status, "No space left on device" in ended.err) == (1, True)
        assert call(*words, folder / "earlier").status == 1
    assert not (folder / "new").exists()
    assert (folder / "earlier").is_dir()


def test_runs_that_are_left_out_are_named_beside_sheets(folder: Path, tmp_path: Path) -> None:
    """Where sheets are all that is written, somebody still has to hear of it."""
    (tmp_path / "broken.txt").write_text("1 Q0 a 1 high x\n")
    rows = (folder / "runs.csv").read_text(encoding="utf-8")
    (tmp_path / "runs.csv").write_text(f"{rows}broken,late,automatic\n", encoding="utf-8")
    called = [*files(folder), tmp_path / "broken.txt", "--runs", tmp_path / "runs.csv", "--keep-going"]
    for options in (["--participants", tmp_path / "sheets"], ["--participant", "late", "-o", tmp_path / "late.html"]):
        ended = call("report", *called, *options)
        assert ended.status == 5 and ended.err.count("broken.txt:1: left out") == 1, ended.err
    sheets = {file.stem: data_of(file.read_text(encoding="utf-8")) for file in (tmp_path / "sheets").iterdir()}
    assert sheets["late"] == data_of((tmp_path / "late.html").read_text(encoding="utf-8"))
    own, other = ("\n".join(sheets[team]["sections"][0]["words"]) for team in ("late", "zeta"))
    assert own.startswith("Left out: 1 run, of which no scores could be used: broken (line 1: the score 'high' is not")
    assert other.startswith("1 run of others was left out and does not count.")
    assert all(sheet["head"]["notices"] == ["1 run left out"] for sheet in sheets.values())


@pytest.mark.parametrize("public", [False, True])
def test_runs_that_are_left_out_are_named_on_a_page(folder: Path, tmp_path: Path, public: bool) -> None:
    """With the reason where it is for the organisers."""
    (tmp_path / "broken.txt").write_text("1 Q0 a 1 high x\n")
    (tmp_path / "void.txt").write_text("nonsense\n")
    broken = [tmp_path / "broken.txt", tmp_path / "void.txt"]
    page = tmp_path / "page.html"
    ended = call("report", *files(folder), *broken, "--keep-going", "-o", page, *(["--public"] if public else []))
    assert ended.status == 5
    data = data_of(page.read_text(encoding="utf-8"))
    assert data["head"]["notices"][0] == "2 runs left out"
    (text,) = (text for text in data["sections"][0]["words"] if text.startswith("Left out: "))
    reasons = ["", ""] if public else [" (line 1: the score 'high' is not a number", " (line 1: 1 field, expected 6"]
    assert text.startswith(f"Left out: 2 runs, of which no scores could be used: broken{reasons[0]}")
    assert f", void{reasons[1]}" in text
    assert ("'high'" in text) is not public


def test_a_team_whose_runs_were_all_left_out_has_a_sheet(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.txt").write_text("1 Q0 a 1 high x\n")
    (tmp_path / "runs.csv").write_text(f"tag,team\n{NAMES[0]},first\nbroken,late\n", encoding="utf-8")
    called = [*files(folder), tmp_path / "broken.txt", "--runs", tmp_path / "runs.csv", "--keep-going", "-o"]
    assert call("report", *called, tmp_path / "late.html", "--participant", "late").status == 5
    assert data_of((tmp_path / "late.html").read_text(encoding="utf-8"))["head"]["line"].startswith(
        "0 runs of late among"
    )
    ended = call("report", *called, tmp_path / "other.html", "--participant", "other")
    assert ended.status == 2 and "no run is of team 'other'; teams: 'first', 'late'" in ended.err
