"""What every two of many signs tell of another, corrected for what chance adds to it."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.entropy import Correction, shrinkage_share, sign_information

OUTCOMES = 9
"""What two say together: +, - or nothing each."""


def corrected_pairs(toward: Floats, against: Floats, silent: Floats, correction: Correction) -> Floats:
    """What rows and columns tell together, and what each row tells alone, as ``sign_table_information`` corrects it.

    Both shrink by the share that the nine outcomes of the two have together, so that what one adds to the other is
    never below 0; on the diagonal, of one and itself, there are three outcomes.

    Args:
        toward, against: how often row and column say (+,+), (+,-), (+,0), (0,+), and the opposite, [4, rows, rows].
        silent: how often they say nothing, [rows, rows].
        correction: which.

    Returns:
        [2, rows, rows].
    """
    total = (toward + against).sum(axis=0) + silent
    parts = (
        np.stack([toward, against]),
        np.stack([toward[:3].sum(axis=0), against[:3].sum(axis=0)])[:, None],
    )
    if correction == "miller-madow":
        told = [
            _bits(*sides) / total - np.count_nonzero(sides.sum(axis=0), axis=0) / (2 * total * np.log(2))
            for sides in parts
        ]
        return np.stack(told)
    own = np.eye(len(silent), dtype=np.bool_)
    outcomes = np.where(own, 3, OUTCOMES)
    p = np.concatenate([*parts[0], silent[None]]) / total
    share = shrinkage_share((p**2).sum(axis=0), total, outcomes)
    # Of the nine outcomes three have a row at +; where row and column are one, one of three has.
    cells = np.where(own, np.array([1, 0, 0, 0])[:, None, None], 1), np.where(own, 1, 3)[None]
    mixed = (share / outcomes * cell + (1 - share) * sides / total for cell, sides in zip(cells, parts, strict=True))
    return np.stack([_bits(*sides) for sides in mixed])


def _bits(toward: Floats, against: Floats) -> Floats:
    """Of a table of outcomes, [cells, ...], what they tell: in all, not in the mean."""
    bits: Floats = ((toward + against) * sign_information(toward, against)).sum(axis=0)
    return bits
