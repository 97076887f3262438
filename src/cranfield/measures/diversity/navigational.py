"""Measures that know which intents are navigational: their users want one document and no more."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._measure import Measure
from cranfield.measures.diversity._components import PARTS, MeasureComponent
from cranfield.measures.diversity._declaration import (
    BY_INTENT,
    COVER,
    NO_INTENT,
    SHARED,
    TWICE,
    composed,
)
from cranfield.measures.diversity._gains import get_weights, intent_gains, over_intents, typed_gains
from cranfield.measures.diversity.intent_recall import declare_with_intent_recall

REFERENCE = "Sakai 2012, Evaluation with informational and navigational intents, WWW"
WITH_RECALL = ("nDCG", "Q")
PLAIN = (*WITH_RECALL, "AP", "P", "Success", "ERR", "nERR", "RBP", "EBR", "iRBU")
RANKED = BY_INTENT | SHARED | TWICE
DECLINES = {"P": BY_INTENT, "Success": {}}
"""These count documents whatever their weight."""


def _declare_plain(part: MeasureComponent) -> Measure:
    name = f"DIN-{part.name}"
    return composed(
        name,
        lambda rankings, kwargs: part.value(rankings, name, typed_gains, kwargs),
        part.parameters(),
        module=__name__,
        doc=(
            f"D-{part.name} in which a navigational intent rewards only the first document relevant to it.",
            f"{part.formula}, where g = GG of D-{part.name} without what navigational intents would add again. The "
            f"best list is that of D-{part.name}. Where no intent is navigational it is D-{part.name}.",
        ),
        reference=REFERENCE,
        required=part.required,
        declines={**part.declines, **DECLINES.get(part.name, RANKED)},
    )


def _declare_sharp(part: MeasureComponent) -> Measure:
    name = f"DIN#-{part.name}"
    return declare_with_intent_recall(
        name,
        f"DIN-{part.name}",
        part,
        lambda rankings, kwargs: part.value(rankings, name, typed_gains, kwargs),
        module=__name__,
        reference=REFERENCE,
        declines=RANKED,
        attribute=f"DINsharp_{part.name}",
    )


def p_plus_q(rankings: Rankings, parameters: Mapping[str, Any], name: str) -> PerRanking:
    """P-plus of each navigational and Q of each informational intent, weighted by P(i|q), float64 [segments]."""
    part = PARTS["Q"]
    rule = part.rule(name, parameters)
    intents = rule.intents(rankings)
    lists = intent_gains(rankings, rule)
    cut, beta, cutoff = lists.top(parameters["cutoff"]), parameters["beta"], parameters["cutoff"]
    navigational = PARTS["P-plus"].function((cut, np.zeros(0)), beta=beta)
    informational = part.function((lists, np.zeros(0)), beta=beta, cutoff=cutoff, denominator=parameters["denominator"])
    values = np.where(np.tile(intents.navigational, len(rankings.systems)), navigational, informational)
    weights = get_weights(rankings, intents, rule.rel)
    total = over_intents(rankings, intents, np.nan_to_num(values), weights)
    return np.where(rankings.per_topic(intents.per_topic(weights)) > 0, total, np.nan)


for _name in PLAIN:
    _declare_plain(PARTS[_name])
for _name in WITH_RECALL:
    _declare_sharp(PARTS[_name])

composed(
    "P+Q",
    lambda rankings, kwargs: p_plus_q(rankings, kwargs, "P+Q"),
    PARTS["Q"].parameters(),
    module=__name__,
    doc=(
        "P-plus for navigational intents, whose users stop at the first best document, and Q for informational ones.",
        "P+Q = sum over intents of P(i|q) M_i, with M_i = P-plus of the intent's list down to rank k if it is "
        "navigational, else its Q@k.",
    ),
    reference=REFERENCE,
    aliases=["PplusQ"],
    attribute="P_plus_Q",
    declines={**PARTS["Q"].declines, **BY_INTENT, **NO_INTENT, **COVER},
)
declare_with_intent_recall(
    "P+Q#",
    "P+Q",
    PARTS["Q"],
    lambda rankings, kwargs: p_plus_q(rankings, kwargs, "P+Q#"),
    module=__name__,
    reference=REFERENCE,
    declines=BY_INTENT,
    aliases=["PplusQ#"],
    attribute="P_plus_Qsharp",
)
