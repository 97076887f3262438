"""Rank-biased precision and what unjudged documents could add to it."""

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._intervals import Ends, IntervalRequest
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, Meaning, Persistence
from cranfield.measures.gain import Gains, MaxRel, check_exponent, scale, useful_gain
from cranfield.measures.laws import BLIND, ENDLESS, ZERO

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion

REFERENCE = "Moffat & Zobel 2008, doi:10.1145/1416950.1416952"


def _interval(completion: "Completion", levels: Floats, request: IntervalRequest) -> Ends:
    """RBP and what its residual adds, all that is unknown having the utility of the best label."""
    if completion.among is not None:
        return by_ends(completion, levels, request)
    settings = request.parameters
    best = float(levels[-1] >= settings["rel"]) if settings["rel"] is not None else 1.0
    if settings["rel"] is None:
        top = scale(completion.rankings, settings["max_rel"], "RBP", settings["gains"])
        label = useful_gain(completion.rankings, settings["gains"]).of(levels[-1:])[0]
        best = label / (top or 1.0) if settings["gain"] == "linear" else (np.exp2(label) - 1) / np.exp2(top)
    low = request.value(completion.rankings)
    residual = RBPResidual.declaration.function(completion.rankings, p=settings["p"], cutoff=settings["cutoff"])
    return low, np.minimum(low + best * residual, 1.0)


@measure(
    "RBP",
    consistent=("p", "gain"),
    interval=_interval,
    expected=True,
    reference=REFERENCE,
    additive=True,
    declines=ENDLESS | ZERO,
)
def RBP(
    rankings: Rankings,
    *,
    p: Persistence = 0.8,
    rel: Annotated[float | None, Meaning("smallest label that counts as relevant; None uses all labels")] = None,
    gain: Annotated[
        Literal["linear", "exp"], Meaning("utility of a label g: g / max_rel, or (2^g - 1) / 2^max_rel")
    ] = ("linear"),
    gains: Gains = None,
    max_rel: MaxRel = None,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Expected utility per document inspected by a user who continues to the next rank with probability p.

    RBP = (1 - p) * sum over ranks r of u(r) p^(r-1), with u = 1 for relevant documents where ``rel`` is given,
    and else by the label.
    """
    shown = cutoff if rankings.first is None else None
    if rel is not None:
        view, utility = rankings.only(rel).top(shown), None
    else:
        value = useful_gain(rankings, gains)
        view = value.rows(rankings, shown)
        top = scale(rankings, max_rel, "RBP", gains)
        if gain == "exp":
            check_exponent(top)
        label = value.on(view)
        utility = label / (top or 1.0) if gain == "linear" else (np.exp2(label) - 1) / np.exp2(top)
    # The sum of a long list of relevant documents can pass 1 by a rounding.
    return np.minimum((1 - p) * attended(view, p, cutoff, utility), 1.0)


def attended(view: Rankings, p: float, cutoff: int | None, utility: Floats | None = None) -> Floats:
    """Sum over the rows of p^(r-1), or its mean where ties are open, times their utility, float64 [segments].

    Lists whose ties are settled are cut at the cutoff before.
    """

    def weight(rank: Floats) -> Floats:
        return np.power(p, rank - 1)

    if view.first is None:
        return view.weighed_sum(view.weights(weight), utility)
    mean = view.mean_weight(weight, cutoff)
    return view.sum(mean if utility is None else utility * mean)


@measure(
    "RBPResidual",
    effectiveness=False,
    interval="it is about what was judged",
    expected=True,
    larger_is_better=False,
    reference=REFERENCE,
    additive=True,
    declines=BLIND | ENDLESS,
)
def RBPResidual(rankings: Rankings, *, p: Persistence = 0.8, cutoff: Cutoff = None) -> PerRanking:
    """Largest possible rise of RBP: that if all unknown, unjudged documents and ranks below, were relevant.

    Residual = 1 - (1 - p) * sum over judged ranks r of p^(r-1). (trec_eval 10 leaves out the tail where every
    document of a list is judged.)
    """
    view = rankings.top(cutoff) if rankings.first is None else rankings
    return np.maximum(1 - (1 - p) * attended(view, p, cutoff), 0.0)
