"""How often every two lists say the same, and how often the opposite, of pairs of documents, in NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.contract import Agreements, Table

EXACT = 1 << 24
"""Below so many pairs, sums of 1 and -1 are exact in float32."""


class SignCounts(NamedTuple):
    """How often two rows of signs hold which, in numbers or weights.

    Args:
        same: (+,+) and (-,-), [rows, rows] each.
        opposite: (+,-) and (-,+), the row's sign first.
        alone: + and - in each row, [rows].
        total: all columns.
    """

    same: tuple[Floats, Floats]
    opposite: tuple[Floats, Floats]
    alone: tuple[Floats, Floats]
    total: float


def count_signs(
    blocks: Iterable[tuple[NDArray[np.int8], Floats | None]], rows: int, kind: type[np.floating]
) -> SignCounts:
    """Count the signs of every two rows, column by column.

    With X the signs as 1, 0, -1 and Y = |X|, (X + Y)/2 marks + and (Y - X)/2 marks -: products of X and Y hold all.

    Args:
        blocks: signs, [rows, columns of the block], and how much each column counts; 1 where None.
        rows: how many.
        kind: in which products are summed.
    """
    xx, yy, xy = (np.zeros((rows, rows)) for _ in range(3))
    x_sum, y_sum = np.zeros(rows), np.zeros(rows)
    total = 0.0
    for block, counted in blocks:
        x = block.astype(kind)
        y = np.abs(x)
        of_x, of_y = (x, y) if counted is None else (x * counted, y * counted)
        xx += of_x @ x.T
        yy += of_y @ y.T
        xy += of_x @ y.T
        x_sum += of_x.sum(axis=1, dtype=np.float64)
        y_sum += of_y.sum(axis=1, dtype=np.float64)
        total += x.shape[1] if counted is None else float(counted.sum())
    return SignCounts(
        ((xx + yy + xy + xy.T) / 4, (xx + yy - xy - xy.T) / 4),
        ((yy - xx + xy - xy.T) / 4, (yy - xx - xy + xy.T) / 4),
        ((y_sum + x_sum) / 2, (y_sum - x_sum) / 2),
        total,
    )


def count_agreements(place: Table, order: Ints, cuts: Ints) -> Agreements:
    """See ``cranfield.contract.Engine.count_agreements``."""
    worse = len(order) - cuts[1:]
    kind = np.float32 if int((np.diff(cuts) * worse).sum()) < EXACT else np.float64  # whole numbers stay exact
    counts = count_signs(((signs, None) for signs in _signs(place[:, order], cuts)), len(place), kind)
    return {"toward": counts.same[0], "against": counts.same[1], "opposite": counts.opposite[0]}


def _signs(place: Table, cuts: Ints) -> Iterator[NDArray[np.int8]]:
    """What the lists say of one better document and each of the worse ones."""
    for begin, end in pairwise(cuts.tolist()):
        for better in range(begin, end if end < place.shape[1] else begin):
            one, other = place[:, better, None], place[:, end:]
            yield np.less(one, other).view(np.int8) - np.greater(one, other).view(np.int8)
