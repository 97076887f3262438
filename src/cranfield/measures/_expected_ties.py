"""Means over all orders of documents of equal score, exactly, without walking through the orders.

Every order of a group of tied documents is as likely as any other. Of a group of t documents below s others, m of
which are relevant, the position j = 1..t holds a relevant one with probability m/t, and what stands above it is known
in expectation. So each mean below is a sum over positions, not over the t! orders.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.rankings import PerRanking, Rankings, TieGroups
from cranfield.collection.segments import CELLS

Weight = Callable[[Floats], Floats]
"""From ranks to what a rank weighs."""


def relevant_to(rankings: Rankings, rel: float, *, judged_only: bool, cutoff: int | None) -> PerRanking:
    """Relevant documents in the first k ranks, or their mean where ties are open, float64 [segments]."""
    if rankings.first is None:
        return rankings.only(rel, judged_only=judged_only).count_down_to(cutoff)
    view = rankings.view(judged_only=judged_only)
    return view.sum(view.relevant(rel) * view.mean_weight(np.ones_like, cutoff))


def mean_precision_sum(rankings: Rankings, rel: float, cutoff: int | None) -> PerRanking:
    """Mean of the sum of the precisions at the relevant documents to the cutoff, float64 [segments].

    A group adds sum_j (m/t) (c + 1 + (j - 1) (m - 1) / (t - 1)) / (s + j), with c relevant documents above it.
    """
    groups = rankings.tied
    relevant = rankings.relevant(rel)
    m = _total(groups, relevant)
    c = (rankings.running_count(relevant) - relevant)[groups.starts[:-1]]
    t, s = groups.size, groups.above
    reached = _positions(groups, cutoff)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1.0, rankings.longest + 1))])
    inverse = np.where(t == 1, (reached > 0) / (s + 1.0), harmonic[s + reached] - harmonic[s])
    pairs = np.divide(m - 1, t - 1, out=np.zeros(len(t)), where=t > 1)
    value: Floats = (m / t) * ((c + 1) * inverse + pairs * (reached - (s + 1) * inverse))
    return _by_list(rankings, groups, value)


def mean_at_first_relevant(rankings: Rankings, rel: float, weight: Weight, cutoff: int | None) -> PerRanking:
    """Mean of ``weight`` at the rank of the first relevant document, 0 where there is none to the cutoff.

    It is at position j of the first group that holds one with probability C(t - j, m - 1) / C(t, m).
    """
    groups = rankings.tied
    m = _total(groups, rankings.relevant(rel))
    holding = np.flatnonzero(m)
    _, firsts = np.unique(groups.segment[holding], return_index=True)
    group = holding[firsts]
    t, s, m, reached = groups.size[group], groups.above[group], m[group], _positions(groups, cutoff)[group]
    value, chance = np.zeros(len(group)), m / t
    for j in range(1, int(reached.max(initial=0)) + 1):
        value += np.where(j <= reached, chance, 0.0) * weight((s + j).astype(np.float64))
        chance = chance * np.maximum(t - j - m + 1, 0) / np.maximum(t - j, 1)
    out = np.zeros(len(rankings.length))
    out[groups.segment[group]] = value
    return out


def mean_at_stop(rankings: Rankings, satisfied: Floats, weight: Weight, cutoff: int | None) -> PerRanking:
    """Mean of ``weight`` at the rank where a user stops who is satisfied with these chances, float64 [segments].

    The user passes the first j of a group with probability S_j = e_j(1 - satisfied) / C(t, j), the mean product of j
    of its t members, unjudged ones included; e_j is the elementary symmetric polynomial. With one more member q,
    S_j becomes ((t - j) S_j + j q S_(j-1)) / t, and the chance to stop at j, D_j = S_(j-1) - S_j, becomes
    ((t - j) D_j + (j - 1) q D_(j-1) + (1 - q) S_(j-1)) / t: sums of what is not negative, nothing lost to cancellation.
    """
    groups = rankings.tied
    able = satisfied > 0
    m = _total(groups, able)
    reached = _positions(groups, cutoff)
    here = np.where(reached > 0, satisfied[groups.starts[:-1]] * weight((groups.above + 1).astype(np.float64)), 0.0)
    several = groups.size > 1
    here[several] = _stops_in_group(groups, able, m, satisfied, weight, reached)[several]
    come: Floats = rankings.running_product(1 - satisfied)[groups.starts[:-1]]
    return _by_list(rankings, groups, come * here)


def _stops_in_group(groups: TieGroups, able: Mask, m: Ints, satisfied: Floats, weight: Weight, reached: Ints) -> Floats:
    """Mean weight at which a user who has come to a group stops in it, float64 [G]; groups of one are left out."""
    out = np.zeros(len(m))
    satisfying = satisfied[able]
    begin = np.concatenate([[0], np.cumsum(m)])
    wanted = np.flatnonzero((groups.size > 1) & (m > 0) & (reached > 0))
    wanted = wanted[np.argsort(groups.size[wanted], kind="stable")]
    while len(wanted):
        widest = int(groups.size[wanted[-1]])
        count = max(1, CELLS // (widest + 1))
        block, wanted = wanted[-count:], wanted[:-count]
        t, members = groups.size[block], m[block]
        j = np.arange(widest + 1.0)
        passed, stops = np.ones((len(block), widest + 1)), np.zeros((len(block), widest + 1))
        for step in range(int(members.max())):
            active = np.flatnonzero(step < members)
            n = (t[active] - members[active] + step + 1.0)[:, None]
            s = satisfying[begin[block[active]] + step][:, None]
            came, stopped = _shifted(passed[active]), _shifted(stops[active])
            ended = ((n - j) * stops[active] + np.maximum(j - 1, 0) * (1 - s) * stopped + s * came) / n
            stops[active] = np.where(j <= n, ended, 0.0)
            passed[active] = np.where(j <= n, ((n - j) * passed[active] + j * (1 - s) * came) / n, 0.0)
        rank = groups.above[block][:, None] + j[1:]
        stops = np.where(j <= reached[block][:, None], stops, 0.0)[:, 1:]
        out[block] = (stops * weight(rank)).sum(axis=1)
    return out


def _shifted(table: Floats) -> Floats:
    """Each row moved down by one position, 0 first."""
    return np.concatenate([np.zeros((len(table), 1)), table[:, :-1]], axis=1)


def _total(groups: TieGroups, mask: Mask) -> Ints:
    """Marked rows of each group, int64 [G]."""
    total = np.concatenate([[0], np.cumsum(mask)])
    counted: Ints = total[groups.starts[1:]] - total[groups.starts[:-1]]
    return counted


def _positions(groups: TieGroups, cutoff: int | None) -> Ints:
    """Return how many positions of each group lie above the cutoff, int64 [G]."""
    if cutoff is None:
        return groups.size
    last = int((groups.above + groups.size).max(initial=0))
    return np.clip(min(cutoff, last) - groups.above, 0, groups.size)


def _by_list(rankings: Rankings, groups: TieGroups, values: Floats) -> PerRanking:
    total: Floats = np.bincount(groups.segment, values, minlength=len(rankings.length)).astype(np.float64, copy=False)
    return total
