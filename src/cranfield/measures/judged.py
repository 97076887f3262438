"""How much of a list was judged at all."""

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._parameter import Cutoff
from cranfield.measures._ratio import ratio

REFERENCE = "Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press"


@measure(
    "Judged",
    reference=REFERENCE,
    declines={
        "appending": "it is about documents that were not judged",
    },
)
def Judged(rankings: Rankings, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of the first k retrieved documents that were judged.

    Judged@k = |judged documents at ranks 1..k| / min(k, length of the list).
    """
    view = rankings.top(cutoff)
    return ratio(np.diff(view.starts).astype(np.float64), view.length.astype(np.float64))


@measure(
    "Unjudged",
    trec=[Trec("unj", at="cutoff", values=(5, 10, 20))],
    required=["cutoff"],
    larger_is_better=False,
    reference=REFERENCE,
    declines={"appending": "it counts documents that were not judged"},
)
def Unjudged(rankings: Rankings, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of the first k ranks that hold an unjudged document.

    Unjudged@k = |unjudged documents at ranks 1..k| / k.
    """
    assert cutoff is not None
    view = rankings.top(cutoff)
    return (view.length - np.diff(view.starts)) / cutoff
