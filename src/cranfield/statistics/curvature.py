"""Steps by a curvature, and by what earlier steps showed of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from cranfield.arrays import Floats


class Substitution(Protocol):
    """What an engine does with triangles, see ``cranfield.contract.Engine``."""

    def substitute(self, lower: Floats, upper: Floats, right: Floats) -> Floats:
        """The x of L L' x = right."""
        ...


@dataclass(frozen=True)
class Curvature:
    """The triangles L and L' of a curvature, which is L L'."""

    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, bend: Floats) -> Self:
        """Of a curvature that has an inverse, [size, size]."""
        lower = np.linalg.cholesky(bend)
        return cls(np.ascontiguousarray(lower), np.ascontiguousarray(lower.T))

    def step(self, slope: Floats, moves: Sequence[tuple[Floats, Floats]], by: Substitution) -> Floats:
        """The step by this curvature and by what earlier moves, of weights and slopes, showed of it."""
        step, shares = slope.copy(), []
        for move, change in reversed(moves):
            shares.append(float(move @ step / (move @ change)))
            step -= shares[-1] * change
        step = by.substitute(self.lower, self.upper, step)
        for (move, change), share in zip(moves, reversed(shares), strict=True):
            step += move * (share - change @ step / (move @ change))
        return step
