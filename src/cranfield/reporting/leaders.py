"""Who leads by a measure, and how a sentence names those who share a rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cranfield._text import shown
from cranfield.scores.duplicates import equal_scores
from cranfield.scores.measure_scores import Scores
from cranfield.scores.scale import comparable

NAMED = 5
"""Names that a sentence lists; of more, the number."""


@dataclass(frozen=True)
class Leaders:
    """The first systems of a leaderboard, as columns of its matrix.

    Args:
        best: the system with the best mean, and those whose scores equal its scores on every topic.
        runner_up: the best of the others; None where all systems have the same scores.
        tied: all systems with the best mean, whatever their scores.
    """

    best: tuple[int, ...]
    runner_up: int | None
    tied: tuple[int, ...]

    @classmethod
    def find(cls, matrix: Scores) -> Self:
        """Find the leaders by one measure."""
        order, ranks = matrix.leaderboard, matrix.ranks
        first = matrix.values[:, order[0]]
        best = tuple(column for column in order if equal_scores(matrix.values[:, column], first).all())
        runner_up = next((column for column in order if column not in best), None)
        return cls(best, runner_up, tuple(column for column in order if ranks[column] == 1))


def assign_groups(ranks: Sequence[int], lowest: Sequence[int]) -> list[int]:
    """Assign each system to a group by its rank interval: all of a group may have the rank of its first system.

    The first group has the systems that may be the best. Each further group starts with the best system that has no
    group yet.

    Args:
        ranks: of the systems, in the order of the leaderboard.
        lowest: the best rank that each may have.

    >>> assign_groups([1, 2, 3, 4], [1, 1, 2, 3])
    [1, 1, 2, 2]
    """
    groups = [0] * len(ranks)
    for first, rank in enumerate(ranks):
        if groups[first]:
            continue
        number = max(groups) + 1
        for system, best in enumerate(lowest):
            if not groups[system] and best <= rank:
                groups[system] = number
    return groups


def find_largest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the names with the largest value, up to rounding errors; none where all defined values are equal."""
    rounded = comparable(np.asarray(values, dtype=np.float64))
    defined = rounded[~np.isnan(rounded)]
    if not len(defined) or defined.max() == defined.min():
        return []
    return [name for name, value in zip(names, rounded.tolist(), strict=True) if value == defined.max()]


def find_smallest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the names with the smallest value; see ``find_largest``."""
    return find_largest(names, (-np.asarray(values, dtype=np.float64)).tolist())


def join_names(names: Sequence[str]) -> str:
    """Write ``a, b and 3 more``."""
    first = [shown(name) for name in names[:NAMED]]
    if len(names) > NAMED:
        return f"{', '.join(first)} and {len(names) - NAMED:,} more"
    return first[0] if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"


def with_verb(names: Sequence[str], singular: str, plural: str) -> str:
    """Write names and a verb that agrees with their number.

    >>> with_verb(["a", "b"], "has", "have")
    'a and b have'
    """
    return f"{join_names(names)} {singular if len(names) == 1 else plural}"
