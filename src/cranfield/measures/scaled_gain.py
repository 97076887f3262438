"""Discounted gain as an expectation: scaled by its own weights, not by an ideal list."""

import numpy as np

from cranfield.measures._cwl import User
from cranfield.measures._gain import Dcg
from cranfield.measures._reasons import FILL, ZERO, because
from cranfield.measures._users import user


@user(
    "SDCG",
    reference="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418; Moffat et al. 2017, doi:10.1145/3052768",
    among="cutoff",
    additive=True,
    declines=because("a rank without gain takes attention from those above", "monotonicity") | FILL | ZERO,
)
def SDCG(*, dcg: Dcg = "log2", cutoff: int) -> User:
    """Expected utility per document inspected by a user whose attention falls logarithmically with the rank.

    C_i = log2(i + 1) / log2(i + 2) above rank k and 0 there, so that SDCG@k = DCG@k / sum over ranks r <= k of
    1 / log2(r + 1), the DCG of k documents of gain 1.
    """
    return User(lambda rank: np.log2(rank + 1) / np.log2(rank + 2) * (rank < cutoff), dcg=dcg)
