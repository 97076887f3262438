"""pyndeval 0.0.8, which is ndeval in double precision: generated and real runs, every measure that it has."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from cranfield import InputOptions, parse_measure
from cranfield.collection import Policy
from cranfield.scoring import score
from data_sets import DATA, GOLDEN, REAL_GOLDEN, Tally, rows

FOLDER = GOLDEN / "pyndeval"
QRELS = {
    "2009": "2009/qrels.diversity.gz",
    "2010": "2010/10.diversity-qrels.final.txt.gz",
    "2012": "2012/qrels-for-ndeval.txt.gz",
}
VALUES = {"2009": 7329, "2010": 7056, "2012": 7329}
WITH_ALPHA = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "NRBP", "nNRBP")
WITH_BETA = ("NRBP", "nNRBP")
REMARKS = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")

Wanted = dict[tuple[str, str, str], float]


def ours(name: str, alpha: str = "0.5", beta: str = "0.5") -> str:
    """pyndeval's name as ours."""
    plain, _, cutoff = name.partition("@")
    given = [f"alpha={alpha}"] * (plain in WITH_ALPHA) + [f"beta={beta}"] * (plain in WITH_BETA)
    text = plain + (f"({','.join(given)})" if given else "") + (f"@{cutoff}" if cutoff else "")
    return str(parse_measure(text))


def compare(wanted: Wanted, tally: Tally, runs: Any, qrels: Any, policy: Policy) -> Iterator[tuple[str, str, str]]:
    """Tallies all values of some runs; gives those that are not a number."""
    names = sorted({name for _, _, name in wanted})
    table = score(runs, qrels, names, **policy.as_dict())
    place = {str(measure): number for number, measure in enumerate(table.measures)}
    for (run, topic, name), theirs in wanted.items():
        value = table.values[place[name], table.topics.index(topic), table.systems.index(run)]
        if math.isnan(theirs):
            assert math.isnan(value)
            yield run, topic, name
        tally.add(
            (run, topic, name), 0.0 if math.isnan(theirs) else float(value), 0.0 if math.isnan(theirs) else theirs
        )


def test_every_generated_value_agrees() -> None:
    wanted: Wanted = {}
    for row in rows(FOLDER / "expected.generated.tsv"):
        name = ours(row["measure"], row["alpha"], row["beta"])
        value = float(row["value"])
        assert wanted.setdefault((row["run"], row["topic"], name), value) == value or math.isnan(value)
    tally = Tally(1e-12)
    runs = {name: str(FOLDER / f"generated.{name}.run") for name in ("rndA", "rndB", "rndC")}
    reading = InputOptions(ties="docid", compat="ndeval", missing="skip")
    undefined = list(compare(wanted, tally, runs, str(FOLDER / "generated.qrels"), reading))
    assert {(topic, parse_measure(name).name) for _, topic, name in undefined} == {("209", "nNRBP")}
    tally.check(4662)
    assert tally.compared == 4662  # of 6,216 rows, those that say something else than another


@pytest.mark.data("golden/pyndeval/expected.real.tsv.gz", "data/trec-web", "data/trec-web-diversity-runs")
@REMARKS
@pytest.mark.parametrize("year", QRELS)
def test_every_real_value_agrees(year: str) -> None:
    wanted: Wanted = {}
    topics = defaultdict(set)
    for row in rows(REAL_GOLDEN / "pyndeval" / "expected.real.tsv.gz"):
        if row["year"] == year:
            wanted[row["run"], row["topic"], ours(row["measure"])] = float(row["value"])
            topics[row["run"]].add(row["topic"])
    paths = {name: str(DATA / "trec-web-diversity-runs" / name) for name in topics}
    reading = InputOptions(ties="rank", compat="ndeval", missing="skip")
    tally = Tally(1e-12)
    assert not list(compare(wanted, tally, paths, str(DATA / "trec-web" / QRELS[year]), reading))
    tally.check(VALUES[year])
    assert tally.compared == VALUES[year]
