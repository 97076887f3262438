"""Logistic regression of one sign on many signs, five to a byte: the NumPy twin of the compiled fit.

Steps use a curvature and what earlier steps showed of it (limited-memory BFGS). Every number is computed by the same
operations as in the compiled engine and every sum in the same order, so the bits are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from cranfield._typing import Bytes, Floats, Ints, Singles
from cranfield.engine.protocol import CODES
from cranfield.statistics.kernels.sign_codes import A_BYTE, DIGITS, SILENT, unpack_signs
from cranfield.statistics.numeric import ridged

ENOUGH, OF_FEW = 1.5e-5, 1.5e-6
"""Least gain of another step, in nats: with many cells, and with few, whose signs are nearly separated."""
STEPS, ALONG, FLAT = 100, 20, 0.3
"""Most steps; most lengths tried for a step; share of its initial slope at which the final slope counts as flat."""
ANEW = (0, 4, 10, 20, 40, 70)
"""Steps before which the curvature is computed again."""
LANES = 512
"""Numbers that are summed side by side: cell i is in the sum i mod 512, and these are added up one after the other."""
SURE, WHOLE, ONE = np.float32(80), np.float32(12582912), np.float32(1)
"""Scores beyond which a chance is as good as 0 or 1; what pushes the part of a number after the point out of it; 1."""
LOG2_E, LN_2, LESS = np.float32(np.log2(np.e)), np.float32(0.693359375), np.float32(2.12194440e-4)
"""1 / ln 2, and ln 2 as a difference of which the first part is short."""
PARTS = tuple(map(np.float32, (1.9875691e-4, 1.3982e-3, 8.333452e-3, 4.1665796e-2, 1.6666665e-1, 5.0000001e-1)))
"""Coefficients of the series of exp(r), from r^7 down to r^2."""
FEW, EACH = 2048, 8
"""Cells from which curvatures are learned, at least, and for each predictor."""
UNITS = 1 << 23
"""What all weights of cells are together, so that sums of units are exact in single precision."""
MOVES, RIDGE = 8, 1e-3
"""Moves that are remembered; the ridge, as a share of the largest diagonal element."""
SUMMED = 4096
"""Cells that are summed in single precision before they are added to the total."""


@dataclass(frozen=True)
class _Point:
    """The end of a step: weights, their sums over the signs of each cell, P(+) there, and the slope of the entropy."""

    b: Floats
    score: Singles
    p: Singles
    slope: Floats


def fit_signs(codes: Bytes, share: Floats, sign: Floats, start: Floats, beyond: bool) -> tuple[Floats, Singles, bool]:
    """See ``cranfield.engine.protocol.Engine.fit_signs``."""
    fit = _Fit(codes, share, sign, len(start))
    end = fit.descend(start, beyond)
    return end.b, end.score, fit.separated(end.score)


class _Fit:
    """The cells of a regression."""

    def __init__(self, codes: Bytes, share: Floats, sign: Floats, predictors: int) -> None:
        self._codes, self._size = codes, predictors
        self._share, self._sign = share.astype(np.float32), sign.astype(np.float32)
        one_sided = (sign == 0) | (sign == share)
        self._aim = np.where(sign > 0, ONE, -ONE) if one_sided.all() else None
        """1 and -1 as the signs of a cell are + or -; None where a cell has both."""

    def descend(self, start: Floats, beyond: bool) -> _Point:
        """Step from ``start`` until steps gain too little; stop where the signs are separated, unless ``beyond``."""
        score = over_signs(self._codes, start)
        here, curvature = self._at(start.copy(), score, chances(score)), Curvature(np.zeros((0, 0)))
        enough = OF_FEW if weighs_all(len(self._codes), self._size) else ENOUGH
        for number in range(STEPS):
            if not beyond and self.separated(here.score):
                break
            if number in ANEW:
                weight = self._share * (here.p * (ONE - here.p))
                curvature = Curvature.factorize(curvature_matrix(self._codes, self._size, weight))
            step = curvature.step(here.slope)
            gained = dot(here.slope, step)
            if not gained >= enough:
                break
            there = self._down(here, step, gained)
            curvature.learn(there.b - here.b, there.slope - here.slope)
            here = there
        return here

    def separated(self, score: Singles) -> bool:
        """Whether the signs of all cells except silent ones are predicted.

        Larger weights of the same ratios then predict them as surely as one likes.
        """
        if self._aim is None:
            return False
        open_still = ~(score * self._aim > 0)
        return not score[open_still].any() and bool((self._codes[open_still] == SILENT).all())

    def _down(self, here: _Point, step: Floats, gained: float) -> _Point:
        """Move along ``step`` to the length at which it hardly descends any more.

        The slope along it rises from -gained on, and is as good as 0 where it is less than a share of that.
        """
        along = over_signs(self._codes, step)
        square, next_size, lower, upper = along * along, 1.0, 0.0, np.inf
        for _ in range(ALONG):
            size = next_size
            score = here.score - np.float32(size) * along
            p = chances(score)
            likely = self._share * p
            rising = in_lanes(along * (self._sign - likely))
            if abs(rising) <= FLAT * gained:
                break
            lower, upper = (size, upper) if rising < 0 else (lower, size)
            bend = in_lanes((likely - likely * p) * square)
            next_size = min(size - rising / bend, 3 * size) if bend > 0 else 3 * size
            if not lower < next_size < upper:
                next_size = (lower + upper) / 2
        return self._at(here.b - size * step, score, p)

    def _at(self, b: Floats, score: Singles, p: Singles) -> _Point:
        return _Point(b, score, p, over_cells(self._codes, self._share * p - self._sign, self._size))


def chances(score: Singles) -> Singles:
    """P(+) by scores, 1 / (1 + exp(-score))."""
    with_limits: Singles = np.minimum(np.maximum(-score, -SURE), SURE)
    chance: Singles = ONE / (ONE + exponentials(with_limits))
    return chance


def exponentials(x: Singles) -> Singles:
    """exp of numbers between -87 and 88, to 1.2e-7 of itself: 2^n exp(r) with |r| <= ln 2 / 2, as Cephes has it."""
    shifted = x * LOG2_E + WHOLE
    n = shifted - WHOLE
    r = x - n * LN_2 + n * LESS
    series = np.full_like(x, PARTS[0])
    for part in PARTS[1:]:
        series = series * r + part
    two_to_n = ((shifted.view(np.uint32) << np.uint32(23)) + np.uint32(127 << 23)).view(np.float32)
    power: Singles = (series * (r * r) + r + ONE) * two_to_n
    return power


def in_lanes(values: Singles) -> float:
    """A sum of which ``LANES`` parts are made side by side in single precision, and added up in double precision."""
    lanes = np.zeros(LANES, dtype=np.float32)
    for begin in range(0, len(values), LANES):
        chunk = values[begin : begin + LANES]
        lanes[: len(chunk)] += chunk
    return float(one_by_one(lanes.astype(np.float64)))


@dataclass
class Curvature:
    """The triangle L of a curvature, which is L L', and moves since then, of weights and of slopes."""

    lower: Floats
    moves: list[tuple[Floats, Floats]] = field(default_factory=list)

    @classmethod
    def factorize(cls, bend: Floats) -> Self:
        """Factorize a curvature, [size, size], with a ridge added."""
        remaining = ridged(bend, RIDGE)
        lower = np.zeros_like(remaining)
        for index in range(len(remaining)):
            column = remaining[index:, index] / np.sqrt(remaining[index, index])
            column[0] = np.sqrt(remaining[index, index])
            lower[index:, index] = column
            remaining[index + 1 :, index + 1 :] -= column[1:, None] * column[1:]
        return cls(lower)

    def learn(self, move: Floats, change: Floats) -> None:
        """Learn from a move of the weights, and of the slope with them, where it bends."""
        if dot(move, change) > 0:
            self.moves = [*self.moves[1 - MOVES :], (move, change)]

    def step(self, slope: Floats) -> Floats:
        """The step for a slope."""
        step, shares = slope.copy(), []
        for move, change in reversed(self.moves):
            shares.append(dot(move, step) / dot(move, change))
            step -= shares[-1] * change
        step = self._solved(step)
        for (move, change), share in zip(self.moves, reversed(shares), strict=True):
            step -= (dot(change, step) / dot(move, change) - share) * move
        return step

    def _solved(self, right: Floats) -> Floats:
        """Solve L L' x = right."""
        x = right.copy()
        for row, column in enumerate(self.lower.T):
            x[row] /= column[row]
            x[row + 1 :] -= x[row] * column[row + 1 :]
        for row in range(len(x) - 1, -1, -1):
            x[row] /= self.lower[row, row]
            x[:row] -= x[row] * self.lower[row, :row]
        return x


def curvature_matrix(codes: Bytes, predictors: int, weight: Singles) -> Floats:
    """The curvature, [predictors, predictors], of cells by weights, each a whole number of units; of many, of some.

    Sums of whole numbers are exact in whatever order.
    """
    cumulative, draws = np.cumsum(weight, dtype=np.float64), _draws(predictors)
    if not weighs_all(len(weight), predictors):
        unit = cumulative[-1] / draws
        x = unpack_signs(codes[as_frequent(cumulative, draws)], predictors, np.float32)
        drawn: Floats = (x.T @ x).astype(np.float64) * unit
        return drawn
    x, unit = unpack_signs(codes, predictors, np.float32), cumulative[-1] / UNITS if len(cumulative) else 0.0
    often = np.floor(weight / unit).astype(np.float32) if unit > 0 else np.zeros(len(x), dtype=np.float32)
    weighed: Floats = ((x.T * often) @ x).astype(np.float64) * unit
    return weighed


def weighs_all(cells: int, predictors: int) -> bool:
    """Whether the cells are few enough for the curvature to be computed from all of them."""
    return cells <= _draws(predictors)


def _draws(predictors: int) -> int:
    return max(FEW, EACH * predictors)


def as_frequent(cumulative: Floats, size: int) -> Ints:
    """``size`` cells, each as frequent as its weight; ``cumulative`` is the cumulative sum of the weights."""
    chosen: Ints = np.searchsorted(cumulative, (np.arange(size) + 0.5) * (cumulative[-1] / size))
    return np.minimum(chosen, len(cumulative) - 1)


def dot(left: Floats, right: Floats) -> float:
    """The sum of products, one after the other."""
    return float(one_by_one(left * right))


def over_signs(codes: Bytes, weights: Floats) -> Singles:
    """The sum of the weights, [predictors], times the signs of each cell, [cells]."""
    padded = np.zeros((codes.shape[1], A_BYTE))
    padded.ravel()[: len(weights)] = weights
    tables = np.zeros((codes.shape[1], CODES))
    for weight, digit in zip(padded.T, DIGITS.T, strict=True):
        tables += weight[:, None] * digit
    sums = np.zeros(len(codes), dtype=np.float32)
    for column, table in zip(codes.T, tables.astype(np.float32), strict=True):
        sums += table[column]
    return sums


def over_cells(codes: Bytes, values: Singles, predictors: int) -> Floats:
    """The sum of the values of the cells, [cells], times each of their signs, [predictors]."""
    sums = np.zeros((codes.shape[1], CODES))
    for begin in range(0, len(codes), SUMMED):
        part = np.zeros(sums.shape, dtype=np.float32)
        for column, summed in zip(codes[begin : begin + SUMMED].T, part, strict=True):
            np.add.at(summed, column, values[begin : begin + SUMMED])
        sums += part
    by_sign: Floats = one_by_one(sums[:, :, None] * DIGITS, axis=1).ravel()[:predictors]
    return by_sign


def one_by_one(values: Floats, axis: int = 0) -> Floats:
    """A sum in which one is added after the other."""
    has_values = values.shape[axis] > 0
    sums: Floats = np.take(np.add.accumulate(values, axis=axis), -1, axis=axis) if has_values else values.sum(axis=axis)
    return sums
