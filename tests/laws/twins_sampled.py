"""Twins of the measures of sampled judgments: one pass down a list, as sample_eval goes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from twins import NAN, Seen, twin

Pooled = tuple[str, float]
"""Stratum and label of a document."""
ONLY = "the only stratum"


def estimated_precision(ranked: Sequence[Pooled | None], pool: Sequence[Pooled], rel: float) -> float:
    """xinfAP of a list, None where a document is not in the pool."""
    whole, some = Counter(s for s, _ in pool), Counter(s for s, label in pool if label >= 0)
    relevant = Counter(s for s, label in pool if label >= max(rel, 0))
    total = sum(relevant[s] * whole[s] / some[s] for s in relevant)
    retrieved: Counter[str] = Counter()
    sampled: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    precision: defaultdict[str, float] = defaultdict(float)
    for rank, document in enumerate(ranked, 1):
        if document is None:
            continue
        stratum, label = document
        if label >= max(rel, 0):
            above = sum(retrieved[s] * (hits[s] + 1e-5) / (sampled[s] + 3e-5) for s in retrieved)
            precision[stratum] += 1 / rank + above / rank
            hits[stratum] += 1
        retrieved[stratum] += 1
        sampled[stratum] += label >= 0
    if not total:
        return NAN
    return sum(relevant[s] * whole[s] / some[s] / total * precision[s] / relevant[s] for s in relevant)


def estimated_gain(
    ranked: Sequence[Pooled | None], pool: Sequence[Pooled], worth: Mapping[float, float], rounded: bool, most: float
) -> float:
    """infNDCG of a list; ``worth`` has the gain of each label."""
    whole, some = Counter(s for s, _ in pool), Counter(s for s, label in pool if label >= 0)
    expected: defaultdict[float, float] = defaultdict(float)
    for stratum in whole:
        for gain, count in Counter(worth[label] for s, label in pool if s == stratum and label >= 0).items():
            expected[gain] += count * whole[stratum] / some[stratum] if gain > 0 else 0.0
    ideal, rank = 0.0, 0.0
    for gain in sorted(expected, reverse=True):
        left = float(math.floor(expected[gain] + 0.5)) if rounded else expected[gain]
        while left > 1e-12 and rank < most - 1e-12:
            # What is left of a rank that another gain began, or as much of the next as there is.
            step = min(left, math.floor(rank + 1e-12) + 1 - rank, most - rank)
            ideal += step * gain / math.log2(math.floor(rank + 1e-12) + 2)
            rank, left = rank + step, left - step
    found: defaultdict[str, float] = defaultdict(float)
    retrieved = Counter(document[0] for document in ranked if document is not None)
    sampled = Counter(document[0] for document in ranked if document is not None and document[1] >= 0)
    for place, document in enumerate(ranked, 1):
        if document is not None and document[1] >= 0:
            found[document[0]] += worth[document[1]] / math.log2(place + 1)
    total = sum(retrieved[s] / sampled[s] * found[s] for s in found)
    return total / ideal if ideal else NAN


def _worth(seen: Seen, gains: Mapping[float, float] | None) -> dict[float, float]:
    return {
        label: max(0.0, (gains or {}).get(label, label)) for label in {*seen.pool, *seen.ranked} if label is not None
    }


@twin("xinfAP")
def sampled_precision(seen: Seen, *, rel: float, cutoff: int | None) -> float:
    return estimated_precision(_in_one(seen.ranked[:cutoff]), [(ONLY, label) for label in seen.pool], rel)


@twin("infNDCG")
def sampled_gain(seen: Seen, *, gains: Any, counts: str, cutoff: int | None) -> float:
    pool = [(ONLY, label) for label in seen.pool]
    most = math.inf if cutoff is None else cutoff
    return estimated_gain(_in_one(seen.ranked[:cutoff]), pool, _worth(seen, gains), counts == "whole", most)


def _in_one(labels: Sequence[float | None]) -> list[Pooled | None]:
    return [None if label is None else (ONLY, label) for label in labels]
