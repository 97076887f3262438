"""Cumulated gain: without a discount (nCG), discounted by rank (DCG, nDCG), and scaled by its own weights (sDCG)."""

import math
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._cwl import User, user
from cranfield.measures._declaration import Trec, Variant, Version
from cranfield.measures._intervals import Ends, IntervalRequest
from cranfield.measures._intervals.labelling import by_ends, by_labelling
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning
from cranfield.measures.average_precision import FREE, NoRelevant, one_for_nothing
from cranfield.measures.gain import Dcg, Discounting, Gain, Gains, RandomOrder, label_gain, useful_gain
from cranfield.measures.laws import BEST_GROWS, COUNTED, FILL, OF_BEST, ORDER, ZERO, because
from cranfield.measures.precision import CUTOFFS
from cranfield.statistics.numeric import ratio
from cranfield.statistics.rounding import NOISE

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion


REFERENCE = "Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418, with the log2(r+1) discount of Burges et al. 2005"

Discount = Annotated[
    Literal["log2", "jk"],
    Meaning("what a gain at rank r is divided by: log2(r + 1), or max(1, log_b r) as in Järvelin & Kekäläinen"),
]
Base = Annotated[float, Meaning("b of the discount jk: the first b ranks are not discounted", low=2)]
NegativeGains = Annotated[
    Literal["zero", "keep"] | None,
    Meaning("gain of labels below zero: 0, or the label; as the policy says where None"),
]
Baseline = Annotated[
    Literal["zero", "zero_judged", "worst", "worst_judged", "random"],
    Meaning(
        "what has the value 0: no gain (zero_judged: where 1 is the best order of the judged documents alone), the "
        "worst ranking, the worst order of the judged documents alone, or their expected random order"
    ),
]
MeanGain = Annotated[
    bool,
    Meaning('unjudged documents and unfilled ranks have the mean gain of the judged, with baseline="random" only'),
]


@measure(
    "DCG",
    consistent=("dcg", "discount", "b"),
    interval=by_ends,
    expected=True,
    trec=[Trec("dcg")],
    range=(-math.inf, math.inf),
    default_range=(0.0, math.inf),
    reference=REFERENCE,
    additive=True,
    declines=COUNTED | ZERO | because("gains grow with the labels", "scale invariance"),
)
def DCG(
    rankings: Rankings,
    *,
    dcg: Dcg = "log2",
    gains: Gains = None,
    discount: Discount = "log2",
    b: Base = 2,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Cumulative gain of the list, each rank discounted logarithmically.

    DCG = sum over ranks r of g(r) / log2(r + 1); unjudged documents have gain 0.
    """
    return Discounting(label_gain(rankings, dcg, gains), discount, b, cutoff).total(rankings, judged_only=judged_only)


def _interval(completion: "Completion", levels: Floats, request: IntervalRequest) -> Ends:
    """Return what nDCG could be; exactly where the worst label is worth nothing, by trying labellings elsewhere."""
    settings, lists = request.parameters, completion.rankings
    if settings["no_relevant"] == "one":
        return by_labelling(completion, levels, request)
    if settings["baseline"] in ("random", "worst_judged", "zero_judged"):
        raise MeasureError(
            f"{request.name} has no interval from missing judgments: every label moves what its 0 or its 1 is"
        )
    gain = label_gain(lists, settings["dcg"], settings["gains"], settings["negative"])
    gains = gain.of(levels)
    if gains[0] != 0.0 or gain.of(lists.pool.labels).min(initial=0.0) < 0:
        return by_labelling(completion, levels, request)
    discounting = Discounting(gain, settings["discount"], settings["b"], settings["cutoff"])
    last = lists.pool.size.max(initial=0) + lists.longest
    if discounting.cutoff is not None:
        last = min(last, discounting.cutoff)
    return _least_and_largest(completion, gain, gains, 1 / discounting.divisor(np.arange(1.0, last + 1)))


def _least_and_largest(completion: "Completion", gain: Gain, levels: Floats, weight: Floats) -> Ends:
    """Smallest and largest normalised discounted gain; ``levels`` are gains from 0, ``weight`` falls rank by rank.

    Gains are sums of steps from level to level, and so are actual and ideal gain: with n_l of the unknown at level l or
    better, actual = A + sum_l step_l D(n_l) and ideal = sum_l step_l C(N_l + n_l), for N_l judged ones. The largest
    ratio is found by Dinkelbach's method, which raises a trial ratio until no n_l makes actual - ratio * ideal
    positive; every level can be chosen by itself, since better levels never ask for more documents. The ratio has a
    linear numerator and a convex denominator, so that its smallest value has the best label or none everywhere.
    """
    steps, pool, rank = np.diff(levels), completion.rankings.pool, completion.ranked[1]
    cumulative = np.concatenate([[0.0], np.cumsum(weight)])
    worth = gain.of(pool.grade)
    better = [np.bincount(pool.topic[worth >= level], minlength=len(pool.size)) for level in levels[1:]]
    judged = np.array(better, dtype=np.int64).reshape(len(steps), len(pool.size))
    met = _gain_met(completion, gain, weight)
    rows = completion.unknown[completion.looked_at]
    rows = rows[rank[rows] <= len(weight)]
    starts = np.searchsorted(completion.ranked[0][rows], np.arange(len(pool.size) + 1))
    low, high = np.full((2, len(pool.size)), np.nan)
    for topic in range(len(pool.size)):
        ranks = rank[rows[starts[topic] : starts[topic + 1]]]
        added = np.concatenate([[0.0], np.cumsum(weight[ranks - 1])])
        relevant = judged[:, topic, None] + np.arange(len(added))
        ideal = steps @ _first(cumulative, relevant + completion.below[topic])
        worst = (met[topic] + levels[-1] * (added[-1] - added[::-1]))[ideal > 0] / ideal[ideal > 0]
        low[topic] = worst.min() if len(worst) else np.nan
        high[topic] = _largest_ratio(met[topic], steps, added, _first(cumulative, relevant))
    return low, high


def _gain_met(completion: "Completion", gain: Gain, weight: Floats) -> Floats:
    """Discounted gain of the judged documents of each list, float64 [segments]."""
    segment, rank, grade = completion.ranked
    judged = ~np.isnan(grade) & (rank <= len(weight))
    met = np.zeros(len(completion.rankings.length))
    np.add.at(met, segment[judged], gain.of(grade[judged]) * weight[rank[judged] - 1])
    return met


def _first(cumulative: Floats, count: Ints) -> Floats:
    """Weight of the first ``count`` ranks, or of all that have one."""
    total: Floats = cumulative[np.minimum(count, len(cumulative) - 1)]
    return total


def _largest_ratio(actual: float, steps: Floats, added: Floats, ideal: Floats) -> float:
    """max over n of (actual + sum_l steps_l added[n_l]) / sum_l steps_l ideal[l, n_l]; NaN if the divisor stays 0."""
    best = -np.inf
    least, most = float(steps @ ideal[:, 0]), float(steps @ ideal[:, -1])
    if most <= 0:
        return math.nan
    trial = actual / least if least > 0 else (actual + float(steps.sum() * added[-1])) / most
    while trial > best:
        best = trial
        chosen = np.argmax(added - best * ideal, axis=1)
        below = float(steps @ ideal[np.arange(len(steps)), chosen])
        trial = float(actual + steps @ added[chosen]) / below if below > 0 else -np.inf
    return float(best)


@measure(
    "nDCG",
    consistent=("dcg", "discount", "b", "baseline"),
    interval=_interval,
    expected=True,
    aliases=["NDCG"],
    trec=[Trec("ndcg"), Trec("ndcg_cut", at="cutoff", values=CUTOFFS)],
    range=(-math.inf, 1.0),
    default_range=(0.0, 1.0),
    additive=True,
    declines=BEST_GROWS | OF_BEST | ZERO,
    reference=f"{REFERENCE}; its versions: Gienapp et al. 2020, doi:10.1145/3340531.3412123 (org, 0, min), and "
    "Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using nDCG, CIKM (std)",
    versions={
        "NDCG_org": Version("labels below zero are gains below zero", {"negative": "keep", "baseline": "zero"}),
        "NDCG_org_judged": Version(
            "NDCG_org over the best order of the judged documents alone",
            {"negative": "keep", "baseline": "zero_judged"},
        ),
        "NDCG_0": Version("labels below zero count 0", {"negative": "zero", "baseline": "zero"}),
        "NDCG_min": Version("0 is the worst ranking, 1 the best", {"negative": "keep", "baseline": "worst"}),
        "NDCG_min_judged": Version(
            "0 is the worst order of the judged documents, 1 their best",
            {"negative": "keep", "baseline": "worst_judged"},
        ),
        "NDCG_std": Version(
            "0 is the expected random order of the judged documents", {"negative": "keep", "baseline": "random"}
        ),
    },
    variants=[
        Variant("baseline", "zero_judged", range=(-math.inf, math.inf), undefined=math.nan),
        Variant("baseline", "worst", range=(0.0, 1.0)),
        Variant("baseline", "worst_judged", range=(-math.inf, math.inf), undefined=math.nan),
        Variant("baseline", "random", range=(-math.inf, math.inf), undefined=math.nan),
        Variant(
            "no_relevant",
            "one",
            rewards=FREE,
            names=("nDCG of LightGBM", "nDCG of XGBoost", "nDCG of CatBoost", "ndcg of boosting"),
        ),
    ],
)
def nDCG(
    rankings: Rankings,
    *,
    dcg: Dcg = "log2",
    gains: Gains = None,
    discount: Discount = "log2",
    b: Base = 2,
    judged_only: JudgedOnly = False,
    negative: NegativeGains = None,
    baseline: Baseline = "zero",
    mean_gain: MeanGain = False,
    no_relevant: NoRelevant = "undefined",
    cutoff: Cutoff = None,
) -> PerRanking:
    """Discounted cumulative gain, normalised by that of the ideal ranking of the judged documents.

    nDCG@k = DCG@k / IDCG@k, where IDCG@k is the DCG@k of all judged documents of the topic by gain descending; it ends
    where gains do, since documents without gain exist without limit.

    zero_judged: IDCG@k is that of the judged documents alone, whatever their gains, and ends with them; DCG@k looks at
    all k ranks of the list, so that without labels below zero the value is that of zero. Where IDCG@k is below 0,
    because fewer than k documents have gains of 0 or more, a list that gains less scores more, and more than 1.

    With another baseline, nDCG@k = (DCG@k - B) / (IDCG@k - B). worst: B is the DCG@k of the documents with gains below
    zero, the worst first. worst_judged: B is the DCG@k of the judged documents alone, whatever their gains, the worst
    first. random: B is the mean gain of the m judged documents times the sum of the discounts, which is what their
    random orders have on average. In the last two IDCG is that of the judged documents alone, whatever their gains,
    and all is looked at down to rank min(k, m). Unjudged documents and unfilled ranks have gain 0 as everywhere, or,
    against random, with mean_gain the mean gain; where unjudged documents are dropped, unfilled ranks have the mean
    gain. With no_relevant="one", a topic without gain has 1.
    """
    unjudged = rankings.policy.unjudged
    if baseline != "random" and (mean_gain or unjudged == "mean"):
        raise MeasureError(
            f"nDCG knows a mean gain for unjudged documents ({setting('unjudged', 'mean')}, mean_gain=True) only "
            "where its baseline "
            "is random: write NDCG_std"
        )
    discounting = Discounting(label_gain(rankings, dcg, gains, negative), discount, b, cutoff)
    value = _normalise(discounting, rankings, baseline, judged_only=judged_only, mean_gain=mean_gain)
    return one_for_nothing(value, discounting.best(rankings)) if no_relevant == "one" else value


def _normalise(
    discounting: Discounting, rankings: Rankings, baseline: str, *, judged_only: bool, mean_gain: bool
) -> PerRanking:
    """The DCG between what has the value 0 and the best; NaN where they are equal."""
    unjudged = rankings.policy.unjudged
    if baseline == "zero_judged":
        actual = discounting.total(rankings, judged_only=judged_only)
        return actual / best_judged(discounting, rankings.view(judged_only=judged_only))
    if baseline == "worst_judged":
        return above_worst_judged(discounting, rankings.view(judged_only=judged_only))
    if baseline == "random":
        # Dropped documents must not come back as documents of gain 0 below the end of the list.
        return above_random(
            discounting, rankings.view(judged_only=judged_only), mean_gain or judged_only or unjudged != "zero"
        )
    actual, best = discounting.total(rankings, judged_only=judged_only), discounting.best(rankings)
    if baseline == "worst":
        worst = discounting.worst(rankings)
        return ratio(actual - worst, best - worst)
    return ratio(actual, best)


def best_judged(discounting: Discounting, rankings: Rankings) -> PerRanking:
    """DCG of the best order of the judged documents alone, which may be below 0; NaN where it is 0."""
    order = discounting.random_order(rankings)
    best: PerRanking = np.where(np.abs(order.best) > NOISE * order.scale, order.best, np.nan)
    return best


def above_worst_judged(discounting: Discounting, rankings: Rankings) -> PerRanking:
    """Return where a list stands between the worst order of the judged documents (0) and their best (1).

    It may stand outside: below 0 where it shows unjudged documents, or fewer than k, that the worst order cannot show.
    """
    order = discounting.random_order(rankings)
    worst = discounting.worst_judged(rankings)
    actual = _as_deep_as_the_pool(discounting, rankings, order, None)
    return ratio(actual - worst, np.where(np.isnan(order.room), np.nan, order.best - worst))


def above_random(discounting: Discounting, rankings: Rankings, mean_gain: bool) -> PerRanking:
    """Return where a list stands between the expected random order of the judged documents (0) and their best (1).

    It may stand above 1: where the best order must show gains below zero, a list can show unjudged documents instead.
    """
    order = discounting.random_order(rankings)
    above = _as_deep_as_the_pool(discounting, rankings, order, order.mean if mean_gain else None)
    return ratio(above if mean_gain else above - order.expected, order.room)


def _as_deep_as_the_pool(
    discounting: Discounting, rankings: Rankings, order: RandomOrder, less: Floats | None
) -> PerRanking:
    """DCG of each list to rank min(k, m) of m judged documents, each gain minus a number of its list."""
    view = rankings if rankings.first is not None else rankings.top(discounting.cutoff)
    depth = order.depth[view.segment]
    gain = discounting.gain.on(view) - (0.0 if less is None else less[view.segment])
    if view.first is not None:
        return view.sum(gain * view.mean_weight(lambda rank: 1 / discounting.divisor(rank), depth.astype(np.int64)))
    return view.sum(np.where(view.rank <= depth, gain / view.at_rank(discounting.divisor), 0.0))


@measure(
    "NCG",
    consistent=(),
    aliases=["nCG"],
    additive=True,
    reference="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418",
    declines=BEST_GROWS | OF_BEST | ORDER | ZERO,
)
def NCG(
    rankings: Rankings, *, gains: Gains = None, judged_only: JudgedOnly = False, cutoff: Cutoff = None
) -> PerRanking:
    """Gain of the first k documents, normalised by the gain of the best k.

    NCG@k = (sum of g over ranks 1..k) / (the same of the ideal list); TREC's Deep Learning track takes k = 100 and 1000
    for first stages of retrieval.
    """
    gain = useful_gain(rankings, gains)
    view = gain.rows(rankings.view(judged_only=judged_only, cutoff=cutoff))

    def best(lists: Rankings) -> PerRanking:
        top = lists.top(cutoff)
        return top.sum(gain.on(top))

    return ratio(view.sum(gain.on(view)), rankings.ideal(("NCG", gain.key, cutoff), gain.of, best))


@user(
    "SDCG",
    reference="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; Moffat et al. 2017, doi:10.1145/3052768",
    among="cutoff",
    additive=True,
    declines=because("a rank without gain takes attention from those above", "monotonicity") | FILL | ZERO,
)
def SDCG(*, dcg: Dcg = "log2", cutoff: int) -> User:
    """Expected utility per document inspected by a user whose attention falls logarithmically with the rank.

    C_i = log2(i + 1) / log2(i + 2) above rank k and 0 there, so that SDCG@k = DCG@k / sum over ranks r <= k of
    1 / log2(r + 1), the DCG of k documents of gain 1.
    """
    return User(lambda rank: np.log2(rank + 1) / np.log2(rank + 2) * (rank < cutoff), dcg=dcg)
