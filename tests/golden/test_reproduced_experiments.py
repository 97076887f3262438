"""Reproduction measures against repro_eval, and KTU against the paper's definition; see golden/reproduction."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import cranfield
from cranfield.comparison import compare_reproduction
from cranfield.statistics import list_agreement
from data_sets import DATA, GOLDEN, Tally, rows

FOLDER = GOLDEN / "reproduction"
DL = DATA / "trec-dl-2019-passage"
EXPERIMENTS = {
    "bm25-bert": ("bm25base_p", "p_bert", "bm25tuned_p", "p_exp_bert"),
    "prf": ("bm25base_p", "bm25base_prf_p", "bm25tuned_p", "bm25tuned_prf_p"),
    "idst": ("bm25base_p", "idst_bert_p1", "bm25base_rm3_p", "idst_bert_p2"),
    "reversed": ("p_bert", "bm25base_p", "bm25base_rm3_p", "idst_bert_p1"),
    "same": ("bm25base_p", "p_bert", "bm25base_p", "p_bert"),
}
MEASURES = ["nDCG@10", "nDCG", "AP(rel=2)", "P(rel=2)@10", "RR(rel=2)"]
QRELS = str(DL / "qrels.dl19-passage.txt.gz")

pytestmark = pytest.mark.data("data/trec-dl-2019-passage")


def paths(*names: str) -> list[str]:
    return [str(DL / "runs" / f"input.{name}.gz") for name in names]


@functools.cache
def found(experiment: str) -> Any:
    baseline, advanced, baseline_again, advanced_again = EXPERIMENTS[experiment]
    return compare_reproduction(
        paths(baseline, advanced), paths(baseline_again, advanced_again), QRELS, MEASURES, depth=10
    )


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_scores_and_effects(experiment: str) -> None:
    ours = found(experiment)
    effects, scores = ours.effects.set_index("measure"), ours.scores.set_index(["measure", "role"])
    of_effects = {"ER": "effect_ratio", "DeltaRI": "delta_ri"}
    of_scores = {"RMSE": "rmse", "nRMSE": "nrmse", "p_paired": "p_paired", "p_unpaired": "p_unpaired"}
    tally = Tally(1e-9)
    for row in rows(FOLDER / "expected.scores.tsv"):
        if row["experiment"] == experiment:
            if row["quantity"] in of_effects:
                mine = effects.loc[row["measure"], of_effects[row["quantity"]]]
            else:
                mine = scores.loc[(row["measure"], row["run"]), of_scores[row["quantity"]]]
            # Of equal scores repro_eval has no p; the specification says 1.
            value = "1" if row["value"] == "nan" and row["quantity"] == "p_paired" else row["value"]
            tally.add((row["measure"], row["quantity"], row["run"]), mine, float(value))
    tally.check(at_least=20)


def test_order_by_topic() -> None:
    tally = Tally(1e-9)
    expected = list(rows(FOLDER / "expected.order.tsv.gz"))
    names = sorted({row[which] for row in expected for which in ("original", "reproduced")})
    runs = {name: ranked(path) for name, path in zip(names, paths(*names), strict=True)}
    topics = sorted({topic for run in runs.values() for topic in run})
    agreed: dict[tuple[str, ...], list[float]] = {}
    for original, reproduced, depth in {(row["original"], row["reproduced"], row["depth"]) for row in expected}:
        for topic in topics:
            for p in (0.8, 0.95):
                first, second = (runs[name].get(topic, []) for name in (original, reproduced))
                ours = list_agreement(first, second, int(depth), p)
                for quantity, value in (("KTU", ours.ktu), (f"RBO(p={p})", ours.rbo)):
                    for place in (topic, "all"):
                        agreed.setdefault((original, reproduced, depth, quantity, place), []).append(value)
    for row in expected:
        mine = agreed[row["original"], row["reproduced"], row["depth"], row["quantity"], row["topic"]]
        tally.add(row, sum(mine) / len(mine), float(row["value"]))
    tally.check(at_least=500)


def ranked(path: str) -> dict[str, list[str]]:
    """The documents of each topic by falling scores, equal ones by falling ids."""
    return {
        topic: sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)
        for topic, scores in cranfield.read_run(path).to_dict().items()
    }


def test_the_order_of_a_whole_experiment() -> None:
    ours = found("prf").topics.query("role == 'baseline'").set_index("topic")
    tally = Tally(1e-9)
    for row in rows(FOLDER / "expected.order.tsv.gz"):
        pair = row["original"], row["reproduced"], row["depth"]
        if pair == ("bm25base_p", "bm25tuned_p", "10") and row["topic"] != "all":
            name = {"KTU": "ktu", "RBO(p=0.8)": "rbo"}.get(row["quantity"])
            if name is not None:
                tally.add(row, ours.loc[row["topic"], name], float(row["value"]))
    tally.check(at_least=30)
