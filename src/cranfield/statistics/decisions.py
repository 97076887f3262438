"""Which of two columns wins on random subsets of the rows, and how often the answer changes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.contract import Floats
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.product import product

CELLS = 1 << 20
"""Numbers in one working array."""


class Rates(NamedTuple):
    """Shares of all decisions, and their Monte-Carlo standard errors."""

    error: float
    tie: float
    error_se: float
    tie_se: float


def subset_rates(table: Floats, chosen: Floats, pairs: Contrasts, fuzziness: float) -> Rates:
    """Decide every pair by its means over each subset; an error is a decision of the minority.

    error = sum over pairs of min(W_ab, W_ba) / (pairs * subsets), tie = sum of T_ab over the same. The standard error
    is that of the subsets' own shares of minority decisions.

    Args:
        table: [n, columns], without NaN.
        chosen: 1 for the rows of a subset, all of one size, [subsets, n].
        pairs: the columns to compare.
        fuzziness: a and b are tied if |a - b| <= fuzziness * max(|a|, |b|).
    """
    means = product(chosen, table) / chosen.sum(axis=1, keepdims=True)
    wrong, tied = np.zeros(len(chosen)), np.zeros(len(chosen))
    for place in _blocks(len(chosen), pairs):
        won = _winners(means, pairs, place, fuzziness)
        total = won.sum(axis=0, dtype=np.int64)
        minority = np.where(total > 0, -1, 1)
        split = np.where(total == 0, 0.5, 1.0)
        # Where both sides won equally often, either is the minority: each subset carries half of the error.
        wrong += ((won == minority) * split).sum(axis=1) + ((won == -minority) * (1.0 - split)).sum(axis=1)
        tied += (won == 0).sum(axis=1)
    return _rates(wrong / len(pairs), tied / len(pairs))


def swap_rates(table: Floats, first: Floats, second: Floats, pairs: Contrasts, fuzziness: float) -> Rates:
    """Decide every pair on two disjoint subsets; an error is two opposite decisions, a tie a tie in either.

    Args:
        table: [n, columns], without NaN.
        first: 1 for the rows of a subset, [draws, n].
        second: the same for the other subset of the draw, [draws, n].
        pairs: the columns to compare.
        fuzziness: as in ``subset_rates``.
    """
    halves = [product(chosen, table) / chosen.sum(axis=1, keepdims=True) for chosen in (first, second)]
    wrong, tied = np.zeros(len(first)), np.zeros(len(first))
    for place in _blocks(len(first), pairs):
        both = _winners(halves[0], pairs, place, fuzziness) * _winners(halves[1], pairs, place, fuzziness)
        wrong += (both < 0).sum(axis=1)
        tied += (both == 0).sum(axis=1)
    return _rates(wrong / len(pairs), tied / len(pairs))


def row_rates(table: Floats, chosen: Floats, pairs: Contrasts, fuzziness: float) -> Rates:
    """Count rows instead of subsets: inside each subset of m rows, how many rows say otherwise than most.

    error = mean over subsets of sum over pairs of min(W_ab, W_ba) / (pairs * m), with W counted over the rows.
    """
    wrong, tied = np.zeros(len(chosen)), np.zeros(len(chosen))
    for place in _blocks(max(chosen.shape), pairs):
        won = _winners(table, pairs, place, fuzziness)
        wins, losses = (product(chosen, (won == sign).astype(np.float64)) for sign in (1, -1))
        wrong += np.minimum(wins, losses).sum(axis=1)
        tied += product(chosen, (won == 0).astype(np.float64)).sum(axis=1)
    decisions = len(pairs) * chosen.sum(axis=1)
    return _rates(wrong / decisions, tied / decisions)


def _winners(means: Floats, pairs: Contrasts, place: slice, fuzziness: float) -> NDArray[np.int8]:
    """1 where the left column wins, -1 where the right one does, 0 for a tie, int8 [rows, pairs of the block]."""
    left, right = means[:, pairs.left[place]], means[:, pairs.right[place]]
    difference = left - right
    # Means that are equal by rights differ by rounding, which must not decide.
    slack = 1e-12 * np.abs(means).max(initial=0.0)
    decided = np.abs(difference) > fuzziness * np.maximum(np.abs(left), np.abs(right)) + slack
    won: NDArray[np.int8] = np.sign(difference).astype(np.int8) * decided
    return won


def _blocks(rows: int, pairs: Contrasts) -> list[slice]:
    width = max(1, CELLS // rows)
    return [slice(start, start + width) for start in range(0, len(pairs), width)]


def _rates(wrong: Floats, tied: Floats) -> Rates:
    def error(values: Floats) -> float:
        return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    return Rates(float(wrong.mean()), float(tied.mean()), error(wrong), error(tied))
