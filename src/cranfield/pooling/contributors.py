"""Who contributed which judged document to the pool."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.rankings import Rankings

SHARED, OUTSIDE = -1, -2
"""Documents of several teams, and of none."""


def sole_contributors(rankings: Rankings, team: Ints, depth: int) -> Ints:
    """The only team with each judged document among the first ``depth`` of one of its runs, int64 [pool rows].

    ``SHARED`` where there are several, ``OUTSIDE`` where there is none.

    Args:
        rankings: of all runs.
        team: of each run, numbers from 0, int64 [systems].
        depth: of the pool, at least 1.
    """
    teams = int(team.max()) + 1
    pooled = rankings.rank <= depth
    system = rankings.segment[pooled] // len(rankings.pool.size)
    pairs = np.unique(rankings.document[pooled] * teams + team[system])
    document, contributor = pairs // teams, pairs % teams
    contributors = np.bincount(document, minlength=len(rankings.pool.grade))
    sole = np.where(contributors == 0, OUTSIDE, SHARED)
    alone = contributors[document] == 1
    sole[document[alone]] = contributor[alone]
    return sole
