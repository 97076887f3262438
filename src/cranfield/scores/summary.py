"""The one summary of a measure's scores over topics."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats
from cranfield.measures import summary
from cranfield.scores.scale import Scale


def summary_of(scale: Scale, cells: Floats) -> Floats:
    """Each system's summary over topics, [topics, systems] -> [systems]; NaN cells are left out.

    A peer's one number for all systems holds for the topics that it was made of, and no others.
    """
    peer = scale.attributes.get("peer_summary")
    if peer is not None and scale.attributes.get("peer_summary_topics") == len(cells):
        return np.full(cells.shape[1], peer, dtype=np.float64)
    return summary(scale.summary, cells.T)
