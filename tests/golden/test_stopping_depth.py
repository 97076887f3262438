"""Stopping-depth RIC against independent code: all pairs at all depths, and two collections."""

from __future__ import annotations

import json

import pytest

import cranfield
from cranfield import engine
from cranfield.measures import values
from data_sets import DATA, GOLDEN, INFORMATION, Tally, rows

COLUMNS = {
    "p80": "SRIC(p=0.8)",
    "p90": "SRIC(p=0.9)",
    "p95": "SRIC",
    "p95_signed": "SRIC(signed=True)",
}


def test_all_pairs_at_all_depths() -> None:
    cases = json.loads((GOLDEN / "information/stopping-depth-small.json").read_text())
    assert len(cases) == 80
    found = Tally(1e-12)
    for number, case in enumerate(cases):
        size = len(case["list"])
        names = [f"u{rank}" if row is None else str(row) for rank, row in enumerate(case["list"])]
        ranked = {name: float(size - rank) for rank, name in enumerate(names)} or {"u": 1.0}  # no list, no document
        run = {"S": {"1": ranked}}
        qrels = {"1": {str(row): grade for row, grade in enumerate(case["grades"])}}
        rankings = cranfield.evaluation.make_rankings(run, qrels)
        for name, signed in (("value", False), ("signed", True)):
            (ours,) = values(cranfield.SRIC(p=case["p"], signed=signed), rankings)
            found.add((number, name), ours, case[name])
    found.check(160)


@pytest.mark.parametrize(
    ("name", "runs", "qrels"),
    [
        pytest.param(
            *("dl19", "trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz"),
            marks=pytest.mark.data("golden/information/stopping-depth-dl19.csv.gz", "data/trec-dl-2019-passage"),
        ),
        pytest.param(
            *("robust03", "trec-robust-2003/runs", "trec-robust-2003/qrels.txt.gz"),
            marks=pytest.mark.data("golden/information/stopping-depth-robust03.csv.gz", "data/trec-robust-2003"),
        ),
    ],
)
def test_every_run_and_topic(name: str, runs: str, qrels: str) -> None:
    paths = {path.stem.removeprefix("input.").removesuffix(".run"): path for path in sorted((DATA / runs).iterdir())}
    golden = {(row["system"], row["topic"]): row for row in rows(INFORMATION / f"stopping-depth-{name}.csv.gz", ",")}
    assert {system for system, _ in golden} == set(paths)
    if engine.current().NAME == "reference":  # plain Python needs minutes to read them all
        paths = dict(list(paths.items())[:2])
    found = Tally(1e-9)
    scores = cranfield.evaluate({name: str(path) for name, path in paths.items()}, DATA / qrels, [*COLUMNS.values()])
    for column, measure in COLUMNS.items():
        table = scores[measure].to_pandas()
        for system in paths:
            for topic in table.index:
                if (system, topic) in golden:
                    found.add((system, topic, column), table.loc[topic, system], float(golden[system, topic][column]))
                else:
                    assert table[system].isna()[topic]
    found.check(4 * sum(system in paths for system, _ in golden))
