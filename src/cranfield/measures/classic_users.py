"""The users behind P, RR, AP and RBP, for all that they may expect beside the measure itself.

P, RR, AP and RBP stay what they are, sums over judged documents; these measures take each one's user. One measure
each, not one with ``model=...``: a name then has the parameters that mean something for its user, and no others.
"""

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._cwl import (
    Depth,
    FiniteDepth,
    Graded,
    Met,
    MinRel,
    Quantity,
    Reading,
    Residual,
    User,
    expected,
    unit_gain,
)
from cranfield.measures._declare import measure
from cranfield.measures._gain import MaxRel
from cranfield.measures._parameter import Cutoff, Persistence
from cranfield.measures._reasons import ENDLESS, FILL, FIRST, LEVEL, ORDER, SHARE, ZERO, because
from cranfield.measures._unknown import by_residual

REFERENCE = "Moffat et al. 2017, doi:10.1145/3052768; Azzopardi et al. 2019, doi:10.1145/3331184.3331398"


@measure(
    "CWL_P",
    unknown=by_residual,
    required=["cutoff"],
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=SHARE | ORDER | FILL | LEVEL,
)
def CWL_P(
    rankings: Rankings,
    *,
    rel: Graded = 1,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    quantity: Quantity = "EU",
    residual: Residual = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Utility per document met by the user behind P@k, who sees the first k documents.

    C_i = 1 above rank k and 0 there; EU is P@k.
    """
    assert cutoff is not None
    user = User(lambda rank: (rank < cutoff).astype(np.float64))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "CWL_P")
    return expected(rankings, user, gain, cutoff, quantity, residual)


@measure(
    "CWL_RR",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=FIRST | LEVEL,
)
def CWL_RR(
    rankings: Rankings,
    *,
    rel: Graded = 1,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: FiniteDepth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by the user behind RR, who stops at the first document with any gain.

    C_i = 1 if g_i = 0, else 0; EU is RR where that document is among the first ``depth``.
    """
    user = User(by_list=lambda met: (met.gain == 0).astype(np.float64))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "CWL_RR")
    return expected(rankings, user, gain, depth, quantity, residual)


@measure(
    "CWL_AP",
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=because("one more relevant document low in the list lowers the mean", "monotonicity", "convergence")
    | LEVEL,
)
def CWL_AP(
    rankings: Rankings,
    *,
    rel: Graded = 1,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: FiniteDepth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by the user behind AP, who knows what is to come.

    C_i = sum over ranks j > i of g_j / j over that sum from j = i on, 0 below the last gain; EU is AP * R over the
    relevant documents among the first ``depth``, as in cwl_eval.
    """

    def goes_on(met: Met) -> Floats:
        ahead = np.add.accumulate((met.gain / met.rank)[:, ::-1], axis=1)[:, ::-1]
        share = np.zeros_like(met.gain)
        np.divide(ahead[:, 1:], np.maximum(ahead[:, :-1], POSITIVE), out=share[:, :-1])
        return share

    gain = unit_gain(rankings, rel, min_rel, max_rel, "CWL_AP")
    if residual:
        return expected(rankings, User(by_list=goes_on, looks_ahead=True), gain, depth, quantity, residual)
    # V_i is the sum from i on over that from 1 on, and the sum of the V_i that of the gains over that from 1 on.
    seen = gain.rows(rankings.top(depth))
    worth = gain.on(seen)
    share = worth / seen.rank
    whole, found = seen.sum(share), seen.sum(worth)
    utility = seen.sum(worth * seen.sum_from(share)) / np.maximum(whole, POSITIVE)
    # No gain is above 1, so that no less is read than gained, whatever is rounded.
    met = np.maximum(np.divide(found, whole, out=np.ones_like(whole), where=whole > 0), utility)
    return Reading(np.full_like(rankings.length, depth), met, utility, np.zeros_like(whole), lambda: found).expected(
        quantity
    )


@measure(
    "CWL_RBP",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=ENDLESS | ZERO,
)
def CWL_RBP(
    rankings: Rankings,
    *,
    p: Persistence = 0.8,
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: Depth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by the user behind RBP, who goes on with probability p.

    C_i = p; EU is RBP at ``depth=None``, and there the residual of EU is RBPResidual.
    """
    user = User(lambda rank: np.full_like(rank, p), rest=lambda below, ends, found: 1 / (1 - p))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "CWL_RBP")
    return expected(rankings, user, gain, depth, quantity, residual)
