"""Adjustment of p-values for the number of tests."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import word

Correction = Literal["holm", "bh", "bonferroni", "none"]


def adjust(p: Floats, correction: Correction = "holm") -> Floats:
    """Adjusted p-values: reject where they are below alpha.

    With m tests and p sorted ascending as p_(1) <= ... <= p_(m):

    - ``holm``: max over j <= i of min(1, (m - j + 1) p_(j)); no false rejection at all with probability 1 - alpha.
    - ``bh``: min over j >= i of min(1, m p_(j) / j); at most a share alpha of the rejections is expected to be false.
    - ``bonferroni``: min(1, m p).
    - ``none``: p.

    Args:
        p: in [0, 1], [m]; NaN, of a test without one, stays NaN and is counted among the tests.
        correction: which.

    Raises:
        UsageError: an unknown word.

    References:
        Holm 1979, A simple sequentially rejective multiple test procedure. Scand. J. Statistics 6.
        Benjamini & Hochberg 1995, Controlling the false discovery rate. doi:10.1111/j.2517-6161.1995.tb02031.x

    >>> adjust(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    word("correction", correction, get_args(Correction))
    if (unknown := np.isnan(p)).any():
        return np.where(unknown, np.nan, adjust(np.where(unknown, 1.0, p), correction))
    m = len(p)
    order = np.argsort(p, kind="stable")
    ranked = p[order]
    match correction:
        case "none":
            return p.copy()
        case "bonferroni":
            return np.minimum(1.0, m * p)
        case "holm":
            adjusted = np.maximum.accumulate(np.arange(m, 0, -1) * ranked)
        case _:
            adjusted = np.minimum.accumulate((m / np.arange(1, m + 1) * ranked)[::-1])[::-1]
    out = np.empty(m)
    out[order] = np.minimum(1.0, adjusted)
    return out
