"""The users behind P, RR, AP and RBP, for C/W/L quantities other than the measure itself.

P, RR, AP and RBP stay what they are, sums over judged documents; these measures take each one's user. One measure
each, not one with ``model=...``: a name then has the parameters that mean something for its user, and no others.
"""

from functools import partial

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import Rankings
from cranfield.measures._cwl import ExpectedReading, Met, User, read_down, user
from cranfield.measures._parameter import Persistence
from cranfield.measures.gain import Gain
from cranfield.measures.laws import ENDLESS, FILL, FIRST, LEVEL, ORDER, SHARE, ZERO, because

REFERENCE = "Moffat et al. 2017, doi:10.1145/3052768; Azzopardi et al. 2019, doi:10.1145/3331184.3331398"


@user("CWL_P", reference=REFERENCE, among="cutoff", rel=1, additive=True, declines=SHARE | ORDER | FILL | LEVEL)
def CWL_P(*, cutoff: int) -> User:
    """Expected utility per document inspected by the user behind P@k, who sees the first k documents.

    C_i = 1 above rank k and 0 there; EU is P@k.
    """
    return User(lambda rank: (rank < cutoff).astype(np.float64))


@user("CWL_RR", reference=REFERENCE, among="depth", rel=1, declines=FIRST | LEVEL)
def CWL_RR() -> User:
    """Expected utility per document inspected by the user behind RR, who stops at the first document with any gain.

    C_i = 1 if g_i = 0, else 0; EU is RR where that document is among the first ``depth``.
    """
    return User(
        by_list=lambda met: (met.gain == 0).astype(np.float64), at_once=partial(read_down, np.ones_like, POSITIVE)
    )


@user(
    "CWL_AP",
    reference=REFERENCE,
    among="depth",
    rel=1,
    interval=None,
    declines=because("one more relevant document low in the list lowers the mean", "monotonicity", "convergence")
    | LEVEL,
)
def CWL_AP() -> User:
    """Expected utility per document inspected by the user behind AP, who knows what is to come.

    C_i = sum over ranks j > i of g_j / j over that sum from j = i on, 0 below the last gain; EU is AP * R over the
    relevant documents among the first ``depth``, as in cwl_eval.
    """

    def goes_on(met: Met) -> Floats:
        ahead = np.add.accumulate((met.gain / met.rank)[:, ::-1], axis=1)[:, ::-1]
        share = np.zeros_like(met.gain)
        np.divide(ahead[:, 1:], np.maximum(ahead[:, :-1], POSITIVE), out=share[:, :-1])
        return share

    return User(by_list=goes_on, looks_ahead=True, at_once=_read_by_one_who_knows)


def _read_by_one_who_knows(rankings: Rankings, gain: Gain, depth: int) -> ExpectedReading:
    """With s_i the sum of g_j / j from i on, V_i is s_i / s_1, and the sum of the V_i that of the gains over s_1."""
    seen = gain.rows(rankings, depth)
    worth = gain.on(seen)
    share = worth / seen.depth
    total, gained = seen.sum(share), seen.sum(worth)
    utility = seen.sum(worth * seen.sum_from(share)) / np.maximum(total, POSITIVE)
    # No gain is above 1, so that no less is read than gained, whatever is rounded.
    read = np.maximum(np.divide(gained, total, out=np.ones_like(total), where=total > 0), utility)
    return ExpectedReading(np.full_like(rankings.length, depth), read, utility, np.zeros_like(total), lambda: gained)


@user("CWL_RBP", reference=REFERENCE, additive=True, declines=ENDLESS | ZERO)
def CWL_RBP(*, p: Persistence = 0.8) -> User:
    """Expected utility per document inspected by the user behind RBP, who goes on with probability p.

    C_i = p; EU is RBP at ``depth=None``, and there the residual of EU is RBPResidual.
    """
    return User(lambda rank: np.full_like(rank, p), tail=lambda below, ends, gained: 1 / (1 - p))
