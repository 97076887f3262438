"""P(i|q) of each intent, by a rule or from weights, and weights that do not fit the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.intent_names import category
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.policy import WeightSum
from cranfield.errors import InputError
from cranfield.findings.finding import Finding, finding

ROUNDED = 1e-3
"""How far from 1 the sum of probabilities printed with few digits may be."""

Intent = tuple[str, str]
"""The topic of an intent, and its name."""


def shares(weights: Floats | Mask, total: Floats) -> Floats:
    """The weight of each intent divided by the total of its topic, 0 where that is 0, float64 [I]."""
    share: Floats = np.divide(weights, total, out=np.zeros(len(total)), where=total > 0)
    return share


def simulated(topic: Ints, counts: Mask, number: Floats) -> Floats:
    """2^(n - j + 1) / (2^1 + ... + 2^n) for the j-th of the n intents of a topic that count, float64 [I].

    Args:
        topic: topic of each intent, ascending, int64 [I].
        counts: whether each intent counts, bool [I].
        number: how many intents of its topic do, float64 [I].
    """
    before = np.concatenate([[0.0], np.cumsum(counts.astype(np.float64))])
    position = before[1:] - before[np.searchsorted(topic, topic)]
    weights: Floats = counts * np.exp2(-position) / np.where(number > 0, 1 - np.exp2(-number), 1.0)
    return weights


def given_probabilities(intents: Sequence[Intent], useful: Mask, table: Mapping[str, Mapping[str, float]]) -> Floats:
    """The probability of each intent as given, 0 where none is, float64 [I].

    A row that names a category divides its probability among the category's intents with relevant documents.

    Args:
        intents: topic and name of each, I of them.
        useful: whether each has a relevant document, bool [I].
        table: topic -> intent, or category -> probability.
    """
    sharing = Counter(
        (topic, category(name))
        for (topic, name), has in zip(intents, useful, strict=True)
        if has and name not in table.get(topic, {})
    )
    probabilities = np.zeros(len(intents))
    for number, ((topic, name), has) in enumerate(zip(intents, useful, strict=True)):
        row, whole = table.get(topic, {}), category(name)
        of_category = row.get(whole, 0.0) / sharing.get((topic, whole), 1) if has else 0.0
        probabilities[number] = row.get(name, of_category)
    return probabilities


def refuse_misfit(
    weights: IntentWeights, topics: Sequence[str], relevant: Sequence[Intent], weight_sum: WeightSum
) -> None:
    """Refuse probabilities that do not fit the judgments.

    Args:
        weights: those given.
        topics: of the judgments.
        relevant: the intents that have relevant documents.
        weight_sum: whether a sum other than 1 is refused (``raise``).

    Raises:
        InputError: an intent with relevant documents has no probability, or the probabilities of a topic do not
            add up to 1 although they must.
    """
    lacking = [
        (topic, name) for topic, name in relevant if not weights.table.get(topic, {}).keys() & {name, category(name)}
    ]
    if lacking:
        topic, name = lacking[0]
        more = f" ({len(lacking) - 1:,} more like it)" if len(lacking) > 1 else ""
        text = (
            f"intent {quoted(name)} of topic {quoted(topic)} has relevant documents but no probability{more}; "
            "give every such intent one"
        )
        raise InputError(text, weights.place, code="probability", value=name)
    off = _topics_off_one(weights, topics)
    if off and weight_sum == "raise":
        total = sum(weights.table[off[0]].values())
        text = (
            f"the probabilities of topic {quoted(off[0])} add up to {total:g}, not to 1 (weight_sum=raise; "
            "renormalise would divide by it)"
        )
        raise InputError(text, weights.place, code="probability", value=f"{total:g}")


def remarks_on_misfit(weights: IntentWeights, topics: Sequence[str], weight_sum: WeightSum) -> Iterator[Finding]:
    """Topics with weights but without judgments, and topics whose probabilities do not add up to 1."""
    judged = set(topics)
    unjudged = [topic for topic in weights.table if topic not in judged]
    if unjudged:
        yield finding("extra-weights", weights.place, topics=unjudged)
    if off := _topics_off_one(weights, topics):
        fate = "taken as they are" if weight_sum == "raw" else "divided by their sum"
        yield finding("weight-sums", weights.place, topics=off, fate=fate)


def _topics_off_one(weights: IntentWeights, topics: Sequence[str]) -> list[str]:
    """Topics whose probabilities do not add up to 1."""
    table = weights.table
    return [topic for topic in topics if topic in table and abs(sum(table[topic].values()) - 1) > ROUNDED]
