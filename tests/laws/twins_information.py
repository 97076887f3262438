"""A second hand for RIC, also by depth: mutual information over all ordered pairs, outcome by outcome."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import product

from twins import NAN, Seen, twin

ABSENT = math.inf


def placed(seen: Seen, rel: float, cutoff: int | None) -> list[tuple[float, float]]:
    """(label, place) of every judged document of the topic: places among the judged down to the last of use."""
    kept = [grade for grade in seen.top(False, cutoff) if grade is not None]
    while kept and kept[-1] < rel:
        kept.pop()
    left = list(seen.pool)
    for grade in kept:
        left.remove(grade)
    return [(grade, float(place)) for place, grade in enumerate(kept, 1)] + [(grade, ABSENT) for grade in left]


def outcome(place: float, other: float) -> int:
    """R of an ordered pair."""
    if place == other == ABSENT:
        return 0
    return 1 if place < other else -1


def information(joint: Counter[tuple[int, int]]) -> float:
    """I(R; Q) from the weights of (R, Q)."""
    total = sum(joint.values())
    of_r, of_q = Counter[int](), Counter[int]()
    for (r, q), weight in joint.items():
        of_r[r] += weight  # type: ignore[assignment]
        of_q[q] += weight  # type: ignore[assignment]
    return math.fsum(
        weight / total * math.log2(weight * total / (of_r[r] * of_q[q])) for (r, q), weight in joint.items() if weight
    )


@twin("RIC")
def relevance_information(
    seen: Seen, *, rel: float, signed: bool, pair_weight: str, p: float, cutoff: int | None
) -> float:
    documents = placed(seen, rel, cutoff)
    unequal = [(one, other) for one, other in product(documents, documents) if one[0] != other[0]]
    if not unequal:
        return NAN
    joint = Counter[tuple[int, int]]()
    for (grade, place), (other_grade, other_place) in unequal:
        better = min(place, other_place)
        weight = 1.0 if pair_weight == "uniform" else 0.0 if better == ABSENT else p ** (better - 1)
        joint[outcome(place, other_place), int(grade > other_grade)] += weight  # type: ignore[assignment]
    if not sum(joint.values()):
        return 0.0
    value = information(joint)
    against = joint[1, 1] + joint[-1, 0] < joint[1, 0] + joint[-1, 1]
    return -value if signed and against else value


def told(documents: list[tuple[float, float]]) -> tuple[float, bool]:
    """I(R; Q) over all pairs of different labels, and whether more of them contradict the labels than follow them."""
    joint = Counter[tuple[int, int]]()
    for (grade, place), (other_grade, other_place) in product(documents, documents):
        if grade != other_grade:
            joint[outcome(place, other_place), int(grade > other_grade)] += 1
    return information(joint), joint[1, 1] + joint[-1, 0] < joint[1, 0] + joint[-1, 1]


@twin("SRIC")
def stopping_depth(seen: Seen, *, p: float, rel: float, signed: bool, cutoff: int | None) -> float:
    """Depth by depth: below the end of both lists, or the cutoff, nothing changes."""
    best: list[float] = sorted(seen.pool, reverse=True)
    if not best or best[0] == best[-1] or best[0] < rel:
        return NAN
    deepest = max(len(seen.ranked), len(best)) + 1 if cutoff is None else cutoff
    value = ideal = 0.0
    for k in range(1, deepest + 1):
        chance = (1 - p) * p ** (k - 1) if k < deepest else p ** (k - 1)
        bits, against = told(placed(seen, rel, k))
        value += chance * (-bits if signed and against else bits)
        ideal += chance * told(placed(replace(seen, ranked=[*best]), rel, k))[0]
    return value / ideal
