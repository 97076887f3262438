"""Ranks of a board and pairs of its systems, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats, Mask
from cranfield.boards.assembly import BoardTable
from cranfield.boards.units import MeanCovariance
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.rounding import equalize

if TYPE_CHECKING:
    import pandas as pd

EQUAL = 1e-11
"""Values this close share a rank."""


def list_adjacent(names: Sequence[str], above: Mask | None) -> pd.DataFrame:
    """List the ranks, and whether the system of each is told from the next one; see ``Board.adjacent``."""
    import pandas as pd

    ranks = np.arange(1, len(names))
    separable = cut = np.zeros(len(ranks), dtype=bool)
    if above is not None:
        separable = np.diagonal(above, 1)
        # The last system that each one is not above; a rank cuts where none of those up to it is behind it.
        last = len(names) - 1 - np.argmin(above[:, ::-1], axis=1)
        cut = np.maximum.accumulate(last)[:-1] < ranks
    columns = {"system": names[:-1], "next": names[1:], "separable": separable, "cut": cut}
    return pd.DataFrame(columns, index=pd.Index(ranks, name="rank"))


def list_identical(table: BoardTable) -> tuple[tuple[str, ...], ...]:
    """List the groups of systems with the same score on every task, and a score on one at least."""
    # Equal numbers have equal bytes: rounding is taken out, and -0 is 0.
    scores = np.apply_along_axis(equalize, 1, table.scores) + 0.0
    alike: dict[bytes, list[str]] = {}
    for system, column in zip(table.systems, scores.T, strict=True):
        alike.setdefault(column.tobytes(), []).append(system)
    return tuple(tuple(systems) for systems in alike.values() if len(systems) > 1)


def list_pairs(systems: Sequence[str], values: Floats, covariance: MeanCovariance | None) -> pd.DataFrame:
    """List the tests of each two systems over queries; empty where there is no covariance."""
    import pandas as pd

    if covariance is None:
        return pd.DataFrame()
    error, df, p = covariance.pair_tests(values)
    left, right = every_pair(len(systems))
    flat = np.flatnonzero(np.isnan(p[left, right]) & (np.abs(values[left] - values[right]) > EQUAL))
    if len(flat):
        first, other = systems[int(left[flat[0]])], systems[int(right[flat[0]])]
        warn(
            f"{len(flat):,} of {counted(len(left), 'pair')} without spread (first: {quoted(first)} and "
            f"{quoted(other)}): their difference is the same on every query of a task, or known exactly, so that no p "
            "is had and neither is ranked above the other"
        )
    columns = {"difference": values[left] - values[right], "standard_error": error[left, right]}
    columns |= {"df": df[left, right], "p": p[left, right]}
    index = pd.MultiIndex.from_arrays(
        [[systems[int(at)] for at in left], [systems[int(at)] for at in right]], names=["system", "other"]
    )
    return pd.DataFrame(columns, index=index)
