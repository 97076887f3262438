"""Which of two documents is ranked first."""

import math

import numpy as np

from cranfield.collection.pool import Floats
from cranfield.collection.rankings import Mask, PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, MaxRel, scale, useful_gain
from cranfield.measures._parameter import Cutoff, Rel
from cranfield.measures._ratio import ratio

COMPARED = "Sakai 2007, doi:10.1145/1277741.1277756"
GRADED = "De Beer & Moens 2006, doi:10.1145/1148170.1148293; Sakai 2007, doi:10.1145/1277741.1277756"


def nonrelevant_above(rankings: Rankings, rel: float) -> Floats:
    """Judged non-relevant documents above each judged document, float64 [rows]."""
    return rankings.running_count(~rankings.relevant(rel)).astype(np.float64)


def nonrelevant(rankings: Rankings, rel: float) -> PerRanking:
    """Judged non-relevant documents of the topic, float64 [segments]."""
    total: PerRanking = rankings.per_topic(rankings.pool.count(below=rel))
    return total


@measure(
    "Bpref",
    aliases=["BPref"],
    trec=[Trec("bpref")],
    reference="Buckley & Voorhees 2004, doi:10.1145/1008992.1009000",
)
def Bpref(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """How rarely judged non-relevant documents stand above relevant ones; unjudged documents play no part.

    Bpref = (1/R) * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), with n judged non-relevant
    documents above it and N in the topic; a document with none above it counts 1.
    """
    total = rankings.n_relevant(rel)
    above = np.minimum(nonrelevant_above(rankings, rel), total[rankings.segment])
    limit = np.maximum(np.minimum(nonrelevant(rankings, rel), total), 1.0)[rankings.segment]
    return ratio(rankings.sum(rankings.relevant(rel) * (1 - above / limit)), total)


@measure("bpref_R", reference="Buckley & Voorhees 2004, doi:10.1145/1008992.1009000")
def bpref_R(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref as first defined, which looks at the first R judged non-relevant documents.

    bpref_R = (1/R) * sum over retrieved relevant documents of 1 - min(n, R) / R, n as in Bpref.
    """
    total = rankings.n_relevant(rel)
    limit = np.maximum(total, 1.0)[rankings.segment]
    above = np.minimum(nonrelevant_above(rankings, rel), limit)
    return ratio(rankings.sum(rankings.relevant(rel) * (1 - above / limit)), total)


@measure("bpref_N", reference=COMPARED)
def bpref_N(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref that looks at all judged non-relevant documents.

    bpref_N = (1/R) * sum over retrieved relevant documents of 1 - n / N, with n judged non-relevant documents above it
    and N in the topic.
    """
    limit = np.maximum(nonrelevant(rankings, rel), 1.0)[rankings.segment]
    kept = 1 - nonrelevant_above(rankings, rel) / limit
    return ratio(rankings.sum(rankings.relevant(rel) * kept), rankings.n_relevant(rel))


@measure("bpref_relative", reference=COMPARED)
def bpref_relative(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Bpref relative to the judged documents above each relevant one.

    bpref_relative = (1/R) * sum over relevant documents at rank r > 1 among the judged of 1 - n / (r - 1), with n
    judged non-relevant documents above it; as in NTCIREVAL, one at rank 1 has nothing above it and counts 0.
    """
    view = rankings.condensed
    kept = 1 - nonrelevant_above(view, rel) / np.maximum(view.rank - 1, 1)
    return ratio(view.sum((view.relevant(rel) & (view.rank > 1)) * kept), view.n_relevant(rel))


def graded_preference(view: Rankings, gains: Gains, limit: Floats, counted: Mask | bool = True) -> PerRanking:
    """sum over documents of gain * (1 - penalty / limit) / sum of the gains of the topic, float64 [segments].

    The penalty of a document with gain g is the sum of (g - g') / g over the documents above it with a gain g' < g.
    """
    key, gain = useful_gain(view, gains)
    value = gain(view.grade)
    penalty = np.zeros(len(value))
    for level in np.unique(value[value > 0]):
        less = value < level
        here = value == level
        lost = view.running_count(less) - view.running_sum(np.where(less, value, 0.0)) / level
        penalty[here] = lost[here]
    best = view.ideal(("gain", key), gain, lambda lists: lists.sum(gain(lists.grade)))
    return ratio(view.sum(counted * value * (1 - penalty / limit)), best)


@measure(
    "rpref_N",
    declines={"exchange": "a document further up can pass a better one, which then stands below one of less gain"},
    reference=GRADED,
)
def rpref_N(rankings: Rankings, *, gains: Gains = None, max_rel: MaxRel = None) -> PerRanking:
    """Graded bpref: how rarely judged documents of less gain stand above those of more, among all of the topic.

    rpref_N = sum over retrieved documents of g (1 - e / E) / sum of g over the topic, e = sum of (g - g') / g over the
    judged documents above it with a gain g' < g, E = sum of (max_rel - g') / max_rel over all judged documents.
    """
    _, gain = useful_gain(rankings, gains)
    top = scale(rankings, max_rel, "rpref_N", gains)
    pool = rankings.pool
    worst = np.bincount(pool.topic, 1 - gain(pool.grade) / (top or 1.0), minlength=len(pool.size))
    limit = rankings.per_topic(np.where(worst > 0, worst, 1.0))
    return graded_preference(rankings.condensed, gains, limit[rankings.segment])


@measure(
    "rpref_relative",
    declines={"exchange": "a document further up can pass a better one, which then stands below one of less gain"},
    reference=GRADED,
)
def rpref_relative(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Graded bpref relative to the judged documents above each document.

    rpref_relative = sum over documents at rank r > 1 among the judged of g (1 - e / (r - 1)) / sum of g over the topic,
    e = sum of (g - g') / g over the judged documents above it with a gain g' < g; as in NTCIREVAL, rank 1 counts 0.
    """
    view = rankings.condensed
    return graded_preference(view, gains, np.maximum(view.rank - 1.0, 1.0), view.rank > 1)


@measure(
    "rpref_relative2",
    declines={"exchange": "a document further up can pass a better one, which then stands below one of less gain"},
    reference=GRADED,
)
def rpref_relative2(rankings: Rankings, *, gains: Gains = None) -> PerRanking:
    """Graded bpref relative to the rank of each document among the judged, which gives rank 1 its due.

    rpref_relative2 = sum over documents at rank r among the judged of g (1 - e / r) / sum of g over the topic,
    e = sum of (g - g') / g over the judged documents above it with a gain g' < g.
    """
    view = rankings.condensed
    return graded_preference(view, gains, view.rank.astype(np.float64))


@measure(
    "Accuracy",
    undefined=math.nan,
    reference="ir_measures (MacAvaney et al. 2022)",
    declines={
        "exchange": "one that comes inside the cutoff may stand below others",
        "promotion": "one that comes inside the cutoff may stand below others",
        "swap": "one that comes inside the cutoff may stand below others",
        "appending": "unjudged documents count as not relevant",
        "padding": "documents below the relevant ones are in the right order",
    },
)
def Accuracy(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> PerRanking:
    """Probability that a retrieved relevant document stands above another that is not relevant or not judged.

    Accuracy = 1 - (1/(m n)) * sum over the m relevant documents of the others above them, with n others at ranks 1..k;
    1 where all are relevant, undefined where none is.
    """
    view = rankings.top(cutoff)
    relevant = view.relevant(rel)
    above = view.sum(relevant * (view.rank - view.running_count(relevant) + 0.0))
    found = view.retrieved(rel)
    return 1 - ratio(above, found * np.maximum(view.length - found, 1.0))
