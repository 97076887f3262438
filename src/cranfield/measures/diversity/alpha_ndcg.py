"""Measures of novelty: alpha-nDCG, intent-aware expected reciprocal rank, novelty- and rank-biased precision.

Intent-aware measures: a measure for each intent as if it were the only one, and their mean by P(i|q).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures import err
from cranfield.measures._cwl import check_depth
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning
from cranfield.measures.diversity._components import PARTS, MeasureComponent
from cranfield.measures.diversity._declaration import (
    BY_INTENT,
    COVER,
    COVERAGE,
    DIVISOR,
    NO_INTENT,
    ORDER,
    Alpha,
    Ideal,
    IntentRel,
    composed,
    intent_measure,
)
from cranfield.measures.diversity._gains import GainRule, get_weights, intent_gains, over_intents, without_roundings
from cranfield.measures.diversity._ideal import Novelty, by_log, by_rank
from cranfield.measures.err import Stop
from cranfield.measures.gain import Gains, MaxRel
from cranfield.measures.laws import because
from cranfield.statistics.numeric import ratio

CLARKE = "Clarke et al. 2008, doi:10.1145/1390334.1390446"
PRECISION = "Clarke et al. 2009, doi:10.1007/978-3-642-04417-5_17"
CHAPELLE = "Chapelle et al. 2009, doi:10.1145/1645953.1646033"

GREEDY = math.e / (math.e - 1)
"""The factor by which a list can pass the greedy one: gains of novelty shrink with what a list has above them, so
that every beginning of the greedy list has at least 1 - 1/e of the best gain of that length, and so has its discounted
sum (Nemhauser, Wolsey & Fisher 1978, doi:10.1007/BF01588971)."""

BEATEN = because("lists better than the greedy one are rare", "realizability")

Graded = Annotated[
    Literal["binary", "graded"],
    Meaning("whether a relevant document ends the search with probability alpha, as in ndeval, or by its label"),
]
Beta = Annotated[float, Meaning("probability that the user goes on to the next rank", low=0, high=1)]


def _nothing_relevant(pool: Pool, policy: Policy) -> float | None:
    """ndeval's mean of nNRBP is not a number as soon as a topic's is not."""
    if policy.compat != "ndeval" or pool.intents is None:
        return None
    return math.nan if (pool.count(low=1) == 0).any() else None


def _per_intent(rankings: Rankings, rule: GainRule) -> PerRanking:
    """Intents that count, for each list, float64 [segments]; 0 where none has a relevant document."""
    intents = rule.intents(rankings)
    answered = intents.per_topic(intents.relevant(rule.rel)) > 0
    return rankings.per_topic(np.where(answered, intents.number(rule.rel), 0.0))


def _graded(
    rankings: Rankings,
    name: Literal["ERR", "nERR"],
    stop: str,
    max_rel: float | None,
    rule: GainRule,
    cutoff: int | None,
) -> PerRanking:
    """Sum of P(i|q) times each intent's ERR or nERR, float64 [segments]."""
    rule.scale(rankings, max_rel)  # refuses what lies beyond, by the right name
    if stop == "linear":
        parameters = {"gains": rule.gains, "max_rel": max_rel, "judged_only": rule.judged_only, "cutoff": cutoff}
        values = PARTS[name].value(rankings, rule.measure, intent_gains, parameters)
    else:
        lists, _ = by_intent(rule.view(rankings), rule.measure)
        measure = err.ERR if name == "ERR" else err.nERR
        settings = {"stop": stop, "gains": rule.gains, "max_rel": max_rel, "cutoff": cutoff}
        values = measure.declaration.function(lists, **settings)
    return expected(rankings, values, rule)


@intent_measure(
    "alpha-DCG",
    attribute="alpha_DCG",
    aliases=["α-DCG", "α_DCG"],
    required=["cutoff"],
    declines=ORDER | COVERAGE | DIVISOR,
    reference=CLARKE,
)
def alpha_DCG(
    rankings: Rankings,
    *,
    alpha: Alpha = 0.5,
    rel: IntentRel = 1,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Discounted novelty gain, relative to a list whose every document is relevant to all intents.

    alpha-DCG@k = sum over ranks r <= k of NG(r) / log2(r + 1), divided by sum over r <= k of n (1 - alpha)^(r-1) /
    log2(r + 1), with NG(r) = sum over intents of J_i(r) (1 - alpha)^(C_i(r-1)), J_i(r) whether the document is relevant
    to intent i, C_i(r-1) how many above it are, and n the intents. This is the normalisation of TREC's ndeval; Clarke
    et al. 2008 call the sum itself, undivided, alpha-DCG.
    """
    assert cutoff is not None
    check_depth(cutoff, rankings)
    rule = GainRule("alpha-DCG", rel, judged_only=judged_only)
    total = Novelty(rule, alpha, ("log", by_log), cutoff=cutoff).total(rankings)
    number = _per_intent(rankings, rule)
    rank = np.arange(1.0, cutoff + 1)
    novelty = number * float(np.sum(np.power(1 - alpha, rank - 1) * by_log(rank)))
    if rankings.policy.compat == "ndeval" and cutoff == 1:
        return np.where(number > 0, total, np.nan)
    return ratio(total, novelty)


@intent_measure(
    "alpha-nDCG",
    attribute="alpha_nDCG",
    aliases=["α-nDCG", "α_nDCG"],
    range=(0.0, GREEDY),
    declines=ORDER | COVERAGE | BEATEN | DIVISOR,
    reference=CLARKE,
)
def alpha_nDCG(
    rankings: Rankings,
    *,
    alpha: Alpha = 0.5,
    rel: IntentRel = 1,
    ideal: Ideal = "greedy",
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Discounted novelty gain, normalised by that of the ideal list.

    alpha-nDCG@k = sum over ranks r <= k of NG(r) / log2(r + 1), divided by the same sum over the ideal list, with NG as
    in alpha-DCG. The greedy ideal list takes the largest NG at every rank, ties by id descending. It can be beaten, and
    values above 1 stay as they are; ideal="exact" divides by the best list there is.
    """
    rule = GainRule("alpha-nDCG", rel, judged_only=judged_only)
    novelty = Novelty(rule, alpha, ("log", by_log), cutoff=cutoff)
    return ratio(novelty.total(rankings), novelty.best(rankings, ideal))


@intent_measure(
    "ERR-IA",
    attribute="ERR_IA",
    required=["cutoff"],
    declines=BY_INTENT | COVERAGE | DIVISOR,
    reference=CHAPELLE,
)
def ERR_IA(
    rankings: Rankings,
    *,
    alpha: Alpha = 0.5,
    rel: IntentRel = 1,
    gain: Graded = "binary",
    stop: Stop = "exp",
    gains: Gains = None,
    max_rel: MaxRel = 4,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Intent-aware expected reciprocal rank: the mean over the topic's intents, weighted by their probabilities.

    Binary: ERR-IA@k = sum over intents of P(i|q) sum over r <= k of J_i(r) (1 - alpha)^(C_i(r-1)) / r, divided by sum
    over r <= k of (1 - alpha)^(r-1) / r, with J and C as in alpha-DCG. Graded: the sum of P(i|q) ERR_i@k, where labels
    end the search as in ERR; then alpha has no meaning.
    """
    assert cutoff is not None
    rule = GainRule("ERR-IA", rel, gains, judged_only=judged_only)
    if gain == "graded":
        return _graded(rankings, "ERR", stop, max_rel, GainRule("ERR-IA", gains=gains, judged_only=judged_only), cutoff)
    novelty = Novelty(rule, alpha, ("rank", by_rank), weighted=True, cutoff=cutoff)
    total = novelty.total(rankings) * rankings.per_topic(novelty.largest(rankings))
    check_depth(cutoff, rankings)
    number = _per_intent(rankings, rule)
    if rankings.policy.compat == "ndeval" and cutoff == 1:
        return np.where(number > 0, total * number, np.nan)
    rank = np.arange(1.0, cutoff + 1)
    value = total / float(np.sum(np.power(1 - alpha, rank - 1) / rank))
    return np.where(number > 0, without_roundings(value), np.nan)


@intent_measure(
    "nERR-IA",
    attribute="nERR_IA",
    range=(0.0, GREEDY),
    declines=BY_INTENT | COVERAGE | BEATEN | DIVISOR,
    reference=CHAPELLE,
)
def nERR_IA(
    rankings: Rankings,
    *,
    alpha: Alpha = 0.5,
    rel: IntentRel = 1,
    gain: Graded = "binary",
    stop: Stop = "exp",
    gains: Gains = None,
    max_rel: MaxRel = 4,
    ideal: Ideal = "greedy",
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Intent-aware expected reciprocal rank, normalised by that of the ideal list.

    Binary: nERR-IA@k = ERR-IA@k / ERR-IA@k of the ideal list, greedy as in alpha-nDCG, so that values above 1 can
    occur. Graded: sum over intents of P(i|q) nERR_i@k, each divided by the best list of its intent.
    """
    rule = GainRule("nERR-IA", rel, gains, judged_only=judged_only)
    if gain == "graded":
        own = GainRule("nERR-IA", gains=gains, judged_only=judged_only)
        return _graded(rankings, "nERR", stop, max_rel, own, cutoff)
    novelty = Novelty(rule, alpha, ("rank", by_rank), weighted=True, cutoff=cutoff)
    return ratio(novelty.total(rankings), novelty.best(rankings, ideal))


def _rank_biased(alpha: float, beta: float, rel: float, measure: str) -> Novelty:
    return Novelty(GainRule(measure, rel), alpha, (("beta", beta), lambda rank: np.power(beta, rank - 1.0)))


@intent_measure("NRBP", declines=ORDER | COVERAGE, reference=PRECISION)
def NRBP(rankings: Rankings, *, alpha: Alpha = 0.5, beta: Beta = 0.5, rel: IntentRel = 1) -> PerRanking:
    """Novelty gain of the documents seen by a user who continues to the next rank with probability beta.

    NRBP = (1 - (1 - alpha) beta) / n * sum over ranks r of beta^(r-1) NG(r), with n the intents and NG as in alpha-DCG.
    Sakai et al. 2010 print it with C_i(r) in place of C_i(r-1), which is exactly 1 - alpha times this.
    """
    novelty = _rank_biased(alpha, beta, rel, "NRBP")
    value = ratio((1 - (1 - alpha) * beta) * novelty.total(rankings), _per_intent(rankings, novelty.rule))
    return without_roundings(value)


@intent_measure(
    "nNRBP",
    range=(0.0, GREEDY),
    declines=ORDER | COVERAGE | BEATEN,
    peer_undefined={"ndeval": math.nan},
    peer_summary=_nothing_relevant,
    reference=PRECISION,
)
def nNRBP(
    rankings: Rankings, *, alpha: Alpha = 0.5, beta: Beta = 0.5, rel: IntentRel = 1, ideal: Ideal = "greedy"
) -> PerRanking:
    """Novelty- and rank-biased precision, normalised by that of the ideal list.

    nNRBP = NRBP / NRBP of the ideal list, greedy as in alpha-nDCG, so that values above 1 can occur.
    """
    novelty = _rank_biased(alpha, beta, rel, "nNRBP")
    return ratio(novelty.total(rankings), novelty.best(rankings, ideal))


@intent_measure(
    "NRBP-IA",
    attribute="NRBP_IA",
    declines=ORDER | COVERAGE,
    reference=PRECISION,
)
def NRBP_IA(rankings: Rankings, *, alpha: Alpha = 0.5, beta: Beta = 0.5, rel: IntentRel = 1) -> PerRanking:
    """Expected NRBP over categories of intents: NRBP within each category, weighted by its probability.

    NRBP-IA = sum over categories of P(c|q) NRBP_c, with P(c|q) the sum of P(i|q) over its intents, and NRBP_c that of
    its intents alone. Intent ``a.1`` belongs to category ``a``; one without a point is a category of its own. Where no
    probabilities are given, all categories of a topic are alike.
    """
    novelty = _rank_biased(alpha, beta, rel, "NRBP-IA")
    intents = novelty.rule.intents(rankings)
    category, topic = intents.categories
    counts = intents.counted(rel).astype(np.float64)
    inside = np.bincount(category, counts, minlength=len(topic))
    share = np.bincount(category, get_weights(rankings, intents, rel), minlength=len(topic))
    if intents.weights.rule == "uniform":
        number = np.bincount(topic, inside > 0, minlength=len(intents.topics))
        share = np.where(inside > 0, 1.0 / np.maximum(number[topic], 1.0), 0.0)
    weight = np.divide(share, inside, out=np.zeros(len(topic)), where=inside > 0)[category]
    value = (1 - (1 - alpha) * beta) * replace(novelty, fixed_weights=weight).total(rankings)
    return np.where(_per_intent(rankings, novelty.rule) > 0, without_roundings(value), np.nan)


REFERENCE = "Agrawal et al. 2009, doi:10.1145/1498759.1498766"
FAMILY = ("nDCG", "Q", "AP", "P", "RBP", "EBR", "iRBU", "Success")
ALIASES = {"AP": ["MAP-IA", "MAP_IA"], "Success": ["Hit-IA"]}


def expected(rankings: Rankings, values: Floats, rule: GainRule) -> PerRanking:
    """Sum over intents of P(i|q) times the value of each, [systems * intents] -> [segments].

    An intent without relevant documents has no value and adds nothing; NaN where no intent has any.
    """
    intents = rule.intents(rankings)
    weights = get_weights(rankings, intents, rule.rel)
    total = over_intents(rankings, intents, np.nan_to_num(values), weights)
    total = without_roundings(total)
    answered = intents.per_topic(weights * (intents.relevant(rule.rel) > 0)) > 0
    return np.where(rankings.per_topic(answered), total, np.nan)


def _declare(part: MeasureComponent) -> Measure:
    name = f"{part.name}-IA"

    def value(rankings: Rankings, parameters: Mapping[str, Any]) -> PerRanking:
        return expected(rankings, part.value(rankings, name, intent_gains, parameters), part.rule(name, parameters))

    return composed(
        name,
        value,
        part.parameters(),
        module=__name__,
        doc=(
            f"Intent-aware {part.name}: the mean over the topic's intents, weighted by their probabilities.",
            f"{name} = sum over intents of P(i|q) {part.name}_i, each with the labels and the best list of its intent. "
            f"{part.formula}.",
        ),
        reference=REFERENCE,
        aliases=ALIASES.get(part.name, []),
        required=part.required,
        additive=part.additive,
        declines={**part.declines, **BY_INTENT, **NO_INTENT, **COVER},
    )


for _name in FAMILY:
    _declare(PARTS[_name])
