"""cwl_eval 1.0.12 on Robust 2003: expected utilities, and residuals where everything unknown is relevant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield import parse_measure
from cranfield.scoring import score
from data_sets import DATA, REAL_GOLDEN, Tally, rows

TAGS = ("NLPR03vb10", "SABIR03BASE", "uic0301")
DISCOUNTS = sum(1 / math.log2(rank + 1) for rank in range(1, 11))

OURS = {
    ("binary", "P@10"): ("P@10", 1.0),
    ("binary", "RR"): ("RR", 1.0),
    ("binary", "RBP(p=.5)"): ("RBP(p=0.5,rel=1)", 1.0),
    ("binary", "RBP(p=.8)"): ("RBP(p=0.8,rel=1)", 1.0),
    ("binary", "RBP(p=.95)"): ("RBP(p=0.95,rel=1)", 1.0),
    ("binary", "NDCG-k@10"): ("DCG(gains={1:1,2:1})@10", 1 / DISCOUNTS),
    ("label/2", "RBP(p=.5)"): ("RBP(p=0.5)", 1.0),
    ("label/2", "RBP(p=.8)"): ("RBP(p=0.8)", 1.0),
    ("label/2", "RBP(p=.95)"): ("RBP(p=0.95)", 1.0),
    ("label/2", "NDCG-k@10"): ("DCG@10", 0.5 / DISCOUNTS),
}
"""(gains, their measure) -> our measure, and what it is multiplied by: theirs is DCG over its largest value."""

RESIDUALS = [f"RBPResidual(p={p})" for p in (0.5, 0.8, 0.95)]

ABSENT = ("BPM", "BPMD", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "TBG")
"""What cwl_eval computes and we do not."""


@pytest.mark.data("golden/cwl_eval", "data/trec-robust-2003")
def test_every_value_agrees() -> None:
    table = score(
        [str(DATA / f"trec-robust-2003/runs/input.{tag}.gz") for tag in TAGS],
        str(DATA / "trec-robust-2003/qrels.txt.gz"),
        [*(name for name, _ in OURS.values()), "AP", "NumRel", "NumRelRet", *RESIDUALS],
    )
    assert table.systems == TAGS
    measure = {known: number for number, known in enumerate(table.measures)}
    topic = {name: number for number, name in enumerate(table.topics)}

    def value(name: str, run: str, of: str) -> float:
        system = TAGS.index(run.removeprefix("input.").removesuffix(".gz"))
        return float(table.values[measure[parse_measure(name)], topic[of], system])

    utilities, residuals = Tally(), Tally()
    for row in rows(REAL_GOLDEN / "cwl_eval/expected.robust2003.tsv.gz"):
        run, of, theirs = row["run"], row["topic"], row["measure"]
        if theirs == "AP":
            # Theirs divides by the relevant documents that were retrieved.
            found = value("NumRelRet", run, of)
            average = value("AP", run, of) * value("NumRel", run, of) / found if found else 0.0
            utilities.add((run, of, theirs), average, float(row["EU"]))
            continue
        if (row["gains"], theirs) not in OURS:
            assert theirs.partition("(")[0] in ABSENT
            continue
        ours, factor = OURS[row["gains"], theirs]
        utilities.add((run, of, ours), factor * value(ours, run, of), float(row["EU"]))
        if theirs.startswith("RBP"):
            name = f"RBPResidual(p={float(theirs[6:-1])})"
            residuals.add((run, of, name), value(name, run, of), float(row["ResEU"]))
    utilities.check(7 * 300 + 4 * 150)
    residuals.check(3 * 300 + 3 * 150)
    assert np.isfinite(table.values).all()
