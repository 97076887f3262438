"""AP, nDCG and nDCG@10 of every run and topic of four collections, computed with independent code."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from cranfield import engine
from cranfield.scoring import score
from data_sets import DATA, INFORMATION, Tally, rows


class Collection(NamedTuple):
    name: str
    runs: Path
    qrels: Path
    size: tuple[int, int]
    """(runs, topics)"""
    rel: int = 1
    """Level of AP; nDCG has none."""


COLLECTIONS = [
    Collection(
        "covid-r5", DATA / "trec-covid-round5/runs", DATA / "trec-covid-round5/qrels.covid-round5.txt.gz", (126, 50)
    ),
    Collection(
        "dl19",
        DATA / "trec-dl-2019-passage/runs",
        DATA / "trec-dl-2019-passage/qrels.dl19-passage.txt.gz",
        (37, 43),
        rel=2,
    ),
    Collection("robust03", DATA / "trec-robust-2003/runs", DATA / "trec-robust-2003/qrels.txt.gz", (17, 100)),
    Collection("web12", DATA / "trec-web-2012-baseline-runs", DATA / "trec-web/2012/qrels.adhoc.txt.gz", (8, 50)),
]


def name_of(path: str) -> str:
    """How these tables call a run."""
    return Path(path).stem.removeprefix("input.").removesuffix(".run")


@pytest.mark.data
@pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.name)
def test_every_run_and_topic_agrees(collection: Collection) -> None:
    paths = sorted(str(path) for path in collection.runs.iterdir())
    assert len(paths) == collection.size[0]
    if engine.current().NAME == "reference":
        paths = paths[::18]  # plain Python needs minutes for all of them
    measures = {"ap": f"AP(rel={collection.rel})", "ndcg": "nDCG", "ndcg10": "nDCG@10"}
    table = score(paths, str(collection.qrels), list(measures.values()))
    system = {name_of(path): number for number, path in enumerate(paths)}
    cells, means = Tally(), Tally()
    for number, name in enumerate(measures):
        for row in rows(INFORMATION / f"{collection.name}-{name}.csv.gz", ","):
            if row["run"] in system:
                ours = dict(zip(table.topics, table.values[number, system[row.pop("run")]], strict=True))
                assert row.keys() == ours.keys()
                for topic in row:
                    cells.add((name, topic), ours[topic], float(row[topic]))
    for row in rows(INFORMATION / f"{collection.name}-means.csv", ","):
        if row["run"] in system:
            for number, name in enumerate(measures):
                means.add((row["run"], name), table.summaries[number, system[row["run"]]], float(row[name]))
    cells.check(3 * len(paths) * collection.size[1])
    means.check(3 * len(paths))
