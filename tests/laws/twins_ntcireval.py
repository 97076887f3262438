"""Twins of NTCIREVAL's measures, of trec_eval's experimental ones, and of measures that learned from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from twins import NAN, Grade, Seen, hits, judged, share, twin

Gains = Mapping[float, float] | None
Gain = Callable[[Grade], float]


def useful(seen: Seen, gains: Gains, rel: float = -math.inf) -> Gain:
    """Gain of a label, never below 0; of no document, or of one below ``rel``, 0."""

    def gain(grade: Grade) -> float:
        if grade is None or grade < rel:
            return 0.0
        value = grade if gains is None else gains.get(grade, grade)
        return max(value, 0.0)

    return gain


def scale_of(seen: Seen, gains: Gains, max_rel: float | None) -> float:
    """End of the scale: as given, or the largest gain of the whole qrels."""
    return max([0.0, *map(useful(seen, gains), seen.labels)]) if max_rel is None else max_rel


def best_first(seen: Seen, gain: Gain) -> list[float]:
    return sorted((value for value in map(gain, seen.pool) if value > 0), reverse=True)


# ---- precision


@twin("P")
def p_at(seen: Seen, *, rel: float, relative: bool, denominator: str = "k", judged_only: bool, cutoff: int) -> float:
    top = seen.top(judged_only, cutoff)
    found = len(hits(top, rel))
    if denominator != "k":
        shown = [grade for grade in top if grade is not None or denominator == "retrieved"]
        held = max(len(shown), 1)
        return share(found, min(held, seen.relevant(rel))) if relative else found / held
    return share(found, min(cutoff, seen.relevant(rel))) if relative else found / cutoff


@twin("Rprec")
def r_precision(seen: Seen, *, rel: float, mult: float, judged_only: bool) -> float:
    depth = math.floor(mult * seen.relevant(rel) + 0.9)
    return share(len(hits(seen.top(judged_only, depth), rel)), depth)


@twin("AP")
def average_precision(
    seen: Seen,
    *,
    rel: float,
    denominator: str,
    judged_only: bool,
    no_relevant: str = "undefined",
    cutoff: int | None,
) -> float:
    if seen.relevant(rel) == 0:
        return 1.0 if no_relevant == "one" else NAN
    ranks = hits(seen.top(judged_only, cutoff), rel)
    total = sum(found / rank for found, rank in enumerate(ranks, 1))
    if denominator == "retrieved":
        return total / len(ranks) if ranks else 0.0
    return share(total, held(seen, rel, denominator, cutoff))


@twin("GMAP")
def geometric(seen: Seen, *, rel: float, judged_only: bool) -> float:
    return average_precision(seen, rel=rel, denominator="R", judged_only=judged_only, cutoff=None)


def held(seen: Seen, rel: float, denominator: str, cutoff: int | None) -> int:
    total = seen.relevant(rel)
    return total if denominator == "R" or cutoff is None else min(total, cutoff)


@twin("GAP")
def graded_average_precision(
    seen: Seen, *, thresholds: Mapping[float, float] | None, judged_only: bool, cutoff: int | None
) -> float:
    def weight(grade: Grade) -> float:
        if grade is None:
            return 0.0
        if thresholds is None:
            return max(grade, 0.0)
        return sum(max(part, 0.0) for label, part in thresholds.items() if label <= grade)

    found = [weight(grade) for grade in seen.top(judged_only, cutoff)]
    value = sum(
        sum(min(found[above], found[rank]) for above in range(rank + 1)) / (rank + 1) for rank in range(len(found))
    )
    return share(value, sum(best_first(seen, weight)[:cutoff]))


# ---- gains


@twin("DCG")
def dcg_of(
    seen: Seen, *, dcg: str, gains: Gains, discount: str, b: float, judged_only: bool, cutoff: int | None
) -> float:
    gain = signed(seen, dcg, gains)
    return sum(gain(grade) / divisor(rank, discount, b) for rank, grade in judged(seen.top(judged_only, cutoff)))


@twin("nDCG")
def ndcg_of(
    seen: Seen,
    *,
    dcg: str,
    gains: Gains,
    discount: str,
    b: float,
    judged_only: bool,
    negative: str | None,
    baseline: str,
    mean_gain: bool,
    no_relevant: str = "undefined",
    cutoff: int | None,
) -> float:
    seen = seen if negative is None else replace(seen, keep=negative == "keep")
    gain = signed(seen, dcg, gains)
    pool = sorted(map(gain, seen.pool), reverse=True)
    if no_relevant == "one" and not any(value > 0 for value in pool[:cutoff]):
        return 1.0
    shown = [None if grade is None else gain(grade) for grade in seen.top(judged_only)]

    def total(values: list[float]) -> float:
        return sum(value / divisor(rank, discount, b) for rank, value in enumerate(values, 1))

    if baseline == "random":
        return standardized(shown, pool, total, mean_gain or judged_only or seen.unjudged != "zero", cutoff)
    if baseline == "zero_judged":
        depth = min(len(pool), len(pool) if cutoff is None else cutoff)
        best, size = total(pool[:depth]), total([abs(value) for value in pool[:depth]])
        if abs(best) <= 1e-14 * size:
            return NAN
        return total([value or 0.0 for value in shown[:cutoff]]) / best
    if baseline == "worst_judged":
        depth = min(len(pool), len(pool) if cutoff is None else cutoff)
        low, high = total(pool[::-1][:depth]), total(pool[:depth])
        # All orders may be worth the same, up to how their sums are rounded.
        room = 0.0 if math.isclose(low, high, rel_tol=1e-14) else high - low
        return share(total([value or 0.0 for value in shown[:depth]]) - low, room)
    actual = total([value or 0.0 for value in shown[:cutoff]])
    best = total([value for value in pool if value > 0][:cutoff])
    worst = total([value for value in pool[::-1] if value < 0][:cutoff]) if baseline == "worst" else 0.0
    return share(actual - worst, best - worst)


def standardized(
    shown: list[float | None],
    pool: list[float],
    total: Callable[[list[float]], float],
    mean_gain: bool,
    cutoff: int | None,
) -> float:
    """As the paper has it: gains become z = (g - mu) / sigma, and a random ranking is worth 0."""
    depth = len(pool) if cutoff is None else min(len(pool), cutoff)
    all_ranks_alike = depth == len(pool) and total([0.0] * (depth - 1) + [1.0]) == 1
    if not pool or max(pool) == min(pool) or all_ranks_alike:
        return NAN  # no order differs from another
    mu = sum(pool) / len(pool)
    sigma = math.sqrt(sum((value - mu) ** 2 for value in pool) / len(pool))
    missing = mu if mean_gain else 0.0
    filled = [missing if value is None else value for value in shown[:depth]] + [missing] * max(0, depth - len(shown))
    return share(
        total([(value - mu) / sigma for value in filled]), total([(value - mu) / sigma for value in pool[:depth]])
    )


def divisor(rank: int, discount: str, b: float) -> float:
    if discount == "log2":
        return math.log2(rank + 1)
    return math.log(rank, b) if rank > b else 1.0


def signed(seen: Seen, dcg: str, gains: Gains) -> Callable[[float], float]:
    def gain(grade: float) -> float:
        value = grade if grade > 0 or seen.keep else 0.0
        if gains is not None and grade in gains:
            value = gains[grade]
        return value if dcg == "log2" else math.copysign(2 ** abs(value) - 1, value)

    return gain


@twin("RBP")
def rbp(
    seen: Seen,
    *,
    p: float,
    rel: float | None,
    gain: str,
    gains: Gains,
    max_rel: float | None,
    cutoff: int | None,
) -> float:
    top = scale_of(seen, gains, max_rel)
    value = 0.0
    for rank, grade in judged(seen.top(False, cutoff)):
        label = useful(seen, gains)(grade)
        if rel is not None:
            utility = 1.0 if grade >= rel else 0.0
        elif gain == "exp":
            utility = (2**label - 1) / 2**top
        else:
            utility = label / top if label else 0.0
        value += (1 - p) * utility * p ** (rank - 1)
    return value


# ---- users who stop


def cascade(values: list[float], top: float, stop: str, worth: Callable[[int], float]) -> float:
    """What is expected at the rank where the user stops; values are gains by rank."""
    total, goes_on = 0.0, 1.0
    for rank, value in enumerate(values, 1):
        stops = (2**value - 1) / 2**top if stop == "exp" else value / (top + 1)
        total += goes_on * stops * worth(rank)
        goes_on *= 1 - stops
    return total


def reciprocal(rank: int) -> float:
    return 1 / rank


@twin("ERR")
def err(seen: Seen, *, stop: str, gains: Gains, max_rel: float | None, cutoff: int | None) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.top(False, cutoff)]
    return cascade(values, scale_of(seen, gains, max_rel), stop, reciprocal)


@twin("nERR")
def nerr(seen: Seen, *, stop: str, gains: Gains, max_rel: float | None, cutoff: int | None) -> float:
    top = scale_of(seen, gains, max_rel)
    best = cascade(best_first(seen, useful(seen, gains))[:cutoff], top, stop, reciprocal)
    return share(err(seen, stop=stop, gains=gains, max_rel=top, cutoff=cutoff), best)


@twin("iRBU")
def irbu(
    seen: Seen,
    *,
    p: float,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    judged_only: bool,
    cutoff: int | None,
) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.top(judged_only, cutoff)]
    return cascade(values, scale_of(seen, gains, max_rel), stop, lambda rank: p**rank)


@twin("EBR")
def ebr(
    seen: Seen,
    *,
    rel: float,
    beta: float,
    stop: str,
    gains: Gains,
    max_rel: float | None,
    judged_only: bool,
    cutoff: int | None,
) -> float:
    grades, gain = seen.top(judged_only, cutoff), useful(seen, gains, rel)
    top = scale_of(seen, gains, max_rel)
    return cascade(
        [gain(grade) for grade in grades], top, stop, lambda rank: blended(seen, grades, rank, rel, beta, gain)
    )


# ---- blended ratio


def blended(seen: Seen, grades: list[Grade], rank: int, rel: float, beta: float, gain: Gain) -> float:
    gained = sum(gain(grade) for grade in grades[:rank])
    best = sum(best_first(seen, gain)[:rank])
    return (len(hits(grades[:rank], rel)) + beta * gained) / (rank + beta * best)


@twin("Q")
def q_measure(
    seen: Seen, *, rel: float, beta: float, gains: Gains, denominator: str, judged_only: bool, cutoff: int | None
) -> float:
    grades, gain = seen.top(judged_only, cutoff), useful(seen, gains, rel)
    value = sum(blended(seen, grades, rank, rel, beta, gain) for rank in hits(grades, rel))
    return share(value, held(seen, rel, denominator, cutoff))


@twin("O-measure")
def o_measure(seen: Seen, *, rel: float, beta: float, gains: Gains, judged_only: bool) -> float:
    grades, gain = seen.top(judged_only), useful(seen, gains, rel)
    return next((blended(seen, grades, rank, rel, beta, gain) for rank in hits(grades, rel)), 0.0)


def preferred(grades: list[Grade], rel: float, gain: Gain) -> int:
    """The first relevant rank that no other surpasses, 0 where nothing is relevant."""
    return max(hits(grades, rel), key=lambda rank: (gain(grades[rank - 1]), -rank), default=0)


@twin("P-measure")
def p_measure(seen: Seen, *, rel: float, beta: float, gains: Gains, judged_only: bool) -> float:
    grades, gain = seen.top(judged_only), useful(seen, gains, rel)
    rank = preferred(grades, rel, gain)
    return blended(seen, grades, rank, rel, beta, gain) if rank else 0.0


@twin("P-plus")
def p_plus(seen: Seen, *, rel: float, beta: float, gains: Gains, judged_only: bool) -> float:
    grades, gain = seen.top(judged_only), useful(seen, gains, rel)
    ranks = [rank for rank in hits(grades, rel) if rank <= preferred(grades, rel, gain)]
    return sum(blended(seen, grades, rank, rel, beta, gain) for rank in ranks) / len(ranks) if ranks else 0.0


@twin("NCU")
def normalised_cumulative_utility(
    seen: Seen,
    *,
    rel: float,
    stopping: str,
    utility: str,
    beta: float,
    gamma: float,
    gains: Gains,
    stops: Gains,
    judged_only: bool,
) -> float:
    grades, gain = seen.top(judged_only), useful(seen, gains, rel)
    ranks = hits(grades, rel)
    total = seen.relevant(rel)
    if stopping == "graded":
        weight = useful(seen, gains if stops is None else stops, rel)
        weights = [weight(grades[rank - 1]) for rank in ranks]
        whole = sum(map(weight, seen.pool))
    else:
        factor = gamma if stopping == "rank-biased" else 1.0
        weights = [factor**found for found in range(len(ranks))]
        whole = sum(factor**found for found in range(total))
    value = 0.0
    for found, (rank, weight_of_rank) in enumerate(zip(ranks, weights, strict=True), 1):
        worth = found / rank if utility == "P" else blended(seen, grades, rank, rel, beta, gain)
        value += weight_of_rank * worth
    return share(value, whole)


# ---- preferences


def kept(seen: Seen, rel: float, of: Callable[[int, int], float]) -> float:
    """Mean over the relevant documents of what ``of`` makes of the others above and of the rank among the judged."""
    grades = seen.top(judged_only=True)
    parts = [of(rank - found, rank) for found, rank in enumerate(hits(grades, rel), 1)]
    return share(sum(parts), seen.relevant(rel))


@twin("bpref_R")
def bpref_r(seen: Seen, *, rel: float) -> float:
    total = seen.relevant(rel)
    return kept(seen, rel, lambda above, _: 1 - min(above, total) / total)


@twin("bpref_N")
def bpref_n(seen: Seen, *, rel: float) -> float:
    other = len(seen.pool) - seen.relevant(rel)
    return kept(seen, rel, lambda above, _: 1 - above / other if above else 1.0)


@twin("bpref_relative")
def bpref_relative(seen: Seen, *, rel: float) -> float:
    return kept(seen, rel, lambda above, rank: 1 - above / (rank - 1) if rank > 1 else 0.0)


def graded_kept(seen: Seen, gains: Gains, of: Callable[[float, int], float]) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.top(judged_only=True)]
    total = 0.0
    for rank, value in enumerate(values, 1):
        if value > 0:
            total += value * of(sum(max(value - above, 0) / value for above in values[: rank - 1]), rank)
    return share(total, sum(best_first(seen, useful(seen, gains))))


@twin("rpref_N")
def rpref_n(seen: Seen, *, gains: Gains, max_rel: float | None) -> float:
    top = scale_of(seen, gains, max_rel)
    gain = useful(seen, gains)
    worst = sum((top - gain(grade)) / top for grade in seen.pool) if top else 0.0
    return graded_kept(seen, gains, lambda penalty, _: 1 - penalty / worst if penalty else 1.0)


@twin("rpref_relative")
def rpref_relative(seen: Seen, *, gains: Gains) -> float:
    return graded_kept(seen, gains, lambda penalty, rank: 1 - penalty / (rank - 1) if rank > 1 else 0.0)


@twin("rpref_relative2")
def rpref_relative2(seen: Seen, *, gains: Gains) -> float:
    return graded_kept(seen, gains, lambda penalty, rank: 1 - penalty / rank)


@twin("Accuracy")
def accuracy(seen: Seen, *, rel: float, cutoff: int | None) -> float:
    grades = seen.top(False, cutoff)
    ranks = hits(grades, rel)
    if len(ranks) == len(grades) > 0:
        return 1.0
    others = [rank for rank in range(1, len(grades) + 1) if rank not in ranks]
    right = sum(rank < other for rank in ranks for other in others)
    return share(right, len(ranks) * len(others))


@twin("Compat")
def compatibility(seen: Seen, *, p: float, normalize: bool) -> float:
    ranked = list(range(len(seen.ranked)))
    retrieved = [(grade, document) for document, grade in enumerate(seen.ranked) if grade is not None and grade > 0]
    elsewhere = [grade for grade in seen.pool if grade > 0]
    for grade, _ in retrieved:
        elsewhere.remove(grade)
    known = retrieved + [(grade, -1 - number) for number, grade in enumerate(elsewhere)]
    best = [document for _, document in sorted(known, key=lambda pair: -pair[0])]

    def overlap(one: list[int], other: list[int]) -> float:
        return sum(
            p ** (depth - 1) * len(set(one[:depth]) & set(other[:depth])) / depth
            for depth in range(1, max(len(ranked), len(best)) + 1)
        )

    whole = overlap(best, best) if normalize else sum(p**depth for depth in range(max(len(ranked), len(best))))
    return share(overlap(ranked, best), whole)


# ---- experiments of trec_eval


@twin("binG")
def bin_g(seen: Seen, *, rel: float) -> float:
    ranks = hits(seen.ranked, rel)
    return share(sum(1 / math.log2(2 + rank - found) for found, rank in enumerate(ranks, 1)), seen.relevant(rel))


@twin("G")
def normalised_gain(seen: Seen, *, gains: Gains) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.ranked]
    best = best_first(seen, useful(seen, gains))
    total = 0.0
    for rank, value in enumerate(values, 1):
        costs = [max(gain, 1.0) for gain in best[:rank]] + [1.0] * max(rank - len(best), 0)
        total += value / math.log2(2 + sum(costs) - sum(values[:rank]))
    return share(total, sum(best))


def ndcg_at(values: list[float], best: list[float], cutoff: int | None) -> float:
    actual, ideal = (
        sum(value / math.log2(rank + 1) for rank, value in enumerate(of[:cutoff], 1)) for of in (values, best)
    )
    return actual / ideal


@twin("Rndcg")
def ndcg_at_r_levels(seen: Seen, *, rel: float, gains: Gains) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.ranked]
    best = best_first(seen, useful(seen, gains))
    if not best or not seen.relevant(rel):
        return NAN
    points = [ndcg_at(values, best, sum(value >= level for value in best)) for level in sorted(set(best))]
    if len(values) > len(best) + 1:
        points.append(ndcg_at(values, best, None))
    return sum(points) / len(points)


@twin("ndcg_rel")
def ndcg_at_relevant(seen: Seen, *, gains: Gains) -> float:
    values = [useful(seen, gains)(grade) for grade in seen.ranked]
    best = best_first(seen, useful(seen, gains))
    if not best:
        return NAN
    points = [ndcg_at(values, best, rank) for rank, value in enumerate(values, 1) if value > 0]
    points += [ndcg_at(values, best, None)] * (len(best) - len(points))
    return sum(points) / len(best)


@twin("Utility")
def utility(seen: Seen, *, rel: float, a: float, b: float) -> float:
    found = len(hits(seen.ranked, rel))
    return a * found + b * (len(seen.ranked) - found)
