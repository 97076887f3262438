"""Sums without rounding, which can be taken apart and put together in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cranfield.arrays import Floats

POINT = 1074
"""Binary digits behind the point of the smallest float above 0."""


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
        mantissa, exponent = np.frexp(finite)
        whole = (mantissa * 2.0**53).astype(np.int64)
        total = squares = 0
        for power in np.unique(exponent).tolist():
            # Python's whole numbers have no end.
            numbers = whole[exponent == power].tolist()
            shift = power - 53 + POINT
            total += _shifted(sum(numbers), shift)
            squares += _shifted(sum(number * number for number in numbers), 2 * shift)
        return cls(len(there), total, squares, float(sum(there[~np.isfinite(there)].tolist())))

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
