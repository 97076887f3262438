"""Precision and cumulative gain in one ratio, and the users of NTCIR who look at it where they stop."""

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Rel
from cranfield.measures.average_precision import Denominator, choose_denominator, precision
from cranfield.measures.err import Stop, stopping
from cranfield.measures.gain import Gain, Gains, MaxRel, scale, useful_gain
from cranfield.measures.laws import FEW, FIRST, LEVEL, OF_BEST, OF_R, UNSURE, because
from cranfield.statistics.numeric import ratio

PASSED = because("one that moves up past a better one no longer counts its gain", "top-weightedness")
PREFERRED = (
    because("nothing below the preferred rank matters", "convergence", "top-weightedness")
    | because("a better document that is included moves the preferred rank down", "monotonicity")
    | because(
        "the preferred rank goes up with the best document, and ends the measure before others", "swap", "exchange"
    )
)
CUMULATED = because("the blended ratio compares with the gains of the best list of the topic", "localization")

Beta = Annotated[float, Meaning("weight of cumulative gain against the count of relevant documents", low=0)]

BLENDED = "Sakai 2004, New performance metrics based on multigrade relevance, in: NTCIR-4"
HIGH = "Sakai 2006, Give me just one highly relevant document: P-measure, SIGIR, pp. 695-696"
USERS = "Sakai & Robertson 2008, Modelling a user population for designing information retrieval metrics, in: EVIA"


def blended_ratio(view: Rankings, rel: float, beta: float, gains: Mapping[float, float] | None) -> Floats:
    """BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r)) at each row of ``view.only(rel)``, float64 [rows].

    C counts the relevant documents down to rank r, cg sums their gains, cg* sums the best list's.
    """
    gain = useful_gain(view, gains, rel)
    relevant = view.only(rel)

    def blend() -> Floats:
        best = relevant.ideal_running(("gain", gain.key), gain.of, gain.on)
        met = beta * relevant.running_sum(gain.on(relevant))
        met += relevant.position
        hoped = beta * best
        hoped += relevant.depth
        return np.divide(met, hoped, out=met)

    blended: Floats = relevant.shared(("blended", gain.key, beta), blend)
    return blended


@measure(
    "Q",
    aliases=["Q-measure", "Q_measure"],
    reference=BLENDED,
    declines=(
        because("it divides by min(k, R), which grows with k", "monotonicity")
        | PASSED
        | OF_R
        | LEVEL
        | because("a document that passes a better one adds less where the ideal gain is larger", "exchange")
    ),
)
def Q(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    beta: Beta = 1,
    gains: Gains = None,
    denominator: Denominator = "min",
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Average precision with the blended ratio instead of precision, which rewards highly relevant documents.

    Q = (1/R) * sum over relevant documents at rank r of BR(r), BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r)), with C
    the count and cg the gain of the relevant documents down to rank r, and cg* that of the best list. Q@k divides by
    min(k, R). With beta=0 it is AP.
    """
    view = rankings.view(judged_only=judged_only, cutoff=cutoff)
    blended = view.only(rel).sum(blended_ratio(view, rel, beta, gains))
    return ratio(blended, choose_denominator(view, rel, cutoff, denominator))


@measure(
    "O-measure",
    attribute="O_measure",
    reference=BLENDED,
    declines=(
        FIRST
        | CUMULATED
        | LEVEL
        | because("the rank of the first relevant document alone decides what gain above it counts", "exchange")
    ),
)
def O_measure(
    rankings: Rankings, *, rel: Rel = 1, beta: Beta = 1, gains: Gains = None, judged_only: JudgedOnly = False
) -> PerRanking:
    """Blended ratio at the first relevant document, 0 where none is retrieved: a graded reciprocal rank.

    O-measure = BR(r) at the smallest rank r of a relevant document.
    """
    view = rankings.view(judged_only=judged_only)
    relevant = view.only(rel)
    return _at(relevant, relevant.starts[:-1][relevant.sizes > 0], blended_ratio(view, rel, beta, gains))


def _at(relevant: Rankings, row: Ints, value: Floats | Ints) -> PerRanking:
    """The value of one row of each list that has any, 0 of the others, float64 [segments]."""
    out = np.zeros(len(relevant.length))
    out[relevant.sizes > 0] = value[row]
    return out


def preferred(view: Rankings, rel: float, gains: Mapping[float, float] | None) -> Ints:
    """The first row with the largest gain in its list, of each list with relevant documents, int64 [such lists]."""
    gain = useful_gain(view, gains, rel)
    relevant = view.only(rel)

    def first() -> Ints:
        value, sizes = gain.on(relevant), relevant.sizes
        best = np.flatnonzero(value == np.repeat(relevant.maximum(value), sizes))
        return best[np.searchsorted(best, relevant.starts[:-1][sizes > 0])]

    return relevant.shared(("preferred", gain.key), first)


@measure(
    "P-measure",
    attribute="P_measure",
    reference=HIGH,
    declines=PREFERRED | CUMULATED | LEVEL,
)
def P_measure(
    rankings: Rankings, *, rel: Rel = 1, beta: Beta = 1, gains: Gains = None, judged_only: JudgedOnly = False
) -> PerRanking:
    """Blended ratio at the preferred rank, where the user finds the best of the retrieved documents and stops.

    P-measure = BR(rp), with rp the smallest rank of a document with the largest gain in the list.
    """
    view = rankings.view(judged_only=judged_only)
    relevant = view.only(rel)
    return _at(relevant, preferred(view, rel, gains), blended_ratio(view, rel, beta, gains))


@measure(
    "P-plus",
    attribute="P_plus",
    aliases=["P+"],
    reference=HIGH,
    declines=PREFERRED | CUMULATED | LEVEL,
)
def P_plus(
    rankings: Rankings, *, rel: Rel = 1, beta: Beta = 1, gains: Gains = None, judged_only: JudgedOnly = False
) -> PerRanking:
    """Mean of the blended ratios at the relevant documents down to the preferred rank.

    P-plus = (1/C(rp)) * sum over relevant documents at rank r <= rp of BR(r), with rp the smallest rank of a document
    with the largest gain in the list.
    """
    view = rankings.view(judged_only=judged_only)
    relevant = view.only(rel)
    row, blended = preferred(view, rel, gains), blended_ratio(view, rel, beta, gains)
    total = _at(relevant, row, relevant.running_sum(blended))
    return total / np.maximum(_at(relevant, row, relevant.position), 1.0)


@measure(
    "NCU",
    reference=USERS,
    declines=(
        PASSED
        | OF_BEST
        | FEW
        | LEVEL
        | because(
            "the user of each relevant document stops there, however much a smaller gain above it would add",
            "swap",
            "exchange",
        )
    ),
)
def NCU(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    stopping: Annotated[
        Literal["graded", "rank-biased", "uniform"],
        Meaning("at which relevant document a user stops: more likely at a good one, an early one, or at any alike"),
    ] = "graded",
    utility: Annotated[Literal["BR", "P"], Meaning("what the list is worth there: blended ratio or precision")] = "BR",
    beta: Beta = 1,
    gamma: Annotated[
        float, Meaning("chance of going on past a relevant document, for rank-biased users", low=0, high=1, open=True)
    ] = 0.95,
    gains: Gains = None,
    stops: Annotated[
        Mapping[float, float] | None, Meaning("weight of each label for graded users; its gain where None")
    ] = None,
    judged_only: JudgedOnly = False,
) -> PerRanking:
    """Normalised cumulative utility: the expected utility over users who each stop at one relevant document.

    NCU = sum over relevant documents at rank r of s(r) U(r) / sum of s over all relevant documents in their best order,
    with s the weight of the label (graded), gamma^(C(r)-1) (rank-biased) or 1 (uniform), and U = BR or P@r. Uniform
    users make it Q, or AP.
    """
    view = rankings.view(judged_only=judged_only)
    weight = useful_gain(rankings, gains if stops is None else stops, rel)
    if stopping != "graded":
        weight = Gain(("relevant", rel), lambda grade: (grade >= rel).astype(np.float64), rel)

    def stop(relevant: Rankings) -> Floats:
        early = np.power(gamma, relevant.position - 1.0) if stopping == "rank-biased" else 1.0
        return weight.on(relevant) * early

    relevant = view.only(rel)
    worth = blended_ratio(view, rel, beta, gains) if utility == "BR" else precision(relevant)
    norm = rankings.ideal(
        ("NCU", weight.key, stopping, gamma), weight.of, lambda lists: lists.only(rel).sum(stop(lists.only(rel)))
    )
    # Weights are added in another order in the list than in the best list, which may differ in the last bit.
    return np.minimum(ratio(relevant.sum(stop(relevant) * worth), norm), 1.0)


@measure(
    "EBR",
    reference="Sakai 2014, Metrics, statistics, tests",
    declines=(
        because("a user who stops here does not see higher ratios below", "convergence", "top-weightedness")
        | CUMULATED
        | UNSURE
        | LEVEL
        | because("a user whom a better document satisfies earlier stops before others are seen", "swap", "exchange")
    ),
)
def EBR(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    beta: Beta = 1,
    stop: Stop = "linear",
    gains: Gains = None,
    max_rel: MaxRel = None,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Expected blended ratio: ERR with the blended ratio instead of the reciprocal rank.

    EBR = sum over ranks r of BR(r) s(r) prod_{i<r} (1 - s(i)), s = g / (max_rel + 1) for relevant documents, else 0.
    """
    gain = useful_gain(rankings, gains, rel)
    view = rankings.view(judged_only=judged_only, cutoff=cutoff)
    relevant = view.only(rel)
    stops = stopping(relevant, gain, scale(rankings, max_rel, "EBR", gains), stop)
    # Chances of many ways to end can add up to more than 1 by a rounding.
    return np.minimum(relevant.sum(stops * blended_ratio(view, rel, beta, gains)), 1.0)
