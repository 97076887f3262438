"""Discounted gain as an expectation: scaled by its own weights, not by an ideal list."""

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._cwl import Graded, MinRel, Quantity, Residual, User, expected, unit_gain
from cranfield.measures._declare import measure
from cranfield.measures._gain import Dcg, MaxRel
from cranfield.measures._parameter import Cutoff
from cranfield.measures._reasons import FILL, ZERO, because
from cranfield.measures._unknown import by_residual


@measure(
    "SDCG",
    unknown=by_residual,
    required=["cutoff"],
    bounds=(-np.inf, np.inf),
    default_bounds=(0.0, 1.0),
    reference="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; Moffat et al. 2017, doi:10.1145/3052768",
    declines=because("a rank without gain takes attention from those above", "monotonicity") | FILL | ZERO,
)
def SDCG(
    rankings: Rankings,
    *,
    dcg: Dcg = "log2",
    rel: Graded = None,
    min_rel: MinRel = 0,
    max_rel: MaxRel = None,
    quantity: Quantity = "EU",
    residual: Residual = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Utility per document met by a user who pays each rank the attention of its logarithm.

    C_i = log2(i + 1) / log2(i + 2) above rank k and 0 there, so that SDCG@k = DCG@k / sum over ranks r <= k of
    1 / log2(r + 1), the DCG of k documents of gain 1.
    """
    assert cutoff is not None
    user = User(lambda rank: np.log2(rank + 1) / np.log2(rank + 2) * (rank < cutoff))
    gain = unit_gain(rankings, rel, min_rel, max_rel, "SDCG", dcg)
    return expected(rankings, user, gain, cutoff, quantity, residual)
