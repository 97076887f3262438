"""What was sampled of a pool: how many documents each stratum has, and how many of them were judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.statistics.ratio import ratio

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Sample(NamedTuple):
    """What was sampled of a pool.

    Args:
        number: of the stratum of each pool row among those of its topic, int64 [pool rows].
        most: strata of the topic that has most.
        cell: topic * most + number of each pool row, int64 [pool rows].
        whole: documents of each stratum of each topic, float64 [topics * most].
        some: those of them that were sampled, float64 [topics * most].
        weight: how many documents a sampled one of each pool row's stratum stands for, float64 [pool rows].
    """

    number: Ints
    most: int
    cell: Ints
    whole: Floats
    some: Floats
    weight: Floats

    @classmethod
    def of(cls, pool: Pool) -> Sample:
        """That of a pool; without strata it is one stratum."""

        def drawn() -> Sample:
            number = np.zeros(len(pool.grade), dtype=np.int64) if pool.strata is None else pool.strata.number
            most = int(number.max(initial=0)) + 1
            cell, cells = pool.topic * most + number, len(pool.size) * most
            if most == 1:
                whole, some = pool.size.astype(np.float64), pool.tally(pool.grade >= 0)
            else:
                whole = np.bincount(cell, minlength=cells).astype(np.float64)
                some = np.bincount(cell, pool.grade >= 0, minlength=cells).astype(np.float64, copy=False)
            return cls(number, most, cell, whole, some, shares(whole, some)[cell])

        return pool.shared("sample", drawn)

    def expected(self, worth: Mask | Floats) -> Floats:
        """Sum of a worth over the documents of each topic, by what was sampled, float64 [topics].

        Args:
            worth: of each pool row, 0 where it was not sampled; a mark counts documents.
        """
        total: Floats = shares(self.tally(worth) * self.whole, self.some).reshape(-1, self.most).sum(axis=1)
        return total

    def tally(self, worth: Mask | Floats) -> Floats:
        """Sum of a worth over the pool rows of each stratum of each topic, float64 [topics * most]."""
        marks = worth.dtype == np.bool_ and self.most == 1
        total = np.bincount(self.cell[worth] if marks else self.cell, None if marks else worth, len(self.whole))
        return total.astype(np.float64, copy=False)

    def by_stratum(self, rankings: Rankings) -> Iterator[Mask]:
        """Which rows belong to each stratum of their topic, bool [rows]."""
        if self.most == 1:
            return iter([np.ones(len(rankings.document), dtype=np.bool_)])
        number = self.number[rankings.document]
        return (number == stratum for stratum in range(self.most))


def shares(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, and 0 where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    found: Floats = np.nan_to_num(ratio(part, whole))
    return found
