"""Measures estimated from judgments of a stratified sample, as sample_eval does.

A pool is divided into strata, and of each stratum a random sample is judged. A sampled document of a stratum stands for
N/n documents, N being those of the stratum and n those sampled. Judgments without strata are one stratum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import distinct
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, Meaning, Rel
from cranfield.measures._sampling import Influence, Sample, shares
from cranfield.measures.gain import Discounting, Gain, Gains, useful_gain
from cranfield.measures.laws import BEST_GROWS, FEW, LEVEL, OF_BEST, OF_R, ZERO, because
from cranfield.statistics.numeric import ratio

REFERENCE = "Yilmaz, Kanoulas & Aslam 2008, doi:10.1145/1390334.1390437"
ESTIMATE = because(
    "an unjudged document moved below a relevant one changes an estimate", "promotion", "swap", "exchange"
)
EPSILON = 1e-5
JUDGED = "it is about what was judged"
SampledCounts = Annotated[
    Literal["whole", "fraction"],
    Meaning("estimated numbers of documents of each gain in the ideal list: rounded as in sample_eval, or as they are"),
]


class _Above(NamedTuple):
    """Sums over what stands above each row of one stratum, float64 [rows] each.

    Args:
        pooled: documents of it.
        judged: those of them that were sampled.
        share: of relevant ones among these, smoothed.
    """

    pooled: Floats
    judged: Floats
    share: Floats

    @classmethod
    def from_view(cls, view: Rankings, inside: Mask, relevant: Mask, rows: Ints | None = None) -> _Above:
        """Those of the marked rows, above each of ``rows``, or above every row."""
        here = slice(None) if rows is None else rows

        def above(mask: Mask) -> Floats:
            return (view.running_count(mask)[here] - mask[here]).astype(np.float64)

        pooled, hits = above(inside), above(inside & relevant)
        judged = pooled if view.pool.least >= 0 else above(inside & (view.grade >= 0))
        return cls(pooled, judged, (hits + EPSILON) / (judged + 3 * EPSILON))


def _precision(view: Rankings, sample: Sample, rel: float) -> Floats:
    """Estimated precision down to each relevant row, float64 [relevant rows]."""
    if sample.most == 1 and view.pool.least >= 0:
        relevant_rows = view.only(rel)
        pooled, hits = view.only(rel, judged_only=True).depth - 1.0, relevant_rows.position - 1.0
        return (1 + pooled * ((hits + EPSILON) / (pooled + 3 * EPSILON))) / relevant_rows.depth
    relevant = view.relevant(rel)
    rows = np.flatnonzero(relevant)
    above = np.zeros(len(rows))
    for inside in sample.by_stratum(view):
        part = _Above.from_view(view, inside, relevant, rows)
        above += part.pooled * part.share
    precision: Floats = (1 + above) / view.depth[rows]
    return precision


def _moves_precision(rankings: Rankings, *, rel: float, cutoff: int | None) -> Influence:
    """Return how xinfAP moves with what was sampled: with a relevant document itself, and with the shares below it."""
    rel = max(rel, 0.0)
    view, sample = rankings.top(cutoff), Sample.from_pool(rankings.pool)
    relevant, weight = view.relevant(rel), sample.weight[view.document]
    moves = np.zeros(len(view.rank))
    moves[relevant] = _precision(view, sample, rel)
    value = ratio(view.sum(weight * moves), _expected(rankings, sample, rel))
    for inside in sample.by_stratum(view):
        part = _Above.from_view(view, inside, relevant)
        lean = shares(weight * relevant * part.pooled, view.rank * part.judged)
        below, known = (view.sum_from(moved) - moved for moved in (lean, lean * part.share))
        moves += inside * (view.grade >= 0) * shares(relevant * below - known, weight)
    useful = (rankings.pool.grade >= rel).astype(np.float64)
    return Influence(sample, view, value, moves, _expected(rankings, sample, rel), useful)


def _expected(rankings: Rankings, sample: Sample, rel: float) -> Floats:
    """Estimated number of relevant documents for the topic of each list, float64 [lists]."""
    pool = rankings.pool
    return rankings.per_topic(pool.shared(("xinfAP", rel), lambda: sample.expected(pool.grade >= rel)))


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
    view, sample = rankings.top(cutoff), Sample.from_pool(rankings.pool)
    relevant = view.only(rel)
    if sample.most == 1 and view.pool.least >= 0:
        weight, row = rankings.per_topic(shares(sample.size, sample.sampled)), view.positions(rel)
        from cranfield.measures.average_precision import infap_sums

        total = infap_sums(relevant.starts, relevant.rank, row, weight, EPSILON, 3 * EPSILON)
    else:
        total = relevant.sum(sample.weight[relevant.document] * _precision(view, sample, rel))
    return ratio(total, _expected(rankings, sample, rel))


def _discounted(view: Rankings, gain: Gain) -> Floats:
    """Discounted gain of each row, 0 where it was not sampled, float64 [rows]."""
    return np.where(view.grade >= 0, Discounting(gain).on(view), 0.0)


def _sum_gains(view: Rankings, sample: Sample, gain: Gain) -> Floats:
    """Estimated sum of the discounted gains of each list, float64 [lists]."""
    useful = gain.rows(view)
    if sample.most == 1 and view.pool.least >= 0:
        return Discounting(gain).summed(useful)  # all of them were judged
    sampled = view.grade >= 0
    worth, total = _discounted(useful, gain), np.zeros(len(view.length))
    for inside, of_use in zip(sample.by_stratum(view), sample.by_stratum(useful), strict=True):
        total += shares(view.count(inside), view.count(inside & sampled)) * useful.sum(worth * of_use)
    return total


def _moves_found(view: Rankings, sample: Sample, gain: Gain) -> Floats:
    """Return how that sum moves with each row, float64 [rows]."""
    sampled, worth, moved = view.grade >= 0, _discounted(view, gain), np.zeros(len(view.rank))
    for inside in sample.by_stratum(view):
        seen = inside & sampled
        stands_for, judged = shares(view.count(inside), view.count(seen)), view.count(seen)
        off = worth - shares(view.sum(worth * inside), judged)[view.segment]
        moved += seen * shares(stands_for[view.segment] * off, sample.weight[view.document])
    return moved


def _moves_gain(
    rankings: Rankings, *, gains: Mapping[float, float] | None, counts: str, cutoff: int | None
) -> Influence:
    """Return how infNDCG moves with what was sampled: with the mean gain of each stratum, and with the ideal list."""
    gain = useful_gain(rankings, gains)
    view, sample = rankings.top(cutoff), Sample.from_pool(rankings.pool)
    total = rankings.per_topic(_ideal(rankings.pool, gain, counts, cutoff))
    value, moved = ratio(_sum_gains(view, sample, gain), total), _moves_found(view, sample, gain)
    return Influence(
        sample, view, value, moved, total, _moves_ideal(sample, _worth(rankings.pool, gain), counts, cutoff)
    )


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
def infNDCG(
    rankings: Rankings, *, gains: Gains = None, counts: SampledCounts = "whole", cutoff: Cutoff = None
) -> PerRanking:
    """nDCG estimated from judgments of a stratified sample; the label -1 means pooled, not sampled.

    infNDCG = sum over strata of (d/n) * sum over its sampled documents at rank r of g/log2(r + 1), divided by the DCG
    of the ideal list, where the list holds d documents of a stratum, n of them sampled. The ideal list has as many
    documents of each gain as the sample lets expect, rounded, as in sample_eval, whose lists end at rank 1000.
    """
    gain = useful_gain(rankings, gains)
    view, sample = rankings.top(cutoff), Sample.from_pool(rankings.pool)
    return ratio(_sum_gains(view, sample, gain), rankings.per_topic(_ideal(rankings.pool, gain, counts, cutoff)))


def _reached(sample: Sample, gain: Floats, counts: str, cutoff: int | None) -> tuple[Floats, Floats]:
    """The gains above 0, best first, and down to which rank the ideal list of each topic has each, [gains, topics].

    Args:
        sample: of the pool.
        gain: of each pool row, 0 where it was not sampled.
        counts: whether numbers of documents are rounded.
        cutoff: length of the list; None for as long as it goes.
    """
    worths = distinct(gain[gain > 0])[::-1]
    none = np.zeros((0, len(sample.size) // sample.most))
    expected = np.stack([sample.expected(gain == worth) for worth in worths]) if len(worths) else none
    if counts == "whole":
        expected = np.floor(expected + 0.5)
    reached: Floats = np.cumsum(expected, axis=0)
    return worths, reached if cutoff is None else np.minimum(reached, cutoff)


def _worth(pool: Pool, gain: Gain) -> Floats:
    """Gain of each pool row, 0 where it was not sampled, float64 [pool rows]."""
    return np.where(pool.grade >= 0, gain.of(pool.grade), 0.0)


def _ideal(pool: Pool, gain: Gain, counts: str, cutoff: int | None) -> Floats:
    """DCG of the list of as many documents of each gain as are expected, best first, float64 [topics]; see above."""

    def best() -> Floats:
        worths, reached = _reached(Sample.from_pool(pool), _worth(pool, gain), counts, cutoff)
        ranks = np.arange(1.0, np.ceil(reached.max(initial=0.0)) + 1)
        discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(ranks + 1))])
        down_to = np.interp(reached, np.arange(len(discounts)), discounts)
        total: Floats = (worths[:, None] * np.diff(down_to, axis=0, prepend=0.0)).sum(axis=0)
        return total

    return pool.shared(("infNDCG", gain.key, counts, cutoff), best)


def _moves_ideal(sample: Sample, gain: Floats, counts: str, cutoff: int | None) -> Floats:
    """Return how much the DCG of the ideal list grows by one more document like each pool row, float64 [pool rows].

    Such a document moves those of every smaller gain down by one rank: the list grows at the end of each gain by the
    step to the next, discounted there, and not below the cutoff.
    """
    worths, reached = _reached(sample, gain, counts, cutoff)
    inside = 1.0 if cutoff is None else reached < cutoff
    grows = -np.diff(worths, append=0.0)[:, None] * inside / np.log2(reached + 1.5)
    by_gain = np.cumsum(grows[::-1], axis=0)[::-1]
    topic, index = sample.cell // sample.most, len(worths) - np.searchsorted(worths[::-1], gain, side="right")
    rows: Floats = np.concatenate([by_gain, np.zeros((1, by_gain.shape[1]))])[index, topic]
    return rows
