"""Information of a ranking about relevance: pairs of judged documents with different labels, and their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import running_values
from cranfield.engine.kernels import kernel
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, Meaning, Persistence
from cranfield.measures.laws import LEVEL, because
from cranfield.statistics.concordance import earlier
from cranfield.statistics.entropy import sign_information
from cranfield.statistics.numeric import ratio_or

GOLBUS = "Golbus & Aslam 2013, doi:10.1145/2484028.2484073"

OF_PAIRS = (
    because(
        "a list that contradicts the labels is as informative as one that follows them",
        *("convergence", "top-weightedness", "promotion", "swap", "exchange"),
    )
    | because("it includes pairs with documents that are not retrieved", "localization")
    | because("where all judged documents have one label there is no pair", "completeness")
    | LEVEL
)
pair_measure = partial(
    measure,
    graded=True,
    judged_alone=True,
    undefined=math.nan,
    interval="it may rise or fall with every label that is missing",
)
"""Declares a measure of pairs of judged documents with different labels."""

SPREAD = 1 << 12
"""Cells that a table of topics and labels may have beyond those of judged documents."""


@dataclass(frozen=True)
class PairCounts:
    """Pairs of judged documents with different labels, of each list.

    Args:
        concordant: the one with the larger label stands first, or alone is retrieved; float64 [segments].
        discordant: the other does.
        silent: neither is retrieved.
    """

    concordant: Floats
    discordant: Floats
    silent: Floats

    @property
    def total(self) -> Floats:
        """All pairs; 0 where the topic's labels are all equal."""
        return self.concordant + self.discordant + self.silent

    def information(self, *, signed: bool) -> PerRanking:
        """RIC of each list, float64 [segments]; NaN where there is no pair."""
        spoken, total = self.concordant + self.discordant, self.total
        value = ratio_or(spoken, total, math.nan) * sign_information(self.concordant, self.discordant)
        signed_value: PerRanking = value * np.sign(self.concordant - self.discordant) if signed else value
        return signed_value


@pair_measure(
    "RIC",
    range=(-1.0, 1.0),
    default_range=(0.0, 1.0),
    reference=GOLBUS,
    declines=(
        because("a newly included document may be ranked above better ones", "monotonicity")
        | OF_PAIRS
        | because("a short list leaves pairs open", "realizability")
    ),
)
def RIC(
    rankings: Rankings,
    *,
    rel: Annotated[float, Meaning("a list ends for it with its last document of this label or more")] = 1,
    signed: Annotated[bool, Meaning("below 0 where more pairs contradict the labels than follow them")] = False,
    pair_weight: Annotated[
        Literal["uniform", "geometric"],
        Meaning("pairs count alike, or by p^(i - 1) with i the better of their two places"),
    ] = "uniform",
    p: Persistence = 0.8,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Relevance information correlation: bits that a ranking gives about which of two documents is better.

    RIC = I(R; Q) = (C + D)/N * (1 - h(C/(C + D))) over the N pairs of judged documents with different labels, C in the
    order of their labels, D against it, the others not retrieved; h(x) = -x log2 x - (1 - x) log2 (1 - x).

    Unjudged documents are dropped, and the list ends after its last document of label rel or more. A retrieved document
    stands before all that are not. Undefined where all judged documents of a topic have one label.
    """
    view = rankings.top(cutoff)
    counts = attended_pairs(view, rel, p) if pair_weight == "geometric" else pair_counts(view, rel)
    return counts.information(signed=signed)


def list_ends(rankings: Rankings, rel: float) -> Ints:
    """One past the row of the last document of label ``rel`` or more in each list; its first row where it has none."""
    starts, ends = rankings.only(rel).starts, rankings.starts[:-1].copy()
    (lists,) = (starts[1:] > starts[:-1]).nonzero()
    ends[lists] += rankings.positions(rel)[starts[lists + 1] - 1]
    return ends


def pair_counts(rankings: Rankings, rel: float) -> PairCounts:
    """Pairs of judged documents with different labels that each list puts right, puts wrong, and leaves open."""
    ends = list_ends(rankings, rel)
    ended = ends > rankings.starts[:-1]
    down = counts_down_to(rankings, ends[ended] - 1, np.flatnonzero(ended))
    concordant, discordant = np.zeros(len(ends)), np.zeros(len(ends))
    concordant[ended], discordant[ended] = down.concordant, down.discordant
    return PairCounts(
        concordant, discordant, rankings.per_topic(unequal_pairs(rankings.pool)) - concordant - discordant
    )


def counts_down_to(rankings: Rankings, row: Ints, segment: Ints) -> PairCounts:
    """The same of lists that end with each of these rows, of these segments, float64 [of ``row``]."""
    right, wrong = pairs_down(rankings)
    concordant, discordant = right[row], wrong[row]
    total = rankings.per_topic(unequal_pairs(rankings.pool))[segment]
    return PairCounts(concordant, discordant, total - concordant - discordant)


def pairs_down(rankings: Rankings) -> tuple[Floats, Floats]:
    """Pairs that each list down to each row puts right, and wrong, float64 [rows] each; whole numbers.

    Counted by rank and label, not by pairs: a retrieved document stands before all that are not above it.
    """
    return rankings.shared("pairs down", lambda: _counted_down(rankings))


def _counted_down(rankings: Rankings) -> tuple[Floats, Floats]:
    pool = rankings.pool
    return running_pairs(rankings.starts, rankings.document, len(pool.labels), pool.label_index, *others(pool))


@kernel
def running_pairs(
    starts: Ints, document: Ints, labels: int, label_index: Ints, lower: Floats, higher: Floats
) -> tuple[Floats, Floats]:
    """Pairs of documents with different labels that lists put right, and wrong, down to each row.

    Of each document of the pool, ``label_index`` is the number of ``labels`` that are smaller than its own, ``lower``
    and ``higher`` how many documents have smaller and larger ones.
    """
    smaller, larger = earlier(label_index[document], starts)
    right = running_values(lower[document] - smaller, starts, "add", False)
    return right, running_values(higher[document] - larger, starts, "add", False)


def attended_pairs(rankings: Rankings, rel: float, p: float) -> PairCounts:
    """The same where a pair counts p^(i - 1), i the better of its ranks in the list; a pair not retrieved is not seen.

    A list that retrieves nothing of use sees nothing: all pairs are left open.
    """
    pool, starts = rankings.pool, rankings.starts
    rows = np.flatnonzero(np.arange(len(rankings.grade)) < list_ends(rankings, rel)[rankings.segment])
    segment = rankings.segment[rows]
    first = np.concatenate([[0], np.cumsum(np.bincount(segment, minlength=len(starts) - 1))])
    smaller, larger = earlier(np.searchsorted(pool.labels, rankings.grade[rows]), first)
    attention = float(p) ** (rows - starts[segment])
    lower, higher = (fact[rankings.document[rows]] for fact in others(pool))

    def total(below: Floats) -> Floats:
        return np.bincount(segment, attention * below, minlength=len(starts) - 1).astype(np.float64, copy=False)

    concordant, discordant = total(lower - smaller), total(higher - larger)
    unseen = np.where(concordant + discordant > 0, 0.0, rankings.per_topic(unequal_pairs(pool)))
    return PairCounts(concordant, discordant, unseen)


def others(pool: Pool) -> tuple[Floats, Floats]:
    """For each judged document, those of its topic with a smaller and with a larger label, float64 [pool rows] each."""

    def count() -> tuple[Floats, Floats]:
        # Documents of one topic and label have the same number; with many labels, most topics lack most of them.
        labels = len(pool.labels)
        group = pool.topic * labels + pool.label_index
        if len(pool.size) * labels > len(group) + SPREAD:
            groups, group = np.unique(group, return_inverse=True)
        else:
            groups = np.arange(len(pool.size) * labels)
        size, topic = np.bincount(group, minlength=len(groups)), groups // max(labels, 1)
        end = np.cumsum(size)
        lower, higher = end - size - pool.starts[topic], pool.starts[topic + 1] - end
        return lower.astype(np.float64)[group], higher.astype(np.float64)[group]

    counts: tuple[Floats, Floats] = pool.shared("others", count)
    return counts


def unequal_pairs(pool: Pool) -> Floats:
    """Pairs of judged documents of each topic that have different labels, float64 [topics]."""

    def count() -> Floats:
        lower, _ = others(pool)
        return np.bincount(pool.topic, lower, minlength=len(pool.size)).astype(np.float64)

    pairs: Floats = pool.shared("unequal pairs", count)
    return pairs
