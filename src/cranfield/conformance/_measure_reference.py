"""Reference measures over one list of labels, each as its definition reads, with the mistakes that are made in it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from cranfield.conformance._reference_topic import NotApplicableError, ReferenceMeasure, Topic
from cranfield.conformance.exact_numbers import ONE, ZERO, Exact, exact, log2, per_ln, per_log2

EPSILON = Fraction(1, 100000)
"""The number that trec_eval adds to the counts of inferred average precision."""


def _precision(topic: Topic) -> Exact | None:
    retrieved = len(topic.top)
    over_retrieved = topic.parameters["denominator"] == "retrieved" or topic.mistake == "precision-over-retrieved"
    return _divide(topic.count_relevant(topic.cutoff), retrieved if over_retrieved else topic.depth)


def _divide(count: int | Fraction, total: int | Fraction) -> Exact:
    """A ratio that is 0 where nothing is there."""
    return exact(Fraction(count, total)) if total else ZERO


def _recall(topic: Topic) -> Exact | None:
    relevant = len(topic.relevant)
    if not relevant:
        return None
    return exact(Fraction(1)).scale(_recall_ratio(topic, topic.parameters["denominator"] == "min(k,R)"))


def _recall_ratio(topic: Topic, is_capped: bool) -> Fraction:
    relevant, count = len(topic.relevant), topic.count_relevant(topic.cutoff)
    if topic.mistake == "recall-of-found":
        return Fraction(min(count, 1))
    if topic.mistake == "recall-over-k":
        return Fraction(count, topic.depth) if topic.depth else Fraction(0)
    if is_capped or topic.mistake == "recall-capped":
        return Fraction(count, min(topic.depth, relevant)) if topic.depth else Fraction(0)
    return Fraction(count, relevant)


def _f(topic: Topic) -> Exact | None:
    if not topic.relevant:
        return None
    retrieved = len(topic.top) if topic.mistake == "precision-over-retrieved" else topic.depth
    precision = Fraction(topic.count_relevant(topic.cutoff), retrieved) if retrieved else Fraction(0)
    return _harmonic_mean(precision, _recall_ratio(topic, is_capped=False))


def _harmonic_mean(precision: Fraction, recall: Fraction) -> Exact:
    return exact(2 * precision * recall / (precision + recall)) if precision + recall else ZERO


def _hit_rate(topic: Topic) -> Exact | None:
    return exact(min(1, topic.count_relevant(topic.cutoff))) if topic.relevant else None


def _rr(topic: Topic) -> Exact | None:
    relevant = topic.relevant
    if not relevant:
        return None
    ranks = [rank for rank, document in enumerate(topic.top, 1) if document in relevant]
    if not ranks:
        return ZERO
    inverses = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
    match topic.mistake:
        case "rr-mean-over-relevant":
            return exact(inverses / len(ranks))
        case "rr-sum-over-relevant":
            return exact(inverses / len(relevant))
        case "rank-from-zero":
            return exact(Fraction(1, ranks[0] + 1))
    return exact(Fraction(1, ranks[0]))


def _ap(topic: Topic) -> Exact | None:
    relevant = topic.relevant
    if not relevant:
        return None
    count, total = 0, Fraction(0)
    for rank, document in enumerate(topic.top, 1):
        if document in relevant:
            count += 1
            total += Fraction(count, rank)
    denominators = {
        "R": len(relevant),
        "min(k,R)": min(topic.depth, len(relevant)) if topic.cutoff is not None else len(relevant),
        "found": count,
        "k": topic.depth,
    }
    mistakes = {"ap-over-min-k-R": "min(k,R)", "ap-over-found": "found", "ap-over-k": "k"}
    denominator = denominators[mistakes.get(topic.mistake, topic.parameters.get("denominator", "R"))]
    return _divide(total, denominator)


def _r_precision(topic: Topic) -> Exact | None:
    relevant = len(topic.relevant)
    return exact(Fraction(topic.count_relevant(relevant), relevant)) if relevant else None


def _set_precision(topic: Topic) -> Exact | None:
    return _divide(topic.count_relevant(), len(topic.order))


def _set_recall(topic: Topic) -> Exact | None:
    relevant = len(topic.relevant)
    return exact(Fraction(topic.count_relevant(), relevant)) if relevant else None


def _set_f(topic: Topic) -> Exact | None:
    relevant = len(topic.relevant)
    return exact(Fraction(2 * topic.count_relevant(), len(topic.order) + relevant)) if relevant else None


def _num_rel_ret(topic: Topic) -> Exact | None:
    return exact(topic.count_relevant())


def _judged(topic: Topic) -> Exact | None:
    return _divide(sum(document in topic.labels for document in topic.top), len(topic.top))


def _unjudged(topic: Topic) -> Exact | None:
    return _divide(sum(document not in topic.labels for document in topic.top), topic.depth)


def _interpolated(topic: Topic, level: Fraction) -> Fraction:
    """The largest precision at a rank that reaches a level of recall."""
    relevant = topic.relevant
    wanted = level * len(relevant)
    need = ceil(wanted) if topic.parameters["rounding"] == "up" else floor(wanted + Fraction(1, 2))
    largest, count = Fraction(0), 0
    for rank, document in enumerate(topic.order, 1):
        count += document in relevant
        if count >= need:
            largest = max(largest, Fraction(count, rank))
    return largest


def _ap11(topic: Topic) -> Exact | None:
    if not topic.relevant:
        return None
    return exact(sum((_interpolated(topic, Fraction(level, 10)) for level in range(11)), Fraction(0)) / 11)


def _iprec(topic: Topic) -> Exact | None:
    return exact(_interpolated(topic, Fraction(topic.parameters["recall"]))) if topic.relevant else None


def _bpref(topic: Topic) -> Exact | None:
    relevant = topic.relevant
    if not relevant:
        return None
    above, total = 0, Fraction(0)
    nonrelevant = set(topic.labels) - relevant
    if topic.mistake == "unjudged-as-nonrelevant":
        nonrelevant |= set(topic.order) - relevant
    most = len(relevant)
    divisor = most if topic.parameters["reading"] == "R" else min(len(nonrelevant), most)
    for document in topic.order:
        if document in relevant:
            total += 1 - (Fraction(min(above, most), divisor) if above else 0)
        above += document in nonrelevant
    return exact(total / len(relevant))


def _inf_ap(topic: Topic) -> Exact | None:
    relevant = topic.relevant
    if not relevant:
        return None
    judged_above = relevant_above = 0
    total = Fraction(0)
    for rank, document in enumerate(topic.order, 1):
        if document in relevant:
            total += Fraction(1, rank)
            if rank > 1:
                share = (relevant_above + EPSILON) / (judged_above + 2 * EPSILON)
                total += Fraction(rank - 1, rank) * Fraction(judged_above, rank - 1) * share
        judged_above += document in topic.labels
        relevant_above += document in relevant
    return exact(total / len(relevant))


SUBTRACTING = {"ndcg_org", "ndcg_min", "ndcg_std"}
"""Measures in which a label below 0 has a gain below 0."""


def compute_gain(topic: Topic, label: Fraction) -> Fraction:
    """The gain of a label, which may be below 0."""
    if topic.mistake == "clipped":
        label = max(label, Fraction(0))
    gain = topic.parameters.get("gain", "linear")
    gain = {"gain-exponential": "exp", "gain-linear": "linear", "labels-binary": "binary"}.get(topic.mistake, gain)
    if gain == "binary":
        return Fraction(label > 0)
    if gain == "linear":
        return label
    if label.denominator != 1:
        raise NotApplicableError("a power of two of a label that is not a whole number is not a fraction")
    return Fraction(2 ** abs(int(label)) - 1) * (1 if label >= 0 else -1)


def _run_gain(topic: Topic, document: str) -> Fraction:
    gain = compute_gain(topic, topic.labels.get(document, Fraction(0)))
    is_signed = topic.parameters["name"] in SUBTRACTING or topic.mistake == "negative-subtracted"
    return gain if is_signed else max(gain, Fraction(0))


def discount_at(topic: Topic, rank: int) -> Exact:
    """Return what a gain at a rank is multiplied by."""
    if topic.parameters["name"] == "ncg":
        return ONE
    discount = topic.parameters.get("discount", "log2(rank+1)")
    match topic.mistake:
        case "discount-natural-log":
            return per_ln(rank + 1)
        case "discount-rank":
            return exact(Fraction(1, rank))
        case "discount-off-by-one":
            discount = "max(1,log2(rank))"
    if discount == "log2(rank+1)":
        return per_log2(rank + 1)
    return ONE if rank <= 2 else per_log2(rank)


def discounted_sum(topic: Topic, gains: list[Fraction]) -> Exact:
    """The sum of gains, each by the discount of its rank."""
    total = ZERO
    for rank, gain in enumerate(gains, 1):
        total = total + discount_at(topic, rank).scale(gain)
    return total


def _dcg(topic: Topic) -> Exact:
    return discounted_sum(topic, [_run_gain(topic, document) for document in topic.top])


def _positive_gains(topic: Topic, documents: list[str] | tuple[str, ...]) -> list[Fraction]:
    gains = (compute_gain(topic, topic.labels[document]) for document in documents if document in topic.labels)
    return sorted((gain for gain in gains if gain > 0), reverse=True)


def _ideal_gains(topic: Topic) -> list[Fraction]:
    """The gains of the ideal list, best first, down to the cutoff."""
    gains = _positive_gains(topic, list(topic.labels))
    match topic.mistake:
        case "ideal-from-top-k":
            gains = _positive_gains(topic, tuple(dict.fromkeys(topic.top)))
        case "ideal-from-retrieved":
            gains = _positive_gains(topic, tuple(dict.fromkeys(topic.order)))
        case "ideal-as-long-as-list":
            gains = gains[: len(topic.order)]
        case "ideal-ones-per-retrieved":
            return [Fraction(1)] * len(topic.top)
        case "ideal-k-ones":
            return [Fraction(1)] * topic.depth
        case "ideal-constant-gain":
            gains = [gains[0]] * len(gains) if gains else []
        case "ideal-unit-gain":
            gains = [Fraction(1)] * len(gains)
        case "ideal-uncut":
            return gains
    return gains[: topic.cutoff]


def _ndcg(topic: Topic) -> Exact | None:
    ideal = discounted_sum(topic, _ideal_gains(topic))
    return _dcg(topic) / ideal if ideal.terms else None


def _sdcg(topic: Topic) -> Exact | None:
    if topic.cutoff is None:
        raise NotApplicableError("it is divided by a sum over k ranks")
    graded = replace(topic, mistake="") if topic.mistake == "labels-binary" else topic
    most = compute_gain(graded, _scale(topic))
    return _dcg(topic) / discounted_sum(topic, [most] * topic.cutoff)


def _scale(topic: Topic) -> Fraction:
    """The largest label of the scale."""
    match topic.mistake:
        case "max-grade-of-topic":
            return max(Fraction(1), *topic.labels.values())
        case "max-grade-four":
            return Fraction(4)
    return Fraction(topic.parameters["max_grade"])


def _ndcg_min(topic: Topic) -> Exact | None:
    ideal = discounted_sum(topic, _ideal_gains(topic))
    if not ideal.terms:
        return None
    below = sorted(gain for gain in (compute_gain(topic, label) for label in topic.labels.values()) if gain < 0)
    worst = discounted_sum(topic, below[: topic.cutoff])
    return (_dcg(topic) - worst) / (ideal - worst)


def _ndcg_std(topic: Topic) -> Exact | None:
    gains = sorted((compute_gain(topic, label) for label in topic.labels.values()), reverse=True)
    if not any(gain > 0 for gain in gains):
        return None
    mean = sum(gains, Fraction(0)) / len(gains)
    depth = len(gains) if topic.cutoff is None else min(topic.cutoff, len(gains))
    random = discounted_sum(topic, [mean] * depth)
    ideal = discounted_sum(topic, gains[:depth])
    shortest = depth if topic.parameters.get("dcg_depth", "min(k,m)") == "min(k,m)" else topic.cutoff
    run = discounted_sum(topic, [_run_gain(topic, document) for document in topic.order[:shortest]])
    difference = ideal - random
    return (run - random) / difference if difference.terms else None


def _stop_chance(topic: Topic, label: Fraction) -> Fraction:
    label = max(label, Fraction(0))
    if topic.mistake == "labels-binary":
        label = Fraction(label > 0)
    scale = _scale(topic)
    if topic.parameters["stop"] == "linear" or topic.mistake == "err-stop-linear":
        return label / (scale + 1)
    if label.denominator != 1 or scale.denominator != 1:
        raise NotApplicableError("a power of two of a label that is not a whole number is not a fraction")
    return Fraction(2 ** int(label) - 1, 2 ** int(scale))


def _compute_err(topic: Topic, labels: list[Fraction]) -> Exact:
    total, reach = Fraction(0), Fraction(1)
    for rank, label in enumerate(labels, 1):
        stop = _stop_chance(topic, label)
        total += reach * stop / rank
        reach *= 1 - stop
    return exact(total)


def _labels_in_order(topic: Topic, documents: tuple[str, ...]) -> list[Fraction]:
    return [topic.labels.get(document, Fraction(0)) for document in documents]


def _err(topic: Topic) -> Exact | None:
    return _compute_err(topic, _labels_in_order(topic, topic.top))


def _nerr(topic: Topic) -> Exact | None:
    best = sorted(topic.labels.values(), reverse=True)
    match topic.mistake:
        case "ideal-from-top-k":
            best = sorted(_labels_in_order(topic, topic.top), reverse=True)
        case "ideal-from-retrieved":
            best = sorted(_labels_in_order(topic, topic.order), reverse=True)
    ideal = _compute_err(topic, best if topic.mistake == "ideal-uncut" else best[: topic.cutoff])
    return _compute_err(topic, _labels_in_order(topic, topic.top)) / ideal if ideal.terms else None


def _rank_weights(topic: Topic) -> list[Fraction]:
    """Return what each rank of the list weighs by rank-biased precision."""
    persistence = Fraction(topic.parameters["p"])
    first = 1 if topic.mistake == "discount-off-by-one" else 0
    scale = Fraction(1) if topic.mistake == "rbp-unscaled" else 1 - persistence
    return [scale * persistence ** (rank + first) for rank in range(len(topic.order))]


def _rbp(topic: Topic) -> Exact | None:
    most = topic.parameters["max_grade"]
    relevant = set() if most is not None else topic.relevant
    total = Fraction(0)
    for weight, document in zip(_rank_weights(topic), topic.order, strict=True):
        if most is None:
            total += weight * (document in relevant)
        else:
            label = max(topic.labels.get(document, Fraction(0)), Fraction(0))
            total += weight * (Fraction(label > 0) if topic.mistake == "labels-binary" else label) / _scale(topic)
    return exact(total)


def _rbp_residual(topic: Topic) -> Exact | None:
    weights = zip(_rank_weights(topic), topic.order, strict=True)
    unjudged = sum((weight for weight, document in weights if document not in topic.labels), Fraction(0))
    tail = Fraction(topic.parameters["p"]) ** len(topic.order)
    return exact(unjudged if topic.mistake == "residual-without-tail" else unjudged + tail)


def _q(topic: Topic) -> Exact | None:
    relevant = topic.relevant
    if not relevant:
        return None
    beta = Fraction(0) if topic.mistake == "q-without-gain" else Fraction(topic.parameters["beta"])
    ideal = list(itertools.accumulate(_positive_gains(topic, list(relevant))))
    count, gain, total = 0, Fraction(0), Fraction(0)
    for rank, document in enumerate(topic.top, 1):
        if document in relevant:
            count += 1
            gain += _run_gain(topic, document)
            best = ideal[min(rank, len(ideal)) - 1] if ideal else Fraction(0)
            total += (count + beta * gain) / (rank + beta * best)
    # A list that is cut one rank too early is still divided by what k ranks can hold.
    cutoff: int | None = topic.parameters["cutoff"] if topic.mistake == "cutoff-short" else topic.cutoff
    is_capped = topic.parameters["denominator"] == "min(k,R)" and cutoff is not None
    return exact(total / min(cutoff, len(relevant))) if is_capped and cutoff else exact(total / len(relevant))


def _ric(topic: Topic) -> Exact | None:
    documents = list(topic.labels)
    ranks = _truncated_ranks(topic)
    unequal = concordant = discordant = 0
    for first, second in itertools.combinations(documents, 2):
        if topic.labels[first] == topic.labels[second]:
            continue
        unequal += 1
        better, worse = (first, second) if topic.labels[first] > topic.labels[second] else (second, first)
        if better in ranks or worse in ranks:
            is_right = better in ranks and (worse not in ranks or ranks[better] < ranks[worse])
            concordant += is_right
            discordant += not is_right
    if not unequal:
        return None
    decided = concordant + discordant
    if not decided:
        return ZERO
    return (ONE - _binary_entropy(Fraction(concordant, decided))).scale(Fraction(decided, unequal))


def _truncated_ranks(topic: Topic) -> dict[str, int]:
    """The ranks of judged documents down to the last relevant one, among themselves."""
    relevant = topic.relevant
    judged = [document for document in topic.top if document in topic.labels]
    last = max((rank for rank, document in enumerate(judged, 1) if document in relevant), default=0)
    return {document: rank for rank, document in enumerate(judged[:last], 1)}


def _binary_entropy(chance: Fraction) -> Exact:
    if chance in (0, 1):
        return ZERO
    return log2(chance).scale(-chance) + log2(1 - chance).scale(chance - 1)


MEASURES: dict[str, ReferenceMeasure] = {
    "ap": _ap,
    "ap11": _ap11,
    "bpref": _bpref,
    "dcg": _dcg,
    "err": _err,
    "f": _f,
    "gmap": _ap,
    "hit_rate": _hit_rate,
    "inf_ap": _inf_ap,
    "iprec": _iprec,
    "judged": _judged,
    "ncg": _ndcg,
    "ndcg": _ndcg,
    "ndcg_0": _ndcg,
    "ndcg_min": _ndcg_min,
    "ndcg_org": _ndcg,
    "ndcg_std": _ndcg_std,
    "nerr": _nerr,
    "num_rel_ret": _num_rel_ret,
    "precision": _precision,
    "q": _q,
    "r_precision": _r_precision,
    "rbp": _rbp,
    "rbp_residual": _rbp_residual,
    "recall": _recall,
    "ric": _ric,
    "rr": _rr,
    "sdcg": _sdcg,
    "set_f": _set_f,
    "set_precision": _set_precision,
    "set_recall": _set_recall,
    "unjudged": _unjudged,
}
"""Each measure by its name in the suite."""
