"""gdeval.pl 1.2a: nDCG with gains 2^g - 1, and ERR with stop probabilities (2^g - 1) / 16."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cranfield.scoring import score
from data_sets import DATA, GOLDEN, REAL_GOLDEN, Tally, rows

GDEVAL = GOLDEN / "gdeval"
WEB_RUNS = DATA / "trec-web-2012-baseline-runs"
WEB_QRELS = DATA / "trec-web/2012/qrels.adhoc.txt.gz"

CASES = [
    pytest.param(
        GDEVAL / "expected.generated.tsv", GDEVAL, GDEVAL / "generated.qrels", (1, 5, 10, 20), 2, id="generated"
    ),
    pytest.param(
        REAL_GOLDEN / "gdeval/expected.web2012.tsv.gz",
        WEB_RUNS,
        WEB_QRELS,
        (10, 20),
        0,
        id="web2012",
        marks=pytest.mark.data(
            "golden/gdeval/expected.web2012.tsv.gz", "data/trec-web-2012-baseline-runs", "data/trec-web"
        ),
    ),
]


def ours_of(theirs: str) -> str:
    name, _, cutoff = theirs.partition("@")
    return {"nDCG(2^g-1)": 'nDCG(dcg="exp-log2")', "ERR": "ERR"}[name] + f"@{cutoff}"


@pytest.mark.parametrize(("expected", "folder", "qrels", "cutoffs", "left_out"), CASES)
def test_every_value_agrees(expected: Path, folder: Path, qrels: Path, cutoffs: tuple[int, ...], left_out: int) -> None:
    wanted: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for row in rows(expected):
        wanted.setdefault((row["run"], row["measure"]), {})[row["topic"]] = row
    files = sorted({run for run, _ in wanted})
    names = [f"{measure}@{cutoff}" for cutoff in cutoffs for measure in ("nDCG(2^g-1)", "ERR")]
    assert {measure for _, measure in wanted} == set(names)
    table = score(
        [str(folder / file) for file in files],
        str(qrels),
        [ours_of(name) for name in names],
        compat="gdeval",
        missing="skip",
    )
    tally, printed = Tally(), Tally()
    for number, name in enumerate(names):
        for system, file in enumerate(files):
            cells = wanted[file, name]
            own = dict(zip(table.topics, table.values[number, :, system], strict=True))
            # Topics without a positive label and topics that the run lacks have no row.
            assert {topic for topic, value in own.items() if math.isnan(value)} == own.keys() - cells.keys()
            assert len(own) - len(cells) == left_out
            for topic, row in cells.items():
                tally.add((file, topic, name), own[topic], float(row["value"]))
                printed.add_text((file, topic, name), own[topic], row["value_printed5"])
            mean = sum(float(row["value"]) for row in cells.values()) / len(cells)
            tally.add((file, "mean", name), table.summaries[number, system], mean)
    tally.check(len(names) * len(files) * (len(table.topics) - left_out + 1))
    printed.check(len(names) * len(files) * (len(table.topics) - left_out))
