"""Users with two limits, on what they need and on what they spend: the Bejeweled player model."""

from functools import partial
from typing import Annotated

import numpy as np

from cranfield._typing import Floats
from cranfield.measures._cwl import Goal, Met, User, read_down, user
from cranfield.measures._parameter import Meaning
from cranfield.measures.laws import ZERO, because


@user(
    "BPM",
    reference="Zhang et al. 2017, doi:10.1145/3077136.3080841",
    among="depth",
    interval=None,
    declines=(
        because("utility is that of each document read, and one more is read", "monotonicity")
        | because("documents that are read count alike, and others not at all", "convergence", "top-weightedness")
        | ZERO
        | because("a user who finds more stops earlier, before others are seen", "swap", "exchange")
    ),
)
def BPM(
    *,
    T: Goal = 1,  # noqa: N803
    dynamic: Annotated[bool, Meaning("whether both limits move with what is found")] = False,
    hb: Annotated[float, Meaning("how far T moves, where dynamic", low=0)] = 1,
    hc: Annotated[float, Meaning("how far K moves, where dynamic; 0 is what cwl_eval computes", low=0)] = 1,
    med: Annotated[float, Meaning("gain above which limits rise and below which they fall", low=0, high=1)] = 0.5,
    cutoff: int,
) -> User:
    """Expected utility per document inspected by a user who stops at a total gain of T or after K documents.

    C_i = 1 while g_1 + ... + g_i < T_i and i < K_i, else 0, where BPM@K has T_i = T, K_i = K; dynamic:
    T_i = T + hb D_i, K_i = K + hc D_i with D_i = sum over ranks j < i of (g_j - med).
    """

    def goes_on(met: Met) -> Floats:
        moved = np.zeros((1, 1))
        if dynamic:
            moved = np.zeros_like(met.gain)
            np.add.accumulate(met.gain[:, :-1] - med, axis=1, out=moved[:, 1:])
        wants = met.sums < T + hb * moved
        return (wants & (met.rank < cutoff + hc * moved)).astype(np.float64)

    at_once = partial(read_down, lambda rank: (rank < cutoff).astype(np.float64), T)
    return User(by_list=goes_on, at_once=None if dynamic else at_once)
