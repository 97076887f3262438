"""Every measure by hand.

One ranking throughout: labels 0, 2, not judged, not judged, 1. Of the topic's judged documents it lacks one of label 3
and one of label 0, so R = 3 documents are relevant and N = 2 are not.
"""

from __future__ import annotations

import tracemalloc
from math import e, exp, inf, log, log2, pi, sqrt

import numpy as np
import pytest

import cranfield
from cranfield import parse_measure
from cranfield.measures import registry, values
from cranfield.scoring import score

RUN = {"1": {"a": 5.0, "b": 4.0, "u": 3.0, "v": 2.0, "d": 1.0}}
QRELS = {"1": {"a": 0.0, "b": 2.0, "d": 1.0, "x": 3.0, "y": 0.0}}

E5 = 1e-5  # infAP's epsilon


def h(p: float) -> float:
    """Bits of an event of probability p."""
    return -p * log2(p) - (1 - p) * log2(1 - p)


EXAMPLES = {
    # share of the first k: the relevant documents stand at ranks 2 and 5
    "P@1": 0,
    "P@3": 1 / 3,
    "P@5": 2 / 5,
    "P@10": 2 / 10,  # a list of 5 still divides by 10
    "P(rel=2)@5": 1 / 5,
    "P(judged_only=True)@3": 2 / 3,  # 0, 2, 1
    "R@3": 1 / 3,
    "R@5": 2 / 3,
    "R(rel=3)@5": 0,
    "Rprec": 1 / 3,  # P@3
    "Rprec(mult=0.4)": 1 / 2,  # P@2: floor(1.2 + 0.9)
    "Rprec(judged_only=True)": 2 / 3,
    "Success@1": 0,
    "Success@2": 1,
    "RR": 1 / 2,
    "RR@1": 0,
    "RR(rel=3)": 0,
    # (1/2 + 2/5) / 3
    "AP": 3 / 10,
    "AP@4": 1 / 6,  # (1/2) / 3
    "AP(rel=2)": 1 / 4,  # (1/2) / 2
    "AP(judged_only=True)": 7 / 18,  # (1/2 + 2/3) / 3
    "GMAP": 3 / 10,
    # rank 2: 1/2 + 1/2 * 1/1 * e/(1 + 2e); rank 5: 1/5 + 4/5 * 2/4 * (1 + e)/(2 + 2e) = 1/5 + 1/5
    "infAP": (1 / 2 + E5 / (2 + 4 * E5) + 2 / 5) / 3,
    # judgments without strata are one: rank 2: 1/2 + 1/2 * 1 * e/(1 + 3e); rank 5: 1/5 + 1/5 * 2 (1 + e)/(2 + 3e)
    "xinfAP": (1 / 2 + E5 / (2 + 6 * E5) + 1 / 5 + 2 / 5 * (1 + E5) / (2 + 3 * E5)) / 3,
    # (2/log2(3) + 1/log2(6)) / (3 + 2/log2(3) + 1/2), as nDCG where everything was sampled
    "infNDCG": (2 / log2(3) + 1 / log2(6)) / (3 + 2 / log2(3) + 1 / 2),
    "yaap": log((1 + 0.9) / (1 + 3 - 0.9)),  # s = 1/2 + 2/5
    "NCG@3": 2 / 6,  # of 3 + 2 + 1
    "NCG": 3 / 6,
    # of nine pairs, b above d is right, and b and d, retrieved, beat y, which is not
    "prefs_simp": 3 / 9,
    'prefs_simp(among="implied")': 3 / 8,  # but for the pair of x and y
    'prefs_simp(among="retrieved")': 1 / 3,  # a, which is worse, is above b and d
    "NumPrefs": 3,
    'NumPrefs(which="all")': 9,
    # each relevant document has one of min(N, R) = 2 above it: (1/2 + 1/2) / 3
    "Bpref": 1 / 3,
    "Bpref(rel=2)": (1 - 1 / 2) / 2,  # R = 2, N = 3: one above b
    "GMBpref": 1 / 3,  # of a topic, its Bpref
    # precision 1/2 is reached with the first relevant document, 2/5 with the second; the third is not retrieved
    "IPrec@0": 1 / 2,
    "IPrec@0.4": 1 / 2,  # round(1.2) = 1
    "IPrec@0.5": 2 / 5,  # round(1.5) = 2
    "IPrec@0.9": 0,  # round(2.7) = 3
    "11pt": (5 * 1 / 2 + 4 * 2 / 5 + 2 * 0) / 11,
    # 2/log2(3) + 1/log2(6)
    "DCG": 2 / log2(3) + 1 / log2(6),
    "DCG@4": 2 / log2(3),
    'DCG(dcg="exp-log2")': 3 / log2(3) + 1 / log2(6),
    "DCG(gains={0:1,2:10})": 1 + 10 / log2(3) + 1 / log2(6),
    "DCG(judged_only=True)": 2 / log2(3) + 1 / log2(4),
    # the best ranking has labels 3, 2, 1
    "nDCG": (2 / log2(3) + 1 / log2(6)) / (3 + 2 / log2(3) + 1 / 2),
    "nDCG@2": (2 / log2(3)) / (3 + 2 / log2(3)),
    'nDCG(dcg="exp-log2")@2': (3 / log2(3)) / (7 + 3 / log2(3)),
    # labels 2, 1 stop a user with probability 3/16, 1/16: 3/16/2 + 13/16 * 1/16 / 5
    "ERR": 133 / 1280,
    "ERR@4": 3 / 32,
    "ERR(max_rel=None)": 3 / 8 / 2 + 5 / 8 * 1 / 8 / 5,
    "ERR(gains={2:5},max_rel=None)": 31 / 32 / 2 + 1 / 32 * 1 / 32 / 5,  # the scale ends where the gains do
    "RBP(p=0.5,gains={2:5})": 1 / 2 * (1 / 2 + 1 / 5 / 2**4),
    # the best ranking: 7/16 + 9/16 * 3/16 / 2 + 9/16 * 13/16 * 1/16 / 3
    "nERR": (133 / 1280) / (7 / 16 + 27 / 512 + 39 / 4096),  # 9 * 13 / (16^3 * 3) = 39 / 4096
    # half of (2/3 * 1/2 + 1/3 * 1/16): the largest label of the qrels is 3
    "RBP(p=0.5)": 17 / 96,
    "RBP(p=0.5,rel=1)": (1 / 2 + 1 / 16) / 2,
    'RBP(p=0.5,gain="exp")': (3 / 8 * 1 / 2 + 1 / 8 * 1 / 16) / 2,
    "RBP(p=0.5,max_rel=4)": (2 / 4 * 1 / 2 + 1 / 4 * 1 / 16) / 2,
    "RBP(p=0.5)@4": 1 / 6,
    # ranks 1, 2 and 5 are judged: 1 - (1 + 1/2 + 1/16) / 2
    "RBPResidual(p=0.5)": 7 / 32,
    "RBPResidual(p=0.5)@2": 1 / 4,
    "Judged": 3 / 5,
    "Judged@3": 2 / 3,
    "Judged@10": 3 / 5,  # divides by the length of a shorter list
    "Unjudged@3": 1 / 3,
    "Unjudged@10": 2 / 10,  # does not
    # a stands above b; a, u and v above d; of 3 documents that are not relevant
    "Accuracy": 1 - (1 + 3) / (2 * 3),
    "Accuracy@4": 1 - 1 / 3,
    "Accuracy(rel=2)": 1 - 1 / 4,
    # the best list is x, b, d: from depth 2 on b is in both, at depth 5 d too
    "Compat(p=0.5)": (1 / 2 / 2 + 1 / 4 / 3 + 1 / 8 / 4 + 1 / 16 * 2 / 5)
    / (1 + 1 / 2 + 1 / 4 + 1 / 8 * 3 / 4 + 1 / 16 * 3 / 5),
    "Compat(p=0.5,normalize=False)": (1 / 2 / 2 + 1 / 4 / 3 + 1 / 8 / 4 + 1 / 16 * 2 / 5) / (31 / 16),
    # of 9 pairs of different labels b > d, b > y and d > y are in order, a < b, a < d, a < x, b < x and d < x are not,
    # and neither of x > y is retrieved
    "RIC": 8 / 9 * (1 - h(3 / 8)),
    "RIC(signed=True)": -8 / 9 * (1 - h(3 / 8)),
    # the list ends with b: d, x and y are not retrieved, so three pairs are open; b > d and b > y are in order
    "RIC(rel=2)": 6 / 9 * (1 - h(2 / 6)),
    "RIC@1": 0,
    # places 1, 2, 3 count 1, 1/2, 1/4: 3 * 1/2 - 1/4 in order, 3 * 1 + 1/2 + 1/4 not
    'RIC(p=0.5,pair_weight="geometric")': 1 - h(1 / 4),
    # a user at ranks 2 to 4 has a and b: b > d and b > y are in order, b > a, d > a, x > a and x > b are not; from
    # rank 5 on it is RIC. The best list x, b, d decides 4, 7 and 9 of 9 pairs
    "SRIC(p=0.5)": ((1 / 2 - 1 / 16) * 6 / 9 * (1 - h(2 / 6)) + 1 / 16 * 8 / 9 * (1 - h(3 / 8)))
    / (1 / 2 * 4 / 9 + 1 / 4 * 7 / 9 + 1 / 4),
    "SRIC(p=0.5,signed=True)": -((1 / 2 - 1 / 16) * 6 / 9 * (1 - h(2 / 6)) + 1 / 16 * 8 / 9 * (1 - h(3 / 8)))
    / (1 / 2 * 4 / 9 + 1 / 4 * 7 / 9 + 1 / 4),
    "SRIC(p=0.5)@2": 1 / 2 * 6 / 9 * (1 - h(2 / 6)) / (1 / 2 * 4 / 9 + 1 / 2 * 7 / 9),
    "SRIC@1": 0,
    "SRIC(p=0.5,rel=3)": 0,
    "SetP": 2 / 5,
    "SetP(relative=True)": 2 / 3,  # min(5, 3)
    "SetP(judged_only=True)": 2 / 3,
    "SetRelP": 2 / 3,
    "SetR": 2 / 3,
    "F1@2": 2 / 5,  # 2 * 1/2 * 1/3 / (1/2 + 1/3)
    "F1@10": 4 / 13,  # 2 * 2/10 * 2/3 / (2/10 + 2/3)
    "SetF@10": 1 / 2,
    "SetF": 1 / 2,  # 2 * 2/5 * 2/3 / (2/5 + 2/3)
    "SetF(beta=2)": 6 / 11,  # 3 * 2/5 * 2/3 / (2/3 + 2 * 2/5)
    "SetAP": 4 / 15,
    "NumQ": 1,
    "NumRet": 5,
    "NumRet(rel=1)": 2,
    "NumRel": 3,
    "NumRel(rel=2)": 2,
    "NumRelRet": 2,
    "NumNonRelJudgedRet": 1,
}


@pytest.mark.parametrize(("name", "expected"), EXAMPLES.items(), ids=list(EXAMPLES))
def test_a_value_by_hand(name: str, expected: float) -> None:
    (value,) = values(parse_measure(name), cranfield.evaluation.make_rankings(RUN, QRELS))
    assert value == pytest.approx(expected, rel=1e-14, abs=1e-16)


USERS = {
    *("CWL_P", "CWL_RR", "CWL_AP", "CWL_RBP", "SDCG", "INSQ", "INST", "BPM"),
    *("NERR8", "NERR9", "NERR10", "NERR11", "TBG"),
}
"""Models of users, whose expected utility, cost or depth a parameter chooses."""

WITNESSED = {
    # golden/test_cwl_family.py: every quantity and residual of them from cwl_eval
    *USERS,
    # golden/test_ntcireval.py: from NTCIREVAL, in eight settings
    *("Q", "O-measure", "P-measure", "P-plus", "NCU", "EBR", "GAP", "iRBU"),
    *("bpref_R", "bpref_N", "bpref_relative", "rpref_N", "rpref_relative", "rpref_relative2"),
    # test_diversity.py: by hand, and by pyndeval and NTCIREVAL in golden/
    *(name for name, declared in registry.items() if declared.needs_intents),
    # golden/test_trec_eval.py: from trec_eval 10, on the Robust and Web collections
    *("G", "binG", "Rndcg", "ndcg_rel", "Utility"),
}
"""Measures without an example by hand: the tools that they come from printed thousands of values that we give too."""


def test_every_measure_has_an_example() -> None:
    by_hand = {parse_measure(name).name for name in EXAMPLES}
    assert WITNESSED - set(registry) == set(), "there are no such measures"
    assert by_hand & WITNESSED == set(), "these have an example"
    assert by_hand | WITNESSED == set(registry)


# ---- where labels are below zero


def value_of(name: str, run: dict[str, float], pool: dict[str, float], **policy: str) -> float:
    rankings = cranfield.evaluation.make_rankings({"1": run}, {"1": pool}, **policy)  # type: ignore[arg-type]
    return float(values(parse_measure(name), rankings)[0])


def test_labels_below_zero() -> None:
    run, pool = {"bad": 2.0, "good": 1.0}, {"bad": -2.0, "good": 1.0, "worse": -1.0}
    # a gain of 0 as a rule; its own label where that is asked for; nothing below 0 need be shown in the best list
    assert value_of("DCG", run, pool) == pytest.approx(1 / log2(3))
    assert value_of("DCG", run, pool, negative="keep") == pytest.approx(-2 + 1 / log2(3))
    assert value_of("nDCG", run, pool, negative="keep") == pytest.approx(-2 + 1 / log2(3))
    assert value_of('DCG(dcg="exp-log2")', run, pool, negative="keep") == pytest.approx(-3 + 1 / log2(3))
    assert value_of("RBP(p=0.5)", run, pool, negative="keep") == 1 / 4
    # Judged, and not relevant: min(1, R) of min(N, R) stand above. trec_eval takes them as not judged.
    assert value_of("Bpref", run, pool) == 0
    assert value_of("Bpref", run, pool, compat="trec_eval") == 1
    assert value_of("Judged", run, pool, compat="trec_eval") == 1 / 2
    assert value_of("NumNonRelJudgedRet", run, pool) == 1
    assert value_of("NumNonRelJudgedRet", run, pool, compat="trec_eval") == 0
    # infAP reads them as pooled in every mode: 1/2 + 1/2 * 1/1 * e/(2e)
    for compat in ("none", "trec_eval", "trec_eval9"):
        assert value_of("infAP", run, pool, compat=compat) == pytest.approx(1 / 2 + 1 / 4)


def test_a_gain_for_a_label_below_zero() -> None:
    pool = {"bad": -1.0, "good": 1.0}
    assert value_of("DCG(gains={-1:-5})", {"bad": 1.0}, pool) == -5
    assert value_of("nDCG(gains={-1:-5})", {"bad": 1.0}, pool) == -5


def test_recall_levels_of_trec_eval_9() -> None:
    # R = 3: floor(0.4 * 3 + 0.9) = 2 documents are asked for, where trec_eval 10 rounds 1.2 to 1
    rankings = cranfield.evaluation.make_rankings(RUN, QRELS, compat="trec_eval9")
    assert values(parse_measure("IPrec@0.4"), rankings)[0] == 2 / 5
    assert values(parse_measure("IPrec@0.4"), cranfield.evaluation.make_rankings(RUN, QRELS))[0] == 1 / 2
    # R = 7: floor(2.1 + 0.9) = 3 documents, the last at rank 4
    run, pool = {"a": 4.0, "b": 3.0, "x": 2.0, "c": 1.0}, dict.fromkeys("abcdefg", 1.0)
    assert value_of("IPrec@0.3", run, pool, compat="trec_eval9") == 3 / 4
    assert value_of("IPrec@0.3", run, pool) == 1


# ---- undefined values


def test_undefined_without_relevant_documents() -> None:
    rankings = cranfield.evaluation.make_rankings({"1": {"a": 1.0}}, {"1": {"a": 0.0}})
    undefined = {name for name in EXAMPLES if np.isnan(values(parse_measure(name), rankings)[0])}
    assert {parse_measure(name).name for name in undefined} == {
        *(
            "AP",
            "GMAP",
            "infAP",
            "xinfAP",
            "infNDCG",
            "NCG",
            "prefs_simp",
            "R",
            "Rprec",
            "Bpref",
            "GMBpref",
            "IPrec",
            "11pt",
            "nDCG",
            "nERR",
        ),
        *("F1", "SetP", "SetRelP", "SetR", "SetF", "SetAP", "Accuracy", "Compat", "RIC", "SRIC"),
    }
    assert "SetP" not in undefined, "0 of 1 is 0"
    assert "SetP(relative=True)" in undefined, "0 of min(1, 0) is not"


def test_finding_nothing_relevant_is_no_lack_of_a_value() -> None:
    rankings = cranfield.evaluation.make_rankings({"1": {"x": 2.0, "u": 1.0}}, {"1": {"a": 1.0, "b": 3.0, "x": 0.0}})
    undefined = {name for name in EXAMPLES if np.isnan(values(parse_measure(name), rankings)[0])}
    # A list that holds fewer than two labels has no pair to be right or wrong about.
    pairs = {'prefs_simp(among="retrieved")'}
    assert undefined == {name for name in EXAMPLES if parse_measure(name).name == "Accuracy"} | pairs


def test_the_depth_that_a_user_of_inst_may_reach_below_the_list() -> None:
    """One relevant document: if all below are too, C is 1/4 everywhere; if none is, V_i is 1/i^2."""
    measure = parse_measure("INST(rel=1,quantity='ED',depth=None,residual=True)")
    rankings = cranfield.evaluation.make_rankings({"x": {"1": {"a": 1.0}}}, {"1": {"a": 1.0}})
    assert values(measure, rankings)[0] == pytest.approx(4 / 3 - pi**2 / 6, rel=1e-9)


def test_err_refuses_labels_beyond_its_scale() -> None:
    rankings = cranfield.evaluation.make_rankings({"1": {"a": 1.0}}, {"1": {"a": 5.0}})
    for name in ("ERR", "nERR"):
        with pytest.raises(cranfield.errors.MeasureError) as refused:
            values(parse_measure(name), rankings)
        assert str(refused.value) == (
            f"{name}(max_rel=4): the qrels hold the label 5; write {name}(max_rel=5) or map the labels"
        )
    assert values(parse_measure("ERR(max_rel=5)"), rankings)[0] == 31 / 32
    assert values(parse_measure("ERR(max_rel=None)"), rankings)[0] == 31 / 32


# ---- over topics


def test_summaries_by_hand() -> None:
    runs = {"one": RUN | {"2": {"z": 1.0}}, "two": {"1": {"b": 1.0}}}
    names = ["AP", "GMAP", "NumRet", "NumRel", "NumQ", "P@1"]
    table = score(runs, QRELS | {"2": {"z": 0.0}}, names)
    found = dict(zip(names, table.summaries.tolist(), strict=True))
    assert found["AP"] == pytest.approx([3 / 10 / 2, 1 / 3 / 2])  # topic 2 has no relevant document and counts 0
    assert found["GMAP"] == pytest.approx([sqrt(3 / 10 * 1e-5), exp((log(1 / 3) + log(1e-5)) / 2)])
    assert found["NumRet"] == [6, 1]
    assert found["NumRel"] == [3, 3]
    assert found["NumQ"] == [2, 2]
    assert found["P@1"] == [0, 1 / 2]


def test_declared_bounds_are_those_of_the_literature() -> None:
    unbounded = {name: declared.range for name, declared in registry.items() if declared.range != (0.0, 1.0)}
    counts = {name: (0.0, inf) for name in registry if name.startswith("Num")}
    # Labels below zero may lower a gain without end; utility, cost and depth of a user have no largest value.
    sums = dict.fromkeys(("DCG", "Utility", *USERS), (-inf, inf))
    # No list beats the greedy one by more.
    sums |= dict.fromkeys(("alpha-nDCG", "nERR-IA", "nNRBP"), (0.0, e / (e - 1)))
    # Most documents being relevant, a list that begins with the others decides more pairs than the ideal one.
    sums["SRIC"] = (-inf, inf)
    # The sample may hold a larger share of the useful documents that were retrieved than of the others.
    sums["infNDCG"] = (0.0, inf)
    sums["yaap"] = (-inf, inf)
    assert unbounded == sums | {"nDCG": (-inf, 1.0), "RIC": (-1.0, 1.0), "RBU": (-1.0, 1.0)} | counts


@pytest.mark.parametrize(
    "name", ['nDCG(dcg="exp-log2")@10', 'DCG(dcg="exp-log2")', "ERR(max_rel=None)", 'RBP(gain="exp")']
)
def test_labels_too_large_for_an_exponential_are_refused(name: str) -> None:
    """Dwell times or click counts as labels: 2^2000 is no double, and infinity over infinity no score."""
    rankings = cranfield.evaluation.make_rankings({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 2000, "b": 1}})
    with pytest.raises(cranfield.errors.MeasureError, match="2000"):
        values(parse_measure(name), rankings)


@pytest.mark.parametrize("name", ["nDCG@10", "DCG", "RBP", "Q", "DCG(gains={1:-1e305})"])
def test_gains_too_large_to_be_added_up_are_refused(name: str) -> None:
    rankings = cranfield.evaluation.make_rankings({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1e308, "b": 1e308, "c": 1}})
    with pytest.raises(cranfield.errors.MeasureError, match="too large to be added up"):
        values(parse_measure(name), rankings)
    assert values(parse_measure("nDCG(gains={1e308:1})"), rankings)[0] > 0.7


def test_one_long_list_among_many_short_ones_needs_no_large_table() -> None:
    """Lists are laid side by side only with lists of like length."""
    run = {f"t{number}": {"d": 1.0} for number in range(2000)}
    long = {f"d{number}": float(-number) for number in range(20_000)}
    rankings = cranfield.evaluation.make_rankings(run | {"long": long}, run | {"long": dict.fromkeys(long, 1.0)})
    tracemalloc.start()
    try:
        found = values(parse_measure("ERR"), rankings)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50e6, "2001 x 20001 cells would be 320 MB"
    assert found[0] == 1 / 16
    assert found[-1] == pytest.approx(sum(1 / 16 * (15 / 16) ** rank / (rank + 1) for rank in range(20_000)))


def test_a_list_can_tell_more_than_the_ideal_one_at_the_same_rank() -> None:
    """Of a topic with one document that is not relevant, a list that begins with it has decided all at rank 2."""
    qrels = {"1": {f"r{number}": 1.0 for number in range(8)} | {"n": 0.0}}
    rankings = cranfield.evaluation.make_rankings({"S": {"1": {"n": 2.0, "r1": 1.0}}}, qrels)
    ideal = sum(min(k, 8) / 8 * 0.5**k for k in range(1, 60))
    assert values(parse_measure("SRIC(p=0.5)"), rankings)[0] == pytest.approx(0.5 / ideal)
    assert values(parse_measure("SRIC(p=0.5,signed=True)"), rankings)[0] == pytest.approx(-0.5 / ideal)


def test_stopping_depth_at_its_ends() -> None:
    """As p nears 1 the user reads everything; one who never goes on below rank k has RIC@k."""
    rankings = cranfield.evaluation.make_rankings(RUN, QRELS)
    ideal = cranfield.evaluation.make_rankings({"1": {"x": 3.0, "b": 2.0, "d": 1.0}}, QRELS)
    for k in (2, 5):
        least, most = (values(parse_measure(f"RIC@{k}"), lists)[0] for lists in (rankings, ideal))
        assert values(parse_measure(f"SRIC(p=0.999999999)@{k}"), rankings)[0] == pytest.approx(least / most, rel=1e-7)
    for p in (0.2, 0.8, 0.95):
        assert values(parse_measure(f"SRIC(p={p})"), ideal)[0] == pytest.approx(1, abs=1e-15)


def test_one_relevant_document_of_twenty() -> None:
    """What makes weights on pairs gameable: by stopping depth, a list of one of them alone is nearly worthless."""
    qrels = {"1": {f"r{n}": 1.0 for n in range(20)} | {f"n{n:03d}": 0.0 for n in range(180)}}
    late = {f"n{n:03d}": 20.0 - n for n in range(10)} | {"r1": 1.0}
    rankings = cranfield.evaluation.make_rankings({"first": {"1": {"r1": 1.0}}, "late": {"1": late}}, qrels)
    assert [round(value, 3) for value in values(cranfield.SRIC(p=0.95), rankings)] == [0.078, 0.0]
