"""A second hand for the C/W/L family: lists of gains rank by rank, users as functions of one list and one rank.

Nothing is summed in closed form: a list without end is read until less than ``NOTHING`` of the users is left, or, where
they go on as ((i - 1) / i)^2, for ``FAR`` ranks; their attention from there on is added, which is exact to 1e-14.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from twins import Seen, twin

FAR, FARTHEST, NOTHING = 2_000, 20_000, 1e-19

GoesOn = Callable[[list[float], int], float]
"""Gains of the whole list and a rank, from 1 -> probability of going on to the next."""


def gains_of(
    seen: Seen, ranks: int, unknown: float, rel: float | None, min_rel: float, max_rel: float | None
) -> list[float]:
    """Gains of the first ranks, 0 to 1."""
    top = seen.largest if max_rel is None else max_rel
    gains = []
    for grade in seen.ranked[:ranks]:
        if grade is None:
            gains.append(unknown)
        elif rel is not None:
            gains.append(1.0 if grade >= rel else 0.0)
        elif top <= min_rel or grade <= min_rel:
            gains.append(0.0)
        else:
            gains.append(min((grade - min_rel) / (top - min_rel), 1.0))
    return gains + [unknown] * (ranks - len(gains))


def expectation(goes_on: GoesOn, gains: list[float], quantity: str, seen: int, endless: bool) -> float:
    """``gains`` of the ranks ``seen``, and of as many more as need be where the list is ``endless``."""
    reached, reaches, ends = 1.0, [], []
    for rank in range(1, len(gains) + 1):
        if reached <= (NOTHING if endless and rank > seen else 0.0):  # nobody looks further down
            break
        if endless and rank > max(FAR, seen) and rank % 500 == 0 and slows(goes_on, gains, rank):
            break
        on = goes_on(gains, rank)
        reaches.append(reached)
        ends.append(reached * (1 - on))
        reached *= on
    gains = gains[: len(reaches)]
    depth = math.fsum(reaches)
    total = math.fsum(share * gain for share, gain in zip(reaches, gains, strict=True))
    if endless:
        more = left(reached, goes_on(gains, len(gains)))
        depth, total = depth + more, total + gains[-1] * more
    if quantity == "EU":
        return total / depth
    if quantity == "EC":
        return 1.0
    if quantity == "ED" or (quantity == "ETC" and endless):
        return depth
    if endless:
        return total
    value, found = 0.0, 0.0
    for rank, (gain, stops) in enumerate(zip(gains, ends, strict=True), 1):
        found += gain
        value += stops * (found if quantity == "ETU" else rank)
    return value


def slows(goes_on: GoesOn, gains: list[float], rank: int) -> bool:
    """Whether those who are here go on as ((i - 1) / i)^2 from rank to rank."""
    before, here = goes_on(gains, rank - 1), goes_on(gains, rank)
    return before < here < 1 and abs(1 / (1 - math.sqrt(here)) - 1 / (1 - math.sqrt(before)) - 1) < 1e-6


def left(reached: float, on: float) -> float:
    """Ranks yet to be seen from one that is reached, after one left with probability ``on`` = ((x - 1) / x)^2."""
    if reached < 1e-18:
        return 0.0
    start = 1 / (1 - math.sqrt(on))
    return reached * start**2 * (1 / (start - 0.5) - 1 / (12 * (start - 0.5) ** 3))


def value_of(
    seen: Seen,
    goes_on: GoesOn,
    *,
    rel: float | None,
    min_rel: float,
    max_rel: float | None,
    depth: int | None,
    quantity: str,
    residual: bool,
) -> float:
    ranks = max(FARTHEST, len(seen.ranked)) if depth is None else depth

    def value(unknown: float) -> float:
        gains = gains_of(seen, ranks, unknown, rel, min_rel, max_rel)
        return expectation(goes_on, gains, quantity, len(seen.ranked), depth is None)

    return value(1.0) - value(0.0) if residual else value(0.0)


def square(number: float) -> float:
    return number * number


@twin("SDCG")
def scaled(seen: Seen, *, dcg: str, cutoff: int, **asked: Any) -> float:
    if dcg == "exp-log2" and asked["rel"] is None:
        low, high = asked["min_rel"], seen.largest if asked["max_rel"] is None else asked["max_rel"]
        most = 2 ** (high - low) - 1 if high > low else 1.0
        ranked = [None if grade is None else (2 ** max(grade - low, 0) - 1) / most for grade in seen.ranked]
        seen = replace(seen, ranked=ranked if high > low else [None if g is None else 0.0 for g in ranked])
        asked |= {"min_rel": 0.0, "max_rel": 1.0}

    def goes_on(gains: list[float], rank: int) -> float:
        return math.log2(rank + 1) / math.log2(rank + 2) if rank < cutoff else 0.0

    return value_of(seen, goes_on, depth=cutoff, **asked)


@twin("INSQ")
def insq(seen: Seen, *, T: float, **asked: Any) -> float:  # noqa: N803
    def goes_on(gains: list[float], rank: int) -> float:
        return square((rank + 2 * T - 1) / (rank + 2 * T))

    return value_of(seen, goes_on, **asked)


class Running:
    """Sum of the gains down to a rank, for ranks asked one after the other."""

    def __init__(self) -> None:
        self.rank, self.sum = 0, 0.0

    def __call__(self, gains: list[float], rank: int) -> float:
        if rank <= self.rank:  # another list, or the same rank once more
            self.rank, self.sum = 0, 0.0
        while self.rank < rank:
            self.sum += gains[self.rank]
            self.rank += 1
        return self.sum


@twin("INST")
def inst(seen: Seen, *, T: float, **asked: Any) -> float:  # noqa: N803
    found = Running()

    def goes_on(gains: list[float], rank: int) -> float:
        hoped = T - found(gains, rank)
        return square((rank + T + hoped - 1) / (rank + T + hoped))

    return value_of(seen, goes_on, **asked)


@twin("BPM")
def bejeweled(
    seen: Seen,
    *,
    T: float,  # noqa: N803
    dynamic: bool,
    hb: float,
    hc: float,
    med: float,
    cutoff: int,
    **asked: Any,
) -> float:
    found = Running()

    def goes_on(gains: list[float], rank: int) -> float:
        moved = 0.0
        for gain in gains[: rank - 1] if dynamic else []:
            moved += gain - med
        return 1.0 if found(gains, rank) < T + hb * moved and rank < cutoff + hc * moved else 0.0

    return value_of(seen, goes_on, **asked)


@twin("TBG")
def time_biased(seen: Seen, *, h: float, depth: int | None, **asked: Any) -> float:
    def goes_on(gains: list[float], rank: int) -> float:
        return 0.0 if rank == depth or h == 0 else 2 ** (-1 / h)

    return value_of(seen, goes_on, depth=depth, **asked)


@twin("NERR8")
def nerr8(seen: Seen, *, cutoff: int, **asked: Any) -> float:
    return value_of(seen, lambda gains, rank: 1 - gains[rank - 1] if rank < cutoff else 0.0, depth=cutoff, **asked)


@twin("NERR9")
def nerr9(seen: Seen, *, cutoff: int, **asked: Any) -> float:
    def goes_on(gains: list[float], rank: int) -> float:
        return rank / (rank + 1) * (1 - gains[rank - 1]) if rank < cutoff else 0.0

    return value_of(seen, goes_on, depth=cutoff, **asked)


@twin("NERR10")
def nerr10(seen: Seen, *, p: float, **asked: Any) -> float:
    return value_of(seen, lambda gains, rank: p * (1 - gains[rank - 1]), **asked)


@twin("NERR11")
def nerr11(seen: Seen, *, T: float, **asked: Any) -> float:  # noqa: N803
    def goes_on(gains: list[float], rank: int) -> float:
        return square((rank + 2 * T - 1) / (rank + 2 * T)) * (1 - gains[rank - 1])

    return value_of(seen, goes_on, **asked)


@twin("CWL_P")
def user_of_precision(seen: Seen, *, cutoff: int, **asked: Any) -> float:
    return value_of(seen, lambda gains, rank: 1.0 if rank < cutoff else 0.0, depth=cutoff, **asked)


@twin("CWL_RR")
def user_of_reciprocal_rank(seen: Seen, **asked: Any) -> float:
    return value_of(seen, lambda gains, rank: 0.0 if gains[rank - 1] else 1.0, **asked)


@twin("CWL_AP")
def user_of_average_precision(seen: Seen, **asked: Any) -> float:
    of, ahead = list[float](), list[float]()

    def goes_on(gains: list[float], rank: int) -> float:
        """By the sums of gain / rank from each rank down, which are those of the list that was last asked for."""
        nonlocal of, ahead
        if of is not gains:
            parts = [gain / at for at, gain in enumerate(gains, 1)]
            # From the smallest up, so that little is rounded.
            of, ahead = gains, [*itertools.accumulate(reversed(parts), initial=0.0)][::-1]
        return ahead[rank] / ahead[rank - 1] if ahead[rank] else 0.0

    return value_of(seen, goes_on, **asked)


@twin("CWL_RBP")
def user_of_rank_biased_precision(seen: Seen, *, p: float, **asked: Any) -> float:
    return value_of(seen, lambda gains, rank: p, **asked)
