"""A team's own sheet: its scores among those of all, and no name of another team's run."""

from __future__ import annotations

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
    assert packed(text) == {"scores": [], "texts": {}, "retrieved": None}


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
    medians = [values[2] for values in figure["ranges"]]
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
