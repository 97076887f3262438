"""Intent-aware measures: a measure for each intent as if it were the only one, and their mean by P(i|q)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._measure import Measure
from cranfield.measures.diversity._composed import composed
from cranfield.measures.diversity._gains import GainRule, intent_gains, over_intents, weights_of, without_roundings
from cranfield.measures.diversity._parts import PARTS, Part
from cranfield.measures.diversity._reasons import BY_INTENT, COVER, NO_INTENT

REFERENCE = "Agrawal et al. 2009, doi:10.1145/1498759.1498766"
FAMILY = ("nDCG", "Q", "AP", "P", "RBP", "EBR", "iRBU", "Success")
ALIASES = {"AP": ["MAP-IA", "MAP_IA"], "Success": ["Hit-IA"]}


def expected(rankings: Rankings, values: Floats, rule: GainRule) -> PerRanking:
    """Sum over intents of P(i|q) times the value of each, [systems * intents] -> [segments].

    An intent without relevant documents has no value and adds nothing; NaN where no intent has any.
    """
    intents = rule.intents(rankings)
    weights = weights_of(rankings, intents, rule.rel)
    total = over_intents(rankings, intents, np.nan_to_num(values), weights)
    total = without_roundings(total)
    answered = intents.per_topic(weights * (intents.relevant(rule.rel) > 0)) > 0
    return np.where(rankings.per_topic(answered), total, np.nan)


def _declare(part: Part) -> Measure:
    name = f"{part.name}-IA"

    def value(rankings: Rankings, given: Mapping[str, Any]) -> PerRanking:
        return expected(rankings, part.value(rankings, name, intent_gains, given), part.rule(name, given))

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
        attribute=name.replace("-", "_"),
        required=part.required,
        additive=part.additive,
        declines={**part.declines, **BY_INTENT, **NO_INTENT, **COVER},
    )


for _name in FAMILY:
    _declare(PARTS[_name])
