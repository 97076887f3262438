"""Sums without rounding, which can be taken apart and put together in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cranfield._typing import Floats

POINT = 1074
"""Binary digits behind the point of the smallest float above 0."""


BLOCK = 16_384
"""So many products of two limbs, three at a time, have a sum below 2^53."""
LIMB = 18
"""Binary digits of a limb: three make up a mantissa."""
POWERS = 64
"""So many powers of two are counted by from the least to the greatest; where there are more, by those that occur."""


@dataclass(frozen=True, slots=True)
class Moments:
    """How many numbers there are, their sum and that of their squares, exact; numbers that are not there are left out.

    Args:
        count: of the numbers.
        total: their sum, times 2^1074.
        squares: sum of their squares, times 2^2148.
        infinite: sum of those that are not finite.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    infinite: float = 0.0

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """Of an array; NaN are left out."""
        there = values[~np.isnan(values)]
        finite = there[np.isfinite(there)]
        total = squares = 0
        for start in range(0, len(finite), BLOCK):
            sums = _sums(finite[start : start + BLOCK])
            total, squares = total + sums[0], squares + sums[1]
        infinite = 0.0 if len(finite) == len(there) else float(sum(there[~np.isfinite(there)].tolist()))
        return cls(len(there), total, squares, infinite)

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            self.infinite + other.infinite,
        )

    @property
    def sum(self) -> float:
        """The sum, rounded once, as ``math.fsum`` gives it; NaN without numbers."""
        if not self.count or self.infinite:
            return self.infinite or math.nan
        try:
            return self.total / (1 << POINT)
        except OverflowError:
            return math.copysign(math.inf, self.total)

    @property
    def mean(self) -> float:
        """The rounded sum by the count, as summaries are made."""
        return self.sum / max(self.count, 1)

    @property
    def variance(self) -> float:
        """The unbiased variance, rounded once; NaN of fewer than two numbers."""
        if self.count < 2 or self.infinite:
            return math.nan
        spread = Fraction(self.count * self.squares - self.total * self.total, 1 << (2 * POINT))
        try:
            return float(spread / (self.count * (self.count - 1)))
        except OverflowError:
            return math.inf


def _shifted(number: int, places: int) -> int:
    """Times 2^places; numbers of less than the smallest float lose digits that are 0."""
    return number << places if places >= 0 else number >> -places


def _sums(finite: Floats) -> tuple[int, int]:
    """Sum of at most ``BLOCK`` numbers times 2^1074, and of their squares times 2^2148."""
    mantissa, exponent = np.frexp(finite)
    least = int(exponent.min(initial=POWERS))
    place, powers = (exponent - least).astype(np.intp), range(least, int(exponent.max(initial=least)) + 1)
    if len(powers) > POWERS:  # far apart
        found, place = np.unique(exponent, return_inverse=True)
        powers = found.tolist()
    whole = (mantissa * 2.0**53).astype(np.int64)
    size, mask = np.abs(whole), (1 << LIMB) - 1
    low, middle, high = (part.astype(np.float64) for part in (size & mask, size >> LIMB & mask, size >> 2 * LIMB))
    sign = np.where(whole < 0, -1.0, 1.0)

    def by_power(values: Floats) -> list[float]:
        # Whole numbers below 2^53: exact in floats.
        summed: list[float] = np.bincount(place, values, len(powers)).tolist()
        return summed

    firsts = [by_power(sign * limb) for limb in (low, middle, high)]
    seconds = [low * low, 2 * low * middle, middle * middle + 2 * low * high, 2 * middle * high, high * high]
    products = [by_power(values) for values in seconds]
    total = squares = 0
    for at, power in enumerate(powers):
        shift = power - 53 + POINT
        total += _shifted(_whole(firsts, at), shift)
        squares += _shifted(_whole(products, at), 2 * shift)
    return total, squares


def _whole(limbs: list[list[float]], at: int) -> int:
    """The number that has these limbs, the lowest first."""
    return sum(int(limb[at]) << LIMB * place for place, limb in enumerate(limbs))
