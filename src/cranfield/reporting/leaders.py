"""Who leads by a measure, and in which groups systems may share a rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from cranfield.scores.duplicates import equal_scores
from cranfield.scores.measure_scores import Scores


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
