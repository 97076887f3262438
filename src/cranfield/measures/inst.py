"""Users who hope to find so much and grow less patient on the way: INSQ and INST."""

import math
from functools import partial
from typing import Annotated

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import Rankings
from cranfield.engine.fast_paths import read_inst
from cranfield.measures._cwl import ExpectedReading, Goal, Met, User, check_depth, inverse_squares, user
from cranfield.measures._parameter import Meaning
from cranfield.measures.gain import Gain
from cranfield.measures.laws import ENDLESS, ZERO

INSTGoal = Annotated[
    float, Meaning("gain that the user hopes to find, in documents of gain 1; below 0.5, C_i may exceed 1", low=0.5)
]


@user(
    "INSQ",
    reference="Moffat, Scholer & Thomas 2012, doi:10.1145/2407085.2407092",
    additive=True,
    declines=ENDLESS | ZERO,
)
def INSQ(*, T: Goal = 1) -> User:  # noqa: N803
    """Expected utility per document inspected by a user who seeks T relevant documents, regardless of what was found.

    C_i = ((i + 2T - 1) / (i + 2T))^2; the attention that rank i gets is as 1 / (i + 2T - 1)^2.
    """

    def tail(below: float, ends: Floats, gained: Floats) -> Floats:
        return inverse_squares(ends + 2 * T)

    return User(lambda rank: np.square((rank + 2 * T - 1) / (rank + 2 * T)), tail=tail)


@user(
    "INST",
    reference="Moffat, Bailey, Scholer & Thomas 2015, doi:10.1145/2838931.2838938",
    declines=ENDLESS | ZERO,
)
def INST(*, T: INSTGoal = 1) -> User:  # noqa: N803
    """Expected utility per document inspected by a user who seeks T relevant documents and adapts to what was found.

    C_i = ((i + T + T_i - 1) / (i + T + T_i))^2 with T_i = T - (g_1 + ... + g_i), the gain still hoped for.
    """

    def goes_on(met: Met) -> Floats:
        hoped = met.rank + 2 * T - met.sums
        share = np.divide(hoped - 1, hoped, out=hoped)
        return np.square(share, out=share)

    def tail(below: float, ends: Floats, gained: Floats) -> Floats:
        hoped = ends + 2 * T - gained
        return np.square(hoped) / (2 * hoped - 1) if below else inverse_squares(hoped)

    return User(by_list=goes_on, tail=tail, at_once=partial(_read_in_hope, 2.0 * T))


def _read_in_hope(hope: float, rankings: Rankings, gain: Gain, depth: int) -> ExpectedReading | None:
    """Return what is read of lists by one who hopes for half of ``hope``, not rank by rank.

    None where that is not possible, and where the hope is not a number to calculate with, which NumPy refuses.
    """
    if not math.isfinite(hope):
        return None
    check_depth(depth, rankings)
    seen = gain.rows(rankings, depth)
    outcome = read_inst(seen.starts, seen.rank, gain.on(seen), depth, hope)
    if outcome is None:
        return None
    read, utility, past, gained = outcome
    return ExpectedReading(np.full_like(rankings.length, depth), read, utility, past, lambda: gained)
