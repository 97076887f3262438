"""Entropies in bits, from frequencies as they are counted (plug-in estimates), and corrections for tables of signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.ratio import ratio_or

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Correction = Literal["miller-madow", "shrinkage"]
"""How what chance adds to information from frequencies is corrected for."""
Estimate = Literal["plug-in", "miller-madow", "shrinkage"]
"""From frequencies as they are, or corrected."""


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
    share = ratio_or(agree, agree + against, 0.5)
    return 1.0 - binary_entropy(share)


def sign_table_information(
    toward: Floats, against: Floats, silent: float, outcomes: float, correction: Correction | None = None
) -> float:
    """What joint outcomes tell of a sign: those of a table and their mirror images, which tell of the other sign.

    I = 1 - H(Q | R) from the frequencies, the silent outcome costing a bit; or corrected for what chance adds to them.
    ``miller-madow`` subtracts (cells that occur) / (2 n ln 2), one for each in which both signs are possible (Miller
    1955). ``shrinkage`` mixes the frequencies p of all K outcomes with 1/K, the share of which is
    (1 - sum p^2) / ((n - 1) sum (p - 1/K)^2), between 0 and 1 (Hausser & Strimmer 2009, JMLR 10, equations 4 to 6).

    Args:
        toward, against: how often each outcome occurs, and its mirror image, [cells].
        silent: how often the outcome does that is its own mirror image.
        outcomes: K, how many there could be, mirror images and silence included.
        correction: none where None; a corrected value may be below 0.
    """
    total = float(toward.sum() + against.sum()) + silent
    if correction == "shrinkage" and total > 0:
        p = np.concatenate([toward, against, [silent]]) / total
        share = float(shrinkage_share(p @ p, total, outcomes))
        toward, against = (share / outcomes + (1 - share) * side / total for side in (toward, against))
        total = 1.0
    both = toward + against
    mixed = (toward > 0) & (against > 0)  # elsewhere the outcome tells all
    told = np.where(mixed, 0.0, both)
    told[mixed] = both[mixed] * sign_information(toward[mixed], against[mixed])
    bits = float(told.sum()) / total if total > 0 else 0.0
    if correction == "miller-madow" and total > 0:
        bits -= float(np.count_nonzero(both)) / (2 * total * np.log(2))
    return float(bits)


def shrinkage_share(squares: ArrayLike, total: ArrayLike, outcomes: ArrayLike) -> Floats:
    """The share of equal frequencies that others are mixed with, between 0 and 1; see ``sign_table_information``.

    Args:
        squares: sum of the squares of the frequencies.
        total: what they are frequencies in.
        outcomes: how many there could be.
    """
    apart = (np.asarray(total) - 1) * (np.asarray(squares) - 1 / np.asarray(outcomes))
    share = np.divide(1 - np.asarray(squares), apart, out=np.ones(np.shape(apart)), where=apart > 0)
    return np.asarray(np.minimum(1.0, share), dtype=np.float64)


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
    logarithm: Floats = np.log2(np.where(p > 0, p, 1.0))
    return logarithm
