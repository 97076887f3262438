"""How many pairs of columns are further apart than their error allows."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cranfield.arrays import Floats


class CountApart(Protocol):
    """``cranfield.contract.Engine.count_apart``."""

    def __call__(self, mean: Floats, products: Floats, items: float, factor: float, least: float, /) -> int:
        """Count pairs."""
        ...


def count_apart(mean: Floats, products: Floats, items: float, factor: float, least: float) -> int:
    """See ``cranfield.contract.Engine.count_apart``."""
    own = np.diag(products)
    error = np.maximum(0.0, own[:, None] + own - 2.0 * products) / (items - 1) / items
    return pairs_above(mean, np.maximum(factor * error, least))


def pairs_above(mean: Floats, limit: Floats | float) -> int:
    """Pairs whose squared difference is above a limit of their own, or of all."""
    return int(np.count_nonzero(np.triu((mean[:, None] - mean) ** 2 > limit, 1)))
