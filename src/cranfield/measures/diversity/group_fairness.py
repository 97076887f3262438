"""Fairness to groups of documents, which are given as intents: their shares of attention."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.intent_rankings import get_intents
from cranfield.collection.intents import ANY
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._parameter import Cutoff, Meaning, Persistence
from cranfield.measures.diversity._declaration import BY_INTENT, COVER, NO_INTENT, intent_measure
from cranfield.measures.diversity._gains import get_weights, without_roundings
from cranfield.measures.err import at_stop, stopping
from cranfield.measures.gain import Gain, Gains, MaxRel, scale, useful_gain
from cranfield.measures.laws import because
from cranfield.statistics.numeric import ratio

SAPIEZYNSKI = (
    "Sapiezynski et al. 2019, doi:10.1145/3308560.3317595; Ekstrand et al. 2021, Overview of the TREC 2021 Fair "
    "Ranking Track"
)
SAKAI = "Sakai et al. 2023, A versatile framework for evaluating ranked lists, arXiv:2204.00280"

Attention = Annotated[
    Literal["log2", "geometric"], Meaning("attention at rank r: 1 / log2(max(r, 2)), or p to the power of r - 1")
]
Base = Annotated[float, Meaning("base of the logarithm of the divergence", low=2)]
Similarity = Annotated[
    Literal["JSD", "NMD", "RNOD"],
    Meaning(
        "1 minus this divergence from the target: JSD for groups without order, NMD and RNOD for groups in the order "
        "of their names"
    ),
]
Relevance = Annotated[Literal["ERR", "iRBU"], Meaning("the measure of relevance that is averaged with GF")]

SHARED = because(
    "what matters is the shares of groups, not how many documents are relevant", "monotonicity", "promotion"
)
MEMBERS = because("documents belong to groups in proportion to labels above 0", "shift invariance")
WHERE = because("the user who stops earlier may have seen groups less fair", "promotion")
STOPS = because("a label g ends the search with the chance g / (max_rel + 1)", "scale invariance")


@dataclass(frozen=True)
class FairnessGroups:
    """The groups of every topic, side by side from the left.

    Args:
        member: how much of each judged document belongs to each group, rows add up to 1 or are 0, float64 [pool, G].
        target: the share that each group should have, float64 [topics, G].
        number: groups of each topic, float64 [topics].
    """

    member: Floats
    target: Floats
    number: Floats

    @classmethod
    def from_rankings(cls, rankings: Rankings, name: str) -> FairnessGroups:
        """The groups that the judgments give as intents.

        Raises:
            InputError: they name none.
        """
        intents = get_intents(rankings, name)
        counted, topics = intents.counted(ANY), len(intents.topics)
        before = np.concatenate([[0], np.cumsum(counted)])
        first = np.searchsorted(intents.topic, np.arange(topics))
        column: Ints = before[:-1] - before[first][intents.topic]
        number = intents.number(ANY)
        width = int(number.max(initial=0))
        member = np.zeros((len(rankings.pool.grade), width))
        member[intents.document, column[intents.intent]] = intents.label
        target = np.zeros((topics, width))
        target[intents.topic[counted], column[counted]] = get_weights(rankings, intents, ANY)[counted]
        return cls(normalize_rows(member), target, number)

    def columns(self, topic: Ints) -> Iterator[tuple[Floats, Floats]]:
        """Group by group: how much each judged document belongs to it, and its target for each given topic."""
        for group in range(self.member.shape[1]):
            yield self.member[:, group], self.target[topic, group]

    def distances(self) -> Floats:
        """Mean distance of each group from those whose target is above 0, float64 [topics, G]."""
        width = self.target.shape[1]
        apart = np.abs(np.arange(width)[:, None] - np.arange(width)).astype(np.float64)
        wanted = (self.target > 0).astype(np.float64)
        mean: Floats = (wanted @ apart) / np.maximum(wanted.sum(axis=1, keepdims=True), 1.0)
        return mean


def normalize_rows(values: Floats) -> Floats:
    """Rows divided by their sums; rows of zeros stay."""
    total = values.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(values, total, out=np.zeros_like(values), where=total > 0)
    return shares


def _jensen_shannon(achieved: Floats, target: Floats) -> Floats:
    """Return what one group adds to the divergence of Jensen and Shannon, in bits."""
    middle = (achieved + target) / 2
    total = np.zeros_like(middle)
    for share in (achieved, target):
        there = share > 0
        total[there] += share[there] * np.log2(share[there] / middle[there]) / 2
    return total


@intent_measure(
    "AWRF",
    default_range=(1 - math.log(2), 1.0),
    declines=BY_INTENT | NO_INTENT | COVER | MEMBERS | SHARED,
    reference=SAPIEZYNSKI,
)
def AWRF(
    rankings: Rankings,
    *,
    attention: Attention = "log2",
    p: Persistence = 0.95,
    base: Base = math.e,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Attention-weighted rank fairness: how near the shares of attention that groups get are to their target.

    AWRF = 1 - JSD(a, P), with a the share of the attention to the list's members of any group that each group gets,
    and P the target P(i|q). A document belongs to groups in proportion to its labels for them; one without a group
    draws no attention. The logarithm is natural, as in the track's script; base=2 makes 0 the least value.
    """
    groups, view = FairnessGroups.from_rankings(rankings, "AWRF"), rankings.top(cutoff)
    power = view.at_rank(
        lambda rank: 1 / np.log2(np.maximum(rank, 2.0)) if attention == "log2" else np.power(p, rank - 1.0)
    )
    topic = np.tile(np.arange(len(groups.number)), len(rankings.systems))
    if not groups.member.shape[1]:
        return np.full(len(topic), np.nan)
    drawn = np.stack([view.sum(power * member[view.document]) for member, _ in groups.columns(topic)], axis=-1)
    total = drawn.sum(axis=-1)
    divergence = np.zeros(len(topic))
    for group, (_, target) in enumerate(groups.columns(topic)):
        divergence += _jensen_shannon(np.nan_to_num(ratio(drawn[:, group], total)), target)
    defined = (total > 0) & (groups.target.sum(axis=1) > 0)[topic]
    return np.where(defined, without_roundings(1 - divergence * math.log(2) / math.log(base)), np.nan)


def _similarity(lists: Rankings, groups: FairnessGroups, similarity: str) -> Floats:
    """Return how near the groups of the ranks down to each row are to the target, float64 [rows].

    Documents without a group belong to all groups alike.
    """
    topic = lists.segment % len(groups.number)
    number = groups.number[topic]
    without: Floats = np.where(groups.member.any(axis=1), 0.0, 1.0)
    unknown = (lists.rank - lists.position + lists.running_sum(without[lists.document])) / np.maximum(number, 1.0)
    distances = groups.distances()
    total, ahead = np.zeros(len(topic)), np.zeros(len(topic))
    for group, (member, target) in enumerate(groups.columns(topic)):
        counts = group < number
        achieved = (lists.running_sum(member[lists.document]) + unknown) / lists.rank * counts
        if similarity == "JSD":
            total += _jensen_shannon(achieved, target)
        elif similarity == "NMD":
            ahead += achieved - target
            total += np.abs(ahead) * counts
        else:
            total += distances[topic, group] * (achieved - target) ** 2 * counts
    if similarity == "JSD":
        return 1 - total
    total = np.divide(total, number - 1, out=np.zeros(len(topic)), where=number > 1)
    return 1 - (np.sqrt(total) if similarity == "RNOD" else total)


def _fairness(rankings: Rankings, gain: Gain, top: float, similarity: str, cutoff: int | None, name: str) -> PerRanking:
    groups = FairnessGroups.from_rankings(rankings, name)
    lists = rankings.top(cutoff)
    value = lists.sum(stopping(lists, gain, top, "linear") * _similarity(lists, groups, similarity))
    return np.where(rankings.per_topic(groups.target.sum(axis=1) > 0), without_roundings(value), np.nan)


@intent_measure(
    "GF",
    declines=BY_INTENT | NO_INTENT | COVER | MEMBERS | STOPS | WHERE,
    reference=SAKAI,
)
def GF(
    rankings: Rankings,
    *,
    similarity: Similarity = "JSD",
    gains: Gains = None,
    max_rel: MaxRel = None,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Group fairness: how near the groups seen so far are to their target where the user stops.

    GF = sum over ranks r of s(r) prod_{i<r} (1 - s(i)) (1 - D(a_r, P)), s = g / (max_rel + 1), with g the largest label
    of the document, a_r the mean membership of the first r documents, P the target P(i|q), and D a divergence: JSD
    in bits, NMD and RNOD for groups in the order of their names (1, 2, 10). Membership is in proportion to labels, and
    even for a document without.
    """
    gain = useful_gain(rankings, gains)
    return _fairness(rankings, gain, scale(rankings, max_rel, "GF", gains), similarity, cutoff, "GF")


@intent_measure(
    "GFR",
    declines=BY_INTENT | NO_INTENT | COVER | MEMBERS | STOPS | WHERE,
    reference=SAKAI,
)
def GFR(
    rankings: Rankings,
    *,
    similarity: Similarity = "JSD",
    relevance: Relevance = "ERR",
    p: Persistence = 0.99,
    gains: Gains = None,
    max_rel: MaxRel = None,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Group fairness and relevance: the mean of GF and of a measure of relevance with the same user.

    GFR = (GF + ERR) / 2, with ERR = sum over ranks r of s(r) prod_{i<r} (1 - s(i)) / r, or with iRBU, which has p^r
    instead of 1 / r. Of several sets of groups, average the GF of each and the relevance.
    """
    gain = useful_gain(rankings, gains)
    top = scale(rankings, max_rel, "GFR", gains)
    fair = _fairness(rankings, gain, top, similarity, cutoff, "GFR")
    weight = None if relevance == "ERR" else lambda rank: np.power(p, rank)
    return (fair + at_stop(rankings.top(cutoff), gain, top, "linear", weight)) / 2
