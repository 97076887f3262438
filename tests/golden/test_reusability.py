"""Leaving each team of TREC-COVID round 5 out of a pool rebuilt from the runs, as a brute force did it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import InputOptions, engine
from cranfield.collection import Rankings
from cranfield.engine import Engine
from cranfield.io.inputs import named_runs
from cranfield.io.system_names import stem
from cranfield.pooling import Reusability
from cranfield.pooling.rescoring import judged_once
from cranfield.pooling.reusability import _left_out, assign_teams
from cranfield.scoring import Evaluation
from data_sets import DATA, INFORMATION, REAL_GOLDEN, Tally, rows

ROUND = DATA / "trec-covid-round5"
FOLDER = REAL_GOLDEN / "reusability"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "can-i-reuse-a-collection.md"
pytestmark = [
    pytest.mark.data("data/trec-covid-round5", "golden/reusability", "golden/information/covid-r5-teams.csv"),
    pytest.mark.slow,  # 126 runs are read and rescored; tests/pooling has the laws, and sets by hand
]


@pytest.fixture(scope="module")
def read_once(compiled: Engine) -> tuple[Evaluation, Rankings]:
    """Plain Python needs minutes for these lists, and orders nothing otherwise."""
    patched = pytest.MonkeyPatch()
    patched.setattr(engine, "current", lambda: compiled)
    given = named_runs(str(ROUND / "runs" / "*.xz"))
    scores, lists = judged_once(
        given, str(ROUND / "qrels.covid-round5.txt.gz"), ["nDCG@20", "P@20", "AP", "Bpref"], InputOptions(), None
    )
    patched.undo()
    return scores, lists


@pytest.fixture(scope="module")
def found(read_once: tuple[Evaluation, Rankings]) -> dict[int, Reusability]:
    """By depth."""
    scores, lists = read_once
    teams = assign_teams(scores.systems, INFORMATION / "covid-r5-teams.csv")
    return {depth: _left_out(scores, lists, teams, {"depth": depth, "rel": 1.0}) for depth in (10, 20)}


@pytest.fixture(scope="module")
def alone(read_once: tuple[Evaluation, Rankings]) -> Reusability:
    """Every run its own team, depth 20."""
    scores, lists = read_once
    return _left_out(scores, lists, assign_teams(scores.systems, None), {"depth": 20, "rel": 1.0})


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_every_run(found: dict[int, Reusability]) -> None:
    tally = Tally()
    ours = {depth: one.runs.set_index(["measure", "run"]).loc["nDCG@20"] for depth, one in found.items()}
    for row in rows(FOLDER / "expected.runs.tsv"):
        run = ours[int(row["depth"])].loc[stem(row["run"])]
        assert (run["team"], run["rank"], run["rank_without"]) == (
            row["team"], int(row["rank"]), int(row["rank_without"])
        )  # fmt: skip
        for name, theirs in (("score", "ndcg20"), ("score_without", "ndcg20_without"), ("drop", "drop")):
            tally.add((row["run"], name), run[name], float(row[theirs]))
        tally.add((row["run"], "relative_drop"), run["relative_drop"], float(row["relative_drop"]))
    tally.check(600)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_every_team(found: dict[int, Reusability]) -> None:
    tally = Tally()
    ours = {depth: one.teams.set_index(["measure", "team"]).loc["nDCG@20"] for depth, one in found.items()}
    for row in rows(FOLDER / "expected.teams.tsv"):
        team = ours[int(row["depth"])].loc[row["team"]]
        for name in ("runs", "unique_judged", "unique_relevant"):
            assert team[name] == int(row[name])
        assert team["max_fall"] == int(row["max_rank_fall"])
        for name, theirs in (("tau", "tau_b"), ("max_drop", "max_drop"), ("mean_drop", "mean_drop")):
            tally.add((row["team"], name), team[name], float(row[theirs]))
    tally.check(120)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_numbers_of_the_page(found: dict[int, Reusability]) -> None:
    assert [found[depth].judged - found[depth].outside for depth in (10, 20)] == [10_332, 13_651], "as its README says"
    table = found[20].measures.set_index("measure")
    text = PAGE.read_text()
    for measure in ("nDCG@20", "P@20", "AP", "Bpref"):
        row = table.loc[measure]
        line = f"| {measure} | {row['mean_relative_drop']:.1%} | {row['mean_fall']:.1f} | {row['max_fall']:.0f} | "
        assert line + f"{row['mean_tau']:.3f} |" in text
    of_one = f"{found[20].unique:,} were found by one team only, {found[20].shared:,} by several"
    assert of_one in " ".join(text.split())


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_is_averaged(found: dict[int, Reusability], alone: Reusability) -> None:
    """The second table of the page."""
    runs = found[20].runs.assign(fall=lambda of: of["rank_without"] - of["rank"])
    by_team = runs.groupby(["measure", "team"], sort=False)
    own = alone.runs.assign(fall=lambda of: of["rank_without"] - of["rank"])
    kinds = {
        "all 126 runs": runs,
        "the means of 28 teams": by_team[["relative_drop", "fall"]].mean().reset_index(),
        "the best run of each team": runs.loc[by_team["score"].idxmax()],
        "the runs that fall": runs[runs["fall"] > 0],
        "all runs, each its own team": own,
    }
    text = PAGE.read_text()
    for kind, table in kinds.items():
        means = table.groupby("measure")[["relative_drop", "fall"]].mean()
        cells = [
            cell
            for measure in ("nDCG@20", "P@20")
            for cell in (f"{means['relative_drop'][measure]:.1%}", f"{means['fall'][measure]:.1f}")
        ]
        assert f"| {kind} | {' | '.join(cells)} |" in text
