"""Conditional information of orders from tables of signs, corrected for what chance adds to it."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.statistics.entropy import Correction


def corrected_information(
    table: Ints | Floats, mirror: Ints, outcomes: int, correction: Correction, plain: Floats
) -> Floats:
    """I(X; Y | Z) of how often pairs have which signs, corrected; NaN where there is no pair.

    A pair of items has signs x, y, z in one direction and their mirror images in the other: n pairs are a sample of
    size n from outcomes of which mirror images are one. ``miller-madow`` adds (m_xz + m_yz - m_xyz - m_z) / (2 n ln 2)
    to the plug-in estimate, m being how many of these occur (Miller 1955). ``shrinkage`` mixes the frequencies p of all
    outcomes, whether they occur or not, with those t of signs drawn at random; the share of t is
    (1 - sum p^2) / ((n - 1) sum (p - t)^2), between 0 and 1 (Hausser & Strimmer 2009, JMLR 10, equations 4 to 6).

    Args:
        table: counts of both directions, [..., of z, of x, of y], signs ascending.
        mirror: of each outcome of z, the number of its mirror image.
        outcomes: how many x, y and z together have in both directions.
        correction: which.
        plain: the plug-in estimate, [...].
    """
    table = np.asarray(table, dtype=np.float64)
    total = table.sum(axis=(-3, -2, -1))
    own = mirror == np.arange(len(mirror))
    known = np.where(total > 0, total, 1.0)
    if correction == "miller-madow":
        # Where a sum has one sign, it is that of silence.
        xz, yz = (table.sum(axis=axis, keepdims=True) for axis in (-1, -2))
        z = xz.sum(axis=-2, keepdims=True)
        more = _occurring(xz, own) + _occurring(yz, own) - _occurring(table, own) - _occurring(z, own)
        corrected: Floats = plain + more / (known * np.log(2))
    else:
        corrected = _shrunk(table / known[..., None, None, None], own, known / 2, outcomes)
    return np.where(total > 0, corrected, np.nan)


def _occurring(table: Floats, own: Mask) -> Floats:
    """How many outcomes occur, of which mirror images are one, [..., of z, of x, of y] -> [...]."""
    both = np.count_nonzero(table, axis=(-3, -2, -1)) + np.count_nonzero(_silent(table, own), axis=-1)
    return np.asarray(both / 2, dtype=np.float64)


def _silent(table: Floats, own: Mask) -> Floats:
    """Of outcomes that are their own mirror images, [..., of x, of y] -> [..., of z]: those without a sign."""
    x, y = table.shape[-2:]
    return table[..., own, x // 2, y // 2] if x % 2 and y % 2 else table[..., own, 0, 0][..., :0]


def _shrunk(p: Floats, own: Mask, pairs: Floats, outcomes: int) -> Floats:
    """The information of frequencies mixed with those of signs at random."""
    silent = _silent(p, own)
    squares = 2 * (p**2).sum(axis=(-3, -2, -1)) - (silent**2).sum(axis=-1)
    # With three outcomes each, one of all is its own mirror image.
    apart = squares - 2 * (2 - silent.sum(axis=-1)) / outcomes + (2 * outcomes - outcomes % 2) / outcomes**2
    apart = (pairs - 1) * apart
    share = np.minimum(1.0, np.divide(1 - squares, apart, out=np.ones_like(apart), where=apart > 1e-15))
    mixed = share[..., None, None, None] / outcomes + (1 - share[..., None, None, None]) * p
    x, y = mixed.sum(axis=-1), mixed.sum(axis=-2)
    bits = _plogp(mixed).sum(axis=(-3, -2, -1)) - _plogp(x).sum(axis=(-2, -1)) - _plogp(y).sum(axis=(-2, -1))
    # Outcomes of z that do not occur have their x and y at random, and tell nothing.
    told: Floats = bits + _plogp(mixed.sum(axis=(-2, -1))).sum(axis=-1)
    return np.maximum(told, 0.0)


def _plogp(p: Floats) -> Floats:
    return np.asarray(p * np.log2(p, out=np.zeros_like(p), where=p > 0), dtype=np.float64)
