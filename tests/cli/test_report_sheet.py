"""A team's own sheet: its scores among those of all, and no name of another team's run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import cranfield as call

import cranfield
from odd_collection import PLAIN, write_collection
from reading_pages import data_of, packed

TEAM = "Team <b>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sheet")
    write_collection(made, topics=8, systems=12)
    lines = ["system,team,type"]
    lines += [f"{name},{TEAM if name in ('bm25', 'neural') else 'other people'},auto" for name in PLAIN]
    (made / "runs.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    ended = call(
        "report", folder / "qrels.txt", *sorted(folder.glob("run*.txt")), "--names", "tag", "-m", "nDCG@10", "-m", "AP",
        "--runs", folder / "runs.csv", "--participant", TEAM, "-o", "-", "--title", "A task",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    return ended.out


def test_it_names_no_run_of_another_team(text: str, folder: Path) -> None:
    for name in (set(PLAIN) - {"bm25", "neural"}) | {"other people", "HYPERLINK", "owned"}:
        if len(name) > 2 and name != "last":
            assert name not in text
    assert str(folder) not in text
    assert data_of(text)["systems"] == []
    assert packed(text) == {"scores": [], "texts": {}, "retrieved": None, "tested": {}}


def test_its_numbers_are_those_of_the_evaluation(text: str, folder: Path) -> None:
    scores: Any = cranfield.evaluate(
        [str(run) for run in sorted(folder.glob("run*.txt"))], str(folder / "qrels.txt"), ["nDCG@10", "AP"], names="tag"
    )
    data = data_of(text)
    assert data["head"]["line"] == "2 runs of Team <b> among 12 runs, 8 topics and 320 judgments."
    sections = {part["title"]: part for part in data["sections"]}
    assert list(sections) == ["Means", "bm25", "neural"]
    for name in ("bm25", "neural"):
        (table,) = sections[name]["tables"]
        heads = [one["name"] for one in table["columns"]]
        for measure in ("nDCG@10", "AP"):
            values = scores[measure].transpose("topic", "system")
            order = [row[0][0] if isinstance(row[0], list) else row[0] for row in table["rows"]]
            assert len(order) == 8
            own = [row[heads.index(measure)] for row in table["rows"]]
            assert own == pytest.approx(values.sel(system=name).values.tolist())
            for what, of in (("best", np.max), ("median", np.median), ("worst", np.min)):
                found = [row[heads.index(f"{what} {measure}")] for row in table["rows"]]
                assert found == pytest.approx(of(values.values, axis=1).tolist())
        rank = [row[heads.index("rank by nDCG@10")] for row in table["rows"]]
        own_column = scores["nDCG@10"].sel(system=name).values[:, None]
        larger = scores["nDCG@10"].transpose("topic", "system").values > own_column + 1e-12
        assert rank == (1 + larger.sum(axis=1)).tolist()
        assert len(sections[name]["figures"]) == 1


def test_topics_are_ordered_from_the_best_median_whichever_way_a_measure_runs(folder: Path) -> None:
    files = (folder / "qrels.txt", *sorted(folder.glob("run*.txt")), "--names", "tag", "-o", "-")
    ended = call("report", *files, "-m", "RBPResidual", "--runs", folder / "runs.csv", "--participant", TEAM)
    assert ended.status == 0, ended.err
    figure = data_of(ended.out)["sections"][1]["figures"][0]
    assert figure["smaller"]
    medians = [median for _, _, _, median, _ in figure["ranges"]]
    assert len(set(medians)) > 1
    assert medians == sorted(medians)


def test_wrong_calls_say_what_to_do(folder: Path) -> None:
    words = ("report", folder / "qrels.txt", *sorted(folder.glob("run*.txt")), "--names", "tag", "-o", "-")
    alone = call(*words, "--participant", TEAM)
    assert (alone.status, alone.out) == (2, "")
    assert "--participant needs --runs" in alone.err
    nobody = call(*words, "--participant", "nobody", "--runs", folder / "runs.csv")
    assert nobody.status == 2
    assert "no run is of team 'nobody'; teams: 'Team <b>', 'other people'" in nobody.err


def test_it_holds_nothing_of_a_refused_run_of_another_team(folder: Path, tmp_path: Path) -> None:
    for name in ("bm25", "rival"):
        text = (folder / "run6.txt").read_text(encoding="utf-8").replace("bm25", name)
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "rivals-broken.txt").write_text("a secret of the rivals\n", encoding="utf-8")
    teams = "system\tteam\tdescription\nbm25.txt\tours\tplain\nrival.txt\ttheirs\ttheir words\n"
    (tmp_path / "teams.tsv").write_text(teams + "rivals-broken.txt\ttheirs\t\n", encoding="utf-8")
    runs = [tmp_path / f"{name}.txt" for name in ("bm25", "rival", "rivals-broken")]
    words = ("report", folder / "qrels.txt", *runs, "--keep-going", "--runs", tmp_path / "teams.tsv")
    ended = call(*words, "--participant", "ours", "-o", "-")
    assert "1 run of ours among 2 runs" in data_of(ended.out)["head"]["line"], ended.err
    whole = json.dumps(data_of(ended.out)) + json.dumps(packed(ended.out))
    for secret in ("rival", "their", "secret", str(tmp_path)):
        assert secret not in whole, secret
    signature = json.loads(data_of(ended.out)["signature"])
    assert [run["name"] for run in signature["runs"]] == ["bm25"]
    assert "left_out" not in signature


def test_it_holds_nothing_else_of_a_signature_in_a_file_of_scores(tmp_path: Path) -> None:
    scores = cranfield.evaluate(
        {name: {str(topic): {"a": 1.0, name: 2.0} for topic in range(4)} for name in ("mine", "rival")},
        {str(topic): {"a": 1, "mine": topic % 2} for topic in range(4)},
        "AP",
    )
    source = json.loads(scores.attrs["signature"]) | {"left_out": [{"name": "rival2"}], "x": {"rival3": 1}}
    for one in (scores, *scores.data_vars.values()):
        one.attrs["signature"] = json.dumps(source)
    entries = {"mine": {"team": "ours"}, "rival": {"team": "theirs"}}
    made = cranfield.report_scores(scores, entries=entries, participant="ours")
    assert "rival" not in made.html
    assert [run["name"] for run in made.signature["runs"]] == ["mine"]
