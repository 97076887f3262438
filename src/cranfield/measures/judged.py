"""The judged part of a list."""

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff
from cranfield.measures.laws import BLIND, because
from cranfield.statistics.numeric import ratio

UNFILLED = because("unjudged documents may have to fill the ranks", "realizability")

REFERENCE = "Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press"


@measure(
    "Judged",
    effectiveness=False,
    whole=True,
    interval="it is about what was judged",
    expected=True,
    reference=REFERENCE,
    additive=True,
    declines=because("an unjudged document lowers the share", "monotonicity", "appending") | BLIND | UNFILLED,
)
def Judged(rankings: Rankings, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of the first k retrieved documents that were judged.

    Judged@k = |judged documents at ranks 1..k| / min(k, length of the list), of the list as it was retrieved: whatever
    becomes of unjudged documents in other measures, here they count.
    """
    seen = rankings.length if cutoff is None else np.minimum(rankings.length, min(cutoff, rankings.longest))
    return ratio(_judged_to(rankings, cutoff), seen.astype(np.float64))


@measure(
    "Unjudged",
    effectiveness=False,
    interval="it is about what was judged",
    expected=True,
    trec=[Trec("unj", at="cutoff", values=(5, 10, 20))],
    required=["cutoff"],
    larger_is_better=False,
    reference=REFERENCE,
    declines=because("an unjudged document raises the share", "monotonicity", "appending") | BLIND | UNFILLED,
)
def Unjudged(rankings: Rankings, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of the first k ranks that hold an unjudged document.

    Unjudged@k = |unjudged documents at ranks 1..k| / k.
    """
    assert cutoff is not None
    return (np.minimum(rankings.length, min(cutoff, rankings.longest)) - _judged_to(rankings, cutoff)) / cutoff


def _judged_to(rankings: Rankings, cutoff: int | None) -> PerRanking:
    """Judged documents in the first k ranks, or their mean where ties are open, float64 [segments]."""
    if rankings.first is not None:
        return rankings.sum(rankings.mean_weight(np.ones_like, cutoff))
    return rankings.count_down_to(cutoff)
