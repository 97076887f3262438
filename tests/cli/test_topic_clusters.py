"""The options ``--topic-clusters`` and ``--mean-over``, and the former name of ``--dask``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command import cranfield


@pytest.fixture
def board(tmp_path: Path) -> tuple[str, str]:
    """A file of scores, and one of 12 clusters."""
    rng = np.random.default_rng(1)
    topics = [f"q{at}" for at in range(32)]
    scores = pd.DataFrame(rng.normal(0.5, 0.1, (32, 3)) + np.arange(3) * 0.1, topics, ["a", "b", "c"])
    scores.to_csv(tmp_path / "scores.csv", index_label="topic")
    clusters = "".join(f"{topic} c{at % 12 if at < 24 else 1}\n" for at, topic in enumerate(topics))
    (tmp_path / "clusters.txt").write_text(clusters)
    return str(tmp_path / "scores.csv"), str(tmp_path / "clusters.txt")


def test_the_caption_names_clusters_and_estimand(board: tuple[str, str]) -> None:
    scores, clusters = board
    for options in ([], ["--test", "permutation"], ["--ranks"]):
        result = cranfield("compare", "--scores", scores, "--topic-clusters", clusters, *options)
        assert result.status == 0, result.err
        assert "32 topics in 12 clusters of 2 to 10 topics, each topic weighs the same" in result.out + result.err
        result = cranfield(
            "compare", "--scores", scores, "--topic-clusters", clusters, "--mean-over", "clusters", *options
        )
        assert "32 topics in 12 clusters of 2 to 10 topics, each cluster weighs the same" in result.out + result.err


def test_the_signature_holds_the_clusters(board: tuple[str, str]) -> None:
    scores, clusters = board
    result = cranfield("compare", "--scores", scores, "--topic-clusters", clusters, "-f", "json")
    signature = json.loads(result.out)["signature"]
    assert signature["settings"]["topic_clusters"]["name"] == "clusters.txt"
    assert signature["settings"]["mean_over"] == "topics"


@pytest.mark.parametrize("options", [("--difference", "0.1"), ("--preference", "rpp")])
def test_what_takes_each_topic_by_itself_is_refused(board: tuple[str, str], options: tuple[str, str]) -> None:
    scores, clusters = board
    result = cranfield("compare", "--scores", scores, "--topic-clusters", clusters, *options)
    assert result.status == 2
    assert "takes each topic by itself" in result.out + result.err


def test_an_address_is_no_file_of_clusters(board: tuple[str, str]) -> None:
    result = cranfield("compare", "--scores", board[0], "--topic-clusters", "tcp://host:1")
    assert result.status == 2
    assert "name it by --dask" in result.out + result.err


def test_a_gate_takes_clusters(board: tuple[str, str]) -> None:
    scores, clusters = board
    result = cranfield("gate", "--scores", scores, "--baseline", "a", "--topic-clusters", clusters)
    assert result.status == 0, result.err
    assert "one-sided t-tests of topics in 12 clusters of 2 to 10 topics, each topic weighs the same," in result.out


@pytest.fixture
def runs_of_systems(tmp_path: Path) -> tuple[str, str]:
    """A file of scores of three runs each of a and b, and one of their systems."""
    rng = np.random.default_rng(1)
    runs = {f"{system}{run}": system for system in "ab" for run in range(3)}
    scores = pd.DataFrame(rng.normal(0.5, 0.1, (32, 6)), [f"q{at}" for at in range(32)], list(runs))
    scores.to_csv(tmp_path / "scores.csv", index_label="topic")
    (tmp_path / "seeds.txt").write_text("".join(f"{run} {system}\n" for run, system in runs.items()))
    return str(tmp_path / "scores.csv"), str(tmp_path / "seeds.txt")


def test_several_runs_are_one_system(runs_of_systems: tuple[str, str]) -> None:
    scores, seeds = runs_of_systems
    result = cranfield("compare", "--scores", scores, "--replicates", seeds, "--baseline", "a")
    assert result.status == 0, result.err
    assert "32 topics, 3 runs of each system" in result.out
    assert "smallest true difference" not in result.out
    result = cranfield("compare", "--scores", scores, "--replicates", seeds, "--groups")
    assert result.status == 0, result.err
    result = cranfield("gate", "--scores", scores, "--replicates", seeds)
    assert "of means over 3 runs of each system at 0.05" in result.out
    assert "compared with a" in result.out


@pytest.mark.parametrize("option", ["--ranks", "--difference=0.1", "--preference=rpp", "--test=permutation"])
def test_what_takes_each_run_by_itself_is_refused(runs_of_systems: tuple[str, str], option: str) -> None:
    scores, seeds = runs_of_systems
    result = cranfield("compare", "--scores", scores, "--replicates", seeds, option)
    assert result.status == 2
    assert (
        "takes each run by itself" in result.out + result.err
        or "--replicates changes nothing with --ranks" in result.out + result.err
        or "does not work with several runs" in result.out + result.err
    )


def test_analyses_of_measures_count_clusters(board: tuple[str, str]) -> None:
    scores, clusters = board
    for command in (("audit", "--resamples", "40"), ("audit", "sensitivity"), ("audit", "stability")):
        result = cranfield(*command, "--scores", scores, "--topic-clusters", clusters)
        assert result.status == 0, result.err
        assert "topics in 12 clusters of 2 to 10 topics, each topic weighs the same; " in result.out + result.err


def test_reliability_answers_for_clusters(board: tuple[str, str]) -> None:
    scores, clusters = board
    called = ("audit", "reliability", "--scores", scores, "--topic-clusters", clusters)
    result = cranfield(
        *called, "--topics-in-each", "4", "--n-clusters", "20", "--cluster-cost", "3", "--resamples", "50"
    )
    assert result.status == 0, result.err
    assert "with twice the clusters" in result.out
    assert "means of these 12 clusters of 2 to 10 topics: Erho2 " in result.out
    assert cranfield(*called, "--show", "components").status == 0
    for option in ("--drop=0.1", "--target=0.9", "--show=needed", f"--replicates={clusters}"):
        assert cranfield(*called, option).status == 2
    said = "--n-clusters changes nothing without --topic-clusters"
    assert said in cranfield("audit", "reliability", "--scores", scores, "--n-clusters", "3").err


def test_reliability_answers_for_runs(runs_of_systems: tuple[str, str]) -> None:
    scores, seeds = runs_of_systems
    result = cranfield("audit", "reliability", "--scores", scores, "--replicates", seeds)
    assert result.status == 0, result.err
    assert "with 3 runs of each system on 32 topics" in result.out
    call = "audit", "reliability", "--scores", scores, "--replicates", seeds
    assert cranfield(*call, "--cluster-cost", "2").status == 2


def test_judges_compare_sources_on_clusters(board: tuple[str, str], tmp_path: Path) -> None:
    scores, clusters = board
    other = tmp_path / "other.csv"
    (pd.read_csv(scores, index_col=0) * 0.9).to_csv(other, index_label="topic")
    called = ("judges", "--scores", scores, "--scores", str(other), "--topic-clusters", clusters)
    result = cranfield(*called, "-f", "json")
    assert result.status == 0, result.err
    assert json.loads(result.out)["signature"]["settings"]["topic_clusters"]["clusters"] == 12
    assert (
        "--topic-clusters changes nothing with --show correlations" in cranfield(*called, "--show", "correlations").err
    )
