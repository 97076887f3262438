"""The share of pairs of columns that differ significantly, on resamples of the rows."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from cranfield.arrays import Floats
from cranfield.statistics.product import product
from cranfield.statistics.resampling import Samples
from cranfield.statistics.studentized_range import quantile


def significant_shares(table: Floats, counts: Samples, alpha: float, *, simultaneous: bool) -> Floats:
    """Of each resample of the rows the share of pairs with p < alpha by t-tests, or by Tukey's test, [resamples].

    Tests that draw themselves decide nearly as these do, and their spread over resamples is the same.

    Args:
        table: [n, columns], without NaN.
        counts: how often each row is drawn.
        alpha: level.
        simultaneous: one yardstick for all pairs, after Tukey, and not a pair's own.
    """
    n, columns = table.shape
    x = table - table.mean(axis=1, keepdims=True)
    slack = (1e-12 * np.abs(table).max()) ** 2
    pair = np.triu_indices(columns, 1)
    border = quantile(alpha, columns, (n - 1) * (columns - 1)) if simultaneous else stdtrit(n - 1, 1 - alpha / 2)
    shares = []
    for _, block in counts.blocks():
        for drawn in block:
            mean = drawn @ x / n
            weighted = np.sqrt(drawn)[:, None] * (x - mean)
            gram = product(np.ascontiguousarray(weighted.T), weighted)
            own = np.diag(gram)
            if simultaneous:
                # Rows have mean 0, so that what is left beside the columns is the residual.
                error = own.sum() / ((n - 1) * (columns - 1)) / n
            else:
                error = np.maximum(0.0, own[:, None] + own - 2.0 * gram)[pair] / (n - 1) / n
            difference = (mean[pair[0]] - mean[pair[1]]) ** 2
            shares.append((difference > np.maximum(border**2 * error, slack)).mean())
    return np.array(shares)
