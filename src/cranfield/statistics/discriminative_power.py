"""Discriminative power: the share of pairs of columns that differ significantly, and how certain that share is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from cranfield import engine
from cranfield._typing import Floats
from cranfield.statistics.kernels.resampling import pairs_above
from cranfield.statistics.numeric import product
from cranfield.statistics.resampling import Samples
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.simultaneous import tukey_quantile
from cranfield.threads import Each

BLOCK = 32
"""Resamples of one task."""


class Share(NamedTuple):
    """A mean over pairs with its interval; NaN bounds for fewer than three items."""

    value: float
    low: float
    high: float


def pair_share(kernel: Floats, level: float, beside: float = 0.0) -> Share:
    """Mean over all pairs i < j of a symmetric kernel, with the jackknife's interval over the items.

    Pairs share items, so they are not independent observations: leaving out each item in turn, theta_i, gives the
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
    item_sums = kernel.sum(axis=1) - np.diag(kernel)
    total = item_sums.sum() / 2.0
    value = float(total / (n * (n - 1) / 2.0))
    if n < 3:
        return Share(value, float("nan"), float("nan"))
    without = (total - item_sums) / ((n - 1) * (n - 2) / 2.0)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum() + beside)
    half = float(stdtrit(n - 1, (1.0 + level) / 2.0) * error)
    return Share(value, value - half, value + half)


def significant_shares(table: Floats, counts: Samples, alpha: float, *, simultaneous: bool, each: Each = map) -> Floats:
    """The share of pairs with p < alpha in each resample, by t-tests or by Tukey's test, [resamples].

    Tests that draw themselves decide nearly as these do, and their spread over resamples is the same.

    Args:
        table: [n, columns], without NaN.
        counts: how often each row is drawn.
        alpha: level.
        simultaneous: one yardstick for all pairs, after Tukey, and not a pair's own.
        each: where some of the resamples are looked at; the same bits anywhere.
    """
    n, columns = table.shape
    x = table - table.mean(axis=1, keepdims=True)
    slack = (NOISE * np.abs(table).max()) ** 2
    border = tukey_quantile(alpha, columns, (n - 1) * (columns - 1)) if simultaneous else stdtrit(n - 1, 1 - alpha / 2)
    blocks = (block[start : start + BLOCK] for _, block in counts.blocks() for start in range(0, len(block), BLOCK))
    return np.concatenate(list(each(_Shares(x, float(border), slack, simultaneous), blocks)))


@dataclass(frozen=True)
class _Shares:
    """The share of significant pairs in each resample of a block, [resamples]."""

    x: Floats
    border: float
    slack: float
    simultaneous: bool

    def __call__(self, counts: Floats) -> Floats:
        x, (n, columns) = self.x, self.x.shape
        shares = []
        for drawn in counts:
            mean = drawn @ x / n
            weighted = np.sqrt(drawn)[:, None] * (x - mean)
            gram = product(np.ascontiguousarray(weighted.T), weighted)
            if self.simultaneous:
                # Rows have mean 0, so that what is left beside the columns is the residual.
                error = np.diag(gram).sum() / ((n - 1) * (columns - 1)) / n
                significant = pairs_above(mean, max(self.border**2 * error, self.slack))
            else:
                significant = engine.current().count_apart(mean, gram, float(n), self.border**2, self.slack)
            shares.append(significant / (columns * (columns - 1) // 2))
        return np.array(shares)
