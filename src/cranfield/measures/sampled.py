"""Measures estimated from judgments of a stratified sample, as sample_eval does.

A pool is divided into strata, and of each stratum a random sample is judged. A sampled document of a stratum stands for
N/n documents, N being those of the stratum and n those sampled. Judgments without strata are one stratum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, useful_gain
from cranfield.measures._parameter import Cutoff, Meaning, Rel
from cranfield.measures._reasons import BEST_GROWS, FEW, LEVEL, OF_BEST, OF_R, ZERO, because
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


class _Sample(NamedTuple):
    """What was sampled of a pool.

    Args:
        number: of the stratum of each pool row among those of its topic, int64 [pool rows].
        most: strata of the topic that has most.
        cell: topic * most + number of each pool row, int64 [pool rows].
        whole: documents of each stratum of each topic, float64 [topics * most].
        some: those of them that were sampled, float64 [topics * most].
    """

    number: Ints
    most: int
    cell: Ints
    whole: Floats
    some: Floats

    def expected(self, marked: Mask) -> Floats:
        """How many documents of each topic are marked, by what was sampled, float64 [topics]."""
        count = np.bincount(self.cell, marked, minlength=len(self.whole))
        total: Floats = _shares(count * self.whole, self.some).reshape(-1, self.most).sum(axis=1)
        return total

    @property
    def weight(self) -> Floats:
        """How many documents a sampled one of each pool row's stratum stands for, float64 [pool rows]."""
        return _shares(self.whole, self.some)[self.cell]


def _sample_of(pool: Pool) -> _Sample:
    number = np.zeros(len(pool.grade), dtype=np.int64) if pool.strata is None else pool.strata.number
    most = int(number.max(initial=0)) + 1
    cell, cells = pool.topic * most + number, len(pool.size) * most

    def counts() -> Floats:
        return np.stack([np.bincount(cell, minlength=cells), np.bincount(cell, pool.grade >= 0, minlength=cells)])

    whole, some = pool.shared(("sample",), counts).astype(np.float64)
    return _Sample(number, most, cell, whole, some)


def _shares(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, and 0 where the whole is 0."""
    shares: Floats = np.nan_to_num(ratio(part, whole))
    return shares


def _by_stratum(rankings: Rankings, sample: _Sample) -> Iterator[Mask]:
    """Which rows belong to each stratum of their topic, bool [rows]."""
    number = sample.number[rankings.document]
    return (number == stratum for stratum in range(sample.most))


@measure(
    "xinfAP",
    interval=JUDGED,
    pooled=True,
    sampled=True,
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
    view, sample = rankings.top(cutoff), _sample_of(rankings.pool)
    relevant, sampled = view.relevant(rel), view.grade >= 0
    above = np.zeros(len(view.rank))
    for inside in _by_stratum(view, sample):
        pooled, judged, hits = (
            (view.running_count(mask) - mask).astype(np.float64)
            for mask in (inside, inside & sampled, inside & relevant)
        )
        above += pooled * (hits + EPSILON) / (judged + 3 * EPSILON)
    weight = sample.weight[view.document] * relevant
    total = sample.expected(rankings.pool.grade >= rel)
    return ratio(view.sum(weight * (1 + above) / view.rank), rankings.per_topic(total))


@measure(
    "infNDCG",
    interval=JUDGED,
    pooled=True,
    sampled=True,
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
    view, sample = rankings.top(cutoff), _sample_of(rankings.pool)
    sampled = view.grade >= 0
    worth = np.where(sampled, gain.on(view), 0.0) / np.log2(view.rank + 1.0)
    found = np.zeros(len(view.length))
    for inside in _by_stratum(view, sample):
        found += _shares(view.count(inside), view.count(inside & sampled)) * view.sum(worth * inside)
    value = np.where(rankings.pool.grade >= 0, gain.of(rankings.pool.grade), 0.0)
    return ratio(found, rankings.per_topic(_ideal(sample, value, counts, cutoff)))


def _ideal(sample: _Sample, gain: Floats, counts: str, cutoff: int | None) -> Floats:
    """DCG of the list of as many documents of each gain as are expected, best first, float64 [topics].

    Args:
        sample: of the pool.
        gain: of each pool row, 0 where it was not sampled.
        counts: whether numbers of documents are rounded.
        cutoff: length of the list; None for as long as it goes.
    """
    worths = np.unique(gain[gain > 0])[::-1]
    none = np.zeros(len(sample.whole) // sample.most)
    expected = np.stack([none, *(sample.expected(gain == worth) for worth in worths)])
    if counts == "whole":
        expected = np.floor(expected + 0.5)
    reached = np.cumsum(expected, axis=0)
    if cutoff is not None:
        reached = np.minimum(reached, cutoff)
    ranks = np.arange(1.0, np.ceil(reached.max(initial=0.0)) + 1)
    discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(ranks + 1))])
    down_to = np.interp(reached, np.arange(len(discounts)), discounts)
    total: Floats = (worths[:, None] * np.diff(down_to, axis=0)).sum(axis=0)
    return total
