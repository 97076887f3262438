"""Information of a ranking about relevance, for a user who stops at a random rank."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.engine import compiled
from cranfield.measures._laws import because
from cranfield.measures._parameter import Cutoff, Meaning, Persistence
from cranfield.measures.ric import OF_PAIRS, counts_down_to, pair_measure, pairs_down, unequal_pairs

PERSISTENCE = 0.95
"""Probability that the user goes on, where none is given."""


@pair_measure(
    "SRIC",
    range=(-math.inf, math.inf),
    default_range=(0.0, math.inf),
    reference=(
        "cranfield, after Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 10 (a precision-oriented RIC as "
        "future work)"
    ),
    declines=(
        because("the ideal list of k + 1 documents tells more than that of k", "monotonicity")
        | OF_PAIRS
        | because(
            "where most documents are relevant, a list that begins with the others tells more than the ideal list cut "
            "at the same rank",
            *("boundedness", "realizability"),
        )
    ),
)
def SRIC(
    rankings: Rankings,
    *,
    p: Persistence = PERSISTENCE,
    rel: Annotated[float, Meaning("a list ends for it with its last document of this label or more")] = 1,
    signed: Annotated[bool, Meaning("each depth counts below 0 where more pairs contradict the labels")] = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Stopping-depth RIC: what a ranking tells a user who stops at rank k, compared with what the ideal ranking tells.

    SRIC = sum over k of P(k) RIC@k / sum over k of P(k) RIC*@k with P(k) = (1 - p) p^(k-1): the list is cut at rank k,
    then unjudged documents are dropped, and it ends after its last document of label rel or more. RIC* is that of all
    judged documents, best first. Below the end of a list or the cutoff nothing changes. Undefined where all judged
    documents of a topic have one label, or none has label rel.
    """

    def best() -> Floats:
        return expected_bits(Rankings.of_pool(rankings.pool, rankings.policy).top(cutoff), rel, p, signed=False)

    ideal = rankings.per_topic(rankings.pool.shared(("stopping depth", rel, p, cutoff), best))
    value = expected_bits(rankings.top(cutoff), rel, p, signed=signed)
    share: PerRanking = np.divide(value, ideal, out=np.full(len(value), math.nan), where=ideal > 0)
    return share


def expected_bits(rankings: Rankings, rel: float, p: float, *, signed: bool) -> PerRanking:
    """Sum over ranks k of P(k) RIC@k, float64 [segments]; 0 where there is no pair.

    RIC@k changes where a document of label ``rel`` or more is retrieved: with the next one, of a rank r, the user
    arrives there with probability p^(r-1).
    """
    relevant, engine = rankings.only(rel), compiled()

    def comes(rank: Floats) -> Floats:
        return np.power(float(p), rank - 1.0)

    if engine is not None:
        pairs = rankings.per_topic(unequal_pairs(rankings.pool))
        shares = engine.shares_told(
            rankings.starts, *pairs_down(rankings), pairs, relevant.starts, rankings.positions(rel), signed
        )
        for part in shares[1:3]:
            np.log2(part, out=part)
        return engine.expected_bits(relevant.starts, relevant.rank, relevant.weights(comes), *shares)
    row = np.repeat(rankings.starts[:-1], relevant.sizes) + rankings.positions(rel) - 1
    arrives = relevant.at_rank(comes)
    on_to_next = np.append(arrives[1:], 0.0)
    on_to_next[relevant.starts[1:][relevant.sizes > 0] - 1] = 0.0
    bits = counts_down_to(rankings, row, relevant.segment).information(signed=signed)
    unknown = np.isnan(bits)
    if unknown.any():
        bits[unknown] = 0.0
    return relevant.sum((arrives - on_to_next) * bits)
