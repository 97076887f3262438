"""Users whose attention fades with what they spend: time-biased gain."""

from typing import Annotated

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._cwl import Depth, Graded, MinRel, Quantity, Residual, User, expected, unit_gain
from cranfield.measures._declare import measure
from cranfield.measures._gain import MaxRel
from cranfield.measures._parameter import Meaning
from cranfield.measures._reasons import ENDLESS, ZERO
from cranfield.measures._unknown import by_residual


@measure(
    "TBG",
    unknown=by_residual,
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference="Smucker & Clarke 2012, doi:10.1145/2348283.2348300",
    declines=ENDLESS | ZERO,
)
def TBG(
    rankings: Rankings,
    *,
    h: Annotated[float, Meaning("cost after which half of the users are gone, where a document costs 1", low=0)] = 224,
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    depth: Depth = 1000,
    quantity: Quantity = "EU",
    residual: Residual = False,
) -> PerRanking:
    """Utility per document met by users half of whom are gone after h documents.

    C_i = 2^(-1/h) above ``depth`` and 0 there: every document costs 1, and TBG = RBP at that persistence over the sum
    of its weights.
    """
    leaves = -np.expm1(-np.log(2) / h) if h else 1.0
    user = User(
        lambda rank: (1 - leaves) * (rank != depth),
        rest=lambda below, ends, found: 1 / leaves,
    )
    gain = unit_gain(rankings, rel, min_rel, max_rel, "TBG")
    return expected(rankings, user, gain, depth, quantity, residual)
