"""The second reference: values with 70 digits, from the positions of documents, by code that shares nothing.

It reads a case as JSON has it and knows nothing of the package; sums run over relevant documents instead of ranks, and
ERR is the expected value of one over the rank at which a user stops.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from typing import Any

ZERO, ONE = Decimal(0), Decimal(1)


def ratio(text: Any) -> Decimal:
    numerator, _, denominator = str(text).partition("/")
    return Decimal(numerator) / Decimal(denominator or 1)


def log2(number: Decimal | int) -> Decimal:
    return Decimal(number).ln() / Decimal(2).ln()


def reference(case: dict[str, Any]) -> tuple[dict[str, Decimal | None], Decimal | None]:
    """The value of each topic, None where it is left out of the mean, and the mean."""
    with localcontext() as context:
        context.prec = 70
        topics: dict[str, Decimal | None] = {}
        for topic, judged in case["qrels"].items():
            if topic not in case["run"] and case["policy"]["missing"] == "skip":
                continue
            topics[topic] = one_topic(
                case, judged, case["run"].get(topic, []), case.get("intent_weights", {}).get(topic)
            )
        return topics, mean_of(case["measure"], [value for value in topics.values() if value is not None])


def mean_of(measure: dict[str, Any], values: list[Decimal]) -> Decimal | None:
    if not values:
        return None
    if measure["name"] == "gmap":
        logarithms = [max(value, ratio(measure["floor"])).ln() for value in values]
        return (sum(logarithms, ZERO) / len(values)).exp()
    return sum(values, ZERO) / (1 if measure.get("over_topics") == "sum" else len(values))


def one_topic(case: dict[str, Any], judged: Any, lines: Sequence[Any], weights: Any) -> Decimal | None:
    measure = case["measure"]
    function = FUNCTIONS[measure["name"]]
    values = [
        function(measure, judged, positions(order), weights) for order in all_orders(case["policy"]["ties"], lines)
    ]
    if any(value is None for value in values):
        policy = case["policy"]["undefined"]
        assert policy != "none", case["id"]
        return {"zero": ZERO, "one": ONE, "skip": None}[policy]
    return sum((value for value in values if value is not None), ZERO) / len(values)


def all_orders(ties: str, lines: Sequence[Any]) -> Iterable[list[str]]:
    """The lists of documents, repeated ones left out after their first rank."""
    scores = sorted({float(score) for _, score in lines}, reverse=True)
    blocks = [[name for name, score in lines if float(score) == level] for level in scores]
    if ties == "docid-descending":
        blocks = [sorted(block, key=str.encode, reverse=True) for block in blocks]
    if ties == "docid-ascending":
        blocks = [sorted(block, key=str.encode) for block in blocks]
    if ties != "expected":
        return [[name for block in blocks for name in block]]
    return [
        [name for block in choice for name in block]
        for choice in itertools.product(*map(itertools.permutations, blocks))
    ]


def positions(order: Sequence[str]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for name in order:
        if name not in ranks:
            ranks[name] = len(ranks) + 1
    return ranks


Labels = dict[str, Any]
Ranks = dict[str, int]


def ranks_of_relevant(measure: Any, labels: Labels, ranks: Ranks) -> tuple[int, list[int]]:
    """How many are relevant, and the ranks of those retrieved down to the cutoff."""
    relevant = [name for name, label in labels.items() if Decimal(str(label)) >= measure["rel"]]
    cutoff = measure.get("cutoff") or len(ranks)
    return len(relevant), sorted(ranks[name] for name in relevant if ranks.get(name, cutoff + 1) <= cutoff)


def by_relevance(formula: Callable[[Any, int, list[int], int], Decimal], *, defined: bool = False) -> Any:
    """A measure of the number R of relevant documents and of their ranks in a list of a length."""

    def function(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
        total, places = ranks_of_relevant(measure, labels, ranks)
        if not total and not defined:
            return None
        return formula(measure, total, places, len(ranks))

    return function


def safe(part: Any, whole: Any) -> Decimal:
    return Decimal(part) / Decimal(whole) if whole else ZERO


def precision(measure: Any, _: int, places: list[int], length: int) -> Decimal:
    k = measure["cutoff"]
    return safe(len(places), k if measure["denominator"] == "k" else min(k, length))


def recall(measure: Any, total: int, places: list[int], _: int) -> Decimal:
    return safe(len(places), min(measure["cutoff"], total) if measure["denominator"] != "R" else total)


def average_precision(measure: Any, total: int, places: list[int], _: int) -> Decimal:
    parts = sum((Decimal(index) / place for index, place in enumerate(places, 1)), ZERO)
    kind = measure.get("denominator", "R")
    if kind == "found":
        return safe(parts, len(places))
    capped = kind == "min(k,R)" and measure.get("cutoff")
    return parts / (min(measure["cutoff"], total) if capped else total)


def interpolated(measure: Any, level: Decimal, total: int, places: list[int], length: int) -> Decimal:
    wanted = level * total
    need = int(wanted.to_integral_value("ROUND_CEILING" if measure["rounding"] == "up" else "ROUND_HALF_UP"))
    after = [Decimal(index) / place for index, place in enumerate(places, 1) if index >= need]
    if need == 0 and not after:
        return ZERO
    return max(after, default=ZERO)


def eleven_points(measure: Any, total: int, places: list[int], length: int) -> Decimal:
    return sum((interpolated(measure, Decimal(n) / 10, total, places, length) for n in range(11)), ZERO) / 11


def bpref(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    total, places = ranks_of_relevant(measure, labels, ranks)
    if not total:
        return None
    wrong = [name for name, label in labels.items() if Decimal(str(label)) < measure["rel"]]
    wrong_ranks = [ranks[name] for name in wrong if name in ranks]
    divisor = total if measure["reading"] == "R" else min(total, len(wrong))
    points = [ONE - safe(min(total, sum(rank < place for rank in wrong_ranks)), divisor) for place in places]
    return sum(points, ZERO) / total


def inferred_ap(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    total, places = ranks_of_relevant(measure, labels, ranks)
    if not total:
        return None
    epsilon = Decimal("0.00001")
    points = ZERO
    for place in places:
        judged = sum(name in labels for name, rank in ranks.items() if rank < place)
        above = sum(other < place for other in places)
        points += (1 + judged * (above + epsilon) / (judged + 2 * epsilon)) / place
    return points / total


def share_of_judged(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal:
    top = [name for name, rank in ranks.items() if rank <= measure["cutoff"]]
    judged = sum(name in labels for name in top)
    return safe(judged, len(top)) if measure["name"] == "judged" else safe(len(top) - judged, measure["cutoff"])


def weight(measure: Any, rank: int) -> Decimal:
    if measure["name"] == "ncg":
        return ONE
    if measure.get("discount") == "max(1,log2(rank))":
        return 1 / max(ONE, log2(rank))
    return 1 / log2(rank + 1)


def gain(measure: Any, label: Any) -> Decimal:
    value = Decimal(str(label))
    kind = measure.get("gain", "linear")
    if kind == "binary":
        return ONE if value > 0 else ZERO
    if kind == "linear":
        return value
    return (2 ** abs(value) - 1).copy_sign(value) if value else ZERO


def dcg_of(measure: Any, gains: Iterable[tuple[int, Decimal]]) -> Decimal:
    cutoff = measure.get("cutoff")
    return sum((g * weight(measure, rank) for rank, g in gains if cutoff is None or rank <= cutoff), ZERO)


def run_gains(measure: Any, labels: Labels, ranks: Ranks, floor: Decimal | None) -> list[tuple[int, Decimal]]:
    gains = [(ranks[name], gain(measure, label)) for name, label in labels.items() if name in ranks]
    return gains if floor is None else [(rank, max(g, floor)) for rank, g in gains]


def best_first(measure: Any, labels: Labels) -> list[Decimal]:
    return sorted((gain(measure, label) for label in labels.values()), reverse=True)


def numbered(gains: Iterable[Decimal]) -> list[tuple[int, Decimal]]:
    return list(enumerate(gains, 1))


def gain_measure(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    name = measure["name"]
    own = dcg_of(measure, run_gains(measure, labels, ranks, None if name in ("ndcg_org", "ndcg_min") else ZERO))
    if name == "dcg":
        return own
    if name == "sdcg":
        most = gain(measure, measure["max_grade"])
        return own / dcg_of(measure, ((rank, most) for rank in range(1, measure["cutoff"] + 1)))
    ideal = dcg_of(measure, numbered(g for g in best_first(measure, labels) if g > 0))
    if not ideal:
        return None
    worst = ZERO
    if name == "ndcg_min":
        worst = dcg_of(measure, numbered(g for g in reversed(best_first(measure, labels)) if g < 0))
    return (own - worst) / (ideal - worst)


def standardized(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    gains = best_first(measure, labels)
    if not gains or gains[0] <= 0:
        return None
    depth = min(measure["cutoff"] or len(gains), len(gains))
    weights = [weight(measure, rank) for rank in range(1, depth + 1)]
    random = sum(gains, ZERO) / len(gains) * sum(weights, ZERO)
    ideal = sum((g * w for g, w in zip(gains, weights, strict=False)), ZERO)
    last = depth if measure.get("dcg_depth", "min(k,m)") == "min(k,m)" else measure["cutoff"]
    own = sum((g * weight(measure, r) for r, g in run_gains(measure, labels, ranks, None) if r <= last), ZERO)
    return None if ideal == random else (own - random) / (ideal - random)


def stopping_rank(measure: Any, labels: Iterable[tuple[int, Any]]) -> Decimal:
    """The expected value of one over the rank at which the user stops, 0 for one who never does."""
    value = ZERO
    for rank, label in sorted(labels, reverse=True):
        grade = max(Decimal(str(label)), ZERO)
        top = Decimal(measure["max_grade"])
        stop = (2**grade - 1) / 2**top if measure["stop"] == "exp" else grade / (top + 1)
        value = stop / rank + (1 - stop) * value
    return value


def err(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    cutoff = measure["cutoff"] or 10**9
    own = stopping_rank(
        measure, [(ranks[n], label) for n, label in labels.items() if ranks.get(n, cutoff + 1) <= cutoff]
    )
    if measure["name"] == "err":
        return own
    best = sorted(labels.values(), key=lambda label: Decimal(str(label)), reverse=True)
    ideal = stopping_rank(measure, [(rank, label) for rank, label in enumerate(best, 1) if rank <= cutoff])
    return own / ideal if ideal else None


def rank_biased(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal:
    p = ratio(measure["p"])
    total = ZERO
    for name, label in labels.items():
        value = Decimal(str(label))
        if measure["max_grade"] is None:
            use = ONE if value >= measure["rel"] else ZERO
        else:
            use = max(value, ZERO) / measure["max_grade"]
        if name in ranks:
            total += use * p ** (ranks[name] - 1)
    return (1 - p) * total


def residual(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal:
    p = ratio(measure["p"])
    return ONE - (1 - p) * sum((p ** (ranks[name] - 1) for name in labels if name in ranks), ZERO)


def blended(measure: Any, gains: dict[str, Decimal], ranks: Ranks, relevant: set[str], divisor: int) -> Decimal:
    """The sum of blended ratios at relevant documents, by a divisor."""
    beta, cutoff = ratio(measure["beta"]), measure["cutoff"] or 10**9
    best = sorted(gains.values(), reverse=True)
    total = ZERO
    for name in relevant:
        rank = ranks.get(name, cutoff + 1)
        if rank <= cutoff:
            above = [other for other in ranks if ranks[other] <= rank]
            count = sum(other in relevant for other in above)
            own = sum((gains.get(other, ZERO) for other in above), ZERO)
            total += (count + beta * own) / (rank + beta * sum(best[:rank], ZERO))
    return total / divisor


def q_measure(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    relevant = {name for name, label in labels.items() if Decimal(str(label)) >= measure["rel"]}
    if not relevant:
        return None
    capped = measure["denominator"] == "min(k,R)" and measure["cutoff"]
    divisor = min(measure["cutoff"], len(relevant)) if capped else len(relevant)
    return blended(measure, {name: Decimal(str(labels[name])) for name in relevant}, ranks, relevant, divisor)


def information(measure: Any, labels: Labels, ranks: Ranks, _: Any) -> Decimal | None:
    """Relevance information correlation from the joint table of order in the list and order by relevance."""
    relevant = {name for name, label in labels.items() if Decimal(str(label)) >= measure["rel"]}
    last = max((ranks[name] for name in relevant if name in ranks), default=0)
    place = {name: ranks[name] if name in ranks and ranks[name] <= last else 10**9 for name in labels}
    table: dict[tuple[int, int], int] = {}
    for a, b in itertools.permutations(labels, 2):
        if labels[a] != labels[b]:
            order = 0 if place[a] == place[b] == 10**9 else (1 if place[a] < place[b] else -1)
            key = order, 1 if labels[a] > labels[b] else 0
            table[key] = table.get(key, 0) + 1
    total = sum(table.values())
    if not total:
        return None
    bits = ZERO
    for (order, better), count in table.items():
        row = sum(n for (o, _), n in table.items() if o == order)
        column = sum(n for (_, q), n in table.items() if q == better)
        bits += Decimal(count) / total * log2(Decimal(count) * total / (Decimal(row) * column))
    return bits


Intents = dict[str, Labels]


def kept_intents(measure: Any, intents: Intents, weights: Any) -> dict[str, tuple[set[str], Decimal]]:
    """Intents with a relevant document: its relevant documents and its weight among them."""
    relevant = {
        i: {d for d, label in labels.items() if Decimal(str(label)) >= measure["rel"]} for i, labels in intents.items()
    }
    kept = [intent for intent in intents if relevant[intent]]
    raw = {intent: ratio(weights[intent]) if weights else ONE for intent in kept}
    return {intent: (relevant[intent], raw[intent] / sum(raw.values(), ZERO)) for intent in kept}


def per_intent(formula: Callable[..., Decimal | None]) -> Any:
    def function(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
        kept = kept_intents(measure, intents, weights)
        if not kept:
            return None
        parts = {intent: formula(measure, intents[intent], ranks, None) for intent in kept}
        return sum((kept[intent][1] * (value or ZERO) for intent, value in parts.items()), ZERO)

    return function


def intent_recall(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
    kept = kept_intents(measure, intents, weights)
    k = measure["cutoff"]
    hit = sum(any(ranks.get(name, k + 1) <= k for name in relevant) for relevant, _ in kept.values())
    return safe(hit, len(kept)) if kept else None


def global_gains(measure: Any, intents: Intents, weights: Any) -> tuple[dict[str, Decimal], set[str]]:
    kept = kept_intents(measure, intents, weights)
    documents = {name for intent in kept for name in intents[intent]}
    gains = {
        name: sum((w * max(gain(measure, intents[i].get(name, 0)), ZERO) for i, (_, w) in kept.items()), ZERO)
        for name in documents
    }
    return gains, {name for relevant, _ in kept.values() for name in relevant}


def global_ndcg(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
    gains, _ = global_gains(measure, intents, weights)
    ideal = dcg_of(measure, numbered(sorted(gains.values(), reverse=True)))
    return dcg_of(measure, [(ranks[n], g) for n, g in gains.items() if n in ranks]) / ideal if ideal else None


def global_q(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
    gains, relevant = global_gains(measure, intents, weights)
    return blended(measure, gains, ranks, relevant, min(measure["cutoff"], len(relevant))) if relevant else None


def sharp(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
    part, other = intent_recall(measure, intents, ranks, weights), global_ndcg(measure, intents, ranks, weights)
    gamma = ratio(measure["gamma"])
    return None if part is None or other is None else gamma * part + (1 - gamma) * other


def novelty(measure: Any, intents: Intents, ranks: Ranks, weights: Any) -> Decimal | None:
    kept = [relevant for relevant, _ in kept_intents(measure, intents, weights).values()]
    if not kept:
        return None
    keep = 1 - ratio(measure["alpha"])
    own = novelty_sum(measure, kept, ranks, keep)
    name = measure["name"]
    if name == "nrbp":
        return (1 - keep * ratio(measure["beta"])) / len(kept) * own
    if name in ("alpha_dcg", "err_ia"):
        full = (len(kept) * keep ** (r - 1) * novelty_weight(measure, r) for r in range(1, measure["cutoff"] + 1))
        return own / sum(full, ZERO)
    ideal: dict[str, int] = {}
    left = set().union(*kept)
    while left:
        worth = {d: sum((keep ** sum(e in ideal for e in r) for r in kept if d in r), ZERO) for d in left}
        best = max(left, key=lambda d: (worth[d], d.encode()))
        ideal[best] = len(ideal) + 1
        left.remove(best)
    return own / novelty_sum(measure, kept, ideal, keep)


def novelty_weight(measure: Any, rank: int) -> Decimal:
    if "alpha_" in measure["name"]:
        return 1 / log2(rank + 1)
    return ONE / rank if "err" in measure["name"] else ratio(measure["beta"]) ** (rank - 1)


def novelty_sum(measure: Any, kept: list[set[str]], ranks: Ranks, keep: Decimal) -> Decimal:
    """The n-th relevant document of an intent adds keep^(n-1) by the weight of its rank."""
    last = measure.get("cutoff") or 10**9
    total = ZERO
    for relevant in kept:
        places = sorted(ranks[name] for name in relevant if ranks.get(name, last + 1) <= last)
        total += sum((keep**n * novelty_weight(measure, place) for n, place in enumerate(places)), ZERO)
    return total


def with_k(formula: Any) -> Any:
    return lambda measure, *rest: formula({**measure, "denominator": "k"}, *rest)


FUNCTIONS: dict[str, Any] = {
    "precision": by_relevance(precision, defined=True),
    "recall": by_relevance(recall),
    "f": by_relevance(lambda m, total, places, _: Decimal(2 * len(places)) / (m["cutoff"] + total)),
    "hit_rate": by_relevance(lambda m, total, places, _: ONE if places else ZERO),
    "rr": by_relevance(lambda m, total, places, _: ONE / places[0] if places else ZERO),
    "ap": by_relevance(average_precision),
    "gmap": by_relevance(average_precision),
    "r_precision": by_relevance(lambda m, total, places, _: Decimal(sum(p <= total for p in places)) / total),
    "set_precision": by_relevance(lambda m, total, places, length: safe(len(places), length), defined=True),
    "set_recall": by_relevance(lambda m, total, places, _: Decimal(len(places)) / total),
    "set_f": by_relevance(lambda m, total, places, length: Decimal(2 * len(places)) / (length + total)),
    "num_rel_ret": by_relevance(lambda m, total, places, _: Decimal(len(places)), defined=True),
    "ap11": by_relevance(eleven_points),
    "iprec": by_relevance(lambda m, t, p, n: interpolated(m, ratio(m["recall"]), t, p, n)),
    "bpref": bpref,
    "inf_ap": inferred_ap,
    "judged": share_of_judged,
    "unjudged": share_of_judged,
    **dict.fromkeys(("dcg", "ndcg", "ncg", "sdcg", "ndcg_0", "ndcg_org", "ndcg_min"), gain_measure),
    "ndcg_std": standardized,
    "err": err,
    "nerr": err,
    "rbp": rank_biased,
    "rbp_residual": residual,
    "q": q_measure,
    "ric": information,
    "i_rec": intent_recall,
    "p_ia": per_intent(with_k(by_relevance(precision))),
    "ap_ia": per_intent(by_relevance(average_precision)),
    "ndcg_ia": per_intent(gain_measure),
    "d_ndcg": global_ndcg,
    "d_q": global_q,
    "d_sharp_ndcg": sharp,
    **dict.fromkeys(("alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp"), novelty),
}
