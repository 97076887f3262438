"""The C/W/L framework: a user is the probability C_i of going on from rank i, and all else follows from it.

V_i = C_1 ... C_{i-1} is the probability of reaching rank i, W_i = V_i / sum V the share of attention that it gets and
L_i = V_i (1 - C_i) the probability of ending there (Moffat et al. 2017, doi:10.1145/3052768; Azzopardi et al. 2019,
doi:10.1145/3331184.3331398). A measure of the family names its user; ``expected`` computes what that user may expect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cranfield.collection.pool import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._gain import scale
from cranfield.measures._parameter import Meaning

Quantity = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning("expected utility of a document or in total, expected cost of a document or in total, expected depth"),
]
Residual = Annotated[bool, Meaning("how much would be added if all that is unknown had the gain 1")]
Graded = Annotated[float | None, Meaning("smallest label that has the gain 1, others having 0; None uses all labels")]
MinRel = Annotated[float, Meaning("label whose gain is 0; the gain rises evenly to 1 at max_rel")]
Goal = Annotated[float, Meaning("gain that the user hopes to find, in documents of gain 1", low=0)]
Depth = Annotated[int | None, Meaning("ranks among which attention is shared; None goes on without end", low=1)]
FiniteDepth = Annotated[int, Meaning("ranks among which attention is shared", low=1)]

Gain = Callable[[Floats, float], Floats]
"""Grades and the gain of what is unknown -> gains from 0 to 1."""

Rest = Callable[[float, Floats, Floats], Floats | float]
"""Gain of all ranks below the list, ranks of the list, gain of the list -> ranks that a user is yet expected to see
from the first rank below it on."""


@dataclass(frozen=True)
class User:
    """How a user reads.

    Args:
        goes_on: gains [segments, ranks] and ranks [ranks] -> probability of going on from each rank.
        rest: what follows below a list, where the number of ranks has no end.
    """

    goes_on: Callable[[Floats, Floats], Floats]
    rest: Rest | None = None


def unit_gain(
    rankings: Rankings, rel: float | None, min_rel: float, max_rel: float | None, measure: str, dcg: str = "log2"
) -> Gain:
    """Gain of a label: 1 from ``rel`` on where it is given, else (label - min_rel) / (max_rel - min_rel) in [0, 1].

    With ``dcg="exp-log2"``, 2 to the power of the label on that scale, less 1, over the largest such number.

    Raises:
        MeasureError: a scale that ends where it begins, or before the largest label.
    """
    if rel is not None:
        return lambda grades, unknown: np.where(np.isnan(grades), unknown, grades >= rel)
    if max_rel is not None and max_rel <= min_rel:
        raise MeasureError(f"{measure}: max_rel={max_rel:g} should be above min_rel={min_rel:g}")
    span = scale(rankings, max_rel, measure) - min_rel

    def gain(grades: Floats, unknown: float) -> Floats:
        known = np.clip((grades - min_rel) / span, 0.0, 1.0) if span > 0 else np.zeros_like(grades)
        if dcg == "exp-log2" and span > 0:
            known = np.expm1(known * span * np.log(2)) / np.expm1(span * np.log(2))
        return np.where(np.isnan(grades), unknown, known)

    return gain


def expected(
    rankings: Rankings, user: User, gain: Gain, depth: int | None, quantity: str, residual: bool
) -> PerRanking:
    """A quantity that the user may expect of each list, or its residual.

    EU = sum W_i g_i, ED = 1 / W_1, EC = sum W_i = 1, ETU = sum L_i (g_1 + ... + g_i), ETC = sum L_i i. The totals count
    who ends within ``depth``, so that ETU = EU * ED where nobody reads on, and at ``depth=None``.
    """
    ends = np.maximum(rankings.length, 1) if depth is None else np.full_like(rankings.length, depth)
    out = np.empty(len(ends))
    for block, grades in rankings.dense(int(ends.max(initial=1))):

        def value(unknown: float, grades: Floats = grades, ends: Ints = ends[block]) -> Floats:
            return _expected(user, gain(grades, unknown), ends, quantity, unknown if depth is None else None)

        out[block] = value(1.0) - value(0.0) if residual else value(0.0)
    return out


def _expected(user: User, gain: Floats, ends: Ints, quantity: str, below: float | None) -> Floats:
    """A quantity for gains [segments, ranks] of which ``ends`` ranks count, all below having one gain, or none."""
    rank = np.arange(1.0, gain.shape[1] + 1)
    reached = np.ones((gain.shape[0], gain.shape[1] + 1))
    np.multiply.accumulate(np.broadcast_to(user.goes_on(gain, rank), gain.shape), axis=1, out=reached[:, 1:])
    past = np.take_along_axis(reached, ends[:, None], axis=1)[:, 0]
    counts = rank <= ends[:, None]
    reached = reached[:, :-1] * counts
    depth, utility, found = (_total(values) for values in (reached, reached * gain, gain * counts))
    if below is not None:
        assert user.rest is not None
        more = past * user.rest(below, ends.astype(np.float64), found)
        depth, utility, past = depth + more, utility + below * more, np.zeros_like(past)
    return {
        "EU": utility / depth,
        "ETU": utility - past * found,
        "EC": np.ones_like(depth),
        "ETC": depth - past * ends,
        "ED": depth,
    }[quantity]


def _total(values: Floats) -> Floats:
    """Sum of each row, rank by rank, so that a list has the same bits whatever lists stand beside it."""
    return np.add.accumulate(values, axis=1)[:, -1]


def inverse_squares(first: Floats) -> Floats:
    """first^2 * (1 / first^2 + 1 / (first + 1)^2 + ...), the ranks yet to see where C_i = ((i - 1) / i)^2."""
    from scipy.special import zeta

    seen: Floats = np.square(first) * zeta(2, first)
    return seen
