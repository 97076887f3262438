"""Gain discounted by rank: DCG, and nDCG which divides by the best ranking's."""

import math
from typing import Annotated, Literal

import numpy as np

from cranfield.collection.pool import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._gain import Dcg, Gain, Gains, label_gain
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning
from cranfield.measures._ratio import ratio
from cranfield.measures._unknown import Asked, Completion, Ends, by_ends, by_labelling, discounted_gain
from cranfield.measures.precision import CUTOFFS

REFERENCE = "Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418, with the log2(r+1) discount of Burges et al. 2005"

Discount = Annotated[
    Literal["log2", "jk"],
    Meaning("what a gain at rank r is divided by: log2(r + 1), or max(1, log_b r) as in Järvelin & Kekäläinen"),
]
Base = Annotated[float, Meaning("b of the discount jk: the first b ranks are not discounted", low=2)]


def discount_of(rank: Floats, discount: str, b: float) -> Floats:
    """What a gain at each rank is divided by."""
    divisor: Floats = np.maximum(np.log(rank) / np.log(b), 1.0) if discount == "jk" else np.log2(rank + 1.0)
    return divisor


def discounted(view: Rankings, gain: Gain, discount: str = "log2", b: float = 2) -> Floats:
    """Gain of each judged document over the discount of its rank, float64 [rows]."""
    value: Floats = view.shared(
        ("DCG", gain.key, discount, b),
        lambda: gain.on(view) / view.at_rank(lambda rank: discount_of(rank, discount, b)),
    )
    return value


def discounted_sum(
    rankings: Rankings,
    gain: Gain,
    discount: str = "log2",
    b: float = 2,
    *,
    judged_only: bool = False,
    cutoff: int | None = None,
) -> PerRanking:
    """Gains of each list to the cutoff, each over the discount of its rank; their mean where ties are open."""
    if rankings.first is not None:
        whole = gain.rows(rankings.view(judged_only=judged_only))
        return whole.sum(gain.on(whole) * whole.mean_weight(lambda rank: 1 / discount_of(rank, discount, b), cutoff))
    view = gain.rows(rankings.view(judged_only=judged_only, cutoff=cutoff))
    return view.sum(discounted(view, gain, discount, b))


@measure("DCG", unknown=by_ends, trec=[Trec("dcg")], bounds=(-math.inf, math.inf), expected=True, reference=REFERENCE)
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
    """Gain that the user meets on the way down, each rank discounted by its logarithm.

    DCG = sum over ranks r of g(r) / log2(r + 1); unjudged documents have gain 0.
    """
    gain = label_gain(rankings, dcg, gains)
    return discounted_sum(rankings, gain, discount, b, judged_only=judged_only, cutoff=cutoff)


def _interval(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """What nDCG could be; see ``_unknown.discounted_gain``, for which the worst label must be worth nothing."""
    set_ = asked.parameters
    lists = completion.rankings
    gain = label_gain(lists, set_["dcg"], set_["gains"])
    gains = gain.of(levels)
    if gains[0] != 0.0 or gain.of(lists.pool.labels).min(initial=0.0) < 0:
        return by_labelling(completion, levels, asked)
    ranks = np.arange(1.0, (lists.pool.size.max(initial=0) + lists.longest if (k := set_["cutoff"]) is None else k) + 1)
    return discounted_gain(completion, gain.of, gains, 1 / discount_of(ranks, set_["discount"], set_["b"]))


@measure(
    "nDCG",
    unknown=_interval,
    aliases=["NDCG"],
    trec=[Trec("ndcg"), Trec("ndcg_cut", at="cutoff", values=CUTOFFS)],
    bounds=(-math.inf, 1.0),
    expected=True,
    reference=REFERENCE,
)
def nDCG(
    rankings: Rankings,
    *,
    dcg: Dcg = "log2",
    gains: Gains = None,
    discount: Discount = "log2",
    b: Base = 2,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Discounted gain as a share of the best that a ranking of the judged documents could reach.

    nDCG@k = DCG@k / IDCG@k, where IDCG@k is the DCG@k of all judged documents of the topic by gain descending.
    """
    gain = label_gain(rankings, dcg, gains)
    actual = discounted_sum(rankings, gain, discount, b, judged_only=judged_only, cutoff=cutoff)
    best = rankings.ideal(
        ("DCG", gain.key, discount, b, cutoff),
        gain.of,
        lambda lists: discounted_sum(lists, gain, discount, b, cutoff=cutoff),
    )
    return ratio(actual, best)
