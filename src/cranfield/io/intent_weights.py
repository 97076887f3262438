"""What a user may give as P(i|q): a path, a rule, weights, a dict or a frame; and judgments that have it."""

from __future__ import annotations

from cranfield.collection.intent_weights import RULES, IntentWeights, IntentWeightsLike, load_weights
from cranfield.collection.policy import WeightSum, check_weight_sum
from cranfield.collection.qrels import Qrels


def intent_weights_of(weights: IntentWeightsLike) -> IntentWeights | None:
    """P(i|q) from whatever it was given as.

    Raises:
        InputError: they cannot be read.
        UsageError: something that is no weights.
    """
    given = load_weights(weights)
    if not isinstance(given, str):
        return given
    if given in RULES:
        return IntentWeights.by_rule(given)
    from cranfield.io.ntcir import read_intent_weights

    return read_intent_weights(given)


def with_intents(
    qrels: Qrels, weights: IntentWeightsLike, weight_sum: WeightSum = "renormalise", keep_empty: bool = False
) -> Qrels:
    """The judgments with P(i|q); themselves where nothing else is asked for.

    Raises:
        InputError: the weights cannot be read or do not fit, or the judgments name no intents.
        UsageError: an unknown word.
    """
    check_weight_sum(weight_sum)
    if weights is None and weight_sum == "renormalise" and not keep_empty:
        return qrels
    given = intent_weights_of(weights) or qrels.weights
    return qrels.with_intents(given, weight_sum=weight_sum, keep_empty_intents=keep_empty)
