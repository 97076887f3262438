"""Reference measures over intents, each as its definition reads, with the mistakes that are made in it."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

from cranfield.conformance import _measure_reference as flat
from cranfield.conformance._reference_topic import MOST_ORDERS, NotApplicableError, ReferenceMeasure, Topic
from cranfield.conformance.exact_numbers import ZERO, Exact, exact


def _counted_intents(topic: Topic) -> dict[str, Fraction]:
    """The intents that count, with what each weighs: those with a relevant document, weights summing to 1."""
    filled = [name for name, labels in topic.intents.items() if any(topic.is_relevant(v) for v in labels.values())]
    if not filled:
        return {}
    names = list(topic.intents) if topic.mistake == "empty-intents-counted" else filled
    if not topic.weights or topic.mistake == "weights-ignored":
        return {name: Fraction(1, len(names)) for name in names}
    total = sum(topic.weights[name] for name in names)
    return {name: topic.weights[name] / total for name in names}


def _is_relevant_to(topic: Topic, intent: str, document: str) -> bool:
    labels = topic.intents[intent]
    return document in labels and topic.is_relevant(labels[document])


def _average_over_intents(topic: Topic, measure: ReferenceMeasure) -> Exact | None:
    """The mean of a measure over intents, by their weights; an intent without a relevant document has 0."""
    weights = _counted_intents(topic)
    if not weights:
        return None
    parameters = {**topic.parameters, "denominator": "R"}
    total = ZERO
    for name, weight in weights.items():
        value = measure(replace(topic, labels=topic.intents[name], intents={}, parameters=parameters))
        total = total + (value or ZERO).scale(weight)
    return total


def _p_ia(topic: Topic) -> Exact | None:
    return _average_over_intents(topic, flat.MEASURES["precision"])


def _ap_ia(topic: Topic) -> Exact | None:
    return _average_over_intents(topic, flat.MEASURES["ap"])


def _ndcg_ia(topic: Topic) -> Exact | None:
    return _average_over_intents(topic, flat.MEASURES["ndcg"])


def _i_rec(topic: Topic) -> Exact | None:
    weights = _counted_intents(topic)
    if not weights:
        return None
    covered = sum(any(_is_relevant_to(topic, name, document) for document in topic.top) for name in weights)
    return exact(Fraction(covered, len(weights)))


def _global_gains(topic: Topic) -> dict[str, Fraction]:
    """The gain of each document over all intents, by their weights."""
    gains: dict[str, Fraction] = {}
    for name, weight in _counted_intents(topic).items():
        for document, label in topic.intents[name].items():
            gain = max(flat.compute_gain(topic, label), Fraction(0))
            gains[document] = gains.get(document, Fraction(0)) + weight * gain
    return gains


def _d_ndcg(topic: Topic) -> Exact | None:
    gains = _global_gains(topic)
    ideal = flat.discounted_sum(topic, sorted(gains.values(), reverse=True)[: topic.cutoff])
    if not ideal.terms:
        return None
    return flat.discounted_sum(topic, [gains.get(document, Fraction(0)) for document in topic.top]) / ideal


def _d_q(topic: Topic) -> Exact | None:
    gains = _global_gains(topic)
    relevant = {
        document
        for name in _counted_intents(topic)
        for document, label in topic.intents[name].items()
        if topic.is_relevant(label)
    }
    if not relevant:
        return None
    beta = Fraction(topic.parameters["beta"])
    ideal = list(itertools.accumulate(sorted(gains.values(), reverse=True)))
    count, gain, total = 0, Fraction(0), Fraction(0)
    for rank, document in enumerate(topic.top, 1):
        gain += gains.get(document, Fraction(0))
        if document in relevant:
            count += 1
            total += (count + beta * gain) / (rank + beta * ideal[min(rank, len(ideal)) - 1])
    return exact(total / (len(relevant) if topic.cutoff is None else min(topic.cutoff, len(relevant))))


def _d_sharp_ndcg(topic: Topic) -> Exact | None:
    recall, ndcg = _i_rec(topic), _d_ndcg(topic)
    if recall is None or ndcg is None:
        return None
    share = Fraction(topic.parameters["gamma"])
    return recall.scale(share) + ndcg.scale(1 - share)


def _novelty_gains(topic: Topic, order: tuple[str, ...]) -> list[Fraction]:
    """Return what each document of a list adds, given those above it."""
    kept = 1 - _alpha(topic)
    seen = dict.fromkeys(_counted_intents(topic), 0)
    gains = []
    for document in order:
        covered = [name for name in seen if _is_relevant_to(topic, name, document)]
        gains.append(sum((kept ** seen[name] for name in covered), Fraction(0)))
        for name in covered:
            seen[name] += 1
    return gains


def _alpha(topic: Topic) -> Fraction:
    return Fraction(0) if topic.mistake == "novelty-ignored" else Fraction(topic.parameters["alpha"])


def _weigh_novelty(topic: Topic, gains: list[Fraction]) -> Exact:
    """A sum of gains by the weights of their ranks, as the measure has them."""
    match topic.parameters["name"]:
        case "alpha_dcg" | "alpha_ndcg":
            return flat.discounted_sum(topic, gains)
        case "err_ia" | "nerr_ia":
            return exact(sum((gain / rank for rank, gain in enumerate(gains, 1)), Fraction(0)))
    beta = Fraction(topic.parameters["beta"])
    return exact(sum((gain * beta**rank for rank, gain in enumerate(gains)), Fraction(0)))


def _per_full_novelty(topic: Topic) -> Exact | None:
    """alpha-DCG and ERR-IA: by what a document of every intent would add at each rank down to the cutoff."""
    intents = len(_counted_intents(topic))
    if not intents:
        return None
    full = [intents * (1 - _alpha(topic)) ** rank for rank in range(topic.depth)]
    divisor = _weigh_novelty(topic, full)
    return _weigh_novelty(topic, _novelty_gains(topic, topic.top)) / divisor if divisor.terms else None


def _nrbp(topic: Topic) -> Exact | None:
    intents = len(_counted_intents(topic))
    if not intents:
        return None
    scale = (1 - (1 - _alpha(topic)) * Fraction(topic.parameters["beta"])) / intents
    return _weigh_novelty(topic, _novelty_gains(topic, topic.order)).scale(scale)


def _per_ideal(topic: Topic) -> Exact | None:
    """alpha-nDCG, nERR-IA and nNRBP: by the same sum over the ideal list."""
    ideal = _ideal_order(topic)
    divisor = _weigh_novelty(topic, _novelty_gains(topic, ideal[: topic.cutoff]))
    return _weigh_novelty(topic, _novelty_gains(topic, topic.top)) / divisor if divisor.terms else None


def _ideal_order(topic: Topic) -> tuple[str, ...]:
    """The relevant documents, each the one that adds most, of equal ones the larger identifier; or the best order."""
    names = _counted_intents(topic)
    remaining = {d for n in names for d, label in topic.intents[n].items() if topic.is_relevant(label)}
    if topic.mistake == "ideal-exact":
        length = min(len(remaining), topic.cutoff or len(remaining))
        if math.perm(len(remaining), length) > MOST_ORDERS:
            raise NotApplicableError(f"more than {MOST_ORDERS:,} orders of the relevant documents")
        orders = itertools.permutations(sorted(remaining), length)
        return max(orders, key=lambda order: _weigh_novelty(topic, _novelty_gains(topic, order)).value)
    order: tuple[str, ...] = ()
    while remaining:
        gains = {document: _novelty_gains(topic, (*order, document))[-1] for document in remaining}
        best = max(remaining, key=lambda document: (gains[document], document.encode()))
        order += (best,)
        remaining.remove(best)
    return order


MEASURES: dict[str, ReferenceMeasure] = {
    "alpha_dcg": _per_full_novelty,
    "alpha_ndcg": _per_ideal,
    "ap_ia": _ap_ia,
    "d_ndcg": _d_ndcg,
    "d_q": _d_q,
    "d_sharp_ndcg": _d_sharp_ndcg,
    "err_ia": _per_full_novelty,
    "i_rec": _i_rec,
    "ndcg_ia": _ndcg_ia,
    "nerr_ia": _per_ideal,
    "nnrbp": _per_ideal,
    "nrbp": _nrbp,
    "p_ia": _p_ia,
}
"""Each measure over intents by its name in the suite."""
