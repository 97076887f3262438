"""A user who stops at a random rank: the information of lists up to there, relative to that of the ideal list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Self, TypeVar

import numpy as np

from cranfield._frozen import Frozen
from cranfield._typing import Floats, Ints
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.information.pairs import Positions, SmallInts
from cranfield.measures.sric import expected_bits

NEGLIGIBLE = 1e-9
"""Ranks reached by a smaller share of users are ignored: users who came this far stop there."""
Told = TypeVar("Told", float, Floats)


class StoppingUser(Frozen):
    """A user who goes on to the next rank with a certain probability, and knows where the list was left.

    Args:
        persistence: that probability.
        ideal: what the ideal list of each topic tells in the mean, in bits, float64 [topics].
    """

    def __init__(self, persistence: float, ideal: Floats) -> None:
        self.persistence = persistence
        self.ideal = ideal
        ideal.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"StoppingUser({self.persistence:g})"

    @classmethod
    def make(cls, pool: Pool, policy: Policy, rel: float, persistence: float, cutoff: int | None) -> Self:
        """Make the user, with the ideal lists of a pool."""
        ideal = Rankings.of_pool(pool, policy).top(cutoff)
        return cls(persistence, expected_bits(ideal, rel, persistence, signed=False))

    def mean(self, positions: Positions, topic: int, compute: Callable[[SmallInts], Told], order: Ints | None) -> Told:
        """The mean over lists cut where the user stops, divided by that of the ideal list; NaN where that is 0.

        Args:
            positions: of the systems.
            topic: its number.
            compute: from ranks [systems, documents] to numbers, 0 where nothing is retrieved.
            order: see ``Positions.ended``.
        """
        total = compute(positions.ended(topic, order, 0)) * 0.0
        for chance, rank in self._stops(positions.useful_ranks(topic, order)):
            total = total + chance * compute(positions.ended(topic, order, rank))
        return total / self.ideal[topic] if self.ideal[topic] > 0 else total * np.nan

    def _stops(self, ranks: Ints) -> Iterator[tuple[float, int]]:
        """The chance that the user stops at each rank or before the next one."""
        arrives = np.power(self.persistence, ranks - 1.0)
        arrives = arrives[arrives >= NEGLIGIBLE]
        yield from zip((arrives - np.append(arrives[1:], 0.0)).tolist(), ranks.tolist(), strict=False)
