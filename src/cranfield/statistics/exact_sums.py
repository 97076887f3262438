"""Sums without rounding, which do not depend on the order or the grouping of the numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cranfield._typing import Floats

POINT = 1074
"""Binary digits behind the point of the smallest float above 0."""
BLOCK = 16_384
"""Numbers of a block: sums of as many products of two limbs, three at a time, are below 2^53."""
LIMB = 18
"""Binary digits of a limb: three make up a mantissa."""
POWERS = 64
"""A larger range of powers of two is counted by the powers that occur."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The count of numbers, their sum, and the sum of their squares, all exact; NaN are left out.

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
    def from_values(cls, values: Floats) -> Moments:
        """The moments of an array."""
        present = values[~np.isnan(values)]
        finite = present[np.isfinite(present)]
        total = squares = 0
        for start in range(0, len(finite), BLOCK):
            sums = _sums(finite[start : start + BLOCK])
            total, squares = total + sums[0], squares + sums[1]
        infinite = 0.0 if len(finite) == len(present) else float(sum(present[~np.isfinite(present)].tolist()))
        return cls(len(present), total, squares, infinite)

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


def _shifted(number: int, digits: int) -> int:
    """A number times 2^digits; to the right, only digits that are 0 are lost."""
    return number << digits if digits >= 0 else number >> -digits


def _sums(finite: Floats) -> tuple[int, int]:
    """Sum of at most ``BLOCK`` numbers times 2^1074, and of their squares times 2^2148."""
    mantissa, exponent = np.frexp(finite)
    least = int(exponent.min(initial=POWERS))
    slot, powers = (exponent - least).astype(np.intp), range(least, int(exponent.max(initial=least)) + 1)
    if len(powers) > POWERS:  # far apart
        exponents, slot = np.unique(exponent, return_inverse=True)
        powers = exponents.tolist()
    integers = (mantissa * 2.0**53).astype(np.int64)
    size, mask = np.abs(integers), (1 << LIMB) - 1
    low, middle, high = (part.astype(np.float64) for part in (size & mask, size >> LIMB & mask, size >> 2 * LIMB))
    sign = np.where(integers < 0, -1.0, 1.0)

    def by_power(values: Floats) -> list[float]:
        # Integers below 2^53: exact in floats.
        summed: list[float] = np.bincount(slot, values, len(powers)).tolist()
        return summed

    firsts = [by_power(sign * limb) for limb in (low, middle, high)]
    seconds = [low * low, 2 * low * middle, middle * middle + 2 * low * high, 2 * middle * high, high * high]
    products = [by_power(values) for values in seconds]
    total = squares = 0
    for at, power in enumerate(powers):
        shift = power - 53 + POINT
        total += _shifted(_from_limbs(firsts, at), shift)
        squares += _shifted(_from_limbs(products, at), 2 * shift)
    return total, squares


def _from_limbs(limbs: list[list[float]], slot: int) -> int:
    """The number that has these limbs, the lowest first."""
    return sum(int(limb[slot]) << LIMB * index for index, limb in enumerate(limbs))
