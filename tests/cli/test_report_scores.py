"""A page made of scores: what scores answer is as on the page of their runs; the rest is left out, and said so."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xarray as xr
from command import cranfield as call

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from reading_pages import data_of, packed

MADE = cranfield.simulation.simulate_runs(n_systems=5, n_topics=12, seed=3)
MEASURES = ["nDCG@10", "AP", "RR"]
LEFT_OUT = "It leaves out what needs judgments and runs"


def quietly(ask: Any, *given: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return ask(*given, **options)


def tables(page: Any) -> dict[str, Any]:
    return {table["id"]: table for section in page["sections"] for table in section["tables"]}


@pytest.fixture(scope="module")
def scores() -> xr.Dataset:
    found: xr.Dataset = cranfield.evaluate(MADE.runs, MADE.qrels, [*MEASURES, "Judged@10"])
    return found


@pytest.fixture(scope="module")
def of_runs() -> Any:
    return data_of(quietly(cranfield.report, MADE.runs, MADE.qrels, MEASURES, baseline=["system2"]).html)


def test_scores_say_what_their_runs_say(scores: xr.Dataset, of_runs: Any, tmp_path: Path) -> None:
    cranfield.write_scores(scores, tmp_path / "scores.nc")
    for given in (scores, tmp_path / "scores.nc", [str(tmp_path / "scores.nc")]):
        made = quietly(cranfield.report_scores, given, baseline=["system2"])
        page = data_of(made.html)
        assert [one["id"] for one in page["sections"]] == [
            *("leaderboard", "summary", "topics", "measures", "checks", "provenance")
        ]
        assert page["head"]["verdict"] == of_runs["head"]["verdict"]
        ours, theirs = tables(page), tables(of_runs)
        for table in ("leaderboard", "baselines", "audit", "readings"):
            assert ours[table] == theirs[table]
        measures = [next(one for one in of["sections"] if one["id"] == "measures") for of in (page, of_runs)]
        assert measures[0]["figures"] == measures[1]["figures"]
        assert packed(made.html)["retrieved"] is None
        words = next(one for one in page["sections"] if one["id"] == "summary")["words"]
        assert LEFT_OUT in words[-1]
        assert "of the top 10 retrieved documents" in " ".join(words)  # Judged@10 is among the scores
        assert [column["name"] for column in ours["topics"]["columns"]] == ["topic", "mean nDCG@10", "unjudged"]


def test_a_baseline_is_told_with_what_systems_risk_against_it(of_runs: Any, scores: xr.Dataset) -> None:
    gains = scores["nDCG@10"] - scores["nDCG@10"].sel(system="system2")
    risk = xr.where(gains < 0, 2 * gains, gains).mean("topic").drop_sel(system="system2")
    best = str(risk.idxmax("system").item())
    losses = int((gains.sel(system=best) < 0).sum())
    said = of_runs["sections"][0]["words"][-1]
    assert said.startswith(
        f"Against system2, with each loss counted twice (URisk, loss weight 1), {int((risk > 0).sum())} of 4 "
    )
    assert f"that of {best}: {float(risk.max()):.4f} (95% interval " in said
    assert f"with losses on {losses} of 12 topics." in said


def test_where_scores_come_from_is_on_the_page(scores: xr.Dataset, tmp_path: Path) -> None:
    cranfield.write_scores(scores[MEASURES], tmp_path / "ours.nc")
    made = quietly(cranfield.report_scores, tmp_path / "ours.nc")
    page = data_of(made.html)
    assert made.title == "Scores in ours.nc"
    assert page["head"]["line"] == "5 systems and 12 topics (scores in ours.nc), ranked by nDCG@10."
    (row,) = tables(page)["files"]["rows"]
    assert row[:2] == ["scores", "ours.nc"]
    assert len(row[3]) == 64
    assert made.signature["scores"][0]["sha256"] == row[3]
    assert str(tmp_path) not in made.html
    kinds = [row[0] for row in tables(data_of(quietly(cranfield.report_scores, scores).html))["files"]["rows"]]
    assert kinds == ["qrels"] + ["run"] * 5  # as the scores of ``evaluate`` say themselves


def nuggets(folder: Path) -> Path:
    said = ["support", "partial_support", "not_support"]
    lines = [
        {
            "qid": f"t{topic}",
            "run_id": system,
            "nuggets": [
                {"text": "x", "importance": "vital", "assignment": said[(topic * at + nugget) % 3]}
                for nugget in range(1 + at)
            ],
        }
        for at, system in enumerate(("one", "two", "three"))
        for topic in range(1, 8)
    ]
    (folder / "assignments.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return folder / "assignments.jsonl"


def judges(folder: Path) -> Path:
    """As TREC's AutoJudge has them: ``run measure topic value``."""
    lines = [f"run{run} overall {topic} {(run * topic) % 5 / 4}" for run in range(4) for topic in range(1, 9)]
    lines += [f"run{run} overall all 0.5" for run in range(4)]
    (folder / "judge.tot").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "judge.tot"


def tasks(folder: Path) -> Path:
    """Models in columns, tasks in rows, as tables of embedding models are."""
    table = pd.DataFrame({f"model{at}": [0.3 + (at * row) % 7 / 10 for row in range(9)] for at in range(4)})
    table.insert(0, "topic", [f"Task{row}" for row in range(9)])
    table.to_csv(folder / "main_score.csv", index=False)
    return folder / "main_score.csv"


@pytest.mark.parametrize(
    ("write", "first", "systems"),
    [(nuggets, "strict_vital_score", 3), (judges, "overall", 4), (tasks, "main_score", 4)],
)
def test_scores_of_others_make_a_page(write: Any, first: str, systems: int, tmp_path: Path) -> None:
    file = write(tmp_path)
    made = call("report", "--scores", file, "-o", tmp_path / "page.html")
    assert made.status == 0, made.err
    page = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    board = tables(page)["leaderboard"]
    at = [column["name"] for column in board["columns"]].index(first)
    means = cranfield.read_scores(file)[first].mean("topic").to_series()
    assert [row[at] for row in board["rows"]] == pytest.approx(sorted(means, reverse=True), abs=1e-12)
    assert len(board["rows"]) == systems
    assert str(tmp_path) not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_measures_can_be_chosen_and_the_first_orders(scores: xr.Dataset) -> None:
    page = data_of(quietly(cranfield.report_scores, scores, ["AP", "nDCG@10"]).html)
    assert page["measures"] == ["AP", "nDCG@10"]
    assert data_of(quietly(cranfield.report_scores, scores, "RR").html)["measures"] == ["RR"]
    with pytest.raises(InputError, match=r"the scores hold no measure 'P@7', only nDCG@10, AP, RR, Judged@10"):
        cranfield.report_scores(scores, "P@7")


def test_topics_with_the_worst_mean_come_first_whichever_way_a_measure_runs() -> None:
    values = [[0.1, 0.2, 0.3], [0.9, 0.8, 0.9], [0.5, 0.5, 0.4]]
    for larger, order in ((1, [0, 2, 1]), (0, [1, 2, 0])):
        array = xr.DataArray(
            values,
            {"topic": ["a", "b", "c"], "system": ["x", "y", "z"]},
            ("topic", "system"),
            "cost",
            {"larger_is_better": larger},
        )
        found = tables(data_of(quietly(cranfield.report_scores, array).html))["topics"]
        assert [row[0] for row in found["rows"]] == order
        assert found["title"] == "Topics, worst mean first"


def test_names_of_measures_are_written_out_as_all_names_are() -> None:
    name = "cost\u202egnp.<b>"
    array = xr.DataArray(
        [[0.1, 0.2], [0.4, 0.3]], {"topic": ["a", "b"], "system": ["x", "y"]}, ("topic", "system"), name
    )
    html = quietly(cranfield.report_scores, array).html
    page = data_of(html)
    assert page["measures"] == [["cost\\u202egnp.<b>", name]]  # as it is shown, and as CSV has it
    said = [page["head"], [(one["words"], one["missing"], one["figures"]) for one in page["sections"]]]
    said += [(one["title"], [column["meaning"] for column in one["columns"]]) for one in tables(page).values()]
    assert "\u202e" not in json.dumps(said, ensure_ascii=False)
    assert "<b>" not in html


def test_sums_and_what_is_not_about_effectiveness_are_left_out_with_a_remark(scores: xr.Dataset) -> None:
    counts = cranfield.evaluate(MADE.runs, MADE.qrels, ["AP", "NumRelRet", "NumRet"])
    with pytest.warns(CranfieldWarning) as caught:
        made = cranfield.report_scores(counts)
    page = data_of(made.html)
    assert page["measures"] == ["AP"]
    said = [row[0] for row in tables(page)["remarks"]["rows"]]
    assert any("NumRelRet" in line for line in said)
    assert any("NumRet" in line for line in said)
    assert any("NumRet" in str(one.message) for one in caught)


def test_what_makes_no_page_is_refused(scores: xr.Dataset, tmp_path: Path) -> None:
    ranges = cranfield.evaluate(MADE.runs, MADE.qrels, "AP", ties="bounds")
    with pytest.raises(UsageError, match="'AP lower' is an end of a range of scores"):
        cranfield.report_scores(ranges)
    with pytest.raises(InputError, match="no score on any topic"):
        cranfield.report_scores(scores[["AP"]].where(False))
    with pytest.raises(UsageError, match="no score file was given"):
        cranfield.report_scores([])
    with pytest.raises(UsageError, match="no system is called 'nobody'; there are '"):
        cranfield.report_scores(scores, baseline=["nobody"])
    file, page = str(tasks(tmp_path)), str(tmp_path / "page.html")
    for arguments, said in (
        (["--scores", file, "--judge", "x"], "--judge scores the runs by other labels"),
        (["--scores", file, "--ties", "rank"], "--ties says how runs are read"),
        (["--scores", file, "q.txt", "a.run"], "not both"),
        (["--scores", file, "--participant", "x"], "--participant needs --runs"),
        ([], "QRELS RUN... or --scores FILE is missing"),
    ):
        made = call("report", *arguments, "-o", page)
        assert made.status == 2
        assert said in made.err
    assert not Path(page).exists()


def test_the_sheet_of_a_team_names_no_file_of_others(tmp_path: Path) -> None:
    for system in ("mine", "secret"):
        lines = [f"ndcg\t{topic}\t{0.1 * topic if system == 'mine' else 0.5}" for topic in range(1, 8)]
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    entries = {"mine.txt": {"team": "ours"}, "secret.txt": {"team": "theirs"}}
    files = [tmp_path / "mine.txt", tmp_path / "secret.txt"]
    made = quietly(cranfield.report_scores, files, entries=entries, participant="ours")
    assert made.title == "ours: Scores in 2 files"
    assert "mine" in made.html
    assert "secret" not in made.html
    assert [list(one) for one in made.signature["scores"]] == [["sha256"]] * 2
    groups = {str(topic): "odd" if topic % 2 else "even" for topic in range(1, 8)}
    page = data_of(quietly(cranfield.report_scores, files, topic_groups=groups, topics={"3": "asked?"}).html)
    assert {"leaderboard-1", "leaderboard-2"} <= tables(page).keys()
