"""cwl_eval 1.0.12 on Robust 2003: every quantity of every user that it models, and their residuals."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cranfield import Measure, parse_measure
from cranfield.scoring import score
from data_sets import DATA, REAL_GOLDEN, rows

TAGS = ("NLPR03vb10", "SABIR03BASE", "uic0301")

OURS = {
    "P@10": "CWL_P@10",
    "RR": "CWL_RR",
    "AP": "CWL_AP",
    "RBP(p=.5)": "CWL_RBP(p=0.5)",
    "RBP(p=.8)": "CWL_RBP(p=0.8)",
    "RBP(p=.95)": "CWL_RBP(p=0.95)",
    "NDCG-k@10": "SDCG@10",
    "INSQ(T=1)": "INSQ",
    "INSQ(T=3)": "INSQ(T=3)",
    "INST(T=1)": "INST",
    "INST(T=2)": "INST(T=2)",
    "INST(T=4)": "INST(T=4)",
    "BPM(T=1,K=10)": "BPM@10",
    "BPM(T=3,K=20)": "BPM(T=3)@20",
    "BPMD(T=1,K=10,hb=1,hc=1,med=.5)": "BPM(dynamic=True,hc=0)@10",  # K is never updated there, whatever hc is
    "NERR8(k=10)": "NERR8@10",
    "NERR9(k=10)": "NERR9@10",
    "NERR10(phi=.8)": "NERR10(p=0.8)",
    "NERR11(T=1)": "NERR11",
    "NERR11(T=2)": "NERR11(T=2)",
    "TBG(h=224,cost=1)": "TBG",
    "TBG(h=10,cost=1)": "TBG(h=10)",
}
"""Their measure -> ours; a name that is not here fails."""

GAINS: dict[str, float | None] = {"binary": 1, "label/2": None}
COLUMN = re.compile(r"(?P<residual>Res)?(?P<quantity>EU|ETU|ED)")


def ours(gains: str, theirs: str, column: str) -> Measure:
    found = COLUMN.fullmatch(column)
    assert found is not None
    return parse_measure(OURS[theirs])(rel=GAINS[gains], quantity=found["quantity"], residual=bool(found["residual"]))


@pytest.mark.data("golden/cwl_eval", "data/trec-robust-2003")
def test_every_value_agrees() -> None:
    golden = list(rows(REAL_GOLDEN / "cwl_eval/expected.robust2003.tsv.gz"))
    columns = [column for column in golden[0] if COLUMN.fullmatch(column)]
    assert columns == ["EU", "ETU", "ED", "ResEU", "ResETU", "ResED"]
    assert {row["measure"] for row in golden} == set(OURS)
    wanted = {(row["gains"], row["measure"], column) for row in golden for column in columns}
    measures = {case: ours(*case) for case in sorted(wanted)}
    table = score(
        [str(DATA / f"trec-robust-2003/runs/input.{tag}.gz") for tag in TAGS],
        str(DATA / "trec-robust-2003/qrels.txt.gz"),
        list(measures.values()),
    )
    assert table.systems == TAGS
    number = {known: index for index, known in enumerate(table.measures)}
    topic = {name: index for index, name in enumerate(table.topics)}
    at = [
        (
            number[measures[row["gains"], row["measure"], column]],
            topic[row["topic"]],
            TAGS.index(row["run"].removeprefix("input.").removesuffix(".gz")),
        )
        for row in golden
        for column in columns
    ]
    found = table.values[tuple(np.array(at).T)]
    theirs = np.array([float(row[column]) for row in golden for column in columns])
    assert len(theirs) == (22 * 300 + 19 * 150) * 6
    apart = np.abs(found - theirs) / np.maximum(1, np.abs(theirs))
    worst = int(apart.argmax())
    row, column = golden[worst // len(columns)], columns[worst % len(columns)]
    assert apart.max() <= 1e-9, f"{row}, {column}: ours {found[worst]!r}, {(apart > 1e-9).sum()} differ"
