"""Six hand-made topics of ties: every tool's values follow from its precision and its order of equal scores."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest

import cranfield
from cranfield import Qrels, Run, parse_measure, read_qrels
from cranfield.scoring import score
from data_sets import GOLDEN, Tally, rows

TIES = GOLDEN / "ties"
RUN, QRELS = str(TIES / "ties.run"), str(TIES / "ties.qrels")
TOPICS = 6

NTCIREVAL = {
    "AP": "AP",
    "P@1": "P@1",
    "P@3": "P@3",
    "P@5": "P@5",
    "RR": "RR",
    "AP@1": "AP@1",
    "AP@3": "AP@3",
    "AP@5": "AP@5",
    "MSnDCG@1": "nDCG@1",
    "MSnDCG@3": "nDCG@3",
    "MSnDCG@5": "nDCG@5",
    "nERR@1": "nERR(max_rel=2)@1",
    "nERR@3": "nERR(max_rel=2)@3",
    "nERR@5": "nERR(max_rel=2)@5",
}
PYNDEVAL = {"MAP-IA": "AP", "P-IA@1": "P@1", "P-IA@3": "P@3", "P-IA@5": "P@5"}
GDEVAL = {
    **{f"nDCG(2^g-1)@{cutoff}": f'nDCG(dcg="exp-log2")@{cutoff}' for cutoff in (1, 3, 5)},
    **{f"ERR@{cutoff}": f"ERR@{cutoff}" for cutoff in (1, 3, 5)},
}
TREC_EVAL = {
    name: name
    for name in (
        *("map", "ndcg", "recip_rank", "Rprec", "bpref"),
        *(f"{name}_{cutoff}" for name in ("P", "ndcg_cut") for cutoff in (1, 3, 5)),
    )
}
TREC_EVAL_MORE = {
    **TREC_EVAL,
    **{name: name for name in ("recall_1", "recall_3", "recall_5", "success_1", "success_5")},
}

Ties = Literal["trec", "trec9", "docid", "rank", "file"]
TOOLS: dict[str, tuple[Ties, dict[str, str]]] = {
    "trec_eval-10(double,docid-desc)": ("trec", TREC_EVAL_MORE),
    "trec_eval-9.0.8(float32,docid-desc)": ("trec9", TREC_EVAL_MORE),
    "pytrec_eval-terrier-0.5.11(float32,docid-desc)": ("trec9", TREC_EVAL),
    "pyndeval-0.0.8(double,docid-asc)": ("docid", PYNDEVAL),
    "gdeval-1.2a(double,docid-desc)": ("trec", GDEVAL),
    "NTCIREVAL-190111(file-order)": ("file", NTCIREVAL),
    "NTCIREVAL-190111(rank-column)": ("rank", NTCIREVAL),
}
"""Tool -> the policy that orders documents as it does, and its names for our measures."""

ABSENT = {"Q-measure", "ERR-IA@5", "NRBP", "alpha-nDCG@3", "alpha-nDCG@5", "strec@1", "strec@3"}
"""What they compute and we do not."""


def values(ties: Ties, measure: str, qrels: Qrels | str = QRELS) -> dict[str, float]:
    """Topic -> value."""
    table = score(RUN, qrels, measure, ties=ties)
    return dict(zip(table.topics, table.values[0, :, 0], strict=True))


def for_linear_stops() -> Qrels:
    """Labels whose (2^g - 1) / 2^2 is NTCIREVAL's stop probability, label / (largest gain + 1) with gains 1 to 3."""
    labels = read_qrels(QRELS).to_dict()
    stops = {topic: {doc: math.log2(label + 1) for doc, label in pool.items()} for topic, pool in labels.items()}
    return Qrels.from_dict(stops)


def as_ntcireval(name: str, ties: Ties) -> dict[str, float]:
    """NTCIREVAL's AP@k divides by min(k, R), ours by R; its ERR has linear stop probabilities."""
    if name.startswith("nERR"):
        return values(ties, NTCIREVAL[name], for_linear_stops())
    found = values(ties, NTCIREVAL[name])
    if name.startswith("AP@"):
        total, cutoff = values(ties, "NumRel"), int(name[3:])
        found = {topic: value * total[topic] / min(cutoff, total[topic]) for topic, value in found.items()}
    return found


@pytest.mark.parametrize("tool", TOOLS)
def test_every_value_of_the_tool_agrees(tool: str) -> None:
    ties, names = TOOLS[tool]
    found = {
        name: as_ntcireval(name, ties) if tool.startswith("NTCIREVAL") else values(ties, names[name]) for name in names
    }
    theirs = [row for row in rows(TIES / "expected.tsv") if row["tool"] == tool]
    assert {row["measure"] for row in theirs} - ABSENT == names.keys()
    printed, full = Tally(), Tally()
    for row in theirs:
        if row["measure"] in ABSENT:
            continue
        value, where = found[row["measure"]][row["topic"]], (row["topic"], row["measure"])
        if len(row["value"].partition(".")[2]) == 4:
            printed.add_text(where, value, row["value"])
        else:
            full.add(where, value, float(row["value"]))
    exact = not tool.startswith("trec_eval-9")
    (full if exact else printed).check(TOPICS * len(names))


def test_no_tool_is_left_out() -> None:
    tools = {row["tool"] for row in rows(TIES / "expected.tsv")}
    assert {tool for tool in tools if not tool.startswith("enumeration")} == TOOLS.keys()


@pytest.mark.parametrize(("ties", "precision"), [("trec", "double"), ("docid", "double"), ("trec9", "float32")])
def test_every_order_of_the_tied_lies_between_the_extremes(ties: Ties, precision: str) -> None:
    ends: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows(TIES / "expected.tsv"):
        tool, _, end = row["tool"].partition(":")
        if tool == f"enumeration({precision})":
            ends.setdefault((row["measure"], row["topic"]), {})[end] = float(row["value"])
    compared = 0
    for measure in sorted({measure for measure, _ in ends}):
        for topic, value in values(ties, str(parse_measure(measure))).items():
            least, most = ends[measure, topic]["min"], ends[measure, topic]["max"]
            assert least - 1e-12 <= value <= most + 1e-12, (measure, topic)
            compared += 1
    assert compared == 9 * TOPICS


ENUMERATED = {"AP": "AP", "RR": "RR", "nDCG@1000": "nDCG@1000"} | {
    f"{name}@{cutoff}": f"{name}@{cutoff}" for name in ("P", "nDCG") for cutoff in (1, 3, 5)
}


@pytest.mark.parametrize("precision", ["double", "float32"])
def test_means_and_extremes_are_those_of_all_orders(precision: str) -> None:
    run = cranfield.read_run(RUN)
    if precision == "float32":
        with np.errstate(over="ignore"):
            lists = {
                topic: {name: float(np.float32(score)) for name, score in found.items()}
                for topic, found in run.to_dict().items()
            }
        # No reader gives an infinite score: what overflows is one step above the largest float32.
        largest = 2 * float(np.finfo(np.float32).max)
        run = Run.from_dict(
            {
                topic: {name: min(max(score, -largest), largest) for name, score in found.items()}
                for topic, found in lists.items()
            }
        )
    mean = score(run, QRELS, list(ENUMERATED.values()), ties="expected")
    ends = score(run, QRELS, list(ENUMERATED.values()), ties="bounds")
    assert ends.lower is not None and ends.upper is not None
    found = {"mean": mean.values, "min": ends.lower, "max": ends.upper}
    tally = Tally()
    for row in rows(TIES / "expected.tsv"):
        tool, _, end = row["tool"].partition(":")
        if tool == f"enumeration({precision})":
            of = list(ENUMERATED).index(row["measure"])
            at = mean.topics.index(row["topic"])
            tally.add((row["measure"], row["topic"], end), float(found[end][of, at, 0]), float(row["value"]))
    tally.check(3 * len(ENUMERATED) * TOPICS)


def test_policies_differ_here() -> None:
    """Otherwise the tests above could not tell one policy from another."""
    orders: list[Ties] = ["trec", "trec9", "docid", "rank", "file"]
    found = {ties: tuple(values(ties, "AP").values()) for ties in orders}
    assert len(set(found.values())) == len(orders)
