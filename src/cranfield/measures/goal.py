"""Users who hope to find so much and grow less patient on the way: INSQ and INST."""

from typing import Annotated

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._cwl import (
    Depth,
    Goal,
    Graded,
    Met,
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
from cranfield.measures._parameter import Meaning
from cranfield.measures._reasons import ENDLESS, ZERO
from cranfield.measures._unknown import by_residual

INSTGoal = Annotated[
    float, Meaning("gain that the user hopes to find, in documents of gain 1; below 0.5, C_i may exceed 1", low=0.5)
]


@measure(
    "INSQ",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference="Moffat, Scholer & Thomas 2012, doi:10.1145/2407085.2407092",
    declines=ENDLESS | ZERO,
)
def INSQ(
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
    """Utility per document met by a user who hopes for T documents, whatever is found on the way.

    C_i = ((i + 2T - 1) / (i + 2T))^2; the attention that rank i gets is as 1 / (i + 2T - 1)^2.
    """

    def rest(below: float, ends: Floats, found: Floats) -> Floats:
        return inverse_squares(ends + 2 * T)

    user = User(lambda rank: np.square((rank + 2 * T - 1) / (rank + 2 * T)), rest=rest)
    gain = unit_gain(rankings, rel, min_rel, max_rel, "INSQ")
    return expected(rankings, user, gain, depth, quantity, residual)


@measure(
    "INST",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference="Moffat, Bailey, Scholer & Thomas 2015, doi:10.1145/2838931.2838938",
    declines=ENDLESS | ZERO,
)
def INST(
    rankings: Rankings,
    *,
    T: INSTGoal = 1,  # noqa: N803
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: Depth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by a user who hopes for T documents and is the sooner satisfied the more are found.

    C_i = ((i + T + T_i - 1) / (i + T + T_i))^2 with T_i = T - (g_1 + ... + g_i), the gain still hoped for.
    """

    def goes_on(met: Met) -> Floats:
        hoped = met.rank + 2 * T - met.sums
        share = np.divide(hoped - 1, hoped, out=hoped)
        return np.square(share, out=share)

    def rest(below: float, ends: Floats, found: Floats) -> Floats:
        hoped = ends + 2 * T - found
        return np.square(hoped) / (2 * hoped - 1) if below else inverse_squares(hoped)

    gain = unit_gain(rankings, rel, min_rel, max_rel, "INST")
    return expected(rankings, User(by_list=goes_on, rest=rest), gain, depth, quantity, residual)
