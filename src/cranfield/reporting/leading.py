"""Who leads by one measure: the best system, those that have the same scores, and the next that has others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from cranfield.scores.duplicates import equal_scores
from cranfield.scores.matrix import Matrix


@dataclass(frozen=True)
class Leading:
    """Columns of a matrix, in the order of its leaderboard.

    Args:
        best: the system of the best mean, and those whose scores are the same on every topic.
        following: the best of all others; None where all systems have the same scores.
        level: all of the best mean, whatever their scores.
    """

    best: tuple[int, ...]
    following: int | None
    level: tuple[int, ...]

    @classmethod
    def of(cls, matrix: Matrix) -> Self:
        """Of one measure's scores."""
        order, ranks = matrix.leaderboard, matrix.ranks
        first = matrix.values[:, order[0]]
        best = tuple(at for at in order if equal_scores(matrix.values[:, at], first).all())
        following = next((at for at in order if at not in best), None)
        return cls(best, following, tuple(at for at in order if ranks[at] == 1))
