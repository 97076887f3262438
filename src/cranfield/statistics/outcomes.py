"""How often many lists together say what of pairs of documents, in NumPy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cranfield.arrays import Bytes, Ints
from cranfield.contract import Outcomes, Table
from cranfield.statistics.kinds import A_BYTE, distinct, turned


def count_outcomes(place: Table, order: Ints, cuts: Ints) -> Outcomes:
    """See ``cranfield.contract.Engine.count_outcomes``."""
    sides = [(order[begin:end], order[end:]) for begin, end in pairwise(cuts.tolist())]
    first = np.concatenate([order[:0], *(np.repeat(one, len(other)) for one, other in sides)])
    second = np.concatenate([order[:0], *(np.tile(other, len(one)) for one, other in sides)])
    packed: list[tuple[Bytes, int]] = []
    for begin in range(0, len(place), A_BYTE):
        group = place[begin : begin + A_BYTE]
        code = np.zeros(len(first), dtype=np.uint8)
        for row in group:
            one, other = row[first], row[second]
            code = 3 * code + (one < other) + (one <= other)
        packed.append((code.astype(np.uint8), len(group)))
    columns, turn = turned(packed)
    chosen, same = distinct(columns)
    back = turn[chosen]
    return {
        "toward": np.bincount(same, ~turn, minlength=len(chosen)).astype(np.float64, copy=False),
        "against": np.bincount(same, turn, minlength=len(chosen)).astype(np.float64, copy=False),
        "first": np.where(back, second[chosen], first[chosen]),
        "second": np.where(back, first[chosen], second[chosen]),
    }
