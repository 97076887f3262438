"""Twins of measures that look at pairs of documents, or at gains without a discount."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from twins import Seen, hits, share, twin


@twin("yaap")
def log_odds(seen: Seen, *, rel: float, cutoff: int | None) -> float:
    found = sum(len(hits(seen.ranked[:rank], rel)) / rank for rank in hits(seen.ranked[:cutoff], rel))
    return math.log((1 + found) / (1 + seen.relevant(rel) - found))


@twin("NCG")
def cumulated(seen: Seen, *, gains: Mapping[float, float] | None, judged_only: bool, cutoff: int | None) -> float:
    def worth(label: float | None) -> float:
        return 0.0 if label is None else max(0.0, (gains or {}).get(label, label))

    best = sorted(map(worth, seen.pool), reverse=True)[:cutoff]
    return share(sum(map(worth, seen.top(judged_only, cutoff))), sum(best))


def pairs(seen: Seen) -> list[tuple[bool, int]]:
    """Of each pair of judged documents with different labels: whether it is in order, and how many are retrieved."""
    listed = [label for label in seen.ranked if label is not None]
    rest = list(seen.pool)
    for label in listed:
        rest.remove(label)
    # Ranks of documents that are not retrieved are equal, below all others.
    documents = [*((label, rank) for rank, label in enumerate(listed)), *((label, len(listed)) for label in rest)]
    found = []
    for one, other in combinations(documents, 2):
        if one[0] != other[0]:
            better, worse = max(one, other), min(one, other)
            found.append((better[1] < worse[1], sum(rank < len(listed) for _, rank in (one, other))))
    return found


@twin("prefs_simp")
def preferred(seen: Seen, *, among: str) -> float:
    least = {"judged": 0, "implied": 1, "retrieved": 2}[among]
    counted = [right for right, retrieved in pairs(seen) if retrieved >= least]
    return share(sum(counted), len(counted))


@twin("NumPrefs")
def number_preferred(seen: Seen, *, which: str) -> float:
    found = pairs(seen)
    if which == "all":
        return len(found)
    return sum(right for right, retrieved in found if retrieved == 2 or which == "right")
