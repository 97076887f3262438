"""Users whose attention fades with what they spend: time-biased gain."""

from typing import Annotated

import numpy as np

from cranfield.measures._cwl import User, user
from cranfield.measures._parameter import Meaning
from cranfield.measures.laws import ENDLESS, ZERO

HalfLife = Annotated[float, Meaning("cost after which half of the users are gone, where a document costs 1", low=0)]


@user("TBG", reference="Smucker & Clarke 2012, doi:10.1145/2348283.2348300", additive=True, declines=ENDLESS | ZERO)
def TBG(*, h: HalfLife = 224, depth: int | None) -> User:
    """Expected utility per document inspected when half of the users have left after h documents.

    C_i = 2^(-1/h) above ``depth`` and 0 there: every document costs 1, and TBG = RBP at that persistence over the sum
    of its weights.
    """
    leaves = -np.expm1(-np.log(2) / h) if h else 1.0
    return User(lambda rank: (1 - leaves) * (rank != depth), tail=lambda below, ends, gained: 1 / leaves)
