"""Users who go on unless satisfied, in four forms that C/W/L can express, unlike ERR."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._cwl import (
    Depth,
    Goal,
    Graded,
    MinRel,
    Quantity,
    Residual,
    User,
    expected,
    inverse_squares,
    unit_gain,
)
from cranfield.measures._declare import measure
from cranfield.measures._gain import MaxRel
from cranfield.measures._parameter import Cutoff, Persistence
from cranfield.measures._reasons import SATISFIED, ZERO, because
from cranfield.measures._unknown import by_residual

ANOTHER = because("utility is that of each document read, and one more is read", "monotonicity")

REFERENCE = "Azzopardi, Mackenzie & Moffat 2021, doi:10.1145/3471158.3472239"


@measure(
    "NERR8",
    unknown=by_residual,
    required=["cutoff"],
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=ANOTHER | SATISFIED | ZERO,
)
def NERR8(
    rankings: Rankings,
    *,
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    quantity: Quantity = "EU",
    residual: Residual = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Utility per document met by a user who goes on from each document unless satisfied, down to rank k.

    C_i = 1 - g_i above rank k and 0 there (equation 8).
    """
    assert cutoff is not None
    user = User(by_list=lambda met: (1 - met.gain) * (met.rank < cutoff))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "NERR8")
    return expected(rankings, user, gain, cutoff, quantity, residual)


@measure(
    "NERR9",
    unknown=by_residual,
    required=["cutoff"],
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=ANOTHER | SATISFIED | ZERO,
)
def NERR9(
    rankings: Rankings,
    *,
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    quantity: Quantity = "EU",
    residual: Residual = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Utility per document met by a user who goes on unless satisfied, attention falling with the rank, down to k.

    C_i = (i / (i + 1)) (1 - g_i) above rank k and 0 there (equation 9).
    """
    assert cutoff is not None
    user = User(by_list=lambda met: met.rank / (met.rank + 1) * (1 - met.gain) * (met.rank < cutoff))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "NERR9")
    return expected(rankings, user, gain, cutoff, quantity, residual)


@measure(
    "NERR10",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=SATISFIED | ZERO,
)
def NERR10(
    rankings: Rankings,
    *,
    p: Persistence = 0.9,
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: Depth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by a user who goes on unless satisfied, and then with probability p, as in RBP.

    C_i = p (1 - g_i) (equation 10).
    """
    user = User(
        by_list=lambda met: p * (1 - met.gain),
        rest=lambda below, ends, found: 1 / (1 - p * (1 - below)),
    )
    gain = unit_gain(rankings, rel, min_rel, max_rel, "NERR10")
    return expected(rankings, user, gain, depth, quantity, residual)


@measure(
    "NERR11",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference=REFERENCE,
    declines=SATISFIED | ZERO,
)
def NERR11(
    rankings: Rankings,
    *,
    T: Goal = 1,  # noqa: N803
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: Depth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by a user who goes on unless satisfied, and then as one who hopes for T, as in INSQ.

    C_i = ((i + 2T - 1) / (i + 2T))^2 (1 - g_i) (equation 11).
    """

    def rest(below: float, ends: Floats, found: Floats) -> Floats | float:
        return 1.0 if below else inverse_squares(ends + 2 * T)

    user = User(by_list=lambda met: np.square((met.rank + 2 * T - 1) / (met.rank + 2 * T)) * (1 - met.gain), rest=rest)
    gain = unit_gain(rankings, rel, min_rel, max_rel, "NERR11")
    return expected(rankings, user, gain, depth, quantity, residual)
