"""Teams ranked by their best runs: the ranks that tests of all runs leave to each."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield.comparison import estimate_ranks, estimate_team_ranks
from cranfield.errors import InputError, UsageError
from cranfield.statistics import rank_sets


def make_scores(values: np.ndarray) -> xr.DataArray:
    topics, systems = values.shape
    coords = {"topic": [f"t{topic}" for topic in range(topics)], "system": [f"s{system}" for system in range(systems)]}
    return xr.DataArray(values, dims=("topic", "system"), coords=coords, name="AP")


@pytest.fixture
def scores() -> xr.DataArray:
    means = np.array([0.7, 0.69, 0.5, 0.45, 0.44, 0.2])
    return make_scores(np.random.default_rng(4).normal(means, 0.1, (30, 6)))


@pytest.mark.parametrize("seed", range(6))
def test_ranges_are_those_of_every_pair_of_runs(seed: int) -> None:
    """One run that is above every run of another team puts its team above that team."""
    rng = np.random.default_rng(seed)
    runs, names = 9, "abc"
    values = rng.normal(rng.uniform(0.3, 0.7, runs), 0.15, (30, runs))
    above = rank_sets(values, 0.05, method="flips", resamples=500, rng=np.random.default_rng(1), marginal=False).above
    team = np.concatenate([np.arange(3), rng.integers(0, 3, runs - 3)])
    better = {
        (names[a], names[b])
        for a, b in product(range(3), repeat=2)
        if a != b
        and any(
            all(above[one, other] for other in range(runs) if team[other] == b) for one in range(runs) if team[one] == a
        )
    }
    teams = {f"s{number}": names[of] for number, of in enumerate(team)}
    table = estimate_team_ranks(make_scores(values), teams=teams, resamples=500).table
    for own in names:
        assert table.loc[own, "low"] == 1 + sum(pair[1] == own for pair in better)
        assert table.loc[own, "high"] == 3 - sum(pair[0] == own for pair in better)


def test_teams_of_one_run_are_the_runs(scores: xr.DataArray) -> None:
    alone, ranks = estimate_team_ranks(scores), estimate_ranks(scores, marginal=False)
    assert alone.table[["mean", "rank", "low", "high"]].to_numpy().tolist() == pytest.approx(
        ranks.table[["mean", "rank", "low", "high"]].to_numpy()
    )
    assert alone.table["best_run"].tolist() == list(ranks.table.index)
    assert alone.among_best(1) == ranks.among_best(1)


def test_a_team_stands_by_its_best_run(scores: xr.DataArray) -> None:
    teams = {"s0": "late", "s5": "late", "s1": "early", "s2": "early", "s3": "third", "s4": "third"}
    found = estimate_team_ranks(scores, teams=teams)
    assert found.table.index.tolist() == ["late", "early", "third"]
    assert found.table["best_run"].tolist() == ["s0", "s1", "s3"]
    assert found.table["runs"].tolist() == [2, 2, 2]
    assert found.table[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2], [3, 3]]
    assert found.among_best(1) == ["late", "early"]


def test_intervals_hold_whichever_run_is_best() -> None:
    """All runs are equally good, so that every team is first; the luckiest run of many proves nothing."""
    rng, trials, alpha = np.random.default_rng(7), 80, 0.2
    teams = {f"s{system}": "many" if system < 6 else f"one{system}" for system in range(9)}
    missed = 0
    for _ in range(trials):
        made = make_scores(rng.normal(0.5, 0.1, (25, 9)))
        missed += int((estimate_team_ranks(made, teams=teams, alpha=alpha, resamples=400).table["low"] > 1).any())
    assert missed / trials <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


def test_smaller_scores_are_better_where_the_measure_says_so() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=20)
    scores = cranfield.evaluate(made.runs, made.qrels, "RBPResidual")["RBPResidual"]
    names = [str(name) for name in scores["system"].values]
    found = estimate_team_ranks(scores, teams=dict(zip(names, "abb", strict=True)))
    ranked = estimate_ranks(scores, marginal=False)
    assert found.table["best_run"].iloc[0] == ranked.table.index[0]
    assert found.table["mean"].is_monotonic_increasing


def test_runs_of_one_type_are_ranked_by_themselves(scores: xr.DataArray, tmp_path: Path) -> None:
    rows = ["tag,team,runtype"]
    rows += [f"s{number},{'ab'[number % 2]},{'manual' if number < 2 else 'automatic'}" for number in range(6)]
    (tmp_path / "runs.csv").write_text("\n".join([*rows, ""]))
    found = estimate_team_ranks(scores, teams=tmp_path / "runs.csv", run_type="automatic")
    chosen = scores.isel(system=[2, 3, 4, 5])
    witness = estimate_team_ranks(chosen, teams={"s2": "a", "s3": "b", "s4": "a", "s5": "b"})
    assert found.table.equals(witness.table)
    assert found.settings["run_type"] == "automatic" and "of type automatic" in found.caption("table")


def test_wrong_calls_say_what_to_do(scores: xr.DataArray, tmp_path: Path) -> None:
    plain, typed = tmp_path / "plain.tsv", tmp_path / "typed.tsv"
    plain.write_text("".join(f"s{number}\t{'ab'[number % 2]}\n" for number in range(6)))
    typed.write_text("run\tteam\ttype\n" + "".join(f"s{n}\t{'ab'[n % 2]}\t{'xy'[n % 2]}\n" for n in range(6)))
    with pytest.raises(InputError, match=r"plain\.tsv:1: has no column called type"):
        estimate_team_ranks(scores, teams=plain, run_type="x")
    with pytest.raises(UsageError, match="no run is of the type 'z': types are 'x', 'y'"):
        estimate_team_ranks(scores, teams=typed, run_type="z")
    with pytest.raises(InputError, match="all runs of the type 'x' are of the team 'a'"):
        estimate_team_ranks(scores, teams=typed, run_type="x")
    with pytest.raises(UsageError, match="needs teams in a file or a data frame"):
        estimate_team_ranks(scores, teams={"s0": "a"}, run_type="x")
    with pytest.raises(InputError, match="there is no team for"):
        estimate_team_ranks(scores, teams={"s0": "a"})
