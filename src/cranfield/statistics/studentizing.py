"""What resamples say of pairs of columns: how often they reach what was observed, and every statistic, in NumPy."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cranfield.arrays import Floats, Ints


class Keep(Protocol):
    """``cranfield.contract.Engine.keep_statistics``."""

    def __call__(
        self,
        moments: Floats,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begin: int,
        into_ratio: Floats,
        into_moments: Floats,
        /,
    ) -> Ints:
        """Keep statistics, and count."""
        ...


def keep_statistics(
    moments: Floats,
    squares: Floats,
    limit: Floats,
    floor: Floats,
    cap: float,
    begin: int,
    into_ratio: Floats,
    into_moments: Floats,
) -> Ints:
    """See ``cranfield.contract.Engine.keep_statistics``."""
    above, rows = moments**2, slice(begin, begin + len(moments))
    ratio = np.divide(above, squares, out=np.zeros_like(squares), where=squares > floor)
    into_ratio[:, rows] = np.minimum(ratio, cap, out=ratio).T
    into_moments[:, rows] = moments.T
    hits: Ints = (above >= squares * limit + floor).sum(axis=0)
    return hits
