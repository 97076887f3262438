"""Twins of the measures of group fairness: one list and one group after the other, as the tracks' scripts go."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from twins import NAN, twin
from twins_diversity import LEAST, Diverse, Labels, near_one

Shares = Sequence[float]


def shares_of(labels: Labels, groups: Sequence[str]) -> list[float] | None:
    useful = [max(labels.get(group, 0.0), 0.0) for group in groups]
    total = sum(useful)
    return [label / total for label in useful] if total else None


def entropy(shares: Shares) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


def jsd(one: Shares, other: Shares) -> float:
    """By entropies, in bits; probabilities taken raw do not add up to 1, which these do not mind."""
    middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
    return entropy(middle) - (entropy(one) + entropy(other)) / 2


def nmd(one: Shares, other: Shares) -> float:
    if len(one) < 2:
        return 0.0
    return sum(abs(sum(one[:end]) - sum(other[:end])) for end in range(1, len(one) + 1)) / (len(one) - 1)


def rnod(one: Shares, other: Shares) -> float:
    if len(one) < 2:
        return 0.0
    places = range(len(one))
    wanted = [i for i in places if other[i] > 0]
    weighed = [sum(abs(i - j) * (one[j] - other[j]) ** 2 for j in places) for i in wanted]
    return math.sqrt(sum(weighed) / len(wanted) / (len(one) - 1)) if wanted else NAN


DIVERGENCE = {"JSD": jsd, "NMD": nmd, "RNOD": rnod}


@twin("AWRF")
def awrf(seen: Diverse, *, attention: str, p: float, base: float, cutoff: int | None) -> float:
    weights = seen.weights(LEAST)
    groups = list(weights)
    drawn = [0.0] * len(groups)
    for rank, labels in enumerate(seen.top(False, cutoff), 1):
        power = 1 / math.log2(max(rank, 2)) if attention == "log2" else p ** (rank - 1)
        for place, share in enumerate(shares_of(labels, groups) or []):
            drawn[place] += power * share
    if not sum(drawn) or not sum(weights.values()):
        return NAN
    achieved = [one / sum(drawn) for one in drawn]
    return near_one(1 - jsd(achieved, list(weights.values())) * math.log(2, base))


def stopping_user(
    seen: Diverse, gains: Mapping[float, float] | None, max_rel: float | None, cutoff: int | None
) -> list[float]:
    """Probability to stop at each rank."""

    def worth(labels: Labels) -> float:
        label = max(labels.values(), default=0.0)
        return max(float((gains or {}).get(label, label)), 0.0) if labels else 0.0

    top = max_rel
    if top is None:
        top = max([0.0, *(max((gains or {}).get(label, label), 0.0) for label in seen.largest)])
    left, stops = 1.0, []
    for labels in seen.top(False, cutoff):
        satisfied = worth(labels) / (top + 1)
        stops.append(left * satisfied)
        left *= 1 - satisfied
    return stops


@twin("GF")
def fairness(
    seen: Diverse, *, similarity: str, gains: Mapping[float, float] | None, max_rel: float | None, cutoff: int | None
) -> float:
    weights = seen.weights(LEAST)
    groups, target = list(weights), list(weights.values())
    if not sum(target):
        return NAN
    total, summed = 0.0, [0.0] * len(groups)
    stops = stopping_user(seen, gains, max_rel, cutoff)
    for rank, (labels, stop) in enumerate(zip(seen.top(False, cutoff), stops, strict=True), 1):
        member = shares_of(labels, groups) or [1 / len(groups)] * len(groups)
        summed = [before + share for before, share in zip(summed, member, strict=True)]
        if stop:
            total += stop * (1 - DIVERGENCE[similarity]([one / rank for one in summed], target))
    return near_one(total)


@twin("GFR")
def fairness_and_relevance(
    seen: Diverse,
    *,
    similarity: str,
    relevance: str,
    p: float,
    gains: Mapping[float, float] | None,
    max_rel: float | None,
    cutoff: int | None,
) -> float:
    fair = fairness(seen, similarity=similarity, gains=gains, max_rel=max_rel, cutoff=cutoff)
    stops = enumerate(stopping_user(seen, gains, max_rel, cutoff), 1)
    return (fair + sum(stop * (1 / rank if relevance == "ERR" else p**rank) for rank, stop in stops)) / 2
