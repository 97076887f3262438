"""Counts, summed over topics."""

import math
from functools import partial
from typing import Annotated

import numpy as np

from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Meaning, Rel
from cranfield.measures.laws import BLIND, COUNTED, LEVEL, ORDER, because

REFERENCE = "Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press"
count_measure = partial(measure, expected=True, summary="sum", range=(0.0, math.inf), reference=REFERENCE)
"""Declares a count, which is added up over topics."""


@count_measure(
    "NumQ",
    effectiveness=False,
    interval="it looks at no gain",
    trec=[Trec("num_q")],
    default_range=(0.0, 1.0),
    declines=because("it is 1 for every list", "convergence", "top-weightedness"),
)
def NumQ(rankings: Rankings) -> PerRanking:
    """Number of topics averaged over.

    NumQ = 1 for each topic.
    """
    return np.ones(len(rankings.length))


@count_measure(
    "NumRet",
    effectiveness=False,
    interval="it looks at no gain",
    trec=[Trec("num_ret")],
    declines=COUNTED | BLIND | because("it counts documents, judged or not", "appending", "padding"),
)
def NumRet(
    rankings: Rankings,
    *,
    rel: Annotated[float | None, Meaning("count only documents whose label reaches this; all where None")] = None,
) -> PerRanking:
    """Number of retrieved documents.

    NumRet = length of the list.
    """
    return rankings.length.astype(np.float64) if rel is None else rankings.retrieved(rel)


def _count_num_rel(pool: Pool, policy: Policy) -> float | None:
    """trec_eval -c counts labels of 1 or more over all topics, whatever -l asks for and its own topic lines say."""
    return float(pool.count(low=1.0).sum()) if policy.hides_negative else None


@count_measure(
    "NumRel",
    effectiveness=False,
    interval=by_ends,
    trec=[Trec("num_rel")],
    peer_summary=_count_num_rel,
    declines=COUNTED
    | because("the list does not matter", "convergence", "top-weightedness")
    | because("it counts documents that are not retrieved as well", "localization")
    | LEVEL,
)
def NumRel(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Number of relevant documents known for the topic, retrieved or not.

    NumRel = R.
    """
    return rankings.n_relevant(rel)


@count_measure(
    "NumRelRet",
    consistent=(),
    interval=by_ends,
    trec=[Trec("num_rel_ret")],
    additive=True,
    declines=COUNTED | ORDER | LEVEL,
)
def NumRelRet(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Number of relevant documents that are retrieved.

    NumRelRet = |relevant retrieved|.
    """
    return rankings.retrieved(rel)


@count_measure(
    "NumNonRelJudgedRet",
    effectiveness=False,
    interval="it is about what was judged",
    trec=[Trec("num_nonrel_judged_ret")],
    larger_is_better=False,
    additive=True,
    declines=because("it grows with the documents that it counts", "boundedness")
    | because("one more such document may be included", "monotonicity")
    | because("a relevant document is as good as an unjudged one", "convergence")
    | ORDER
    | LEVEL,
)
def NumNonRelJudgedRet(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Number of retrieved documents that were judged and found not relevant.

    NumNonRelJudgedRet = |judged retrieved| - |relevant retrieved|.
    """
    return rankings.sizes - rankings.retrieved(rel)
