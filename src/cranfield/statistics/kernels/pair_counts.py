"""Counts over pairs of documents or of rows, in NumPy: agreements, joint outcomes, leads, ties at the top.

And sums that do not depend on the order of their terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Bytes, Floats, Ints, Singles
from cranfield.engine.protocol import Agreements, Outcomes, PositionTable
from cranfield.statistics.kernels.sign_codes import A_BYTE, canonical_sign, distinct
from cranfield.statistics.numeric import sum_ascending

EXACT = 1 << 24
"""Below this number of pairs, sums of 1 and -1 are exact in float32."""


class SignCounts(NamedTuple):
    """Counts of the joint signs of every two rows, in numbers or weights.

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
        weighted_x, weighted_y = (x, y) if counted is None else (x * counted, y * counted)
        xx += weighted_x @ x.T
        yy += weighted_y @ y.T
        xy += weighted_x @ y.T
        x_sum += weighted_x.sum(axis=1, dtype=np.float64)
        y_sum += weighted_y.sum(axis=1, dtype=np.float64)
        total += x.shape[1] if counted is None else float(counted.sum())
    return SignCounts(
        ((xx + yy + xy + xy.T) / 4, (xx + yy - xy - xy.T) / 4),
        ((yy - xx + xy - xy.T) / 4, (yy - xx - xy + xy.T) / 4),
        ((y_sum + x_sum) / 2, (y_sum - x_sum) / 2),
        total,
    )


def count_agreements(ranks: PositionTable, order: Ints, cuts: Ints) -> Agreements:
    """See ``cranfield.engine.protocol.Engine.count_agreements``."""
    worse = len(order) - cuts[1:]
    kind = np.float32 if int((np.diff(cuts) * worse).sum()) < EXACT else np.float64  # whole numbers stay exact
    counts = count_signs(((signs, None) for signs in _signs(ranks[:, order], cuts)), len(ranks), kind)
    return {"toward": counts.same[0], "against": counts.same[1], "opposite": counts.opposite[0]}


def _signs(ranks: PositionTable, cuts: Ints) -> Iterator[NDArray[np.int8]]:
    """Signs of a better document against each of the worse ones, in every list."""
    for begin, end in pairwise(cuts.tolist()):
        for better in range(begin, end if end < ranks.shape[1] else begin):
            left, right = ranks[:, better, None], ranks[:, end:]
            yield np.less(left, right).view(np.int8) - np.greater(left, right).view(np.int8)


def count_outcomes(ranks: PositionTable, order: Ints, cuts: Ints) -> Outcomes:
    """See ``cranfield.engine.protocol.Engine.count_outcomes``."""
    sides = [(order[begin:end], order[end:]) for begin, end in pairwise(cuts.tolist())]
    first = np.concatenate([order[:0], *(np.repeat(left, len(right)) for left, right in sides)])
    second = np.concatenate([order[:0], *(np.tile(right, len(left)) for left, right in sides)])
    packed: list[tuple[Bytes, int]] = []
    for begin in range(0, len(ranks), A_BYTE):
        group = ranks[begin : begin + A_BYTE]
        code = np.zeros(len(first), dtype=np.uint8)
        for row in group:
            left, right = row[first], row[second]
            code = 3 * code + (left < right) + (left <= right)
        packed.append((code.astype(np.uint8), len(group)))
    columns, turn = canonical_sign(packed)
    chosen, same = distinct(columns)
    back = turn[chosen]
    return {
        "toward": np.bincount(same, ~turn, minlength=len(chosen)).astype(np.float64, copy=False),
        "against": np.bincount(same, turn, minlength=len(chosen)).astype(np.float64, copy=False),
        "first": np.where(back, second[chosen], first[chosen]),
        "second": np.where(back, first[chosen], second[chosen]),
    }


def count_leads(table: PositionTable, left: Ints, right: Ints) -> Ints:
    """See ``cranfield.engine.protocol.Engine.count_leads``."""
    leads = np.empty(len(left), dtype=np.int64)
    for pair, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        leads[pair] = (table[a] < table[b]).sum() - (table[a] > table[b]).sum()
    return leads


def count_ties(starts: Ints, score: Floats, depth: int) -> tuple[int, int, bool]:
    """See ``cranfield.engine.protocol.Engine.count_ties``."""
    length = np.diff(starts)
    topic = np.repeat(np.arange(len(length)), length)
    inside = topic[1:] == topic[:-1]
    if (inside & (score[1:] > score[:-1])).any():
        score = score[np.lexsort((-score, topic))]
    rounded = _single(score)
    near = np.flatnonzero(inside & (np.arange(1, len(topic)) - starts[topic[1:]] <= depth))
    equal = [topic[near[values[near] == values[near + 1]]] for values in (score, rounded)]
    exactly, also = (np.bincount(lists, minlength=len(length)) > 0 for lists in equal)
    alone = inside & (score[1:] != score[:-1]) & (rounded[1:] == rounded[:-1])
    return int(exactly.sum()), int((exactly | also).sum()), bool(alone.any())


def _single(score: Floats) -> Singles:
    """Scores as a reader of single precision has them."""
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def sum_by_rank(row: Ints, starts: Ints, weight: Floats, rows: int) -> Floats:
    """See ``cranfield.engine.protocol.Engine.sum_by_rank``."""
    index = np.arange(len(row)) - np.repeat(starts[:-1], np.diff(starts))
    return sum_ascending(row, weight[index], rows)
