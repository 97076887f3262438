"""Average precision, its geometric mean, its graded form, and its estimate from incomplete judgments."""

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import distinct, list_numbers, list_positions, list_sums, running_counts
from cranfield.engine.kernels import kernel
from cranfield.measures._declaration import Trec, Variant
from cranfield.measures._expected_ties import mean_precision_sum
from cranfield.measures._intervals import Ends, IntervalRequest
from cranfield.measures._intervals.labelling import by_labelling
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Rel
from cranfield.measures.laws import BEST_GROWS, FEW, LEVEL, OF_BEST, OF_R, ZERO, because
from cranfield.measures.precision import CUTOFFS
from cranfield.statistics.numeric import ratio

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion

LARGE = 2.0**900
"""Weights up to this can be added up, whatever a list holds."""

Denominator = Annotated[
    Literal["R", "min"],
    Meaning("what the sum is divided by: R, the relevant documents of the topic, or min(cutoff, R)"),
]
OfList = Annotated[
    Literal["R", "min", "retrieved"],
    Meaning(
        "what the sum is divided by: R, the relevant documents of the topic, min(cutoff, R), or the relevant documents "
        "that the list holds down to the cutoff"
    ),
]
NoRelevant = Annotated[
    Literal["undefined", "one"],
    Meaning("value of a topic without relevant documents: undefined, or one, as in libraries for boosting"),
]
FREE = (
    "gives 1 to every system in a topic without relevant documents, so that means rise and differences shrink by the "
    "share of such topics"
)
"""The remark on a value of 1 for topics without relevant documents, which rewards the share of such topics."""


def one_for_nothing(value: PerRanking, total: PerRanking) -> PerRanking:
    """The value, and 1 where a topic has nothing to find."""
    return np.where(total > 0, value, 1.0)


def choose_denominator(rankings: Rankings, rel: float, cutoff: int | None, denominator: str) -> PerRanking:
    """R, or the relevant documents that ``cutoff`` ranks can hold, float64 [segments]."""
    total = rankings.n_relevant(rel)
    return total if denominator == "R" or cutoff is None else np.minimum(total, cutoff)


def precision_at_relevant(view: Rankings, rel: float) -> PerRanking:
    """Sum of the precisions at the relevant documents of each list, float64 [segments]."""
    relevant = view.only(rel)
    return relevant.shared("sum of precisions", lambda: relevant.sum(precision(relevant)))


def precision(relevant: Rankings) -> Floats:
    """Precision at each row of lists reduced to their relevant documents, float64 [rows]."""
    share: Floats = relevant.shared("precision", lambda: relevant.position / relevant.depth)
    return share


def _interval(completion: "Completion", levels: Floats, request: IntervalRequest) -> Ends:
    """Smallest and largest average precision.

    Let m of the unknown be relevant, the first m for the largest and the last m for the smallest value.
    """
    segment, rank, grade = completion.ranked
    rel, denominator = request.parameters["rel"], request.parameters.get("denominator", "R")
    total, least = completion.rankings.pool.count(low=rel), denominator == "min"
    if denominator == "retrieved" or request.parameters.get("no_relevant") == "one":
        return by_labelling(completion, levels[[0, -1]] if len(levels) > 1 else levels, request)
    if not levels[0] < rel <= levels[-1]:
        return by_labelling(completion, levels[-1:], request)
    looked_at = np.ones(len(rank), dtype=bool) if completion.cutoff is None else rank <= completion.cutoff
    unknown = np.zeros(len(rank), dtype=bool)
    unknown[completion.unknown[completion.looked_at]] = True
    low, high = np.full((2, len(total)), np.nan)
    starts = np.searchsorted(segment, np.arange(len(total) + 1))
    for topic in range(len(total)):
        rows = np.arange(starts[topic], starts[topic + 1])[looked_at[starts[topic] : starts[topic + 1]]]
        first, last = _sum_precisions(rank[rows], grade[rows] >= rel, unknown[rows])
        relevant = total[topic] + np.arange(len(first))
        most = completion.cutoff if least else None
        high[topic] = np.fmax.reduce(_shares(first, relevant, most), initial=np.nan)
        low[topic] = np.fmin.reduce(_shares(last, relevant + int(completion.below[topic]), most), initial=np.nan)
    return low, high


def _sum_precisions(ranks: Ints, relevant: Mask, unknown: Mask) -> tuple[Floats, Floats]:
    """Sum of the precisions of a list in which the first, or the last, m = 0, 1, ... of the unknown are relevant.

    One more of them at rank r adds its own precision, and 1/rank at each relevant document below it.
    """
    rank = ranks.astype(np.float64)
    above: Ints = np.cumsum(relevant) - relevant
    share = relevant / rank
    after = share.sum() - np.cumsum(share)
    base = ((above + 1) * share).sum()
    alone = ((above + 1) / rank + after)[unknown]
    first = base + np.concatenate([[0.0], np.cumsum(alone + np.arange(len(alone)) / rank[unknown])])
    inverse = (1 / rank[unknown])[::-1]
    last = base + np.concatenate([[0.0], np.cumsum(alone[::-1] + np.cumsum(inverse) - inverse)])
    return first, last


def _shares(sums: Floats, relevant: Floats, most: int | None) -> Floats:
    """The sums over the number of relevant documents, at most ``most`` of them, where there are any."""
    divisor = np.minimum(relevant, most) if most else relevant
    shares: Floats = sums[divisor > 0] / divisor[divisor > 0]
    return shares


@measure(
    "AP",
    consistent=("denominator",),
    interval=_interval,
    aliases=["MAP"],
    trec=[Trec("map"), Trec("map_cut", at="cutoff", values=CUTOFFS)],
    expected=True,
    reference="Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press",
    declines=OF_R | FEW | LEVEL,
    variants=[
        Variant(
            "denominator",
            "retrieved",
            declines=because("one more relevant document far down is one more to divide by", "swap", "exchange"),
            expected=False,
            rewards="rewards lists that find few relevant documents: those that are not retrieved cost nothing, and "
            "one at rank 1 alone has 1",
            names=(
                *("context precision", "LLM context precision with reference", "non LLM context precision"),
                *("contextual precision", "AP of HashNet", "mAP of hashing"),
            ),
        ),
        Variant("no_relevant", "one", rewards=FREE, names=("MAP of LightGBM", "MAP of XGBoost")),
    ],
)
def AP(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    denominator: OfList = "R",
    judged_only: JudgedOnly = False,
    no_relevant: NoRelevant = "undefined",
    cutoff: Cutoff = None,
) -> PerRanking:
    """Mean of the precisions at the ranks of the relevant documents; one that is not retrieved counts 0.

    AP = (1/R) * sum over relevant documents at rank r of P@r. With denominator="min", AP@k = (1/min(k, R)) * the sum,
    so that a perfect list of k documents reaches 1, as in NTCIREVAL. With denominator="retrieved", the relevant
    documents at ranks 1..k divide, and a list without any has 0: ragas' context precision. With no_relevant="one", a
    topic with R = 0 has 1.
    """
    if rankings.first is not None:
        total = choose_denominator(rankings, rel, cutoff, denominator)
        value = ratio(mean_precision_sum(rankings.view(judged_only=judged_only), rel, cutoff), total)
    else:
        view = rankings.view(judged_only=judged_only, cutoff=cutoff)
        sums = precision_at_relevant(view, rel)
        if denominator == "retrieved":
            found = np.maximum(view.retrieved(rel), 1.0)
            total = np.where(rankings.n_relevant(rel) > 0, found, 0.0)
        else:
            total = choose_denominator(rankings, rel, cutoff, denominator)
        value = ratio(sums, total)
    return one_for_nothing(value, rankings.n_relevant(rel)) if no_relevant == "one" else value


@measure(
    "GMAP",
    interval=_interval,
    trec=[Trec("gm_map")],
    summary="geometric mean",
    reference="Robertson 2006, doi:10.1145/1183614.1183630",
    declines=OF_R | FEW | LEVEL,
)
def GMAP(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False) -> PerRanking:
    """Geometric mean of average precision over topics, which weighs improvements of poor topics more.

    GMAP = exp(mean over topics of log max(AP, 1e-5)). A topic alone has no GMAP: what stands for a topic is its AP.
    """
    view = rankings.view(judged_only=judged_only)
    return ratio(precision_at_relevant(view, rel), view.n_relevant(rel))


@measure("GAP", reference="Robertson et al. 2010, doi:10.1145/1835449.1835550", declines=BEST_GROWS | OF_BEST | ZERO)
def GAP(
    rankings: Rankings,
    *,
    thresholds: Annotated[
        Mapping[float, float] | None,
        Meaning("share of users for whom a label is the smallest that is relevant; alike for 1, 2, ... where None"),
    ] = None,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Average precision expected over users with different thresholds of relevance.

    GAP = sum over relevant documents at rank n of (1/n) sum_{m<=n} min(w(m), w(n)) / sum of w over the relevant
    documents, or the best k of them, with w(d) the share of users to whom d is relevant: the sum of the thresholds
    up to its label, or the label itself. Shares need not add up to 1.
    """

    def weight(grade: Floats) -> Floats:
        if thresholds is None:
            return np.maximum(grade, 0.0)
        shares = [np.where(grade >= label, max(share, 0.0), 0.0) for label, share in thresholds.items()]
        total: Floats = np.sum([np.zeros(len(grade)), *shares], axis=0)
        return total

    view = rankings.view(judged_only=judged_only, cutoff=cutoff).only(min(thresholds or [POSITIVE]))
    # Labels may be so large that their sums overflow.
    most = float(weight(rankings.pool.labels).max(initial=0.0))
    unit = 2.0 ** (math.frexp(most)[1] - 1) if most > LARGE else 1.0

    def scaled(grade: Floats) -> Floats:
        return weight(grade) if unit == 1 else weight(grade) / unit

    steps = distinct(np.concatenate([[0.0], scaled(rankings.pool.labels)]))
    key = ("GAP", None if thresholds is None else tuple(thresholds.items()), cutoff)
    best = rankings.ideal(key, scaled, lambda lists: lists.top(cutoff).sum(scaled(lists.top(cutoff).grade)))
    value = view.grade if thresholds is None and unit == 1 else scaled(view.grade)  # all of them are above 0
    return ratio(gap_sums(view.starts, view.rank, value, steps[1:]), best)


@kernel
def gap_sums(starts: Ints, rank: Ints, value: Floats, levels: Floats) -> Floats:
    """Sum over each list of the precisions by each level that its documents reach, times the step up to it, [lists].

    ``levels`` ascend from above 0.
    """
    total = np.zeros(len(value))
    for below, level in itertools.pairwise([0.0, *levels]):
        reached = value >= level
        total += (level - below) * (reached * running_counts(reached, starts) / rank)
    return list_sums(total, starts)


@kernel
def infap_sums(starts: Ints, rank: Ints, position: Ints, weight: Floats, hit: float, margin: float) -> Floats:
    """Sum over each list of (1 + n (a + hit) / (n + margin)) / rank, times the list's weight, float64 [lists].

    Above each row stand n judged documents, its ``position`` less 1, a of which are rows.
    """
    judged = position - 1
    share = (list_positions(starts) - 1 + hit) / (judged + margin)
    return list_sums(weight[list_numbers(starts)] * ((1 + judged * share) / rank), starts)


@measure(
    "infAP",
    interval="it is about what was judged",
    trec=[Trec("infAP")],
    pooled=True,
    reference="Yilmaz & Aslam 2006, doi:10.1145/1183614.1183633",
    declines=(
        OF_R
        | FEW
        | LEVEL
        | because("1e-5 for a judged document above outweighs a rank far down", "top-weightedness")
        | because(
            "an unjudged document moved below a relevant one changes the estimate of its precision",
            "promotion",
            "swap",
            "exchange",
        )
    ),
)
def infAP(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Average precision estimated from a random sample of the pool; labels below zero mean pooled, not judged.

    infAP = (1/R) * sum over relevant documents at rank r of 1/r + (r-1)/r * d/(r-1) * (a + e)/(a + n + 2e), where
    above r stand a relevant, n judged non-relevant and d pooled documents, and e = 1e-5.
    """
    rel = max(rel, 0.0)
    relevant = rankings.only(rel)
    if rankings.pool.least >= 0:
        row, alike = rankings.positions(rel), np.ones(len(relevant.length))
        sums = infap_sums(relevant.starts, relevant.rank, row, alike, 1e-5, 2e-5)
        return ratio(sums, rankings.n_relevant(rel))
    pooled = rankings.only(rel, judged_only=True).rank - 1
    judged = pooled - rankings.running_count(rankings.grade < 0)[rankings.relevant(rel)]
    share = (relevant.position - 1 + 1e-5) / (judged + 2e-5)
    return ratio(relevant.sum((1 + pooled * share) / relevant.depth), rankings.n_relevant(rel))
