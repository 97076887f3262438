"""Experimental measures of trec_eval."""

import math
from typing import Annotated

import numpy as np

from cranfield.collection.rankings import Mask, PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, useful_gain
from cranfield.measures._parameter import Meaning, Rel
from cranfield.measures._ratio import ratio
from cranfield.measures.discounted_gain import discounted

REFERENCE = "Buckley 2008, in: trec_eval"


@measure("binG", trec=[Trec("binG")], reference=REFERENCE)
def binG(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Average precision with a logarithm: what a relevant document adds falls with the others above it.

    binG = (1/R) * sum over retrieved relevant documents of 1 / log2(2 + n), with n other documents above it.
    """
    relevant = rankings.relevant(rel)
    others = rankings.rank - rankings.running_count(relevant)
    return ratio(rankings.sum(relevant / np.log2(2.0 + others)), rankings.n_relevant(rel))


@measure(
    "G",
    declines={"swap": "the gain missed so far discounts the smaller one more than the larger one wins"},
    trec=[Trec("G")],
    reference=REFERENCE,
)
def G(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Gain, discounted by how much gain a user has missed so far in comparison with the best list.

    G = sum over ranks r of g(r) / log2(2 + c(r) - cg(r)) / sum of g over the topic, with cg the gain down to rank r and
    c the best list's, where a rank costs at least 1.
    """
    key, gain = useful_gain(rankings, gains)
    value = gain(rankings.grade)
    best = rankings.ideal_running(("G", key), gain, lambda lists: np.maximum(gain(lists.grade), 1.0) - 1.0)
    missed = best + rankings.rank - rankings.running_sum(value)
    whole = rankings.ideal(("gain", key), gain, lambda lists: lists.sum(gain(lists.grade)))
    return ratio(rankings.sum(value / np.log2(2.0 + missed)), whole)


@measure(
    "Rndcg",
    trec=[Trec("Rndcg")],
    reference=REFERENCE,
    declines={
        "appending": "a list that becomes longer than R + 1 gets one more point",
        "padding": "that point may be above the mean of the others",
    },
)
def Rndcg(
    rankings: Rankings,
    *,
    rel: Annotated[float, Meaning("undefined for topics where no label reaches this")] = 1,
    gains: Gains = None,
) -> PerRanking:
    """Mean of nDCG at the ranks where the gain of the best list falls, and at the end of a list longer than that.

    Rndcg = mean of nDCG@R(x) over the gains x > 0 that the topic has, R(x) the documents with a gain of at least x,
    and of nDCG if the list is longer than all documents with gain by two or more.
    """
    key, gain = useful_gain(rankings, gains)
    known = gain(rankings.pool.grade)

    def down_to(level: float) -> PerRanking:
        depth = _per_topic(rankings, known >= level)
        actual = rankings.sum(discounted(rankings, gain) * (rankings.rank <= depth[rankings.segment]))
        best = rankings.ideal(
            ("Rndcg", key, level), gain, lambda lists: lists.sum(discounted(lists, gain) * (gain(lists.grade) >= level))
        )
        return ratio(actual, best)

    sums, points = np.zeros(len(rankings.length)), np.zeros(len(rankings.length))
    for level in np.unique(known[known > 0]):
        here = _per_topic(rankings, known == level) > 0
        sums[here] += down_to(level)[here]
        points += here
    longer = (points > 0) & (rankings.length > _per_topic(rankings, known > 0) + 1)
    whole = rankings.ideal(("Rndcg", key), gain, lambda lists: lists.sum(discounted(lists, gain)))
    sums[longer] += ratio(rankings.sum(discounted(rankings, gain)), whole)[longer]
    return ratio(sums, (points + longer) * (rankings.n_relevant(rel) > 0))


def _per_topic(rankings: Rankings, marked: Mask) -> PerRanking:
    """Marked documents of the pool of each list's topic, float64 [segments]."""
    pool = rankings.pool
    counts: PerRanking = rankings.per_topic(
        np.bincount(pool.topic[marked], minlength=len(pool.size)).astype(np.float64)
    )
    return counts


@measure(
    "ndcg_rel",
    declines={"exchange": "a relevant document further up can pass a better one, at whose rank nDCG then falls"},
    trec=[Trec("ndcg_rel")],
    reference=REFERENCE,
)
def ndcg_rel(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Mean of nDCG at the ranks of the relevant documents; those that are not retrieved count at the end of the list.

    ndcg_rel = (1/R) * (sum over retrieved documents with gain at rank r of DCG@r / IDCG@r + (R - found) nDCG).
    """
    key, gain = useful_gain(rankings, gains)
    value = discounted(rankings, gain)
    useful = value > 0
    best = rankings.ideal_running(("DCG", key), gain, lambda lists: discounted(lists, gain))
    met = np.divide(rankings.running_sum(value), best, out=np.zeros(len(value)), where=useful)
    whole = rankings.ideal(("Rndcg", key), gain, lambda lists: lists.sum(discounted(lists, gain)))
    total = _per_topic(rankings, gain(rankings.pool.grade) > 0)
    missed = (total - rankings.count(useful)) * ratio(rankings.sum(value), whole)
    return ratio(rankings.sum(met) + missed, total)


@measure(
    "Utility",
    trec=[Trec("utility")],
    bounds=(-math.inf, math.inf),
    declines={"appending": "documents that are not relevant cost"},
    reference="Lewis 1995, as trec_eval prints it (utility)",
)
def Utility(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    a: Annotated[float, Meaning("worth of a relevant document in the list")] = 1,
    b: Annotated[float, Meaning("worth of any other document in the list")] = -1,
) -> PerRanking:
    """Worth of a list whose documents are each worth something or cost something.

    Utility = a |relevant retrieved| + b (|retrieved| - |relevant retrieved|).
    """
    found = rankings.retrieved(rel)
    return a * found + b * (rankings.length - found)
