"""pytrec_eval, which is trec_eval 9 with scores in float32, on random collections.

What is broken in it is not generated (see ``random_collections``): a topic without any label of 0 or more makes
trec_eval read stale counts of an earlier topic, and bpref reads past the end of its counts where the level is larger
than every label of a topic. Topics that are only in the run or only in the qrels are left out of its answer.
"""

from __future__ import annotations

import math

import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from random_collections import Collection, Labels, collections

from cranfield import Qrels, Run, parse_measure
from cranfield.collection import Policy
from cranfield.scoring import Evaluation, score
from data_sets import Tally
from effort import examples

CUTOFFS = "1,2,3,5,10,100"
MEASURES = {
    *("map", "gm_map", "ndcg", "bpref", "gm_bpref", "recip_rank", "Rprec", "infAP", "11pt_avg", "iprec_at_recall"),
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"),
    *("set_P", "set_relative_P", "set_recall", "set_F", "set_map"),
    *(f"{name}.{CUTOFFS}" for name in ("map_cut", "ndcg_cut", "P", "recall", "success")),
}
NAMES = 20 - 1 + 11 + 5 * 6
"""How many values a topic has: one a measure, but eleven for the levels of recall and six for the cutoffs."""

POLICY = Policy(ties="trec9", compat="trec_eval9", missing="skip")


def theirs_of(collection: Collection, level: int) -> dict[str, dict[str, float]]:
    evaluator = pytrec_eval.RelevanceEvaluator(collection.qrels, MEASURES, relevance_level=level)
    found: dict[str, dict[str, float]] = evaluator.evaluate(collection.run)
    return found


def ours_of(collection: Collection, names: list[str], level: int) -> Evaluation:
    measures = [parse_measure(name) for name in names]
    table = score(
        Run.from_dict(collection.run), Qrels.from_dict(collection.qrels), measures, **POLICY.as_dict(), rel=level
    )
    assert len(table.measures) == len(names), "two spellings are one measure"
    return table


def bpref_is_sound(qrels: Labels, level: int) -> bool:
    return all(max(pool.values()) >= level - 1 for pool in qrels.values())


@examples(120)
@given(collection=collections(), level=st.sampled_from((1, 1, 2, 3)))
def test_every_measure_agrees(collection: Collection, level: int) -> None:
    theirs = theirs_of(collection, level)
    assert theirs.keys() == collection.qrels.keys() & collection.run.keys()
    names = sorted(next(iter(theirs.values())))
    assert len(names) == NAMES
    table = ours_of(collection, names, level)
    tally, left_out = Tally(), 0
    for row, name in enumerate(names):
        if name in ("bpref", "gm_bpref") and not bpref_is_sound(collection.qrels, level):
            left_out += 1
            continue
        own = dict(zip(table.topics, table.values[row, :, 0], strict=True))
        assert {topic for topic, value in own.items() if math.isnan(value)} == own.keys() - theirs.keys()
        for topic, values in theirs.items():
            # Of a topic, these are the logarithms that their summaries average.
            value = math.log(max(own[topic], 1e-5)) if name in ("gm_map", "gm_bpref") else own[topic]
            tally.add((name, topic), value, values[name])
        if name != "num_rel":  # our summary is trec_eval -c's, which counts all topics and ignores the level
            summary = pytrec_eval.compute_aggregated_measure(name, [values[name] for values in theirs.values()])
            tally.add((name, "all"), table.summaries[row, 0], summary)
    tally.check((NAMES - left_out) * (len(theirs) + 1) - 1)
