"""What is rounding alone, and what remains to be said where differences do not vary: one rule for every verdict.

A score is a sum of products of numbers that are each rounded to a share u = 2^-53 of themselves. A sum of n of them is
off by at most about 2 n u of the sum of their sizes, and a mean or a difference of scores by little more. For lists of
1,000 documents that is, with a few operations more, some 4,000 u or 4e-13 of the largest score: ``NOISE`` is the power
of ten above it. Differences that people mean are larger by far: scores in files have four to nine decimals.

Where differences are equal to this tolerance, their standard error is 0 or rounding, and t = mean / error says nothing:
no spread is not certainty. What holds without a spread is exact: n units with one sign have the one-sided p 2^-n under
random signs (``signs_p``), and R runs all above R' runs the p 1 / C(R + R', R) under random places (``exchange_p``).
Where all differences are 0 nothing is worse.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import binom

from cranfield._typing import Floats, Ints, Mask

NOISE = 1e-12
"""Differences up to this share of the largest value are rounding."""


def is_noise(values: Floats, largest: Floats | float) -> Mask:
    """Which values are rounding, where the scores that they come from go up to ``largest``."""
    small: Mask = np.abs(values) <= NOISE * np.asarray(largest)
    return small


def cleared(values: Floats, largest: Floats | float) -> Floats:
    """The values, and 0 where they are rounding; see ``is_noise``."""
    return np.where(is_noise(values, largest), 0.0, values)


def signs_p(units: Ints | Floats) -> Floats:
    """One-sided p of units that all have one sign: 2^-n."""
    p: Floats = 0.5 ** np.asarray(units, dtype=np.float64)
    return p


def exchange_p(left: Ints | Floats, right: Ints | Floats) -> Floats:
    """One-sided p where all of ``left`` values lie above all of ``right`` values: 1 / C(left + right, left)."""
    p: Floats = 1.0 / binom(np.asarray(left) + np.asarray(right), left)
    return p


def units_needed(level: float) -> int:
    """The fewest units of one sign whose p lies below a level, in (0, 1); see ``signs_p``."""
    return math.floor(-math.log2(level)) + 1
