"""Who is first or last by a number: all that share the place, and nobody where all are equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.reporting.tabling import listed_names
from cranfield.scores.ordering import comparable


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
