"""Matrices to test with, and the slow and plain forms of what is tested."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def matrix(rows: int, columns: int, seed: int = 0, *, spread: float = 0.1) -> NDArray[np.float64]:
    """Scores in (0, 1) with row and column effects."""
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(rows, 1)) + spread * rng.normal(size=columns)
    table: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-(effects + rng.normal(size=(rows, columns)))))
    return table


def naive_bootstrap(
    z: NDArray[np.float64], indices: np.ndarray
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """t, the t of every resample, and its mean, drawn one by one from the definition."""
    n = len(z)
    w = z - z.mean()
    statistics, means = [], []
    for drawn in indices:
        sample = w[drawn]
        mean, deviation = sample.mean(), sample.std(ddof=1)
        if deviation < 1e-12 * np.abs(w).max():
            deviation = 0.0
            mean = 0.0 if abs(mean) < 1e-12 * np.abs(w).max() else mean
        with np.errstate(divide="ignore", invalid="ignore"):
            t = mean / (deviation / np.sqrt(n)) if deviation > 0 else (np.inf if mean != 0 else 0.0)
        statistics.append(abs(t))
        means.append(abs(mean))
    observed = abs(z.mean()) / (z.std(ddof=1) / np.sqrt(n))
    return float(observed), np.array(statistics), np.array(means)
