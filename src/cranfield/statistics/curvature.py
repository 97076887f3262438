"""Steps by a curvature, and by what earlier steps showed of it (limited-memory BFGS), in NumPy.

All sums are made in one order, so that every engine has the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints, Singles
from cranfield.statistics.code_sums import one_by_one
from cranfield.statistics.logistic import ridged
from cranfield.statistics.sign_codes import unpack_signs

FEW, EACH = 2048, 8
"""Cells from which curvatures are learned, at least, and for each predictor."""
UNITS = 1 << 23
"""What all weights of cells are together, so that sums of units are exact in single precision."""
MOVES, RIDGE = 8, 1e-3
"""Moves that are learned from; added to a curvature, of its largest part."""


@dataclass
class Curvature:
    """The triangle L of a curvature, which is L L', and moves since then, of weights and of slopes."""

    lower: Floats
    moves: list[tuple[Floats, Floats]] = field(default_factory=list)

    @classmethod
    def of(cls, bend: Floats) -> Self:
        """Of a curvature, [size, size], and a ridge."""
        rest = ridged(bend, RIDGE)
        lower = np.zeros_like(rest)
        for at in range(len(rest)):
            column = rest[at:, at] / np.sqrt(rest[at, at])
            column[0] = np.sqrt(rest[at, at])
            lower[at:, at] = column
            rest[at + 1 :, at + 1 :] -= column[1:, None] * column[1:]
        return cls(lower)

    def learn(self, move: Floats, change: Floats) -> None:
        """Learn from a move of the weights, and of the slope with them, where it bends."""
        if dot(move, change) > 0:
            self.moves = [*self.moves[1 - MOVES :], (move, change)]

    def step(self, slope: Floats) -> Floats:
        """The step that a slope asks for."""
        step, shares = slope.copy(), []
        for move, change in reversed(self.moves):
            shares.append(dot(move, step) / dot(move, change))
            step -= shares[-1] * change
        step = self._solved(step)
        for (move, change), share in zip(self.moves, reversed(shares), strict=True):
            step -= (dot(change, step) / dot(move, change) - share) * move
        return step

    def _solved(self, right: Floats) -> Floats:
        """The x of L L' x = right."""
        x = right.copy()
        for row, column in enumerate(self.lower.T):
            x[row] /= column[row]
            x[row + 1 :] -= x[row] * column[row + 1 :]
        for row in range(len(x) - 1, -1, -1):
            x[row] /= self.lower[row, row]
            x[:row] -= x[row] * self.lower[row, :row]
        return x


def bend_of(codes: Bytes, predictors: int, weight: Singles) -> Floats:
    """The curvature, [predictors, predictors], of cells by weights, each a whole number of units; of many, of some.

    Sums of whole numbers are exact in whatever order.
    """
    upto, few = np.cumsum(weight, dtype=np.float64), _draws(predictors)
    if not weighs_all(len(weight), predictors):
        unit = upto[-1] / few
        x = unpack_signs(codes[as_frequent(upto, few)], predictors, np.float32)
        drawn: Floats = (x.T @ x).astype(np.float64) * unit
        return drawn
    x, unit = unpack_signs(codes, predictors, np.float32), upto[-1] / UNITS if len(upto) else 0.0
    often = np.floor(weight / unit).astype(np.float32) if unit > 0 else np.zeros(len(x), dtype=np.float32)
    weighed: Floats = ((x.T * often) @ x).astype(np.float64) * unit
    return weighed


def weighs_all(cells: int, predictors: int) -> bool:
    """Whether the cells are so few that curvatures are of all."""
    return cells <= _draws(predictors)


def _draws(predictors: int) -> int:
    return max(FEW, EACH * predictors)


def as_frequent(upto: Floats, few: int) -> Ints:
    """So many cells, as frequent as their weights, which are ``upto`` each cell together."""
    chosen: Ints = np.searchsorted(upto, (np.arange(few) + 0.5) * (upto[-1] / few))
    return np.minimum(chosen, len(upto) - 1)


def dot(one: Floats, other: Floats) -> float:
    """The sum of products, one after the other."""
    return float(one_by_one(one * other))
