"""Information of a ranking about relevance, for a user who stops at a random rank."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.segments import list_numbers, list_sums
from cranfield.engine.kernels import kernel
from cranfield.measures._parameter import Cutoff, Meaning, Persistence
from cranfield.measures.laws import because
from cranfield.measures.ric import OF_PAIRS, pair_measure, pairs_down, unequal_pairs
from cranfield.statistics.numeric import ratio_or

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
    relevant = rankings.only(rel)

    def comes(rank: Floats) -> Floats:
        return np.power(float(p), rank - 1.0)

    pairs = rankings.per_topic(unequal_pairs(rankings.pool))
    shares = pair_shares(
        rankings.starts, *pairs_down(rankings), pairs, relevant.starts, rankings.positions(rel), signed
    )
    for part in shares[1:3]:
        np.log2(part, out=part)
    return reader_bits(relevant.starts, relevant.rank, relevant.weights(comes), *shares)


@kernel
def pair_shares(
    starts: Ints, right: Floats, wrong: Floats, pairs: Floats, begins: Ints, position: Ints, signed: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return what pairs tell down to the rows at these positions of their lists, which begin at ``begins`` among them.

    The share put right of those not left open, a half where all are; it and what it lacks to 1, 1 where these are 0, so
    that logarithms can be taken of them; and the share of all that are not left open, NaN where there are none, with
    the sign of the majority where ``signed``.
    """
    row = np.repeat(starts[:-1], np.diff(begins)) + position - 1
    concordant, discordant = right[row], wrong[row]
    decided = concordant + discordant
    total = decided + (pairs[list_numbers(begins)] - concordant - discordant)
    share, told = ratio_or(concordant, decided, 0.5), ratio_or(decided, total, math.nan)
    p, rest = (np.where(part > 0, part, 1.0) for part in (share, 1.0 - share))
    return share, p, rest, told * np.sign(concordant - discordant) if signed else told


@kernel
def reader_bits(
    starts: Ints, rank: Ints, arrives: Floats, share: Floats, p: Floats, one_minus_p: Floats, decided: Floats
) -> Floats:
    """Return what a reader who comes to each rank with the chance ``arrives`` expects of the bits told there, [lists].

    The other arrays are those of ``pair_shares``, with the logarithms of the second and third.
    """
    entropy = -share * p - (1.0 - share) * one_minus_p + 0.0
    bits = decided * (1.0 - entropy)
    bits[np.isnan(bits)] = 0.0
    here = arrives.take(rank)
    on_to_next = np.append(here[1:], 0.0)
    on_to_next[starts[1:][starts[1:] > starts[:-1]] - 1] = 0.0
    return list_sums((here - on_to_next) * bits, starts)
