"""Leaving a team out of the pool: by hand, against brute force, and the laws that hold for any collection."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.pooling import Reusability, estimate_reusability, read_teams
from cranfield.statistics import tau_b
from effort import examples

RUNS = {"A": {"1": {"a": 2, "b": 1}}, "B": {"1": {"b": 2, "c": 1}}, "C": {"1": {"b": 2, "d": 1}}}
QRELS = {"1": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1}}


def scores_without(found: Reusability, measure: str) -> dict[str, float]:
    rows = found.runs[found.runs["measure"] == measure]
    return dict(zip(rows["run"], rows["score_without"], strict=True))


def test_the_example_by_hand() -> None:
    """A is the only one with a, B with c, C with d; e is outside. AP of A falls from 2/3 to (1/2) / 2."""
    found = estimate_reusability(RUNS, QRELS, ["P@2", "AP"], depth=2)
    assert scores_without(found, "P@2") == {"A": 0.5, "B": 0.5, "C": 0.5}
    assert scores_without(found, "AP") == pytest.approx({"A": 1 / 4, "B": 1 / 3, "C": 1 / 3})
    assert (found.judged, found.unique, found.shared, found.outside) == (5, 3, 1, 1)
    teams = found.teams[found.teams["measure"] == "AP"].set_index("team")
    assert teams["unique_judged"].tolist() == [1, 1, 1]
    assert teams["unique_relevant"].tolist() == [1, 0, 0]
    runs = found.runs[found.runs["measure"] == "AP"].set_index("run")
    assert runs["drop"].to_dict() == pytest.approx({"A": 2 / 3 - 1 / 4, "B": 0.0, "C": 0.0})
    assert runs["relative_drop"]["A"] == pytest.approx(5 / 8)
    assert (runs["rank"]["A"], runs["rank_without"]["A"]) == (1, 3), "B and C have 1/2 of two relevant documents"


def collection(seed: int) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]], dict[str, str]]:
    """Runs, judgments and teams, drawn at random."""
    draw = random.Random(seed)
    topics, documents = ["1", "2", "3"], [f"d{number}" for number in range(14)]
    runs = {
        f"r{number}": {t: {d: draw.random() for d in draw.sample(documents, draw.randint(1, 9))} for t in topics}
        for number in range(5)
    }
    qrels = {t: {d: draw.choice([-1, 0, 1, 2]) for d in draw.sample(documents, 11)} for t in topics}
    return (
        runs,
        qrels,
        {run: f"t{draw.randint(0, 1)}" if number > 1 else f"t{number}" for number, run in enumerate(runs)},
    )


def brute_force(
    runs: dict[str, dict[str, dict[str, float]]],
    qrels: dict[str, dict[str, int]],
    teams: dict[str, str],
    depth: int,
    measure: str,
) -> dict[str, dict[str, float]]:
    """Team -> the mean of every run by judgments written out without the documents of this team alone."""
    contributors: dict[tuple[str, str], set[str]] = {}
    for run, lists in runs.items():
        for topic, scores in lists.items():
            for document in sorted(scores, key=lambda one: scores[one], reverse=True)[:depth]:
                contributors.setdefault((topic, document), set()).add(teams[run])
    found = {}
    for team in set(teams.values()):
        left = {
            topic: {
                document: label for document, label in pool.items() if contributors.get((topic, document)) != {team}
            }
            for topic, pool in qrels.items()
        }
        means = dict.fromkeys(runs, 0.0)
        for topic, pool in left.items():
            if pool:
                of_topic = {run: {topic: lists[topic]} for run, lists in runs.items()}
                for run, values in cranfield.evaluate_means(of_topic, {topic: pool}, [measure]).items():
                    means[run] += values[measure] / len(qrels)
        found[team] = means
    return found


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "P@3", "Bpref", "infAP", "RBP"])
@pytest.mark.parametrize("depth", [1, 4])
def test_equal_to_judgments_written_out(measure: str, depth: int) -> None:
    runs, qrels, teams = collection(depth)
    expected = brute_force(runs, qrels, teams, depth, measure)
    found = estimate_reusability(runs, qrels, [measure], teams=teams, depth=depth)
    full = cranfield.evaluate_means(runs, qrels, [measure])
    for row in found.runs.itertuples():
        means = expected[row.team]
        assert row.score == pytest.approx(full[row.run][measure], abs=1e-12)
        assert row.score_without == pytest.approx(means[row.run], abs=1e-12)
        assert row.rank_without == 1 + sum(mean > means[row.run] + 1e-12 for mean in means.values())
    for row in found.teams.itertuples():
        order = [full[run][measure] for run in runs], [expected[row.team][run] for run in runs]
        tau = float(tau_b(*order))
        assert row.tau == pytest.approx(tau, abs=1e-12) or (math.isnan(tau) and math.isnan(row.tau))


@pytest.mark.filterwarnings("ignore:.*without any document:cranfield.CranfieldWarning")
@given(seed=st.integers(0, 10_000), depth=st.integers(1, 12))
@examples(15)
def test_laws(seed: int, depth: int) -> None:
    runs, qrels, teams = collection(seed)
    found = estimate_reusability(runs, qrels, ["P@3", "AP"], teams=teams, depth=depth)
    assert found.unique + found.shared + found.outside == found.judged == sum(map(len, qrels.values()))
    assert found.teams.groupby("measure")["unique_judged"].sum().tolist() == [found.unique] * 2
    drops = found.runs[found.runs["measure"] == "P@3"]["drop"]
    assert (drops > -1e-15).all(), "a measure without a divisor of the pool never rises"
    idle = found.teams[found.teams["unique_judged"] == 0]
    assert (idle["max_drop"] == 0).all(), "a team without documents of its own loses nothing"
    # The judgments that count do not depend on the team that is left out.
    full = cranfield.evaluate_means(runs, qrels, ["AP"])
    rows = found.runs[found.runs["measure"] == "AP"]
    assert dict(zip(rows["run"], rows["score"], strict=True)) == pytest.approx({r: v["AP"] for r, v in full.items()})


def test_labels_keep_the_scale_of_all_judgments() -> None:
    """The only label of 4 is of one team; ERR must not take 1 for the largest label when it is left out."""
    runs = {"A": {"1": {"a": 2, "b": 1}}, "B": {"1": {"b": 2, "c": 1}}}
    found = estimate_reusability(runs, {"1": {"a": 4, "b": 1, "c": 0}}, ["ERR"], depth=2)
    assert scores_without(found, "ERR")["A"] == pytest.approx(0.5 * (2**1 - 1) / 2**4)


def test_where_less_is_better_a_rise_is_a_drop() -> None:
    found = estimate_reusability(RUNS, QRELS, ["Unjudged@2"], depth=2)
    assert found.runs["score_without"].tolist() == [0.5, 0.5, 0.5]
    assert found.runs["drop"].tolist() == [0.5, 0.5, 0.5]


@pytest.mark.filterwarnings("ignore:.*without any document with a gain:cranfield.CranfieldWarning")
def test_topics_that_a_peer_leaves_out_are_left_out_of_all_runs() -> None:
    """gdeval has no value for a topic without relevant documents, such as 2, and 1 where only a is one."""
    runs = {name: lists | {"2": {"a": 1}} for name, lists in RUNS.items()}
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0}}
    found = estimate_reusability(runs, qrels, ["nDCG@2"], depth=2, compat="gdeval")
    assert found.runs["score"].tolist() == [1.0, 0.0, 0.0]
    assert math.isnan(scores_without(found, "nDCG@2")["A"])
    assert scores_without(found, "nDCG@2")["B"] == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "system,team\nA,x\nB,y\nC,y\n",
        'system,type,description,team\nA,,"first, and best",x\nB,,,y\nC,,,y\n',
        "tag\tteam\treport\nA\tx\tr.pdf\nB\ty\tr.pdf\nC\ty\tr.pdf\n",
        "Team,Run\nx,A\ny,B\ny,C\n",
    ],
)
def test_teams_are_found_by_the_names_of_columns(tmp_path: Path, text: str) -> None:
    """The file in which a report finds the team, type and description of each run serves here as well."""
    (tmp_path / "runs.txt").write_text(text)
    assert read_teams(tmp_path / "runs.txt") == {"A": "x", "B": "y", "C": "y"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run,team,type\nA,x,1\nB\n", "teams.tsv:3: a team has no name"),
        ("system\ttype\tteam\nA\tauto\tx\nB\tmanual\t\n", "teams.tsv:3: a team has no name"),
        ("A\tx\nB\ty\n", "teams.tsv: there is no team for run C: add a line for each, with the name as shown here"),
        ("A x\nB\ty\n", "teams.tsv:1: 'A x' is not two fields: a run and its team, with a tab or a comma between them"),
        ("A\tx\nB\t\nC\ty\n", "teams.tsv:2: 'B' is not two fields"),
        ("run,team\nA,x\nB,\n", "teams.tsv:3: a team has no name"),
        ("A\tx\nA\ty\n", "teams.tsv:2: run 'A' occurs twice, here with team 'y': keep one line for each run"),
        ("A\tx\nB\tx\nC\tx\n", "teams.tsv: all runs are of the team 'x': without it nothing is left to judge by"),
        ("# nothing\n", "teams.tsv: names no runs: each line should be a run and its team"),
    ],
)
def test_odd_teams_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "teams.tsv").write_text(text)
    with pytest.raises(InputError) as refused:
        estimate_reusability(RUNS, QRELS, ["AP"], teams="teams.tsv", depth=2)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("D\tz\n", "teams.tsv: system D is not among the runs; its line is not used"),
        ("D\tz\nE\tz\n", "teams.tsv: 2 systems (D, E) are not among the runs; their lines are not used"),
    ],
)
def test_teams_of_runs_that_are_not_given_are_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, warning: str
) -> None:
    """One file serves all runs of a track and some of them, as in a report; the warning comes once."""
    monkeypatch.chdir(tmp_path)
    teams = "A\tx\nB\ty\nC\ty\n"
    Path("teams.tsv").write_text(teams)
    alone = estimate_reusability(RUNS, QRELS, ["AP"], teams="teams.tsv", depth=2)
    Path("teams.tsv").write_text(teams + text)
    with pytest.warns(CranfieldWarning) as warned:
        assert estimate_reusability(RUNS, QRELS, ["AP"], teams="teams.tsv", depth=2) == alone
    assert [str(each.message) for each in warned] == [warning]
    with pytest.warns(CranfieldWarning, match="not used"):
        cranfield.pooling.list_documents(RUNS, teams="teams.tsv")


def test_odd_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="depth=0 should be at least 1"):
        estimate_reusability(RUNS, QRELS, depth=0)
    with pytest.raises(UsageError, match="teams are a file, run -> team, or a data frame, not the type int"):
        estimate_reusability(RUNS, QRELS, teams=3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a pool needs the documents in one order"):
        estimate_reusability(RUNS, QRELS, ties="expected")
    with pytest.raises(InputError, match="all runs are of the team 'A'"):
        estimate_reusability({"A": RUNS["A"]}, QRELS)


def test_a_team_file_may_name_files(tmp_path: Path) -> None:
    (tmp_path / "teams.csv").write_text("run,team\nA.txt,x\nB.run.gz,y\nC,y\n")
    assert read_teams(tmp_path / "teams.csv") == {"A.txt": "x", "B.run.gz": "y", "C": "y"}
    found = estimate_reusability(RUNS, QRELS, ["AP"], teams=tmp_path / "teams.csv", depth=2)
    assert dict(zip(found.runs["run"], found.runs["team"], strict=True)) == {"A": "x", "B": "y", "C": "y"}


@pytest.mark.parametrize("head", ["run\tteam\n", "system\tteam\n", ""])
def test_a_head_is_no_run(head: str, tmp_path: Path) -> None:
    (tmp_path / "teams.tsv").write_text(f"{head}A\tx\nB\ty\nC\ty\n")
    assert read_teams(tmp_path / "teams.tsv") == {"A": "x", "B": "y", "C": "y"}


@pytest.mark.parametrize(
    ("head", "expected"), [("run\tteam\n", "expected 2 as in the header"), ("", "is not two fields")]
)
def test_a_third_field_of_a_team_is_refused(head: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "teams.tsv").write_text(f"{head}A\tx\nB\ty\t0\n")
    with pytest.raises(InputError, match=rf"teams\.tsv:{2 + bool(head)}: .*{expected}"):
        read_teams(tmp_path / "teams.tsv")


def test_comments_that_are_rows_are_counted(tmp_path: Path) -> None:
    (tmp_path / "teams.tsv").write_text("# of 2026, all\n#A\tx\nB\ty\nC\ty\n#\n")
    with pytest.warns(
        CranfieldWarning, match=r"teams\.tsv:2: the line is skipped as a comment, but has the .*: '#A.*x'"
    ):
        assert read_teams(tmp_path / "teams.tsv") == {"B": "y", "C": "y"}


def test_two_files_of_one_run_are_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "teams.tsv").write_text("A.txt\tx\nA.run\tz\nB\ty\nC\ty\n")
    with pytest.raises(InputError, match="there is no team for run A"):
        estimate_reusability(RUNS, QRELS, ["AP"], teams=tmp_path / "teams.tsv", depth=2)
