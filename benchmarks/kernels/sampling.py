"""What tests need of samples: 75 systems, 2,775 pairs, 1,000 samples."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cranfield.standardization import trials

SYSTEMS, SAMPLES, TOPICS = 75, 1000, 50
ALPHAS = np.linspace(0.005, 0.1, 19)


def sampling() -> Mapping[str, Callable[[Any], Any]]:
    """Each kernel by its entry in the contract of both engines."""
    rng = np.random.default_rng(1)
    left, right = (side.astype(np.int64) for side in np.triu_indices(SYSTEMS, 1))
    pairs = len(left)
    scores = rng.random((TOPICS, SYSTEMS))
    mean, products = scores.mean(axis=0), (scores - scores.mean(axis=0)).T @ (scores - scores.mean(axis=0))
    sums = rng.standard_normal((SYSTEMS, SAMPLES))
    squares = rng.random((SAMPLES, pairs)) + 0.5
    by_pair = np.ascontiguousarray(squares.T)
    scale, levels, largest = rng.random(pairs), 4 * rng.random(pairs), np.zeros(SAMPLES)
    subsets = rng.random((SYSTEMS, SAMPLES))
    parts = np.array([0]), np.array([SAMPLES]), np.array([50])
    means = np.ascontiguousarray(subsets.T)
    sides = trials._sides(tuple(ALPHAS[::-1].tolist()), TOPICS)
    errors, others, with_errors = means / 50, means[::-1].copy(), means[::-1] / 60
    flat = np.zeros(pairs)
    return {
        "count_apart": lambda engine: engine.count_apart(mean, products, float(TOPICS), 4.0, 1e-9),
        "count_decisions": lambda engine: engine.count_decisions(subsets, left, right, 0.05, 1e-12),
        "count_reached": lambda engine: engine.count_reached(sums, left, right, False, scale, by_pair, levels, largest),
        "largest_statistics": lambda engine: engine.largest_statistics(
            sums, left, right, squares, levels, flat, 99.0, *parts
        ),
        "count_welch_tests": lambda engine: engine.count_welch_tests(means, errors, others, with_errors, *sides),
    }
