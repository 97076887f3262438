"""How well a weighted sum of signs predicts a sign."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEPS = 200


def sign_cross_entropy(x: Floats, toward: Floats, against: Floats) -> float:
    """Least cross entropy, in bits, of predicting a sign by P(+ | x) = 1 / (1 + exp(-b x)) over all b.

    There is no constant term: turned about, x must predict the other sign. Where x separates the signs no b is best,
    and the value is the limit. Newton's method, halving steps that overshoot.

    Args:
        x: predictors, [cells, predictors].
        toward, against: how often the sign is + and - in each cell, [cells], not all 0.
    """
    total = toward.sum() + against.sum()
    share, sign = (toward + against) / total, toward / total
    b = np.zeros(x.shape[1])
    value = _loss(x @ b, share, sign)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -700, 700)))
        slope = x.T @ (share * p - sign)
        bend = (x.T * (share * p * (1 - p))) @ x
        # Predictors that are equal, or that separate the signs, leave the bend without an inverse.
        ridge = 1e-12 + 1e-9 * float(bend.diagonal().max(initial=0.0))
        step = np.linalg.solve(bend + ridge * np.eye(len(b)), slope)
        gain = float(slope @ step)
        if gain < 1e-13:
            break
        size = 1.0
        while (lower := _loss(x @ (b - size * step), share, sign)) > value - 0.1 * size * gain and size > 1e-6:
            size /= 2
        if lower >= value:
            break
        b, value = b - size * step, lower
    return float(value / np.log(2))


def _loss(score: Floats, share: Floats, sign: Floats) -> float:
    """Cross entropy in nats: sum of share log(1 + e^score) - sign score."""
    return float(share @ np.logaddexp(0.0, score) - sign @ score)
