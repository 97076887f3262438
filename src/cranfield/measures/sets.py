"""The retrieved documents as a set, whatever their order."""

from functools import partial
from typing import Annotated

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._expected_ties import relevant_to
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Rel
from cranfield.measures.laws import FEW, FILL, LEVEL, OF_R, ORDER, SHARE, because
from cranfield.statistics.numeric import ratio

LONGER = because("a set with more documents that are not relevant is less precise", "appending")
REFERENCE = "van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7"
set_measure = partial(measure, interval=by_ends, expected=True, reference=REFERENCE, additive=True)
"""Declares a measure of the retrieved documents as a set."""


@set_measure(
    "SetP",
    trec=[Trec("set_P"), Trec("set_relative_P", fixed={"relative": True})],
    declines=SHARE | ORDER | FILL | LEVEL | LONGER,
)
def SetP(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    relative: Annotated[bool, Meaning("divide by the most relevant documents a list of this length can hold")] = False,
    judged_only: JudgedOnly = False,
) -> PerRanking:
    """Share of the retrieved documents that are relevant.

    SetP = |relevant retrieved| / |retrieved|; relative: / min(|retrieved|, R).
    """
    view = rankings.view(judged_only=judged_only)
    length = view.length.astype(float)
    return ratio(view.retrieved(rel), np.minimum(length, view.n_relevant(rel)) if relative else length)


@set_measure(
    "SetRelP",
    declines=SHARE | ORDER | OF_R | LEVEL | LONGER,
)
def SetRelP(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False) -> PerRanking:
    """Set precision as a share of the best that a list of this length can have: ``SetP(relative=True)``.

    SetRelP = |relevant retrieved| / min(|retrieved|, R).
    """
    view = rankings.view(judged_only=judged_only)
    return ratio(view.retrieved(rel), np.minimum(view.length.astype(float), view.n_relevant(rel)))


@set_measure(
    "SetR",
    consistent=(),
    trec=[Trec("set_recall")],
    declines=ORDER | OF_R | FEW | LEVEL,
)
def SetR(rankings: Rankings, *, rel: Rel = 1) -> PerRanking:
    """Share of the relevant documents that are retrieved.

    SetR = |relevant retrieved| / R.
    """
    return ratio(rankings.retrieved(rel), rankings.n_relevant(rel))


@set_measure(
    "SetF",
    trec=[Trec("set_F"), Trec("set_F", at="beta", values=(1,))],
    declines=SHARE | ORDER | OF_R | FILL | LEVEL | LONGER,
)
def SetF(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    beta: Annotated[
        float, Meaning("weight of recall against precision, not squared, as trec_eval reads it", low=0)
    ] = 1,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Weighted harmonic mean of set precision and set recall.

    SetF = (beta + 1) P R / (R + beta P), which van Rijsbergen writes with beta squared; 0 where nothing relevant is
    retrieved. With a cutoff the set is what stands at the ranks 1..k, which are fewer than k where fewer are retrieved.
    """
    view = rankings.view(judged_only=judged_only, cutoff=cutoff)
    relevant, total = relevant_to(rankings, rel, judged_only=judged_only, cutoff=cutoff), view.n_relevant(rel)
    precision, recall = ratio(relevant, view.length.astype(float)), ratio(relevant, total)
    mean = ratio((beta + 1) * precision * recall, recall + beta * precision)
    return np.where((relevant == 0) & (total > 0), 0.0, mean)


@set_measure(
    "SetAP",
    trec=[Trec("set_map")],
    additive=False,
    reference="Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press",
    declines=SHARE | ORDER | OF_R | FILL | LEVEL | LONGER,
)
def SetAP(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False) -> PerRanking:
    """Average precision of a set: precision times recall.

    SetAP = |relevant retrieved|^2 / (|retrieved| R).
    """
    view = rankings.view(judged_only=judged_only)
    return ratio(view.retrieved(rel) ** 2, view.length * view.n_relevant(rel))
