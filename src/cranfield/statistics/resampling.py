"""Random samples of n items as rows of a matrix, so that the statistics of all samples are one matrix product."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield.contract import Floats


def bootstrap_counts(n: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each item is drawn, with replacement, into samples of its own size, float64 [resamples, n].

    The items of a sample are ``rng.integers(0, n, size=(resamples, n))``, for whoever needs the same ones elsewhere.
    """
    drawn = rng.integers(0, n, size=(resamples, n))
    place = drawn + np.arange(resamples)[:, None] * n
    counts: Floats = np.bincount(place.ravel(), minlength=resamples * n).reshape(resamples, n).astype(np.float64)
    return counts


def is_exact(n: int, resamples: int) -> bool:
    """Whether ``sign_flips`` gives all flips of n items."""
    return n <= 62 and 1 << (n - 1) <= resamples


def sign_flips(n: int, resamples: int, rng: np.random.Generator) -> tuple[Floats, bool]:
    """Signs +1 and -1 of n items, float64 [flips, n], and whether they are all there are.

    All 2^(n-1) flips up to a common sign, which no two-sided statistic sees, where ``resamples`` reaches so far; else
    so many random ones.
    """
    if is_exact(n, resamples):
        bits = np.arange(1 << (n - 1), dtype=np.int64)[:, None] >> np.arange(n) & 1
        return 1.0 - 2.0 * bits.astype(np.float64), True
    return 1.0 - 2.0 * rng.integers(0, 2, size=(resamples, n), dtype=np.int8).astype(np.float64), False


def in_batches(resamples: int, batches: int) -> list[slice]:
    """Parts of equal size; what is left over is in none."""
    size = resamples // max(1, batches)
    return [slice(start * size, (start + 1) * size) for start in range(batches)]


def permutations(n: int, resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Random orders of n items, one after the other ``rng.permutation(n)``, int64 [resamples, n]."""
    return np.stack([rng.permutation(n) for _ in range(resamples)])


def selections(orders: NDArray[np.int64], size: int, start: int = 0) -> Floats:
    """Subsets as zeros and ones: of each order the ``size`` items from place ``start`` on, float64 [resamples, n]."""
    chosen = np.zeros(orders.shape)
    np.put_along_axis(chosen, orders[:, start : start + size], 1.0, axis=1)
    return chosen
