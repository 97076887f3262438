"""Relevant documents whose gain is 0: what counts relevant documents counts them, what adds up gains does not."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield

pytestmark = pytest.mark.filterwarnings("ignore:qrels. no topic has a document:cranfield.CranfieldWarning")

INTENTS = {"q": {"1": {"a": 2, "c": 2}}, "p": {"1": {"a": 2}}}
LABELS = {"q": {"a": 2, "c": 2}, "p": {"a": 2}}
RUNS = {"r": {"q": {"a": 2.0, "b": 1.0}, "p": {"a": 2.0, "b": 1.0}}}


def mean_of(measure: str, qrels: Any) -> float:
    return float(cranfield.summarize(cranfield.evaluate(RUNS, qrels, measure)).to_numpy().item())


@pytest.mark.parametrize(
    "measure",
    [
        "D-nDCG(gains={2:0})@10",
        "nDCG-IA(gains={2:0})@10",
        "DIN-nDCG(gains={2:0})@10",
        "D-nERR(gains={2:0})@10",
        "D-ERR(gains={2:0})@10",
        "D-EBR(gains={2:0})@10",
        "D-RBP(gains={2:0})@10",
        "D-iRBU(gains={2:0})",
        'D-NCU(stopping="graded",gains={2:0})',
        'nERR-IA(gain="graded",stop="linear",gains={2:0})@10',
        'ERR-IA(gain="graded",stop="linear",gains={2:0})@10',
    ],
)
def test_gains_of_zero_add_up_to_zero(measure: str) -> None:
    assert mean_of(measure, INTENTS) == 0


@pytest.mark.parametrize(
    ("measure", "intents"),
    [
        ("nDCG(gains={2:0})", "D-nDCG(gains={2:0})"),
        ("Q(gains={2:0})", "D-Q(gains={2:0})"),
        ('nERR(stop="linear",gains={2:0},max_rel=1)', "D-nERR(gains={2:0},max_rel=1)"),
        ('NCU(stopping="graded",gains={2:0})', 'D-NCU(stopping="graded",gains={2:0})'),
        ('NCU(stopping="rank-biased",gains={2:0})', "D-NCU(gains={2:0})"),
        ("P-measure(gains={2:0})", "D-P-measure(gains={2:0})"),
    ],
)
def test_one_intent_is_the_measure_without_intents(measure: str, intents: str) -> None:
    assert mean_of(intents, INTENTS) == mean_of(measure, LABELS)
