"""Rank-biased precision and what unjudged documents could add to it."""

from typing import Annotated, Literal

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, MaxRel, check_exponent, scale, useful_gain
from cranfield.measures._parameter import Cutoff, Meaning, Persistence

REFERENCE = "Moffat & Zobel 2008, doi:10.1145/1416950.1416952"


@measure("RBP", reference=REFERENCE)
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
    """Utility per document met by a user who goes on to the next rank with probability p.

    RBP = (1 - p) * sum over ranks r of u(r) p^(r-1), with u = 1 for relevant documents where ``rel`` is given,
    and else by the label.
    """
    view = rankings.top(cutoff)
    if rel is not None:
        utility = view.relevant(rel).astype(np.float64)
    else:
        top = scale(rankings, max_rel, "RBP", gains)
        if gain == "exp":
            check_exponent(top)
        label = useful_gain(rankings, gains)[1](view.grade)
        utility = label / (top or 1.0) if gain == "linear" else (np.exp2(label) - 1) / np.exp2(top)
    # The sum of a long list of relevant documents can pass 1 by a rounding.
    return np.minimum((1 - p) * view.sum(utility * np.power(p, view.rank - 1.0)), 1.0)


@measure(
    "RBPResidual",
    larger_is_better=False,
    reference=REFERENCE,
)
def RBPResidual(rankings: Rankings, *, p: Persistence = 0.8, cutoff: Cutoff = None) -> PerRanking:
    """How much RBP could rise if all that is unknown, unjudged documents and ranks below the list, were relevant.

    Residual = 1 - (1 - p) * sum over judged ranks r of p^(r-1). (trec_eval 10 leaves out the tail where every
    document of a list is judged.)
    """
    view = rankings.top(cutoff)
    return np.maximum(1 - (1 - p) * view.sum(np.power(p, view.rank - 1.0)), 0.0)
