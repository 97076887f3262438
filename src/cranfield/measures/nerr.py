"""Users who go on unless satisfied, in four forms that C/W/L can express, unlike ERR."""

from functools import partial

import numpy as np

from cranfield._typing import Floats
from cranfield.measures._cwl import Goal, User, inverse_squares, read_down, user
from cranfield.measures._parameter import Persistence
from cranfield.measures.laws import SATISFIED, ZERO, because

ANOTHER = because("utility is that of each document read, and one more is read", "monotonicity")

REFERENCE = "Azzopardi, Mackenzie & Moffat 2021, doi:10.1145/3471158.3472239"


@user("NERR8", reference=REFERENCE, among="cutoff", declines=ANOTHER | SATISFIED | ZERO)
def NERR8(*, cutoff: int) -> User:
    """Expected utility per document inspected by a user who continues until satisfied, at most to rank k.

    C_i = 1 - g_i above rank k and 0 there (equation 8).
    """
    return User(
        by_list=lambda met: (1 - met.gain) * (met.rank < cutoff),
        at_once=partial(read_down, lambda rank: (rank < cutoff).astype(np.float64), None),
    )


@user("NERR9", reference=REFERENCE, among="cutoff", declines=ANOTHER | SATISFIED | ZERO)
def NERR9(*, cutoff: int) -> User:
    """Expected utility per document inspected by a user who continues until satisfied, with falling attention, to k.

    C_i = (i / (i + 1)) (1 - g_i) above rank k and 0 there (equation 9).
    """
    return User(
        by_list=lambda met: met.rank / (met.rank + 1) * (1 - met.gain) * (met.rank < cutoff),
        at_once=partial(read_down, lambda rank: rank / (rank + 1) * (rank < cutoff), None),
    )


@user("NERR10", reference=REFERENCE, declines=SATISFIED | ZERO)
def NERR10(*, p: Persistence = 0.9) -> User:
    """Expected utility per document inspected by a user who, unless satisfied, continues with probability p, as in RBP.

    C_i = p (1 - g_i) (equation 10).
    """
    return User(
        by_list=lambda met: p * (1 - met.gain),
        tail=lambda below, ends, gained: 1 / (1 - p * (1 - below)),
        at_once=partial(read_down, lambda rank: np.full_like(rank, p), None),
    )


@user("NERR11", reference=REFERENCE, declines=SATISFIED | ZERO)
def NERR11(*, T: Goal = 1) -> User:  # noqa: N803
    """Expected utility per document inspected by a user who, unless satisfied, continues as in INSQ with goal T.

    C_i = ((i + 2T - 1) / (i + 2T))^2 (1 - g_i) (equation 11).
    """

    def tail(below: float, ends: Floats, gained: Floats) -> Floats | float:
        return 1.0 if below else inverse_squares(ends + 2 * T)

    def goes_on(rank: Floats) -> Floats:
        return np.square((rank + 2 * T - 1) / (rank + 2 * T))

    return User(
        by_list=lambda met: goes_on(met.rank) * (1 - met.gain), tail=tail, at_once=partial(read_down, goes_on, None)
    )
