"""The one order of systems: by their means, best first, equal ones by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._typing import Floats, Ints

DECIMALS = 12
"""Means that are equal by rights differ further behind the point, by the order in which their scores were added."""


def comparable(means: Floats, larger_is_better: bool = True) -> Floats:
    """Means without the noise of their summation, larger is better."""
    signed = means if larger_is_better else -means
    with np.errstate(over="ignore", invalid="ignore"):
        rounded: Floats = np.round(signed, DECIMALS)
    # Rounding multiplies first, which the largest numbers do not survive.
    return np.where(np.isfinite(rounded), rounded, signed)


def best_first(means: Floats, names: Sequence[str], larger_is_better: bool = True) -> list[int]:
    """Places of the means from best to worst, equal ones by name, NaN last."""
    keys = _nan_last(comparable(means, larger_is_better)).tolist()
    return sorted(range(len(names)), key=lambda index: (-keys[index], names[index]))


def ranks(means: Floats, larger_is_better: bool = True) -> Ints:
    """1 for the best; equal ones share the smallest, NaN is last."""
    keys = _nan_last(comparable(means, larger_is_better))
    # Places from the worst, counted from behind.
    from_best: Ints = len(keys) + 1 - np.searchsorted(np.sort(keys), keys, side="right")
    return from_best


def _nan_last(means: Floats) -> Floats:
    return np.where(np.isnan(means), -np.inf, means)
