"""Entropies in bits, from frequencies as they are counted (plug-in estimates)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def entropy(counts: ArrayLike) -> Floats:
    """Entropy of the distribution that counts describe.

    H = - sum over cells of p log2 p, p = count / sum of the counts; 0 where nothing was counted.

    Args:
        counts: not negative, [..., cells]; their order does not matter, to the last bit.

    Returns:
        float64 [...], at least 0.
    """
    falling = -np.sort(-np.asarray(counts, dtype=np.float64), axis=-1)
    total = falling.sum(axis=-1, keepdims=True)
    p = np.divide(falling, total, out=np.zeros_like(falling), where=total > 0)
    # One after the other, zeros last: how many cells are empty must not move the last bit.
    bits: Floats = 0.0 - np.cumsum(p * _log2(p), axis=-1)[..., -1]
    return bits


def binary_entropy(p: ArrayLike) -> Floats:
    """Entropy of an event of probability p.

    h(p) = -p log2 p - (1 - p) log2 (1 - p).

    Args:
        p: between 0 and 1.
    """
    p = np.asarray(p, dtype=np.float64)
    bits: Floats = -p * _log2(p) - (1 - p) * _log2(1 - p) + 0.0
    return bits


def sign_information(agree: ArrayLike, against: ArrayLike) -> Floats:
    """What a sign tells of another, both being as often + as -, where they agree and differ so many times.

    I = 1 - h(agree / (agree + against)); 0 where neither was counted.

    Args:
        agree, against: not negative, of one shape.
    """
    agree, against = np.asarray(agree, dtype=np.float64), np.asarray(against, dtype=np.float64)
    both = agree + against
    share = np.divide(agree, both, out=np.full(both.shape, 0.5), where=both > 0)
    return 1.0 - binary_entropy(share)


def conditional_information(xz: ArrayLike, yz: ArrayLike, xyz: ArrayLike, z: ArrayLike) -> Floats:
    """What X tells of Y where Z is known, from the counts of their joint outcomes.

    I(X; Y | Z) = H(X,Z) + H(Y,Z) - H(X,Y,Z) - H(Z), 0 exactly where Z determines X or Y.

    Args:
        xz, yz, xyz, z: counts, [..., cells] each.
    """
    # In pairs that cancel to the last bit where X or Y is a function of Z.
    information: Floats = np.maximum((entropy(xz) - entropy(z)) + (entropy(yz) - entropy(xyz)), 0.0)
    return information


def _log2(p: Floats) -> Floats:
    """log2 p, and 0 for p = 0, where it is multiplied by 0."""
    logarithm: Floats = np.log2(p, out=np.zeros(p.shape), where=p > 0)
    return logarithm
