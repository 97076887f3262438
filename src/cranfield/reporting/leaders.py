"""Who leads by one measure: the best system, those that have the same scores, and the next that has others.

Who is first or last by a number: all that share the place, and nobody where all are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cranfield.reporting.tables import listed_names
from cranfield.scores.duplicates import equal_scores
from cranfield.scores.matrix import Matrix
from cranfield.scores.ordering import comparable


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


def of_largest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Names of the largest value, noise of summation apart; none where all that are defined are equal."""
    known = comparable(np.asarray(values, dtype=np.float64))
    defined = known[~np.isnan(known)]
    if not len(defined) or defined.max() == defined.min():
        return []
    return [name for name, value in zip(names, known.tolist(), strict=True) if value == defined.max()]


def of_smallest(names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Names of the smallest value; see ``of_largest``."""
    return of_largest(names, (-np.asarray(values, dtype=np.float64)).tolist())


def who(names: Sequence[str], one: str, several: str) -> str:
    """``a one``, or ``a and b several``, safe to print.

    >>> who(["a", "b"], "has", "have")
    'a and b have'
    """
    return f"{listed_names(names)} {one if len(names) == 1 else several}"
