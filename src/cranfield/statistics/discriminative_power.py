"""Shares of pairs of items, and how sure they are when the items are a sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from cranfield._typing import Floats


class Share(NamedTuple):
    """A mean over pairs with its interval; NaN bounds for fewer than three items."""

    value: float
    low: float
    high: float


def pair_share(kernel: Floats, level: float, beside: float = 0.0) -> Share:
    """Mean over all pairs i < j of a symmetric kernel, with the jackknife's interval over the items.

    Pairs share items, so they are no independent observations: leaving out each item in turn, theta_i, gives the
    variance (n - 1) / n sum (theta_i - mean theta)^2 of a U-statistic, and Student's interval on n - 1 degrees of
    freedom.

    Args:
        kernel: [items, items]; the diagonal is not used.
        level: coverage, in (0, 1).
        beside: variance from another source than the items, which is added to theirs.

    Reference:
        Arvesen 1969, Jackknifing U-statistics. doi:10.1214/aoms/1177697287
    """
    n = len(kernel)
    of_item = kernel.sum(axis=1) - np.diag(kernel)
    total = of_item.sum() / 2.0
    value = float(total / (n * (n - 1) / 2.0))
    if n < 3:
        return Share(value, float("nan"), float("nan"))
    without = (total - of_item) / ((n - 1) * (n - 2) / 2.0)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum() + beside)
    half = float(stdtrit(n - 1, (1.0 + level) / 2.0) * error)
    return Share(value, value - half, value + half)
