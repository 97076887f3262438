"""Experimental measures of trec_eval."""

import math
from typing import Annotated

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import distinct
from cranfield.measures._declaration import Trec
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Meaning, Rel
from cranfield.measures.gain import Discounting, Gain, Gains, useful_gain
from cranfield.measures.laws import COUNTED, FEW, LEVEL, OF_BEST, OF_R, ORDER, ZERO, because
from cranfield.statistics.numeric import ratio

REFERENCE = "Buckley 2008, in: trec_eval"


@measure("binG", trec=[Trec("binG")], reference=REFERENCE, declines=OF_R | FEW | LEVEL)
def binG(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Mean over the relevant documents of a logarithmic discount by the number of other documents above.

    binG = (1/R) * sum over retrieved relevant documents of 1 / log2(2 + n), with n other documents above it.
    """
    relevant = rankings.only(rel)
    worth = 1 / np.log2(2.0 + np.arange(relevant.longest + 1))
    above = relevant.rank - relevant.position
    return ratio(relevant.sum(worth.take(above)), rankings.n_relevant(rel))


@measure(
    "G",
    trec=[Trec("G")],
    reference=REFERENCE,
    declines=(
        because("less may have been missed further down, where the larger gain then weighs more", "top-weightedness")
        | OF_BEST
        | FEW
        | ZERO
        | because("each rank costs a gain of 1, whatever the labels", "scale invariance")
        | because("the gain missed so far discounts the smaller one more than the larger one wins", "swap", "exchange")
    ),
)
def G(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Gain, discounted by the gain missed so far in comparison with the ideal list.

    G = sum over ranks r of g(r) / log2(2 + c(r) - cg(r)) / sum of g over the topic, with cg the gain down to rank r and
    c the best list's, where a rank costs at least 1.
    """
    gain = useful_gain(rankings, gains)
    gaining = gain.rows(rankings)
    value = gain.on(gaining)
    best = gaining.ideal_running(("G", gain.key), gain.of, lambda lists: np.maximum(gain.on(lists), 1.0) - 1.0)
    discount = np.add(best, gaining.rank, out=best)  # of the gain missed so far
    discount -= gaining.running_sum(value)
    discount += 2.0
    np.log2(discount, out=discount)
    ideal = gaining.ideal(("gain", gain.key), gain.of, lambda lists: lists.sum(gain.on(lists)))
    return ratio(gaining.sum(np.divide(value, discount, out=discount)), ideal)


@measure(
    "Rndcg",
    trec=[Trec("Rndcg")],
    reference=REFERENCE,
    additive=True,
    declines=because("a list that becomes longer than R + 1 gets one more point, which may be lower", "monotonicity")
    | because("what is ranked below the last rank that counts does not matter", "convergence")
    | OF_BEST
    | FEW
    | LEVEL
    | because("a list that becomes longer than R + 1 gets one more point", "appending")
    | because("that point may be above the mean of the others", "padding"),
)
def Rndcg(
    rankings: Rankings,
    *,
    rel: Annotated[float, Meaning("undefined for topics where no label reaches this")] = 1,
    gains: Gains = None,
) -> PerRanking:
    """Mean of nDCG at the ranks where the gain of the ideal list drops, and at the end of a longer list.

    Rndcg = mean of nDCG@R(x) over the gains x > 0 that the topic has, R(x) the documents with a gain of at least x,
    and of nDCG if the list is longer than all documents with gain by two or more.
    """
    gain = useful_gain(rankings, gains)
    gaining = gain.rows(rankings)
    down = np.append(Discounting(gain).running(gaining), 0.0)
    worths = gain.of(rankings.pool.labels)

    def to_row(end: Ints) -> PerRanking:
        """DCG of the rows before one past them; 0 where there are none."""
        return down[np.where(end > gaining.starts[:-1], end - 1, -1)]

    def down_to(level: float) -> PerRanking:
        actual = to_row(gaining.rows_down_to(_known(rankings, gain, level).astype(np.int64)))
        best = rankings.ideal(
            ("Rndcg", gain.key, level),
            gain.of,
            lambda lists: lists.sum(Discounting(gain).on(lists) * (gain.on(lists) >= level)),
        )
        return ratio(actual, best)

    sums, points = np.zeros(len(rankings.length)), np.zeros(len(rankings.length))
    for level in distinct(worths[worths > 0]):
        here = _known(rankings, gain, level, level) > 0
        sums[here] += down_to(level)[here]
        points += here
    longer = (points > 0) & (rankings.length > _known(rankings, gain, POSITIVE) + 1)
    ideal = rankings.ideal(("DCG", gain.key), gain.of, lambda lists: lists.sum(Discounting(gain).on(lists)))
    sums[longer] += ratio(to_row(gaining.starts[1:]), ideal)[longer]
    return ratio(sums, (points + longer) * (rankings.n_relevant(rel) > 0))


def _known(rankings: Rankings, gain: Gain, low: float, high: float = math.inf) -> PerRanking:
    """Judged documents of each list's topic whose gain lies from ``low`` to ``high``, float64 [segments]."""
    pool = rankings.pool

    def count() -> Floats:
        value = gain.of(pool.grade)
        return pool.tally((value >= low) & (value <= high))

    counts: PerRanking = rankings.per_topic(pool.shared(("gains", gain.key, low, high), count))
    return counts


@measure(
    "ndcg_rel",
    trec=[Trec("ndcg_rel")],
    reference=REFERENCE,
    declines=(
        because("it may count nDCG at a rank where that is lower", "convergence", "top-weightedness")
        | OF_BEST
        | FEW
        | ZERO
        | because("a relevant document further up can pass a better one, at whose rank nDCG then falls", "exchange")
    ),
)
def ndcg_rel(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Mean of nDCG at the ranks of the relevant documents; those that are not retrieved count at the end of the list.

    ndcg_rel = (1/R) * (sum over retrieved documents with gain at rank r of DCG@r / IDCG@r + (R - found) nDCG).
    """
    gain = useful_gain(rankings, gains)
    gaining = gain.rows(rankings)
    value = Discounting(gain).on(gaining)
    best = gaining.ideal_running(("DCG", gain.key), gain.of, lambda lists: Discounting(gain).on(lists))
    down = Discounting(gain).running(gaining)
    if value.min(initial=1.0) > 0:
        retrieved, met = gaining.sizes.astype(np.float64), down / best
    else:
        useful = value > 0
        retrieved, met = gaining.count(useful), np.divide(down, best, out=np.zeros(len(value)), where=useful)
    ideal = gaining.ideal(("DCG", gain.key), gain.of, lambda lists: lists.sum(Discounting(gain).on(lists)))
    total = _known(rankings, gain, POSITIVE)
    missed = (total - retrieved) * ratio(Discounting(gain).summed(gaining), ideal)
    return ratio(gaining.sum(met) + missed, total)


@measure(
    "Utility",
    trec=[Trec("utility")],
    range=(-math.inf, math.inf),
    reference="Lewis 1995, as trec_eval prints it (utility)",
    declines=COUNTED | because("documents that are not relevant cost", "monotonicity", "appending") | ORDER | LEVEL,
)
def Utility(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    a: Annotated[float, Meaning("worth of a relevant document in the list")] = 1,
    b: Annotated[float, Meaning("worth of any other document in the list")] = -1,
) -> PerRanking:
    """Total worth of the relevant documents retrieved, minus the cost of the other documents retrieved.

    Utility = a |relevant retrieved| + b (|retrieved| - |relevant retrieved|).
    """
    relevant = rankings.retrieved(rel)
    return a * relevant + b * (rankings.length - relevant)
