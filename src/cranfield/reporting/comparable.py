"""Which of the measures asked for compare systems, and the order of systems by one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import listed
from cranfield.errors import InputError
from cranfield.measures import Measure
from cranfield.scores.matrix import matrix_of

if TYPE_CHECKING:
    import xarray as xr

JUDGED = "Judged@10"
"""Always computed: the page says how much of what was retrieved is unjudged."""


def best_first(scores: xr.DataArray) -> list[str]:
    """Systems by their means of one measure, equal ones by name."""
    matrix = matrix_of(scores)
    return [matrix.systems[row] for row in matrix.leaderboard]


def comparable(asked: Sequence[Measure], scores: xr.Dataset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures that analyses use, and those left out because they are undefined on every topic.

    Raises:
        InputError: all are undefined.
    """
    candidates = tuple(str(measure) for measure in asked if _is_effectiveness(measure)) or (str(asked[0]),)
    defined = tuple(name for name in candidates if not np.isnan(scores[name].values).all())
    if not defined:
        raise InputError(
            f"{listed(candidates, 'measure')}: undefined on every topic, which leaves nothing to report: ask for other "
            "measures"
        )
    return defined, tuple(name for name in candidates if name not in defined)


def _is_effectiveness(measure: Measure) -> bool:
    """Whether systems can be compared by its mean: no sum, and no share of what was judged."""
    return measure.declaration.summary == "mean" and measure.declaration.effectiveness
