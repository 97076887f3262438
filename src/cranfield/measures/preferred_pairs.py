"""Pairs of judged documents of different labels, and how many of them a list puts in the right order.

trec_eval's ``prefs_*`` for judgments of one group (``-R qrels_prefs``): there ``prefs_simp``, ``prefs_pair`` and
``prefs_avgjg`` are one number.
"""

import math
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._declare import measure
from cranfield.measures._parameter import Meaning
from cranfield.measures._reasons import COUNTED, because
from cranfield.measures.relevance_information import counts_down_to, unequal_pairs
from cranfield.statistics.ratio import ratio

REFERENCE = "Buckley 2008, in: trec_eval"
Among = Annotated[
    Literal["judged", "implied", "retrieved"],
    Meaning("pairs that count: all judged, those of which a document or both are retrieved, or both"),
]
KINDS: dict[str, str] = {"prefs_simp": "judged", "prefs_simp_imp": "implied", "prefs_simp_ret": "retrieved"}
SPELLINGS = [
    Trec(name.replace("simp", word), fixed={} if among == "judged" else {"among": among})
    for word in ("simp", "pair", "avgjg")
    for name, among in KINDS.items()
]
PAIRS = (
    because("it counts the pairs of all judged documents", "localization")
    | because("unjudged documents make no pairs, and may change places with any", "convergence", "top-weightedness")
    | because("a document without relevance that changes places with an unjudged one changes pairs", "exchange")
)


def _in_order(rankings: Rankings) -> Floats:
    """Pairs with the better document above the other, or alone retrieved, float64 [segments]."""
    filled = np.flatnonzero(rankings.sizes)
    pairs = np.zeros(len(rankings.length))
    pairs[filled] = counts_down_to(rankings, rankings.starts[filled + 1] - 1, filled).concordant
    return pairs


def _of_retrieved(rankings: Rankings) -> tuple[Floats, Floats, Floats]:
    """Pairs in the right order with both documents retrieved, all with both, and all with at least one retrieved.

    float64 [segments] each.
    """
    right, both, some = np.zeros((3, len(rankings.length)))
    better_found, better_all = np.zeros((2, len(rankings.length)))
    for label in rankings.pool.labels[::-1]:
        here = rankings.grade == label
        known = rankings.per_topic(rankings.pool.count(low=label, below=np.nextafter(label, np.inf)))
        found = rankings.count(here)
        missed = known - found
        above = (rankings.running_count(rankings.grade > label)).astype(np.float64)
        right += rankings.sum(above * here)
        both += better_found * found
        some += better_all * known - (better_all - better_found) * missed
        better_found += found
        better_all += known
    return right, both, some


def _all_pairs(rankings: Rankings) -> Floats:
    """Pairs of judged documents of different labels, float64 [segments]."""
    return rankings.per_topic(unequal_pairs(rankings.pool))


@measure(
    "prefs_simp",
    graded=True,
    trec=SPELLINGS,
    reference=REFERENCE,
    declines=PAIRS
    | because("where all labels are equal there are no pairs", "completeness")
    | because("a list of few documents leaves pairs of others undecided", "realizability"),
)
def prefs_simp(rankings: Rankings, *, among: Among = "judged") -> PerRanking:
    """Share of the pairs of judged documents with different labels that the list puts in the right order.

    prefs_simp = pairs with the better document above the other, or alone retrieved / pairs that count.
    """
    if among == "judged":
        return ratio(_in_order(rankings), _all_pairs(rankings))
    right, both, some = _of_retrieved(rankings)
    return ratio(right, both) if among == "retrieved" else ratio(_in_order(rankings), some)


@measure(
    "NumPrefs",
    effectiveness=False,
    graded=True,
    summary="sum",
    range=(0.0, math.inf),
    trec=[
        Trec("prefs_num_prefs_ful"),
        Trec("prefs_num_prefs_ful_ret", fixed={"which": "retrieved"}),
        Trec("prefs_num_prefs_poss", fixed={"which": "all"}),
    ],
    reference=REFERENCE,
    declines=PAIRS | COUNTED,
)
def NumPrefs(
    rankings: Rankings,
    *,
    which: Annotated[
        Literal["right", "retrieved", "all"],
        Meaning("pairs in the right order, those of them with both documents retrieved, or all there are"),
    ] = "right",
) -> PerRanking:
    """Number of pairs of judged documents with different labels that the list puts in the right order.

    NumPrefs = pairs with the better document above the other, or alone retrieved.
    """
    if which == "all":
        return _all_pairs(rankings)
    return _of_retrieved(rankings)[0] if which == "retrieved" else _in_order(rankings)
