"""Similarity of a list to an ideal one."""

from typing import Annotated

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import list_numbers, list_sums, running_counts
from cranfield.engine.kernels import kernel
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Meaning, Persistence
from cranfield.measures.laws import FEW, OF_BEST, ZERO, because
from cranfield.statistics.numeric import ratio


@kernel
def compat_sums(
    starts: Ints, rank: Ints, value: Floats, levels: Floats, better: Ints, whole: Floats, weights: Floats
) -> Floats:
    """Sum over each list of its weight ``whole`` minus that of the depths that do not hold both of a document's places.

    These are those above its rank, or above its rank in the list that has documents of higher levels first, and equal
    ones as they are.

    Args:
        starts: where each list begins.
        rank: of each document.
        value: its level, or another value where it has none.
        levels: ascending.
        better: documents of higher levels, for each topic and level.
        whole: sum of all weights of each list.
        weights: their sum down to each depth, from 0, float64 [depths + 1].
    """
    segment, ideal_rank = list_numbers(starts), np.zeros(len(rank), dtype=np.int64)
    above = better.reshape(-1, max(len(levels), 1))
    for number, level in enumerate(levels):
        same = value == level
        here = np.flatnonzero(same)
        ideal_rank[here] = above[segment[here] % len(above), number] + running_counts(same, starts)[here]
    return list_sums(whole[segment] - weights[np.maximum(rank, ideal_rank) - 1], starts)


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
    pool = relevant.pool
    labels = pool.labels[pool.labels > 0]
    better = pool.shared(
        "better", lambda: np.array([pool.count(low=np.nextafter(label, np.inf)) for label in labels]).T.astype(np.int64)
    )
    return compat_sums(relevant.starts, relevant.rank, relevant.grade, labels, better.ravel(), total, weight)
