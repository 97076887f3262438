"""How much a list resembles an ideal one."""

from typing import Annotated

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import POSITIVE, Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.engine import compiled
from cranfield.measures._laws import FEW, OF_BEST, ZERO, because
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Meaning, Persistence
from cranfield.statistics._numeric import ratio


def _ideal_ranks(relevant: Rankings) -> Ints:
    """The rank of each row in the nearest ideal list, from 1, int64 [rows]."""
    pool = relevant.pool
    labels = pool.labels[pool.labels > 0]
    rank = np.zeros(len(relevant.rank), dtype=np.int64)
    for label in labels:
        same = relevant.grade == label
        here = np.flatnonzero(same)
        above = relevant.per_topic(_better(pool, label))
        rank[here] = above[relevant.segment[here]] + relevant.running_count(same)[here]
    return rank


def _better(pool: Pool, label: float) -> Floats:
    """Documents of a higher label, float64 [topics]."""
    return pool.count(low=np.nextafter(label, np.inf))


@measure(
    "Compat",
    reference="Clarke, Vtyurina & Smucker 2021",
    declines=because("above its place in the ideal list a document gains nothing", "convergence", "top-weightedness")
    | OF_BEST
    | FEW
    | ZERO
    | because("overlap is computed down to the end of the list", "monotonicity", "appending")
    | because("overlap far down counts more in a longer list", "padding"),
)
def Compat(
    rankings: Rankings,
    *,
    p: Persistence = 0.95,
    normalize: Annotated[bool, Meaning("divide by the overlap of the ideal list with itself")] = True,
) -> PerRanking:
    """Rank-biased overlap with the ideal list that is nearest: labels above 0 descending, equal ones as retrieved.

    Compat = sum over depths i of p^(i-1) |first i of both| / i / the same for the ideal list and itself, or, not
    normalised, / sum of p^(i-1); i runs to the end of the longer of the two lists.
    """
    pool = rankings.pool
    relevant = rankings.only(POSITIVE)
    ideal = rankings.per_topic(pool.count(low=POSITIVE)).astype(np.int64)
    depth = np.maximum(rankings.length, ideal)

    # A document in both lists from depth m on is worth the weights of depths m, m + 1, ... of p^(i-1) / i.
    depths = np.arange(1, int(depth.max(initial=0)) + 1)
    weight = np.concatenate([[0.0], np.cumsum(np.power(p, depths - 1.0) / depths)])
    if normalize:
        below = np.concatenate([[0.0], np.cumsum(weight)])
        normalizer = ideal * weight[depth] - below[ideal]
    else:
        normalizer = (1 - np.power(p, depth.astype(np.float64))) / (1 - p)
    # Both are sums of many weights, added in different orders.
    return np.minimum(ratio(_worth(relevant, weight[depth], weight), normalizer), 1.0)


def _worth(relevant: Rankings, total: Floats, weight: Floats) -> PerRanking:
    """Sum over the rows of the weights from the depth on where both lists hold them, float64 [segments].

    Args:
        relevant: the rows.
        total: all weights of each list, float64 [segments].
        weight: sum of the weights down to each depth, from 0, float64 [depths + 1].
    """
    engine, pool = compiled(), relevant.pool
    if engine is None:
        return relevant.sum(total[relevant.segment] - weight[np.maximum(relevant.rank, _ideal_ranks(relevant)) - 1])
    labels = pool.labels[pool.labels > 0]
    better = pool.shared("better", lambda: np.array([_better(pool, label) for label in labels]).T.astype(np.int64))
    return engine.overlap_sums(relevant.starts, relevant.rank, relevant.grade, labels, better.ravel(), total, weight)
