"""Division that says where it is undefined."""

from __future__ import annotations

import numpy as np

from cranfield.collection.rankings import PerRanking


def ratio(part: PerRanking, whole: PerRanking) -> PerRanking:
    """part / whole for each list, NaN where the whole is 0, float64 [segments]."""
    share: PerRanking = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole != 0)
    return share
