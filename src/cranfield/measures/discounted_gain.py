"""Gain discounted by rank: DCG, and nDCG which divides by the best ranking's."""

import math
from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np

from cranfield.collection.pool import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._gain import Dcg, Gains, label_gain
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning
from cranfield.measures._ratio import ratio
from cranfield.measures.precision import CUTOFFS

REFERENCE = "Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418, with the log2(r+1) discount of Burges et al. 2005"

Discount = Annotated[
    Literal["log2", "jk"],
    Meaning("what a gain at rank r is divided by: log2(r + 1), or max(1, log_b r) as in Järvelin & Kekäläinen"),
]
Base = Annotated[float, Meaning("b of the discount jk: the first b ranks are not discounted", low=2)]


def discounted(view: Rankings, gain: Callable[[Floats], Floats], discount: str = "log2", b: float = 2) -> Floats:
    """Gain of each judged document over the discount of its rank, float64 [rows]."""
    jk = discount == "jk"
    divisor: Floats = np.maximum(np.log(view.rank) / np.log(b), 1.0) if jk else np.log2(view.rank + 1.0)
    return gain(view.grade) / divisor


@measure("DCG", trec=[Trec("dcg")], bounds=(-math.inf, math.inf), reference=REFERENCE)
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
    _, gain = label_gain(rankings, dcg, gains)
    view = rankings.view(judged_only=judged_only, cutoff=cutoff)
    return view.sum(discounted(view, gain, discount, b))


@measure(
    "nDCG",
    aliases=["NDCG"],
    trec=[Trec("ndcg"), Trec("ndcg_cut", at="cutoff", values=CUTOFFS)],
    bounds=(-math.inf, 1.0),
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
    key, gain = label_gain(rankings, dcg, gains)

    def total(view: Rankings) -> PerRanking:
        return view.sum(discounted(view, gain, discount, b))

    actual = total(rankings.view(judged_only=judged_only, cutoff=cutoff))
    best = rankings.ideal(("DCG", key, discount, b, cutoff), gain, lambda lists: total(lists.top(cutoff)))
    return ratio(actual, best)
