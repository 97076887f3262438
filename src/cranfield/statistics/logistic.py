"""How well a weighted sum of signs predicts a sign."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats

STEPS = 200


EXACT, ROUGH = 1e-13, 1e-4
"""What another step must gain, in nats, to be taken: where all is known, and where it is estimated from a sample."""


def sign_cross_entropy(x: Floats, toward: Floats, against: Floats, gain: float = EXACT) -> float:
    """Least cross entropy, in bits, of predicting a sign by P(+ | x) = 1 / (1 + exp(-b x)) over all b.

    There is no constant term: turned about, x must predict the other sign. Where x separates the signs no b is best,
    and the value is the limit.

    Args:
        x: predictors, [cells, predictors].
        toward, against: how often the sign is + and - in each cell, [cells], not all 0.
        gain: what another step must gain to be taken, in nats.
    """
    return cross_entropy_with(sign_weights(x, toward, against, gain), x, toward, against)


def cross_entropy_with(b: Floats, x: Floats, toward: Floats, against: Floats) -> float:
    """Cross entropy, in bits, of predicting a sign with weights found elsewhere; see ``sign_cross_entropy``."""
    share, sign = shares(toward, against)
    return float(log_loss(x @ b, share, sign) / np.log(2))


def sign_weights(x: Floats, toward: Floats, against: Floats, gain: float = EXACT) -> Floats:
    """The weights b of the least cross entropy, [predictors]: Newton's method, halving steps that overshoot."""
    share, sign = shares(toward, against)
    b = np.zeros(x.shape[1])
    value = log_loss(x @ b, share, sign)
    for _ in range(STEPS):
        p = chances(x @ b)
        slope = x.T @ (share * p - sign)
        bend = (x.T * (share * p * (1 - p))) @ x
        step = np.linalg.solve(ridged(bend), slope)
        gained = float(slope @ step)
        if gained < gain:
            break
        size = 1.0
        while (lower := log_loss(x @ (b - size * step), share, sign)) > value - 0.1 * size * gained and size > 1e-6:
            size /= 2
        if lower >= value:
            break
        b, value = b - size * step, lower
    return b


def chances(score: Floats) -> Floats:
    """P(+) = 1 / (1 + exp(-score)), of the same shape; beyond 700 as there."""
    p: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(score, -700.0), 700.0)))
    return p


def shares(toward: Floats, against: Floats) -> tuple[Floats, Floats]:
    """Of all: each cell, and each cell's signs that are +."""
    total = toward.sum() + against.sum()
    return (toward + against) / total, toward / total


def log_loss(score: Floats, share: Floats, sign: Floats) -> Floats:
    """Cross entropy in nats: sum of share log(1 + e^score) - sign score, [cells, ...] -> [...]."""
    # As quick as two functions that NumPy has vector instructions for.
    above = np.maximum(score, 0.0) + np.log(1.0 + np.exp(-np.abs(score)))
    loss: Floats = share @ above - sign @ score
    return loss


def ridged(bend: Floats, share: float = 1e-9) -> Floats:
    """A curvature with an inverse: predictors that are equal, or that separate the signs, leave it without."""
    ridge = 1e-12 + share * float(bend.diagonal().max(initial=0.0))
    with_inverse = bend.copy()
    with_inverse.ravel()[:: len(bend) + 1] += ridge
    return with_inverse
