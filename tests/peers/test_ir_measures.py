"""ir_measures on random collections, provider by provider: each orders documents in its own way.

Every measure is named by what ir_measures prints for it, so that its grammar and ours are compared too. What
pytrec_eval breaks on is not generated, see ``test_pytrec_eval``.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence

import ir_measures
import pytest
from hypothesis import given
from ir_measures import (
    AP,
    ERR,
    RR,
    Bpref,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    infAP,
    nDCG,
)
from random_collections import Collection, collections

from cranfield import Qrels, Run, parse_measure
from cranfield.collection import Policy
from cranfield.scoring import score
from data_sets import Tally
from effort import examples

Measures = Sequence[ir_measures.Measure]
Cells = dict[tuple[ir_measures.Measure, str], float]

TREC_EVAL: Measures = [
    *(AP, AP(rel=2), AP @ 3, AP(rel=2) @ 10, P @ 1, P @ 5, P(rel=2) @ 10, P(rel=3) @ 3),
    *(R @ 1, R @ 10, R(rel=2) @ 5, RR, RR(rel=2), Rprec, Rprec(rel=2), nDCG, nDCG @ 1, nDCG @ 10),
    *(Bpref, infAP, infAP(rel=2), NumQ, NumRel(rel=1), NumRet, NumRet(rel=1), NumRet(rel=2)),
    *(SetAP, SetAP(rel=2), SetR, SetR(rel=2), SetP, SetP(rel=2), SetP(relative=True)),
    *(SetF, SetF(beta=0.5), SetF(beta=2.0), SetF(rel=2, beta=2.0)),
    *(Success @ 1, Success @ 5, Success(rel=2) @ 3),
    *(IPrec @ 0.0, IPrec @ 0.1, IPrec @ 0.5, IPrec @ 1.0, IPrec(rel=2) @ 0.3),
]
"""Computed by pytrec_eval."""

JUDGED_ONLY: Measures = [
    *(AP(judged_only=True), AP(judged_only=True, rel=2), AP(judged_only=True) @ 5, RR(judged_only=True)),
    *(P(judged_only=True) @ 5, P(judged_only=True, rel=3) @ 3, R(judged_only=True) @ 5, Rprec(judged_only=True)),
    *(nDCG(judged_only=True), nDCG(judged_only=True) @ 5),
    *(SetAP(judged_only=True), SetF(judged_only=True), SetF(judged_only=True, beta=2.0, rel=2)),
    *(SetP(judged_only=True), SetP(judged_only=True, relative=True), Success(judged_only=True) @ 1),
    *(IPrec(judged_only=True) @ 0.0, IPrec(judged_only=True) @ 0.4, IPrec(judged_only=True, rel=2) @ 1.0),
]
"""Computed by pytrec_eval; apart from the others, because what NumRet counts depends on the measures beside it."""

JUDGED_ONLY_GAINS = nDCG(judged_only=True, gains={1: 2, 2: 4}) @ 3
"""In a call of its own, see ``GAINS``."""

GAINS: Measures = [
    nDCG(gains={0: 1, 1: 5}),
    nDCG(gains={1: 10, 2: 10, 3: 10, 4: 10}) @ 5,
    nDCG(gains={-2: 3, 0: 0, 4: 1}),
    nDCG(gains={1: 0, 2: 0, 3: 7}) @ 10,
]
"""pytrec_eval too, but ir_measures maps the labels before it hides negative ones.

Never beside an nDCG without gains: ir_measures computes that one in whichever call it made first, mapped labels or
not, and the order of its calls follows the hash seed.
"""

PYTHON: Measures = [Judged, Judged @ 1, Judged @ 10, RR @ 1, RR @ 3, RR @ 10, RR(rel=2) @ 5]
"""Computed by ir_measures itself and by MS MARCO's script: equal scores by id ascending."""

GDEVAL: Measures = [nDCG(dcg="exp-log2") @ 3, nDCG(dcg="exp-log2") @ 20, ERR @ 5, ERR @ 20]


def theirs_of(collection: Collection, measures: Measures) -> Cells:
    found = ir_measures.iter_calc(measures, collection.qrels, collection.run)
    return {(metric.measure, metric.query_id): metric.value for metric in found}


def ours_of(collection: Collection, measures: Measures, policy: Policy) -> Cells:
    parsed = [parse_measure(str(measure)) for measure in measures]
    table = score(Run.from_dict(collection.run), Qrels.from_dict(collection.qrels), parsed, **policy.as_dict())
    assert len(table.measures) == len(measures), "two spellings are one measure"
    return {
        (measure, topic): float(value)
        for row, measure in enumerate(measures)
        for topic, value in zip(table.topics, table.values[row, :, 0], strict=True)
    }


def assert_equal(collection: Collection, measures: Measures, policy: Policy) -> None:
    ours, theirs = ours_of(collection, measures, policy), theirs_of(collection, measures)
    assert ours.keys() == theirs.keys()
    tally = Tally()
    for where, value in theirs.items():
        tally.add(where, ours[where], value)
    tally.check(len(measures) * len(collection.qrels))


@pytest.mark.slow
@examples(60)
@given(collection=collections())
def test_measures_of_trec_eval(collection: Collection) -> None:
    # Where the run lacks a topic, theirs gives 0 for every measure; these two count topics and judgments.
    complete = collection.qrels.keys() <= collection.run.keys()
    measures = [measure for measure in TREC_EVAL if complete or measure.NAME not in ("NumQ", "NumRel")]
    assert_equal(collection, measures, Policy(ties="trec9", compat="trec_eval9"))


def retrieves_judged(collection: Collection, topic: str) -> bool:
    pool = collection.qrels[topic]
    return any(pool.get(document, -1) >= 0 for document in collection.run.get(topic, {}))


@pytest.mark.slow
@examples(60)
@given(collection=collections())
def test_judged_only_measures(collection: Collection) -> None:
    both = [*JUDGED_ONLY, JUDGED_ONLY_GAINS]
    ours = ours_of(collection, both, Policy(ties="trec9", compat="trec_eval9"))
    theirs = theirs_of(collection, JUDGED_ONLY) | theirs_of(collection, [JUDGED_ONLY_GAINS])
    assert ours.keys() == theirs.keys()
    tally = Tally()
    for where, value in theirs.items():
        measure, topic = where
        if math.isnan(value):  # theirs divides 0 by 0 where nothing is left of a list
            assert measure.NAME == "IPrec" and not retrieves_judged(collection, topic)
        tally.add(where, ours[where], 0.0 if math.isnan(value) else value)
    tally.check(len(both) * len(collection.qrels))


@examples(60)
@given(collection=collections())
def test_gains_of_labels(collection: Collection) -> None:
    assert_equal(collection, GAINS, Policy(ties="trec9"))


@examples(60)
@given(collection=collections())
def test_measures_of_ir_measures_itself(collection: Collection) -> None:
    assert_equal(collection, PYTHON, Policy(ties="docid"))


@pytest.mark.skipif(shutil.which("perl") is None, reason="ir_measures runs gdeval.pl, and there is no perl")
@examples(15)
@given(collection=collections(topics=("1", "2", "10", "301")))
def test_measures_of_gdeval(collection: Collection) -> None:
    ours, theirs = ours_of(collection, GDEVAL, Policy(compat="gdeval")), theirs_of(collection, GDEVAL)
    tally = Tally()
    for where, value in ours.items():
        # Topics without a positive label have no row in gdeval's answer; ir_measures puts 0 there.
        tally.add_text(where, 0.0 if math.isnan(value) else value, f"{theirs[where]:.5f}")
    tally.check(len(GDEVAL) * len(collection.qrels))
