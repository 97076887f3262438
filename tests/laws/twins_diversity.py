"""Twins of the measures of diversity: plain Python over one list whose documents say what they are relevant to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from hypothesis import assume
from problems import INTENTS
from twins import NAN, Seen, share, twin, twins
from twins_ntcireval import Gains, cascade, reciprocal, useful

Labels = Mapping[str, float]
"""Intent -> label of one document."""

LEAST = 1e-300


@dataclass(frozen=True)
class Diverse:
    """One ranked list and the judgments of its topic, by intent.

    Args:
        ranked: what each document is relevant to, None where it was not judged.
        pool: the same of all judged documents, in the order of their ids.
        topic: id of the topic.
        rule: ``uniform``, ``simulated`` or ``given``.
        given: intent -> probability.
        raw: whether probabilities are taken as they are.
        keep_empty: whether intents without relevant documents count.
        navigational: intents of which one document is enough.
        everywhere: labels above 0 of all intents of all topics.
        compat: whose conventions hold.
        largest: the largest label of each judged document of all topics.
    """

    ranked: list[Labels | None]
    pool: list[Labels]
    topic: str
    rule: str
    given: Mapping[str, float]
    raw: bool
    keep_empty: bool
    navigational: frozenset[str]
    everywhere: tuple[float, ...]
    compat: str = "none"
    largest: tuple[float, ...] = ()

    def top(self, judged_only: bool, cutoff: int | None) -> list[Labels]:
        """The list's documents; those that were not judged are relevant to nothing."""
        kept = [labels for labels in self.ranked if labels is not None or not judged_only]
        return [labels or {} for labels in kept[:cutoff]]

    def intents(self) -> list[str]:
        known = set(self.given).union(*self.pool)
        return [intent for intent in INTENTS if intent in known]

    def relevant(self, intent: str, rel: float) -> int:
        return sum(is_relevant(labels, intent, rel) for labels in self.pool)

    def useful(self, rel: float) -> list[str]:
        return [intent for intent in self.intents() if self.relevant(intent, rel)]

    def counted(self, rel: float) -> list[str]:
        return self.intents() if self.keep_empty else self.useful(rel)

    def weights(self, rel: float) -> dict[str, float]:
        counted = self.counted(rel)
        n = len(counted)
        if self.rule == "uniform":
            return dict.fromkeys(counted, 1 / n) if n else {}
        if self.rule == "simulated":
            whole = sum(2.0**k for k in range(1, n + 1))
            return {intent: 2.0 ** (n - j + 1) / whole for j, intent in enumerate(counted, 1)}
        weights = {intent: self.given.get(intent, 0.0) for intent in counted}
        total = sum(weights.values())
        if self.raw or self.compat == "ntcireval":
            return weights
        return {intent: p / total if total else 0.0 for intent, p in weights.items()}

    def gained(self, ranked: list[float | None], pool: list[float], largest: float = 0.0) -> Seen:
        return Seen(ranked, pool, largest, labels=(largest,))


def is_relevant(labels: Labels, intent: str, rel: float) -> bool:
    return labels.get(intent, 0.0) > 0 and labels[intent] >= rel


def gain_of(labels: Labels, intent: str, rel: float, gains: Gains, dcg: str) -> float:
    if not is_relevant(labels, intent, rel):
        return 0.0
    label = labels[intent]
    value = label if gains is None else max(gains.get(label, label), 0.0)
    return value if dcg == "log2" else 2.0**value - 1


def as_printed(value: float) -> float:
    # At a half of the fourth decimal the order of adding decides which way it is rounded: such a list says nothing.
    assume(math.isnan(value) or abs(value * 1e4 % 1 - 0.5) > 1e-7)
    return float(f"{value:.4f}")


def near_one(value: float) -> float:
    return min(value, 1.0) if value < 1 + 1e-12 else value


# ---- parts: the twins of measures without intents on lists of gains

Part = Callable[[Seen, float, dict[str, Any]], float]


def plain(name: str, **fixed: Any) -> Part:
    """The twin of a measure where any gain is relevant."""

    def value(seen: Seen, top: float, own: dict[str, Any]) -> float:
        return twins[name](seen, **fixed, **own, gains=None, judged_only=False)

    return value


def without_gains(name: str, **fixed: Any) -> Part:
    return lambda seen, top, own: twins[name](seen, rel=LEAST, judged_only=False, **fixed, **own)


def values_of(seen: Seen, cutoff: int | None) -> list[float]:
    return [value or 0.0 for value in seen.ranked[:cutoff]]


def part_err(seen: Seen, top: float, own: dict[str, Any]) -> float:
    return cascade(values_of(seen, own["cutoff"]), top, "linear", reciprocal)


def part_nerr(seen: Seen, top: float, own: dict[str, Any]) -> float:
    best = sorted((value for value in seen.pool if value > 0), reverse=True)[: own["cutoff"]]
    return share(part_err(seen, top, own), cascade(best, top, "linear", reciprocal))


def part_rbp(seen: Seen, top: float, own: dict[str, Any]) -> float:
    p = own["p"]
    return sum((1 - p) * value / top * p**rank for rank, value in enumerate(values_of(seen, own["cutoff"])))


def part_irbu(seen: Seen, top: float, own: dict[str, Any]) -> float:
    return cascade(values_of(seen, own["cutoff"]), top, "linear", lambda rank: own["p"] ** rank)


def part_ebr(seen: Seen, top: float, own: dict[str, Any]) -> float:
    return twins["EBR"](seen, rel=LEAST, stop="linear", gains=None, max_rel=top, judged_only=False, **own)


def part_p_plus(seen: Seen, top: float, own: dict[str, Any]) -> float:
    cut = Seen(seen.ranked[: own.get("cutoff")], seen.pool, seen.largest)
    return twins["P-plus"](cut, rel=LEAST, beta=own["beta"], gains=None, judged_only=False)


PARTS: dict[str, Part] = {
    "nDCG": plain("nDCG", dcg="log2", negative=None, baseline="zero", mean_gain=False),
    "Q": plain("Q", rel=LEAST),
    "AP": without_gains("AP"),
    "P": without_gains("P", relative=False),
    "Success": without_gains("Success"),
    "ERR": part_err,
    "nERR": part_nerr,
    "RBP": part_rbp,
    "EBR": part_ebr,
    "iRBU": part_irbu,
    "NCU": plain("NCU", rel=LEAST, utility="BR", stops={LEAST: 0.0}),
    "O-measure": plain("O-measure", rel=LEAST),
    "P-measure": plain("P-measure", rel=LEAST),
    "P-plus": part_p_plus,
}
THRESHOLD = {"Q", "AP", "P", "Success", "EBR", "NCU", "O-measure", "P-measure", "P-plus"}


@dataclass(frozen=True)
class Reading:
    """What the parameters say of labels."""

    rel: float
    gains: Gains
    dcg: str
    judged_only: bool


def taken_apart(name: str, given: dict[str, Any]) -> tuple[Reading, float | None, dict[str, Any]]:
    """How labels become gains, the end of the scale, and the part's own parameters."""
    own = dict(given)
    rel = own.pop("rel", LEAST) if name in THRESHOLD else LEAST
    own.pop("rel", None)
    own.pop("gamma" if name != "NCU" else "", None)
    own.pop("ideal", None)
    reading = Reading(rel, own.pop("gains"), own.pop("dcg", "log2"), own.pop("judged_only"))
    return reading, own.pop("max_rel", None), own


def scale_end(seen: Diverse, reading: Reading, max_rel: float | None, best: list[float]) -> float:
    if max_rel is None and seen.compat == "ntcireval":
        return max([0.0, *best]) or 1.0
    if max_rel is not None:
        return max_rel or 1.0
    gain = useful(Seen([], [], 0.0), reading.gains)
    return max([0.0, *map(gain, seen.everywhere)]) or 1.0


def global_gain(labels: Labels, weights: Mapping[str, float], reading: Reading, *, marked: bool) -> float:
    total = 0.0
    for intent in weights:
        total += weights[intent] * gain_of(labels, intent, reading.rel, reading.gains, reading.dcg)
    if marked and total < LEAST and sum(weights.values()) > 0:
        return LEAST if any(is_relevant(labels, intent, reading.rel) for intent in INTENTS) else 0.0
    return total


def of_global_gain(seen: Diverse, name: str, given: dict[str, Any], typed: bool) -> float:
    reading, max_rel, own = taken_apart(name, given)
    weights = seen.weights(reading.rel)
    marked = name in THRESHOLD
    pool = [global_gain(labels, weights, reading, marked=marked) for labels in seen.pool]
    ranked: list[float | None] = []
    served: set[str] = set()
    for labels in seen.top(reading.judged_only, None):
        wanted = {intent: label for intent, label in labels.items() if not typed or intent not in served}
        ranked.append(global_gain(wanted, weights, reading, marked=marked))
        served |= {intent for intent in seen.navigational if is_relevant(labels, intent, reading.rel)}
    top = scale_end(seen, reading, max_rel, pool)
    return PARTS[name](seen.gained(ranked, pool), top, own)


def of_intent(seen: Diverse, name: str, given: dict[str, Any], intent: str) -> float:
    reading, max_rel, own = taken_apart(name, given)

    def gain(labels: Labels) -> float:
        value = gain_of(labels, intent, reading.rel, reading.gains, reading.dcg)
        return max(value, LEAST) if name in THRESHOLD and is_relevant(labels, intent, reading.rel) else value

    pool = [gain(labels) for labels in seen.pool]
    ranked: list[float | None] = [gain(labels) for labels in seen.top(reading.judged_only, None)]
    value = PARTS[name](seen.gained(ranked, pool), scale_end(seen, reading, max_rel, pool), own)
    return 0.0 if math.isnan(value) else value


def expected(seen: Diverse, rel: float, value: Callable[[str], float]) -> float:
    weights = seen.weights(rel)
    if not sum(weights[intent] for intent in seen.useful(rel) if intent in weights):
        return NAN
    found = {intent: value(intent) for intent in weights}
    return near_one(sum(weights[intent] * found[intent] for intent in weights))


def sharp(seen: Diverse, part: float, given: dict[str, Any]) -> float:
    recall = twins["I-rec"](seen, **{word: given[word] for word in ("rel", "judged_only", "cutoff")})
    if seen.compat == "ntcireval":
        recall, part = as_printed(recall), as_printed(part)
    gamma = given["gamma"] if not isinstance(given["gamma"], Mapping) else given["gamma"][seen.topic]
    return (gamma * recall if gamma else 0.0) + ((1 - gamma) * part if gamma < 1 else 0.0)


def d_sharp(seen: Diverse, part: str, given: dict[str, Any]) -> float:
    """D#, or its share of the most that a choice of documents reaches, those of the largest gain first."""
    value = sharp(seen, of_global_gain(seen, part, given, False), given)
    if given.get("ideal") != "reachable" or math.isnan(value):
        return value
    reading, _, _ = taken_apart(part, given)
    weights = seen.weights(reading.rel)

    def gain(labels: Labels) -> float:
        return global_gain(labels, weights, reading, marked=False)

    pool = sorted(seen.pool, key=gain, reverse=True)
    pool = [labels for labels in pool if any(label > 0 for label in labels.values())]
    plain = replace(
        seen, compat="none" if seen.compat == "ntcireval" else seen.compat, raw=seen.raw or seen.compat == "ntcireval"
    )
    settings = {**given, "judged_only": False}
    most = 0.0
    for chosen in itertools.combinations(pool, min(len(pool), given["cutoff"] or len(pool))):
        kept = [labels for labels in chosen if part != "Q" or any(is_relevant(labels, i, reading.rel) for i in INTENTS)]
        best = replace(plain, ranked=list(kept))
        most = max(most, sharp(best, of_global_gain(best, part, settings, False), settings))
    return near_one(share(value, most))


def declare(name: str, value: Callable[[Diverse, dict[str, Any]], float]) -> None:
    twin(name)(lambda seen, **given: value(seen, given))


for _name in ("nDCG", "Q", "ERR", "RBP", "EBR", "iRBU", "nERR", "NCU", "O-measure", "P-measure", "P-plus"):
    declare(f"D-{_name}", lambda seen, given, part=_name: of_global_gain(seen, part, given, False))  # type: ignore[misc]
for _name in ("nDCG", "Q", "AP", "P", "Success", "ERR", "nERR", "RBP", "EBR", "iRBU"):
    declare(f"DIN-{_name}", lambda seen, given, part=_name: of_global_gain(seen, part, given, True))  # type: ignore[misc]
for _name in ("nDCG", "Q", "ERR", "RBP", "EBR", "iRBU"):
    declare(
        f"D#-{_name}",
        lambda seen, given, part=_name: d_sharp(seen, part, given),  # type: ignore[misc]
    )
for _name in ("nDCG", "Q"):
    declare(
        f"DIN#-{_name}",
        lambda seen, given, part=_name: sharp(seen, of_global_gain(seen, part, given, True), given),  # type: ignore[misc]
    )
for _name in ("nDCG", "Q", "AP", "P", "RBP", "EBR", "iRBU", "Success"):
    declare(
        f"{_name}-IA",
        lambda seen, given, part=_name: expected(  # type: ignore[misc]
            seen,
            given["rel"] if part in THRESHOLD else LEAST,
            lambda intent: of_intent(seen, part, given, intent),
        ),
    )


@twin("P+Q")
def p_plus_q(seen: Diverse, **given: Any) -> float:
    def value(intent: str) -> float:
        if intent not in seen.navigational:
            return of_intent(seen, "Q", given, intent)
        own = {word: number for word, number in given.items() if word != "denominator"}
        return of_intent(seen, "P-plus", own, intent)

    weights = seen.weights(given["rel"])
    return sum(weights[intent] * value(intent) for intent in weights) if sum(weights.values()) else NAN


@twin("P+Q#")
def p_plus_q_sharp(seen: Diverse, **given: Any) -> float:
    return sharp(seen, p_plus_q(seen, **{word: value for word, value in given.items() if word != "gamma"}), given)


# ---- coverage


@twin("I-rec")
def intent_recall(seen: Diverse, *, rel: float, judged_only: bool, cutoff: int | str | None) -> float:
    if not seen.useful(rel):
        return NAN
    counted = seen.counted(rel)
    if cutoff == "n":
        cutoff = len(counted)
    elif cutoff == "l_min":
        cutoff = int(least_cost(seen, rel, len(seen.useful(rel)), 0, 1))
    assert cutoff is None or isinstance(cutoff, int)
    shown = seen.top(judged_only, cutoff)
    return sum(any(is_relevant(labels, intent, rel) for labels in shown) for intent in counted) / len(counted)


def least_cost(seen: Diverse, rel: float, need: int, a: float, b: float) -> float:
    """Over all sets of documents."""
    sets = [frozenset(i for i in seen.useful(rel) if is_relevant(labels, i, rel)) for labels in seen.pool]
    kinds = sorted({one for one in sets if one}, key=sorted)
    return min(
        sum(b + a * len(one) for one in chosen)
        for size in range(1, len(kinds) + 1)
        for chosen in itertools.combinations(kinds, size)
        if len(frozenset().union(*chosen)) >= need
    )


def subtopic_precision(seen: Diverse, rel: float, recall: float, a: float, b: float, judged_only: bool) -> float:
    useful_intents = seen.useful(rel)
    if not useful_intents:
        return NAN
    need = max(1, math.ceil(recall * len(useful_intents) - 1e-9))
    covered: set[str] = set()
    cost = 0.0
    for labels in seen.top(judged_only, None):
        mine = {intent for intent in useful_intents if is_relevant(labels, intent, rel)}
        covered |= mine
        cost += b + a * len(mine)
        if len(covered) >= need:
            return least_cost(seen, rel, need, a, b) / cost
    return 0.0


@twin("Q-EC")
def answer_classes(
    seen: Diverse,
    *,
    rel: float,
    beta: float,
    gains: Gains,
    denominator: str,
    judged_only: bool,
    cutoff: int | None,
) -> float:
    def gain(labels: Labels, intent: str) -> float:
        return gain_of(labels, intent, rel, gains, "log2")

    classes = seen.useful(rel)
    ideal = sorted(max(gain(labels, one) for labels in seen.pool if is_relevant(labels, one, rel)) for one in classes)
    done: set[str] = set()
    count = gained = total = 0.0
    for rank, labels in enumerate(seen.top(judged_only, cutoff), 1):
        new = {intent for intent in classes if is_relevant(labels, intent, rel)} - done
        if new:
            done |= new
            count += 1
            gained += max(gain(labels, intent) for intent in new)
            total += (count + beta * gained) / (rank + beta * sum(ideal[::-1][:rank]))
    return share(total, len(classes) if denominator == "R" or cutoff is None else min(cutoff, len(classes)))


@twin("S-precision")
def s_precision(seen: Diverse, *, recall: float, rel: float, judged_only: bool) -> float:
    return subtopic_precision(seen, rel, recall, 0, 1, judged_only)


@twin("WS-precision")
def ws_precision(seen: Diverse, *, recall: float, a: float, b: float, rel: float, judged_only: bool) -> float:
    return subtopic_precision(seen, rel, recall, a, b, judged_only)


# ---- novelty

Weight = Callable[[int], float]


def novelty(
    seen: Diverse, ranked: list[Labels], rel: float, alpha: float, weight: Weight, of: Mapping[str, float]
) -> float:
    """Sum over ranks and intents, each intent weighted by ``of``."""
    times = dict.fromkeys(of, 0)
    total = 0.0
    for rank, labels in enumerate(ranked, 1):
        for intent in of:
            if is_relevant(labels, intent, rel):
                total += of[intent] * (1 - alpha) ** times[intent] * weight(rank)
                times[intent] += 1
    return total


def best_novelty(
    seen: Diverse, rel: float, alpha: float, weight: Weight, of: Mapping[str, float], ideal: str, cutoff: int | None
) -> float:
    pool = [labels for labels in seen.pool if any(is_relevant(labels, intent, rel) for intent in of)]
    if ideal == "greedy":
        picked: list[Labels] = []
        left = list(range(len(pool)))
        gain = dict(of)
        while left:
            # pool is in id order: of equal gains the last one
            best = max(left, key=lambda row: (sum_of(gain, pool[row], rel), row))
            left.remove(best)
            picked.append(pool[best])
            gain = {i: g * (1 - alpha) if is_relevant(pool[best], i, rel) else g for i, g in gain.items()}
        return novelty(seen, picked[:cutoff], rel, alpha, weight, of)
    depth = len(pool) if cutoff is None else min(cutoff, len(pool))

    @cache
    def rest(used: frozenset[int]) -> float:
        if len(used) == depth:
            return 0.0
        times = {i: sum(is_relevant(pool[row], i, rel) for row in used) for i in of}
        return max(
            weight(len(used) + 1) * sum(of[i] * (1 - alpha) ** times[i] for i in of if is_relevant(pool[row], i, rel))
            + rest(used | {row})
            for row in range(len(pool))
            if row not in used
        )

    return rest(frozenset())


def sum_of(gain: Mapping[str, float], labels: Labels, rel: float) -> float:
    """From the smallest on: whatever intents are called, equal sums are equal to the last bit."""
    total = 0.0
    for value in sorted(value for intent, value in gain.items() if is_relevant(labels, intent, rel)):
        total += value
    return total


def by_log(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def by_rank(rank: int) -> float:
    return 1 / rank


def ones(seen: Diverse, rel: float) -> dict[str, float]:
    return dict.fromkeys(seen.useful(rel), 1.0)


def of_largest(seen: Diverse, rel: float) -> dict[str, float]:
    weights = seen.weights(rel)
    largest = max([0.0, *weights.values()])
    return {intent: p / largest if largest else 0.0 for intent, p in weights.items()}


@twin("alpha-DCG")
def alpha_dcg(seen: Diverse, *, alpha: float, rel: float, judged_only: bool, cutoff: int) -> float:
    if not seen.useful(rel):
        return NAN
    total = novelty(seen, seen.top(judged_only, cutoff), rel, alpha, by_log, ones(seen, rel))
    if seen.compat == "ndeval" and cutoff == 1:
        return total
    n = len(seen.counted(rel))
    return total / sum(n * (1 - alpha) ** (rank - 1) * by_log(rank) for rank in range(1, cutoff + 1))


@twin("alpha-nDCG")
def alpha_ndcg(seen: Diverse, *, alpha: float, rel: float, ideal: str, judged_only: bool, cutoff: int | None) -> float:
    of = ones(seen, rel)
    total = novelty(seen, seen.top(judged_only, cutoff), rel, alpha, by_log, of)
    return share(total, best_novelty(seen, rel, alpha, by_log, of, ideal, cutoff))


def graded_err(
    seen: Diverse,
    intent: str,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    judged_only: bool,
    cutoff: int | None,
    weight: Weight = reciprocal,
) -> tuple[float, float]:
    """ERR of an intent, and of its best list; or the mean of another weight of the rank."""
    reading = Reading(LEAST, gains, "log2", judged_only)
    pool = [gain_of(labels, intent, LEAST, gains, "log2") for labels in seen.pool]
    linear = stop == "linear"
    top = scale_end(seen, reading, max_rel, pool if linear else [])
    if max_rel is None and not linear:
        top = max([0.0, *map(useful(Seen([], [], 0.0), gains), seen.everywhere)])
    if max_rel is not None:
        top = max_rel
    if not top:
        return 0.0, 0.0
    shown = [gain_of(labels, intent, LEAST, gains, "log2") for labels in seen.top(judged_only, cutoff)]
    best = sorted((value for value in pool if value > 0), reverse=True)[:cutoff]
    return cascade(shown, top, stop, weight), cascade(best, top, stop, weight)


@twin("RBU")
def rbu(
    seen: Diverse,
    *,
    p: float,
    effort: float,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    judged_only: bool,
    cutoff: int | None,
) -> float:
    # No compatibility with another tool changes where the scale ends.
    top = max([0.0, *map(useful(Seen([], [], 0.0), gains), seen.everywhere)]) if max_rel is None else max_rel

    def utility(intent: str) -> float:
        return graded_err(seen, intent, stop, gains, top, judged_only, cutoff, lambda rank: p ** (rank - 1))[0]

    cost = sum(p**rank * effort for rank in range(len(seen.top(judged_only, cutoff))))
    return (1 - p) * (expected(seen, LEAST, utility) - cost)


@twin("ERR-IA")
def err_ia(
    seen: Diverse,
    *,
    alpha: float,
    rel: float,
    gain: str,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    judged_only: bool,
    cutoff: int,
) -> float:
    if gain == "graded":
        own = stop, gains, max_rel, judged_only, cutoff
        return expected(seen, LEAST, lambda intent: graded_err(seen, intent, *own)[0])
    if not seen.useful(rel):
        return NAN
    shown = seen.top(judged_only, cutoff)
    total = novelty(seen, shown, rel, alpha, by_rank, seen.weights(rel))
    if seen.compat == "ndeval" and cutoff == 1:
        return total * len(seen.counted(rel))
    return near_one(total / sum((1 - alpha) ** (rank - 1) / rank for rank in range(1, cutoff + 1)))


@twin("nERR-IA")
def nerr_ia(
    seen: Diverse,
    *,
    alpha: float,
    rel: float,
    gain: str,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    ideal: str,
    judged_only: bool,
    cutoff: int | None,
) -> float:
    if gain == "graded":
        own = stop, gains, max_rel, judged_only, cutoff

        def value(intent: str) -> float:
            actual, best = graded_err(seen, intent, *own)
            return actual / best if best else 0.0

        return expected(seen, LEAST, value)
    of = of_largest(seen, rel)
    total = novelty(seen, seen.top(judged_only, cutoff), rel, alpha, by_rank, of)
    return share(total, best_novelty(seen, rel, alpha, by_rank, of, ideal, cutoff))


@twin("NRBP")
def nrbp(seen: Diverse, *, alpha: float, beta: float, rel: float) -> float:
    if not seen.useful(rel):
        return NAN
    total = novelty(seen, seen.top(False, None), rel, alpha, lambda rank: beta ** (rank - 1), ones(seen, rel))
    return near_one((1 - (1 - alpha) * beta) * total / len(seen.counted(rel)))


@twin("nNRBP")
def nnrbp(seen: Diverse, *, alpha: float, beta: float, rel: float, ideal: str) -> float:
    def weight(rank: int) -> float:
        return beta ** (rank - 1)

    of = ones(seen, rel)
    total = novelty(seen, seen.top(False, None), rel, alpha, weight, of)
    return share(total, best_novelty(seen, rel, alpha, weight, of, ideal, None))


@twin("NRBP-IA")
def nrbp_ia(seen: Diverse, *, alpha: float, beta: float, rel: float) -> float:
    if not seen.useful(rel):
        return NAN
    weights = seen.weights(rel)
    categories: dict[str, list[str]] = {}
    for intent in seen.counted(rel):
        categories.setdefault(intent.split(".")[0], []).append(intent)
    value = 0.0
    for members in categories.values():
        p = 1 / len(categories) if seen.rule == "uniform" else sum(weights[intent] for intent in members)
        of = dict.fromkeys(members, 1 / len(members))
        value += p * novelty(seen, seen.top(False, None), rel, alpha, lambda rank: beta ** (rank - 1), of)
    return near_one((1 - (1 - alpha) * beta) * value)
