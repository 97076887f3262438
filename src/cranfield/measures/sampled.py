"""Measures estimated from judgments of a stratified sample, as sample_eval does.

A pool is divided into strata, and of each stratum a random sample is judged. A sampled document of a stratum stands for
N/n documents, N being those of the stratum and n those sampled. Judgments without strata are one stratum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import numpy as np

from cranfield.arrays import Floats, Mask
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, useful_gain
from cranfield.measures._parameter import Cutoff, Meaning, Rel
from cranfield.measures._reasons import BEST_GROWS, FEW, LEVEL, OF_BEST, OF_R, ZERO, because
from cranfield.measures._sample import Sample, shares
from cranfield.measures._sampling_error import Influence
from cranfield.statistics.ratio import ratio

REFERENCE = "Yilmaz, Kanoulas & Aslam 2008, doi:10.1145/1390334.1390437"
ESTIMATE = because(
    "an unjudged document moved below a relevant one changes an estimate", "promotion", "swap", "exchange"
)
EPSILON = 1e-5
JUDGED = "it is about what was judged"
Counts = Annotated[
    Literal["whole", "fraction"],
    Meaning("estimated numbers of documents of each gain in the ideal list: rounded as in sample_eval, or as they are"),
]


class _Above(NamedTuple):
    """What stands above each row that belongs to one stratum, float64 [rows] each.

    Args:
        pooled: documents of it.
        judged: those of them that were sampled.
        share: of relevant ones among these, smoothed.
    """

    pooled: Floats
    judged: Floats
    share: Floats

    @classmethod
    def of(cls, view: Rankings, inside: Mask, relevant: Mask) -> _Above:
        """Those of the marked rows."""
        pooled, judged, hits = (
            (view.running_count(mask) - mask).astype(np.float64)
            for mask in (inside, inside & (view.grade >= 0), inside & relevant)
        )
        return cls(pooled, judged, (hits + EPSILON) / (judged + 3 * EPSILON))


def _precision(view: Rankings, sample: Sample, relevant: Mask) -> Floats:
    """Estimated precision down to each row, which is taken to be relevant, float64 [rows]."""
    above = np.zeros(len(view.rank))
    for inside in sample.by_stratum(view):
        part = _Above.of(view, inside, relevant)
        above += part.pooled * part.share
    precision: Floats = (1 + above) / view.rank
    return precision


def _moves_precision(rankings: Rankings, *, rel: float, cutoff: int | None) -> Influence:
    """How xinfAP moves with what was sampled: with a relevant document itself, and with the shares below it."""
    rel = max(rel, 0.0)
    view, sample = rankings.top(cutoff), Sample.of(rankings.pool)
    relevant, weight = view.relevant(rel), sample.weight[view.document]
    precision = _precision(view, sample, relevant)
    found = relevant * precision
    for inside in sample.by_stratum(view):
        part = _Above.of(view, inside, relevant)
        lean = shares(weight * relevant * part.pooled, view.rank * part.judged)
        below, known = (view.sum_from(one) - one for one in (lean, lean * part.share))
        found += inside * (view.grade >= 0) * shares(relevant * below - known, weight)
    useful = rankings.pool.grade >= rel
    total = rankings.per_topic(sample.expected(useful))
    value = ratio(view.sum(weight * relevant * precision), total)
    return Influence(sample, view, value, found, total, useful.astype(np.float64))


@measure(
    "xinfAP",
    interval=JUDGED,
    pooled=True,
    sampled=True,
    influence=_moves_precision,
    reference=REFERENCE,
    declines=OF_R
    | FEW
    | LEVEL
    | ESTIMATE
    | because("1e-5 for a judged document above outweighs a rank far down", "top-weightedness"),
)
def xinfAP(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> PerRanking:
    """Average precision estimated from judgments of a stratified sample; the label -1 means pooled, not sampled.

    xinfAP = (1/R) * sum over sampled relevant documents at rank r of w * (1/r + (1/r) * sum over strata of
    d (a + e)/(n + 3e)), where w is N/n of the document's stratum, R the sum of w over the topic's relevant documents,
    and above r stand d documents of a stratum, n of them sampled and a relevant, and e = 1e-5, as in sample_eval.
    """
    rel = max(rel, 0.0)
    view, sample = rankings.top(cutoff), Sample.of(rankings.pool)
    relevant = view.relevant(rel)
    weight = sample.weight[view.document] * relevant
    total = sample.expected(rankings.pool.grade >= rel)
    return ratio(view.sum(weight * _precision(view, sample, relevant)), rankings.per_topic(total))


def _found_gain(view: Rankings, sample: Sample, worth: Floats) -> tuple[Floats, Floats]:
    """Estimated sum of a worth over each list, float64 [lists], and how it moves with each row, float64 [rows].

    Args:
        view: the lists.
        sample: of the pool.
        worth: of each row, 0 where it was not sampled.
    """
    sampled = view.grade >= 0
    found, moved = np.zeros(len(view.length)), np.zeros(len(view.rank))
    for inside in sample.by_stratum(view):
        seen = inside & sampled
        stands_for, judged = shares(view.count(inside), view.count(seen)), view.count(seen)
        inner = view.sum(worth * inside)
        found += stands_for * inner
        off = worth - shares(inner, judged)[view.segment]
        moved += seen * shares(stands_for[view.segment] * off, sample.weight[view.document])
    return found, moved


def _moves_gain(
    rankings: Rankings, *, gains: Mapping[float, float] | None, counts: str, cutoff: int | None
) -> Influence:
    """How infNDCG moves with what was sampled: with the mean gain of each stratum, and with the ideal list."""
    gain = useful_gain(rankings, gains)
    view, sample = rankings.top(cutoff), Sample.of(rankings.pool)
    worth = np.where(view.grade >= 0, gain.on(view), 0.0) / np.log2(view.rank + 1.0)
    found, moved = _found_gain(view, sample, worth)
    value = np.where(rankings.pool.grade >= 0, gain.of(rankings.pool.grade), 0.0)
    total = rankings.per_topic(_ideal(sample, value, counts, cutoff))
    return Influence(sample, view, ratio(found, total), moved, total, _moves_ideal(sample, value, counts, cutoff))


@measure(
    "infNDCG",
    interval=JUDGED,
    pooled=True,
    sampled=True,
    influence=_moves_gain,
    range=(0.0, np.inf),
    reference=REFERENCE,
    declines=OF_BEST
    | BEST_GROWS
    | ZERO
    | because(
        "a document that was not sampled and leaves the list changes what the sampled ones stand for",
        *("promotion", "swap", "exchange"),
    )
    | because(
        "of what is retrieved, the sample may hold a larger share of the useful documents than of the others",
        *("boundedness", "realizability"),
    ),
)
def infNDCG(rankings: Rankings, *, gains: Gains = None, counts: Counts = "whole", cutoff: Cutoff = None) -> PerRanking:
    """nDCG estimated from judgments of a stratified sample; the label -1 means pooled, not sampled.

    infNDCG = sum over strata of (d/n) * sum over its sampled documents at rank r of g/log2(r + 1), divided by the DCG
    of the ideal list, where the list holds d documents of a stratum, n of them sampled. The ideal list has as many
    documents of each gain as the sample lets expect, rounded, as in sample_eval, whose lists end at rank 1000.
    """
    gain = useful_gain(rankings, gains)
    view, sample = rankings.top(cutoff), Sample.of(rankings.pool)
    worth = np.where(view.grade >= 0, gain.on(view), 0.0) / np.log2(view.rank + 1.0)
    value = np.where(rankings.pool.grade >= 0, gain.of(rankings.pool.grade), 0.0)
    return ratio(_found_gain(view, sample, worth)[0], rankings.per_topic(_ideal(sample, value, counts, cutoff)))


def _reached(sample: Sample, gain: Floats, counts: str, cutoff: int | None) -> tuple[Floats, Floats]:
    """The gains above 0, best first, and down to which rank the ideal list of each topic has each, [gains, topics].

    Args:
        sample: of the pool.
        gain: of each pool row, 0 where it was not sampled.
        counts: whether numbers of documents are rounded.
        cutoff: length of the list; None for as long as it goes.
    """
    worths = np.unique(gain[gain > 0])[::-1]
    none = np.zeros((0, len(sample.whole) // sample.most))
    expected = np.stack([sample.expected(gain == worth) for worth in worths]) if len(worths) else none
    if counts == "whole":
        expected = np.floor(expected + 0.5)
    reached: Floats = np.cumsum(expected, axis=0)
    return worths, reached if cutoff is None else np.minimum(reached, cutoff)


def _ideal(sample: Sample, gain: Floats, counts: str, cutoff: int | None) -> Floats:
    """DCG of the list of as many documents of each gain as are expected, best first, float64 [topics]; see above."""
    worths, reached = _reached(sample, gain, counts, cutoff)
    ranks = np.arange(1.0, np.ceil(reached.max(initial=0.0)) + 1)
    discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(ranks + 1))])
    down_to = np.interp(reached, np.arange(len(discounts)), discounts)
    total: Floats = (worths[:, None] * np.diff(down_to, axis=0, prepend=0.0)).sum(axis=0)
    return total


def _moves_ideal(sample: Sample, gain: Floats, counts: str, cutoff: int | None) -> Floats:
    """How much the DCG of the ideal list grows by one more document like each pool row, float64 [pool rows].

    Such a document moves those of every smaller gain down by one rank: the list grows at the end of each gain by the
    step to the next, discounted there, and not below the cutoff.
    """
    worths, reached = _reached(sample, gain, counts, cutoff)
    inside = 1.0 if cutoff is None else reached < cutoff
    grows = -np.diff(worths, append=0.0)[:, None] * inside / np.log2(reached + 1.5)
    by_gain = np.cumsum(grows[::-1], axis=0)[::-1]
    topic, place = sample.cell // sample.most, len(worths) - np.searchsorted(worths[::-1], gain, side="right")
    rows: Floats = np.concatenate([by_gain, np.zeros((1, by_gain.shape[1]))])[place, topic]
    return rows
