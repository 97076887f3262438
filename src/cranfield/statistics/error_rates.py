"""Error rates of decisions between two columns by their means on random subsets of the rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.memory import require
from cranfield.statistics.contrasts import Contrasts, LeftGroup
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.rounding import NOISE

CACHED = 1 << 15
"""Numbers in each of several that stay in the cache."""


class Rates(NamedTuple):
    """Shares of all decisions, and their Monte-Carlo standard errors."""

    error: float
    tie: float
    error_se: float
    tie_se: float


def count_decisions(columns: Floats, left: Ints, right: Ints, fuzziness: float, slack: float) -> tuple[Ints, Ints]:
    """See ``cranfield.engine.protocol.Engine.count_decisions``."""
    wrong, tied = np.zeros((2, columns.shape[1]), dtype=np.int64)
    for group in Contrasts(left, right).groups(widest=_widest(columns.T)):
        won, lost = _decided(columns, group, fuzziness, slack)
        total = np.count_nonzero(won, axis=1) - np.count_nonzero(lost, axis=1)
        for minority, which in ((won, total < 0), (lost, total > 0)):
            wrong += 2 * _count(minority[which]).astype(np.int64)
        wrong += _count((won | lost)[total == 0])
        tied += len(won) - _count(won | lost).astype(np.int64)
    return wrong, tied


def subset_rates(means: Floats, pairs: Contrasts, fuzziness: float) -> Rates:
    """Decide every pair by its means over each subset; an error is a decision of the minority.

    error = sum over pairs of min(W_ab, W_ba) / (pairs * subsets), tie = sum of T_ab over the same. The standard error
    is that of the subsets' own shares of minority decisions.

    Args:
        means: of each column over each subset, [subsets, columns].
        pairs: the columns to compare.
        fuzziness: a and b are tied if |a - b| <= fuzziness * max(|a|, |b|).
    """
    columns, decide = np.ascontiguousarray(means.T), engine.current().count_decisions
    wrong, tied = decide(columns, pairs.left, pairs.right, fuzziness, _slack(means))
    return _rates(wrong / 2 / len(pairs), tied / len(pairs))


def swap_rates(first: Floats, second: Floats, pairs: Contrasts, fuzziness: float) -> Rates:
    """Decide every pair on two disjoint subsets; an error is two opposite decisions, a tie a tie in either.

    Args:
        first: means over the first subset of each draw, [draws, columns].
        second: the same over the other one, [draws, columns].
        pairs: the columns to compare.
        fuzziness: as in ``subset_rates``.
    """
    wrong, tied = np.zeros(len(first)), np.zeros(len(first))
    sides = [(np.ascontiguousarray(means.T), _slack(means)) for means in (first, second)]
    for group in pairs.groups(widest=_widest(first)):
        (won, lost), (again, not_again) = (_decided(columns, group, fuzziness, slack) for columns, slack in sides)
        wrong += _count(won & not_again | lost & again)
        tied += len(won) - _count((won | lost) & (again | not_again)).astype(np.int64)
    return _rates(wrong / len(pairs), tied / len(pairs))


def row_counts(wins: Ints, losses: Ints) -> tuple[Ints, Ints]:
    """Count rows instead of subsets: those that disagree with the majority of a pair, and those that decide it.

    Args:
        wins: rows of each subset on which the left column wins, [subsets, pairs].
        losses: on which the right one does, likewise.

    Returns:
        The sums over pairs of min(W_ab, W_ba) and of W_ab + W_ba, with W counted over the rows, [subsets] each.
    """
    return np.minimum(wins, losses).sum(axis=1, dtype=np.int64), (wins + losses).sum(axis=1, dtype=np.int64)


def row_rates(wrong: Ints, decided: Ints, decisions: int) -> Rates:
    """Inside each subset of m rows, how many rows disagree with the majority.

    error = mean over subsets of sum over pairs of min(W_ab, W_ba) / (pairs * m).

    Args:
        wrong: from ``row_counts``, summed over all pairs, [subsets].
        decided: likewise.
        decisions: pairs times rows of a subset.
    """
    return _rates(wrong / decisions, (decisions - decided) / decisions)


def row_winners(table: Floats, pairs: Contrasts, fuzziness: float) -> NDArray[np.int8]:
    """The column that wins on each row: 1 the left, -1 the right one, 0 neither, int8 [rows, pairs].

    Raises:
        InputError: they would not fit.
    """
    what = f"deciding {len(pairs):,} pairs of systems on each of {len(table):,} topics"
    require(3 * len(table) * len(pairs), what, "leave out systems")
    won, slack = np.empty((len(table), len(pairs)), dtype=np.int8), _slack(table)
    width = max(1, CELLS // len(table))
    for start in range(0, len(pairs), width):
        block = slice(start, start + width)
        left, right = table[:, pairs.left[block]], table[:, pairs.right[block]]
        difference = left - right
        decided = np.abs(difference) > fuzziness * np.maximum(np.abs(left), np.abs(right)) + slack
        won[:, block] = np.sign(difference).astype(np.int8) * decided
    return won


def _decided(
    columns: Floats, group: LeftGroup, fuzziness: float, slack: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Rows where the left column wins, and where the right one does, [pairs of the group, rows]; columns in rows."""
    left, right = columns[group.left], columns[group.right]
    lead = left - right
    enough = np.maximum(np.abs(left), np.abs(right))
    enough *= fuzziness
    enough += slack
    return lead > enough, lead < np.negative(enough, out=enough)


def _widest(means: Floats) -> int:
    """Pairs at a time, so few that they stay in the cache and their count fits into one byte."""
    return min(np.iinfo(np.uint8).max, max(1, CACHED // len(means)))


def _slack(means: Floats) -> float:
    """The largest difference that rounding alone makes of equal means, which must not decide."""
    return float(NOISE * np.abs(means).max(initial=0.0))


def _count(decided: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The number of these pairs that are decided in each subset, [pairs, subsets] -> [subsets]."""
    count: NDArray[np.uint8] = np.add.reduce(decided.view(np.uint8), axis=0, dtype=np.uint8)
    return count


def _rates(wrong: Floats, tied: Floats) -> Rates:
    def error(values: Floats) -> float:
        return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    return Rates(float(wrong.mean()), float(tied.mean()), error(wrong), error(tied))
