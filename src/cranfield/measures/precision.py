"""The relevant share of the top of a list."""

from functools import partial
from typing import Annotated, Literal

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec, Variant
from cranfield.measures._expected_ties import mean_at_first_relevant, relevant_to
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Rel
from cranfield.measures.laws import FEW, FILL, FIRST, LEVEL, OF_R, ORDER, SHARE, because
from cranfield.statistics.numeric import ratio

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = tuple(tenths / 10 for tenths in range(2, 21, 2))

top_measure = partial(measure, consistent=(), interval=by_ends, expected=True)
"""Declares a measure that only looks at which ranks hold relevant documents, and never falls with one more."""


@top_measure(
    "P",
    aliases=["Precision"],
    trec=[
        Trec("P", at="cutoff", values=CUTOFFS),
        Trec("relative_P", at="cutoff", values=CUTOFFS, fixed={"relative": True}),
    ],
    required=["cutoff"],
    reference="van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7",
    additive=True,
    declines=SHARE | ORDER | FILL | LEVEL,
    variants=[
        Variant(
            "denominator",
            "retrieved",
            declines=because("a set with more documents that are not relevant is less precise", "appending"),
            additive=False,
            rewards="rewards short lists: one relevant document alone has 1",
            names=("precision of Elasticsearch", "precision of Quepid"),
        ),
        Variant(
            "denominator",
            "judged",
            declines=because("an unjudged document that moves up leaves the others their share", "swap", "exchange"),
            expected=False,
            additive=False,
            rewards="rewards documents that nobody judged: among the first k they cost nothing, whatever they are",
            names=(
                *("ignore unlabeled", "ignore unlabelled", "precision with ignore_unlabeled"),
                *("rated documents", "precision of rated documents", "precision over rated documents"),
            ),
        ),
    ],
)
def P(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    relative: Annotated[bool, Meaning("divide by the most relevant documents that k ranks can hold")] = False,
    denominator: Annotated[
        Literal["k", "retrieved", "judged"],
        Meaning("what divides: k, the documents retrieved at ranks 1..k, or those of them that were judged"),
    ] = "k",
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Share of the first k ranks that hold a relevant document.

    P@k = |relevant documents at ranks 1..k| / k; a shorter list still divides by k; relative: / min(k, R).
    With denominator="retrieved", the documents at ranks 1..k divide, and with "judged" the judged ones among them, as
    Elasticsearch does with ignore_unlabeled; where there is none, the value is 0. judged_only=True takes the judged
    documents at any rank, moved up, and still divides by k, as trec_eval -J and ir_measures do.
    """
    assert cutoff is not None
    relevant = relevant_to(rankings, rel, judged_only=judged_only, cutoff=cutoff)
    if denominator == "k":
        return ratio(relevant, np.minimum(rankings.n_relevant(rel), cutoff)) if relative else relevant / cutoff
    shown = np.maximum(_count_shown(rankings.view(judged_only=judged_only), cutoff, denominator), 1.0)
    return ratio(relevant, np.minimum(rankings.n_relevant(rel), shown)) if relative else relevant / shown


def _count_shown(view: Rankings, cutoff: int, denominator: str) -> PerRanking:
    """The documents at the first k ranks, or those of them that were judged, float64 [segments]."""
    if denominator == "judged":
        return view.count_down_to(cutoff)
    return np.minimum(view.length, min(cutoff, view.longest)).astype(np.float64)


@top_measure(
    "R",
    aliases=["Recall"],
    trec=[Trec("recall", at="cutoff", values=CUTOFFS)],
    required=["cutoff"],
    reference="van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7",
    additive=True,
    declines=ORDER | OF_R | FEW | LEVEL,
)
def R(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False, cutoff: Cutoff = None) -> PerRanking:
    """Share of the relevant documents that are retrieved in the first k ranks.

    R@k = |relevant documents at ranks 1..k| / R, with R the relevant documents known for the topic.
    """
    return ratio(relevant_to(rankings, rel, judged_only=judged_only, cutoff=cutoff), rankings.n_relevant(rel))


@top_measure(
    "F1",
    required=["cutoff"],
    reference="van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7",
    additive=True,
    declines=SHARE | ORDER | OF_R | FILL | LEVEL,
)
def F1(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False, cutoff: Cutoff = None) -> PerRanking:
    """Harmonic mean of precision and recall in the first k ranks.

    F1@k = 2 P@k R@k / (P@k + R@k) = 2 |relevant documents at ranks 1..k| / (k + R). P@k divides by k also where fewer
    documents are retrieved; ``SetF@k`` divides by their number.
    """
    relevant, total = relevant_to(rankings, rel, judged_only=judged_only, cutoff=cutoff), rankings.n_relevant(rel)
    ranks = rankings.view(judged_only=judged_only).length.astype(float) if cutoff is None else float(cutoff)
    return np.where(total > 0, ratio(2 * relevant, ranks + total), np.nan)


@measure(
    "Rprec",
    consistent=("mult",),
    expected=True,
    aliases=["RPrec"],
    trec=[Trec("Rprec"), Trec("Rprec_mult", at="mult", values=MULTIPLES, form="{:.2f}")],
    reference="Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press",
    additive=True,
    declines=because("ranks down to R count alike, and those below not at all", "convergence", "top-weightedness")
    | OF_R
    | FEW
    | LEVEL,
)
def Rprec(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    mult: Annotated[float, Meaning("multiple of R whose rank is looked at", low=0)] = 1,
    judged_only: JudgedOnly = False,
) -> PerRanking:
    """Precision at rank R, the number of relevant documents of the topic, or at a multiple of it.

    Rprec = |relevant documents at ranks 1..R| / R; with a multiple x, floor(x R + 0.9) stands for R.
    """
    view = rankings.view(judged_only=judged_only)
    relevant = view.only(rel)
    depth = np.floor(mult * view.n_relevant(rel) + 0.9)
    if relevant.first is None or relevant.last is None:
        last = np.minimum(depth, view.longest).astype(np.int64)
        return ratio(relevant.rows_down_to(last) - relevant.starts[:-1], depth)
    limit = depth[relevant.segment]
    tied = relevant.last - relevant.first + 1
    return ratio(relevant.sum(np.clip(limit - relevant.first + 1, 0, tied) / tied), depth)


@top_measure(
    "Success",
    aliases=["1-call", "HitRate", "accuracy"],
    trec=[Trec("success", at="cutoff", values=(1, 5, 10))],
    required=["cutoff"],
    reference="Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press",
    declines=because("one relevant document is as good as several", "convergence", "top-weightedness") | LEVEL,
)
def Success(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False, cutoff: Cutoff = None) -> PerRanking:
    """Success of a search: 1 if any of the first k ranks holds a relevant document.

    Success@k = 1 if a relevant document stands at ranks 1..k, else 0.
    """
    if rankings.first is not None:
        return mean_at_first_relevant(rankings.view(judged_only=judged_only), rel, np.ones_like, cutoff)
    return np.minimum(relevant_to(rankings, rel, judged_only=judged_only, cutoff=cutoff), 1.0)


@top_measure(
    "RR",
    aliases=["MRR"],
    trec=[Trec("recip_rank")],
    reference="Kantor & Voorhees 2000, doi:10.1023/A:1009902609570",
    declines=FIRST | LEVEL,
)
def RR(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False, cutoff: Cutoff = None) -> PerRanking:
    """Reciprocal of the rank of the first relevant document, 0 where none is retrieved.

    RR = 1 / min{r : the document at rank r is relevant}.
    """
    if rankings.first is not None:
        return mean_at_first_relevant(rankings.view(judged_only=judged_only), rel, np.reciprocal, cutoff)
    relevant = rankings.only(rel, judged_only=judged_only).top(cutoff)
    (lists,) = relevant.sizes.nonzero()
    value = np.zeros(len(relevant.length))
    value[lists] = 1 / relevant.rank[relevant.starts[lists]]
    return value
