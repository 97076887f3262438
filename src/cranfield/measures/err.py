"""Users who stop when satisfied: expected reciprocal rank and what else may be expected at the rank of stopping."""

from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._expected_ties import Weight, mean_at_stop
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Persistence
from cranfield.measures.gain import Gain, Gains, MaxRel, check_exponent, scale, useful_gain
from cranfield.measures.laws import BEST_GROWS, OF_BEST, UNSURE, ZERO, because
from cranfield.statistics.numeric import ratio

POWER = because("the chance to stop grows as 2 to the power of the label", "scale invariance")

REFERENCE = "Chapelle et al. 2009, doi:10.1145/1645953.1646033"

Stop = Annotated[
    Literal["exp", "linear"],
    Meaning("probability that a label g ends the search: (2^g - 1) / 2^max_rel, or g / (max_rel + 1)"),
]


def at_stop(
    view: Rankings,
    gain: Gain,
    top: float,
    stop: str,
    weight: Weight | None = None,
    cutoff: int | None = None,
) -> PerRanking:
    """Mean of the weight of the rank at which users stop, of 1 / rank where None; float64 [segments].

    They stop at rank r with probability s(r) times the product over ranks above of 1 - s. Lists whose ties are open
    are not to be cut before.
    """
    if view.first is not None:
        return mean_at_stop(view, satisfaction(view, gain, top, stop), weight or np.reciprocal, cutoff)
    view = gain.rows(view, cutoff)
    stops = stopping(view, gain, top, stop)
    return view.sum(stops / view.depth) if weight is None else view.weighed_sum(view.weights(weight), stops)


def stopping(view: Rankings, gain: Gain, top: float, stop: str) -> Floats:
    """Probability to stop at each judged document, s(r) times the product over ranks above of 1 - s, float64 [rows]."""

    def probability() -> Floats:
        return view.first_chances(satisfaction(view, gain, top, stop))

    stops: Floats = view.shared(("stopping", gain.key, top, stop), probability)
    return stops


def satisfaction(view: Rankings, gain: Gain, top: float, stop: str) -> Floats:
    """Probability s that each judged document ends the search of a user who comes to it, float64 [rows]."""
    if stop == "exp":
        check_exponent(top)
    value = gain.on(view)
    return (np.exp2(value) - 1) / np.exp2(top) if stop == "exp" else value / (top + 1)


@measure(
    "ERR", consistent=("stop",), interval=by_ends, expected=True, reference=REFERENCE, declines=UNSURE | ZERO | POWER
)
def ERR(
    rankings: Rankings,
    *,
    stop: Stop = "exp",
    gains: Gains = None,
    max_rel: MaxRel = 4,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Expected reciprocal of the rank at which the user is satisfied and stops.

    ERR = sum over ranks r of (1/r) s(r) prod_{i<r} (1 - s(i)), s = (2^g - 1) / 2^max_rel for labels g >= 0.
    The scale ends at 4 as in gdeval; ``max_rel=None`` takes the largest label of the qrels. ``stop="linear"`` is
    NTCIREVAL's s = g / (max_rel + 1).
    """
    gain = useful_gain(rankings, gains)
    return at_stop(rankings, gain, scale(rankings, max_rel, "ERR", gains), stop, cutoff=cutoff)


@measure("nERR", consistent=("stop",), expected=True, reference=REFERENCE, declines=BEST_GROWS | OF_BEST | ZERO | POWER)
def nERR(
    rankings: Rankings,
    *,
    stop: Stop = "exp",
    gains: Gains = None,
    max_rel: MaxRel = 4,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Expected reciprocal rank, normalised by that of the ideal ranking.

    nERR@k = ERR@k / ERR@k of the judged documents by label descending.
    """
    gain = useful_gain(rankings, gains)
    top = scale(rankings, max_rel, "nERR", gains)
    best = rankings.ideal(
        ("ERR", gain.key, top, stop, cutoff), gain.of, lambda lists: at_stop(lists, gain, top, stop, cutoff=cutoff)
    )
    return ratio(at_stop(rankings, gain, top, stop, cutoff=cutoff), best)


@measure(
    "iRBU",
    interval=by_ends,
    expected=True,
    reference="Sakai & Zeng 2019",
    declines=UNSURE | ZERO | because("a label g ends the search with the chance g / (max_rel + 1)", "scale invariance"),
)
def iRBU(
    rankings: Rankings,
    *,
    p: Persistence = 0.99,
    stop: Stop = "linear",
    gains: Gains = None,
    max_rel: MaxRel = None,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Rank-biased utility of one intent: the user stops when satisfied, and loses patience with each rank.

    iRBU = sum over ranks r of p^r s(r) prod_{i<r} (1 - s(i)), s = g / (max_rel + 1).
    """
    gain = useful_gain(rankings, gains)
    view, top = rankings.view(judged_only=judged_only), scale(rankings, max_rel, "iRBU", gains)
    return at_stop(view, gain, top, stop, lambda rank: np.power(p, rank), cutoff)
