"""Measures of diversity by hand, and how intents and their probabilities are read."""

from __future__ import annotations

import math
import random
from math import log, log2
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import InputError, InputOptions, Qrels, parse_measure
from cranfield.collection import IntentWeights
from cranfield.measures import registry, values
from cranfield.scoring import score

JUDGED = {"q": {"1": {"d1": 3.0, "d2": 1.0}, "2": {"d2": 1.0, "d3": 2.0}, "3": {"d4": 3.0}}}
LIKELY = {"q": {"1": 0.6, "2": 0.3, "3": 0.1}}
RUN = {"q": {"d2": 4.0, "u": 3.0, "d4": 2.0, "d1": 1.0}}


def value_of(name: str, weights: Any = None, judged: Any = JUDGED, run: Any = RUN, **settings: Any) -> float:
    reading = InputOptions(
        **{key: settings.pop(key) for key in list(settings) if key in ("compat", "unjudged", "undefined")}
    )
    qrels = Qrels.from_dict(judged).with_intents(weights, **settings)
    return float(score(run, qrels, name, reading=reading).values[0, 0, 0])


# Global gains: d1 1.8, d2 .9, d3 .6, d4 .3; blended ratios of d2, d4, d1: 1.9/2.8, 3.2/6.3, 6/7.6.
# Of intent 1 d2 (1), d1 (3): best 3, 1. Of intent 2 d2 (1): best 2, 1. Of intent 3 d4 (3).
NDCG_1, NDCG_2, NDCG_3 = 1 / (3 + 1 / log2(3)), 1 / (2 + 1 / log2(3)), (3 / 2) / 3
WEIGHTED = {
    "I-rec@1": 2 / 3,
    "I-rec@2": 2 / 3,
    "I-rec@3": 1,
    "I-rec@n": 1,
    "I-rec@l_min": 2 / 3,  # d2 and d4 cover all intents, so two ranks could do
    "D-nDCG@3": (0.9 + 0.3 / 2) / (1.8 + 0.9 / log2(3) + 0.6 / 2),
    "D-Q@3": (1.9 / 2.8 + 3.2 / 6.3) / 3,
    "D-Q": (1.9 / 2.8 + 3.2 / 6.3 + 6 / 7.6) / 4,
    # labels end at 3: stopping with probability g / 4
    "D-ERR": 0.9 / 4 + (1 - 0.9 / 4) * (0.3 / 4 / 3 + (1 - 0.3 / 4) * 1.8 / 4 / 4),
    "D-RBP(p=0.5)": (0.9 / 3 + 0.3 / 3 / 4 + 1.8 / 3 / 8) / 2,
    "D-iRBU(p=0.5)@1": 0.9 / 4 / 2,
    "D-EBR@1": 0.9 / 4 * 1.9 / 2.8,
    "D-O-measure": 1.9 / 2.8,
    "D-P-measure": 6 / 7.6,
    "D-P-plus": (1.9 / 2.8 + 3.2 / 6.3 + 6 / 7.6) / 3,
    "D-NCU(gamma=0.5)": (1.9 / 2.8 + 3.2 / 6.3 / 2 + 6 / 7.6 / 4) / (1 + 1 / 2 + 1 / 4 + 1 / 8),
    "D#-nDCG@3": (1 + (0.9 + 0.3 / 2) / (1.8 + 0.9 / log2(3) + 0.6 / 2)) / 2,
    "D#-Q(gamma=0.2)@3": 0.2 + 0.8 * (1.9 / 2.8 + 3.2 / 6.3) / 3,
    'D#-Q(gamma={"q":0.2})@3': 0.2 + 0.8 * (1.9 / 2.8 + 3.2 / 6.3) / 3,
    "nDCG-IA@3": 0.6 * NDCG_1 + 0.3 * NDCG_2 + 0.1 * NDCG_3,
    "P-IA@3": 0.6 / 3 + 0.3 / 3 + 0.1 / 3,
    "AP-IA": 0.6 * (1 + 2 / 4) / 2 + 0.3 * 1 / 2 + 0.1 * 1 / 3,
    "Success-IA@2": 0.9,
    "Q-IA@1": 0.6 * 2 / 4 + 0.3 * 2 / 3,
    "RBP-IA(p=0.5)@1": (0.6 / 3 + 0.3 / 3) / 2,
    "EBR-IA@1": 0.6 / 4 * 2 / 4 + 0.3 / 4 * 2 / 3,
    "iRBU-IA(p=0.5)@1": (0.6 / 4 + 0.3 / 4) / 2,
    "ERR-IA@2": 0.9 / (1 + 1 / 4),
    # labels end at 3: a label g satisfies with probability (2^g - 1) / 8
    "RBU(p=0.5,effort=0.1)@2": 0.5 * ((0.6 + 0.3) / 8 - 0.1 - 0.1 / 2),
    "RBU(p=0.5,effort=0.1)": 0.5 * ((0.6 + 0.3) / 8 + 0.1 * 7 / 8 / 4 + 0.6 * 7 / 8 * 7 / 8 / 8 - 0.1 * 15 / 8),
    'ERR-IA(gain="graded")@4': 0.6 * (1 / 16 + 15 / 16 * 7 / 16 / 4) + 0.3 / 16 + 0.1 * 7 / 16 / 3,
    'ERR-IA(gain="graded",stop="linear",max_rel=None)@1': (0.6 + 0.3) / 4,
    'nERR-IA(gain="graded")@1': 0.6 * 1 / 7 + 0.3 * 1 / 3,
    "NRBP-IA": 0.75 * (0.6 * (1 + 1 / 8 / 2) + 0.3 + 0.1 / 4),
    # d2 answers classes 1 and 2 (gain 1), d4 class 3 (gain 3), d1 nothing new; the best list gains 3, 3, 2
    "Q-EC": ((1 + 1) / (1 + 3) + (2 + 4) / (3 + 8)) / 3,
    "Q-EC@2": (1 + 1) / (1 + 3) / 2,
    'Q-EC(denominator="R")@2': (1 + 1) / (1 + 3) / 3,
    "Q-EC(beta=0)": (1 / 1 + 2 / 3) / 3,
    "S-precision": 2 / 3,
    "S-precision@0.5": 1,  # two of three intents: d2 alone
    "WS-precision": (2 + 3) / (3 + 3),
    "WS-precision(a=0)": 2 / 3,
    # d2 belongs to groups 1 and 2 alike, and ends the search with probability 1/4
    "AWRF@1": 1 - (0.5 * log(0.5 / 0.55 * 0.5 / 0.4) + 0.6 * log(0.6 / 0.55) + 0.3 * log(0.3 / 0.4) + 0.1 * log(2)) / 2,
    'GF(similarity="NMD")@1': (1 - (0.1 + 0.1 + 0) / 2) / 4,
    # u belongs to all groups alike, and d4 to the third
    'GF(similarity="NMD")@3': 0.9 / 4 + 3 / 4 * 3 / 4 * (1 - (abs(0.5 / 3 + 1 / 9 - 0.6) + abs(5 / 9 - 0.9)) / 2),
    'GF(similarity="RNOD")@1': (1 - math.sqrt((0.1**2 + 2 / 3 * 0.2**2 + 0.1**2) / 2)) / 4,
    'GFR(similarity="NMD")@1': (1 / 4 + 0.9 / 4) / 2,
    'GFR(similarity="NMD",relevance="iRBU",p=0.5)@1': (1 / 8 + 0.9 / 4) / 2,
}
PLAIN = {
    "ERR-IA@2": 8 / 15,
    "nERR-IA@2": 0.8,
    "alpha-DCG@2": 2 / (3 + 1.5 / log2(3)),
    "alpha-nDCG@2": 2 / (2 + 1 / log2(3)),
    "alpha-nDCG@3": 2.5 / (2 + 1 / log2(3) + 0.5 / 2),
    "P-IA@2": 1 / 3,
    "NRBP": 0.75 / 3 * (2 + 1 / 4 + 1 / 8 / 2),
    "nNRBP": (2 + 1 / 4 + 1 / 16) / (2 + 1 / 2 + 1 / 8 + 1 / 16),
    "AP-IA": (3 / 4 + 1 / 2 + 1 / 3) / 3,
}


@pytest.mark.parametrize("name", WEIGHTED)
def test_with_probabilities_by_hand(name: str) -> None:
    assert value_of(name, LIKELY) == pytest.approx(WEIGHTED[name], rel=1e-14)


@pytest.mark.parametrize("name", PLAIN)
def test_without_probabilities_by_hand(name: str) -> None:
    assert value_of(name) == pytest.approx(PLAIN[name], rel=1e-14)


def test_every_measure_of_diversity_has_an_example() -> None:
    by_hand = {parse_measure(name).name for name in (*WEIGHTED, *PLAIN, *TYPED)}
    needing = {name for name, declared in registry.items() if declared.needs_intents}
    # golden/test_ntcireval_diversity.py holds hundreds of values of each of these
    witnessed = {"D-nERR", "D#-ERR", "D#-RBP", "D#-EBR", "DIN-AP", "DIN-P", "DIN-ERR", "DIN-nERR", "DIN-RBP", "DIN-EBR"}
    witnessed |= {"DIN#-nDCG", "DIN#-Q"}
    assert by_hand | witnessed == needing
    assert by_hand & witnessed == set()


# ---- navigational intents: intent 1 is served by d2 alone

TYPED = {
    "DIN-nDCG": (0.9 + 0.3 / 2) / (1.8 + 0.9 / log2(3) + 0.6 / 2 + 0.3 / log2(5)),
    "DIN-Q": (1.9 / 2.8 + 3.2 / 6.3) / 4,
    "DIN-Success@1": 1,
    "DIN-iRBU(p=0.5)@1": 0.9 / 4 / 2,
    "D#-iRBU(p=0.5)@1": (2 / 3 + 0.9 / 4 / 2) / 2,
    # P-plus of intent 1: blended ratios of d2 (1 + 1)/(1 + 3) and, the best, of d1 (2 + 4)/(4 + 4)
    "P+Q": 0.6 * (2 / 4 + 6 / 8) / 2 + 0.3 * (2 / 3) / 2 + 0.1 * (1 + 3) / (3 + 3),
    "P+Q@2": 0.6 * 2 / 4 + 0.3 * (2 / 3) / 2,
    "P+Q#@2": (2 / 3 + 0.6 * 2 / 4 + 0.3 * (2 / 3) / 2) / 2,
}


@pytest.mark.parametrize("name", TYPED)
def test_with_a_navigational_intent_by_hand(name: str) -> None:
    weights = IntentWeights.from_dict(LIKELY, navigational={"q": ["1"]})
    assert value_of(name, weights) == pytest.approx(TYPED[name], rel=1e-14)


# ---- the ideal list


def test_a_list_that_beats_the_greedy_one_stays_above_one() -> None:
    judged = {"q": {"1": {"a": 1, "b": 1}, "2": {"a": 1, "c": 1}, "3": {"b": 1}, "4": {"c": 1}}}
    # all three are worth two intents; the greedy list begins with c, the largest id, and goes on with b
    run = {"q": {"c": 3.0, "b": 2.0, "a": 1.0}}
    assert value_of("alpha-nDCG", judged=judged, run=run) == 1
    # without a at the end of the ids: d = a is picked first and both others have one new intent only
    judged = {"q": {"1": {"d": 1, "b": 1}, "2": {"d": 1, "c": 1}, "3": {"b": 1}, "4": {"c": 1}}}
    best = value_of("alpha-nDCG@2", judged=judged, run=run)
    assert best == pytest.approx((2 + 2 / log2(3)) / (2 + 1.5 / log2(3)), rel=1e-14)
    assert best > 1
    assert value_of('alpha-nDCG(ideal="exact")@2', judged=judged, run=run) == 1


def test_an_exact_ideal_list_that_is_out_of_reach_is_said() -> None:
    rng = np.random.default_rng(1)
    judged = {"7": {str(i): {f"d{row}": 1.0 for row in rng.choice(200, 60, replace=False)} for i in range(9)}}
    qrels = Qrels.from_dict(judged)
    run = {"7": {f"d{row}": float(-row) for row in range(50)}}
    table = score(run, qrels, ['alpha-nDCG(ideal="exact")', "alpha-nDCG"])
    assert table.values[0].tobytes() == table.values[1].tobytes()
    said = "alpha-nDCG: the best list of topic 7 could not be found, the greedy one stands for it"
    assert said in [remark.text for remark in table.remarks]
    assert score(run, qrels, "alpha-nDCG").remarks == ()


def test_a_greedy_cover_is_said() -> None:
    judged = {"7": {str(i): {f"d{i}": 1.0, "all": 1.0 if i else 0.0} for i in range(14)}}
    judged["8"] = {"1": {"all": 1.0}}
    run = {topic: {"all": 2.0, "d0": 1.0} for topic in ("7", "8")}
    table = score(run, judged, ["S-precision", "I-rec@l_min"])
    assert table.values[0].tolist() == [[1], [1]]
    assert [remark.text for remark in table.remarks if "greedy" in remark.text] == [
        "smallest covers of the intents of topic 7 are greedy: more than 12 intents"
    ]


# ---- P(i|q)


def weights(rel: float = 1, raw: bool = False, **settings: Any) -> list[float]:
    given = settings.pop("weights", None)
    judged = settings.pop("judged", JUDGED)
    intents = Qrels.from_dict(judged).with_intents(given, **settings).intents
    assert intents is not None
    return [round(weight, 12) for weight in intents.probabilities(rel, raw).tolist()]


WITH_EMPTY = {"q": {"10": {"d": 1.0}, "2": {"d": 0.0}, "1": {"d": 2.0}, "0": {"e": 0.0}}}


def test_rules() -> None:
    assert weights() == [round(1 / 3, 12)] * 3
    assert weights(weights="uniform", judged=WITH_EMPTY) == [0.5, 0, 0.5]
    assert weights(weights="uniform", judged=WITH_EMPTY, keep_empty_intents=True) == [round(1 / 3, 12)] * 3
    # 2^(n - j + 1): 4/6 and 2/6 for intents 1 and 10, in the order of their numbers, once 2 is left out
    assert weights(weights="simulated", judged=WITH_EMPTY) == [round(4 / 6, 12), 0, round(2 / 6, 12)]
    assert weights(weights="simulated", judged=WITH_EMPTY, keep_empty_intents=True) == [
        round(8 / 14, 12),
        round(4 / 14, 12),
        round(2 / 14, 12),
    ]
    assert weights(weights="uniform", judged=WITH_EMPTY, rel=2) == [1, 0, 0]


def test_given_probabilities() -> None:
    given = {"q": {"1": 0.2, "2": 0.5, "10": 0.2}}
    assert weights(weights=given, judged=WITH_EMPTY) == [0.5, 0, 0.5]
    assert weights(weights=given, judged=WITH_EMPTY, keep_empty_intents=True) == [
        round(2 / 9, 12),
        round(5 / 9, 12),
        round(2 / 9, 12),
    ]
    assert weights(weights=given, judged=WITH_EMPTY, weight_sum="raw") == [0.2, 0, 0.2]
    # one of probability 0 stays for I-rec
    zero = {"q": {"1": 1.0, "10": 0.0}}
    assert weights(weights=zero, judged=WITH_EMPTY) == [1, 0, 0]
    assert value_of("I-rec", zero, WITH_EMPTY, {"q": {"x": 1.0}}) == 0
    assert value_of("I-rec", zero, {"q": {"1": {"a": 1}, "10": {"b": 1}}}, {"q": {"a": 1.0}}) == 1 / 2
    # a document that is relevant, but to nothing that anybody wants, counts as relevant for D-Q
    assert value_of("D-Q", zero, {"q": {"1": {"a": 1}, "10": {"b": 1}}}, {"q": {"b": 1.0}}) == 1 / 2 / 2
    # without any probability on what is known, nothing is defined
    nothing = {"q": {"1": 0.0, "10": 0.0, "2": 1.0}}
    for name in ("D-nDCG", "D-Q", "nDCG-IA", "P+Q"):
        assert math.isnan(value_of(name, nothing, WITH_EMPTY, {"q": {"d": 1.0}}, undefined="keep")), name


def test_a_category_shares_its_probability() -> None:
    judged = {"q": {"a.1": {"d1": 1}, "a.2": {"d2": 1}, "a.3": {"d2": 0}, "b": {"d3": 1}}}
    assert weights(weights={"q": {"a": 0.8, "b": 0.2}}, judged=judged) == [0.4, 0.4, 0, 0.2]
    run = {"q": {"d1": 1.0}}
    # NRBP of category a: 3/4 / 2 * 1
    assert value_of("NRBP-IA", {"q": {"a": 0.8, "b": 0.2}}, judged, run) == pytest.approx(0.8 * 3 / 8)
    assert value_of("NRBP-IA", None, judged, run) == pytest.approx(0.5 * 3 / 8)
    assert value_of("NRBP", None, judged, run) == pytest.approx(3 / 4 / 3)


@pytest.mark.parametrize(
    ("given", "settings", "message"),
    [
        ({"q": {"1": 1.0}}, {}, "intent '2' of topic 'q' has relevant documents but no probability"),
        ({"q": {}}, {}, "holds no intents"),
        (
            {"other": {"1": 1.0}},
            {},
            "intent '1' of topic 'q' has relevant documents but no probability (2 more like it)",
        ),
        ({"q": {"1": -0.1}}, {}, "topic 'q': the probability -0.1 of intent '1' is negative"),
        ({"q": {"1": math.nan}}, {}, "the probability nan is not a finite number"),
        ({"q": {"1": "x"}}, {}, "the probability 'x' is not a finite number"),
        (
            {"q": {"1": 0.5, "2": 0.2, "3": 0.2}},
            {"weight_sum": "raise"},
            "the probabilities of topic 'q' add up to 0.9, not to 1",
        ),
    ],
)
def test_probabilities_that_are_refused(given: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=r"intent|probabilit") as refused:
        value_of("D-nDCG", given, **settings)
    assert message in str(refused.value)


def test_a_sum_that_misses_one_by_a_rounding_is_no_error() -> None:
    assert value_of("D-nDCG", {"q": {"1": 0.3333, "2": 0.3333, "3": 0.3333}}, weight_sum="raise") > 0
    with pytest.raises(InputError, match=r"add up to 0\.99, not to 1"):
        value_of("D-nDCG", {"q": {"1": 0.33, "2": 0.33, "3": 0.33}}, weight_sum="raise")


def test_what_a_careful_reader_should_know_is_said() -> None:
    given = {"q": {"1": 0.5, "2": 0.2, "3": 0.2}, "unknown": {"1": 1.0}}
    qrels = Qrels.from_dict(JUDGED)
    table = score(RUN, qrels, "D-nDCG", intent_weights=given)
    assert [str(remark) for remark in table.remarks] == [
        "intent weights: topic unknown not judged: ignored",
        "intent weights: probabilities of topic q do not add up to 1 and are divided by their sum",
    ]
    raw = score(RUN, qrels, "D-nDCG", intent_weights=given, weight_sum="raw").remarks
    assert "probabilities of topic q do not add up to 1 and are taken as they are" in [remark.text for remark in raw]
    (unused,) = score(RUN, qrels, "P@3", intent_weights=given).remarks
    assert unused.text == "no requested measure uses intents, so their weights change nothing"


# ---- judgments without intents


def test_judgments_without_intents_are_refused() -> None:
    plain = {"q": {"d1": 1}}
    with pytest.raises(InputError, match=r"^qrels: D#-nDCG@10 needs intents, but field 2 .* is the same placeholder"):
        score(RUN, plain, ["P@3", "D#-nDCG@10"])
    with pytest.raises(InputError, match=r"^qrels: P\(i\|q\) needs intents"):
        score(RUN, plain, "P@3", intent_weights=LIKELY)
    with pytest.raises(InputError, match=r"^alpha-nDCG needs intents"):
        values(parse_measure("alpha-nDCG"), cranfield.evaluation.make_rankings(RUN, plain))


def test_a_single_intent_is_enough() -> None:
    assert value_of("D-nDCG", None, {"q": {"1": {"d1": 1}}}) == pytest.approx(1 / log2(5))
    assert value_of("D-nDCG", None, {"q": {"0": {"d1": 1}, "1": {"d2": 0}}}) == pytest.approx(1 / log2(5))


def test_gamma_of_every_topic() -> None:
    judged = JUDGED | {"r": {"1": {"d": 1}}}
    run = RUN | {"r": {"d": 1.0}}
    table = score(run, judged, 'D#-nDCG(gamma={"q":1,"r":0})@1')
    assert table.values[0, :, 0].tolist() == [2 / 3, 1]
    with pytest.raises(cranfield.errors.MeasureError, match=r"^D#-nDCG: gamma has no number for topic 'r'"):
        score(run, judged, 'D#-nDCG(gamma={"q":1})@1')
    with pytest.raises(
        cranfield.errors.MeasureError, match=r"should be a number between 0 and 1, both included, or a map"
    ):
        parse_measure('D#-nDCG(gamma={"q":2})@1')


def test_names_of_the_literature_parse() -> None:
    same = {
        "I-rec@10": ["I-recall@10", "StRecall@10", "S-recall@10", "strec@10", "I_rec@10"],
        "D-nDCG@10": ["div-nDCG@10", "D_nDCG@10"],
        "D-Q@10": ["div-Q@10"],
        "D#-nDCG(gamma=0.2)@10": ["Idiv-nDCG(gamma=.2)@10", "Dsharp_nDCG(gamma=0.2)@10"],
        "D#-Q@10": ["Idiv-Q@10"],
        "alpha-nDCG@20": ["alpha_nDCG@20", "α-nDCG@20", "alpha_nDCG(alpha=0.5)@20"],
        "AP-IA": ["MAP-IA", "AP_IA"],
        "P-IA@5": ["P_IA@5"],
        "ERR-IA@20": ["ERR_IA@20"],
        "nERR-IA": ["nERR_IA"],
        "P+Q#@10": ["PplusQ#@10"],
        "I-rec@l_min": ["S-recall@l_min"],
    }
    for name, others in same.items():
        assert {str(parse_measure(other)) for other in others} == {name}
    with pytest.raises(cranfield.errors.MeasureError, match="@m is not a number"):
        parse_measure("I-rec@m")
    with pytest.raises(cranfield.errors.MeasureError, match="one of n, l_min, or a whole number of at least 1"):
        parse_measure("I-rec@0")


# ---- conventions of peers


def test_ndeval_does_not_divide_at_rank_one() -> None:
    judged, run = {"q": {"1": {"a": 1}, "2": {"a": 1}}}, {"q": {"a": 1.0}}
    for name in ("ERR-IA@1", "alpha-DCG@1"):
        assert value_of(name, None, judged, run) == 1
        assert value_of(name, None, judged, run, compat="ndeval") == 2


def test_ndeval_has_no_nnrbp_without_relevant_documents() -> None:
    judged = JUDGED | {"r": {"1": {"d": 0}}}
    table = score(RUN, judged, ["nNRBP", "NRBP"], compat="ndeval")
    assert math.isnan(table.values[0, 1, 0])
    assert math.isnan(table.summaries[0, 0])
    assert table.values[1, 1, 0] == 0
    ours = score(RUN, judged, "nNRBP")
    assert ours.values[0, 1, 0] == 0
    assert ours.summaries[0, 0] == ours.values[0, 0, 0] / 2


def test_ntcireval_neither_adds_up_to_one_nor_forgets_its_roundings() -> None:
    given = {"q": {"1": 0.2, "2": 0.5, "10": 0.2}}
    run = {"q": {"d": 1.0}}
    assert value_of("nDCG-IA", given, WITH_EMPTY, run) == 1
    assert value_of("nDCG-IA", given, WITH_EMPTY, run, compat="ntcireval") == pytest.approx(0.4)
    rounded = value_of("D#-nDCG@3", LIKELY, compat="ntcireval")
    assert rounded == 0.5 * 1 + 0.5 * 0.3936
    assert value_of("D#-nDCG@3", LIKELY) != rounded


@pytest.mark.slow
@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("measure", ["nNRBP(alpha=0.9)", "alpha-nDCG(alpha=0.9)@20", "nERR-IA(alpha=0.7)@20"])
def test_the_greedy_ideal_does_not_depend_on_the_names_of_intents(measure: str) -> None:
    """Gains such as .1 + .01 + 1 are equal in any order of adding, so that names decide nothing."""
    for seed in range(60):
        chance = random.Random(seed)
        documents = [f"d{number}" for number in range(12)]
        labels = {str(intent): dict.fromkeys(chance.sample(documents, 7), 1) for intent in range(9)}
        names = list(labels)
        chance.shuffle(names)
        renamed = dict(zip(names, labels.values(), strict=True))
        run = {"q": {document: chance.random() for document in documents}}
        values = [
            score(run, {"q": {name: one[name] for name in sorted(one)}}, measure).values[0, 0, 0]
            for one in (labels, renamed)
        ]
        assert values[0] == pytest.approx(values[1], rel=1e-12), seed
