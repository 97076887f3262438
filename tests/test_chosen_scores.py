"""Some systems and measures of an evaluation are what would be had if only they had been asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield import parse_measures
from cranfield.scoring import Evaluation, score
from cranfield.simulation import simulate_runs

MADE = simulate_runs(n_systems=4, n_topics=5, depth=12, seed=8)


@pytest.fixture
def given(tmp_path: Path) -> dict[str, str]:
    for run in MADE.runs:
        cranfield.write(run, tmp_path / f"{run.name}.txt")
    return {run.name: str(tmp_path / f"{run.name}.txt") for run in MADE.runs}


def same(one: Evaluation, other: Evaluation) -> None:
    assert one.values.tobytes() == other.values.tobytes()
    for ours, theirs in ((one.lower, other.lower), (one.upper, other.upper)):
        assert (ours is None) == (theirs is None)
        assert ours is None or theirs is None or ours.tobytes() == theirs.tobytes()
    names = ("topics", "systems", "scales", "measures", "tags", "runs", "hashes", "policy", "bounds")
    assert {name: getattr(one, name) for name in names} == {name: getattr(other, name) for name in names}
    assert one.source == other.source


@pytest.mark.parametrize("bounds", ["none", "unjudged"])
def test_they_are_what_they_are_alone(given: dict[str, str], bounds: str) -> None:
    table = score(given, MADE.qrels, ["AP", "RR", "nDCG@5"], keep_rankings=True, bounds=bounds)
    systems = [table.systems[number] for number in (3, 0, 2)]
    chosen = table.chosen(systems, parse_measures("nDCG@5") + parse_measures("AP"))
    fewer = score({name: given[name] for name in systems}, MADE.qrels, ["nDCG@5", "AP"], bounds=bounds)
    same(chosen, fewer)
    assert chosen.rankings is None
    assert np.isfinite(chosen.summaries).all()


def test_weights_of_intents_are_signed_where_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q 1 a 1\nq 1 b 0\nq 2 b 1\n")
    qrels = cranfield.read_qrels(tmp_path / "qrels.txt")
    runs = {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"b": 2, "a": 1}}}
    table = score(runs, qrels, ["AP", "I-rec@1"])
    for measure in ("AP", "I-rec@1"):
        same(table.chosen(["two"], parse_measures(measure)), score({"two": runs["two"]}, qrels, measure))
    assert "intents" not in table.chosen(["two"], parse_measures("AP")).signature()


def test_unsigned_scores_stay_unsigned(given: dict[str, str]) -> None:
    table = score(given, MADE.qrels, ["AP", "RR"], sign=False)
    fewer = score(dict([*given.items()][:1]), MADE.qrels, "RR", sign=False)
    same(table.chosen(table.systems[:1], table.measures[1:]), fewer)


def test_what_there_is_not_is_refused() -> None:
    table = score({"one": {"q": {"a": 1}}}, {"q": {"a": 1}}, "AP")
    with pytest.raises(ValueError, match="not in"):
        table.chosen(["two"], table.measures)
    with pytest.raises(ValueError, match="not in"):
        table.chosen(["one"], parse_measures("RR"))
