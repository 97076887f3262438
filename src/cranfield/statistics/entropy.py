"""Entropy and information in bits, from frequencies (plug-in estimates), and corrected for chance.

Corrections are for tables of signs: of joint outcomes and a sign, of orders given other orders, and of pairs of signs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.statistics.numeric import ratio_or

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


EntropyCorrection = Literal["miller-madow", "shrinkage"]
"""The correction of information from frequencies for the part that chance adds to it."""
Estimate = Literal["plug-in", "miller-madow", "shrinkage"]
"""From the frequencies without a correction, or corrected."""
OUTCOMES = 9
"""Joint outcomes of two systems: +, - or nothing each."""


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
    """The information in one of two equally likely signs about the other, from how often they agree and differ.

    I = 1 - h(agree / (agree + against)); 0 where neither was counted.

    Args:
        agree, against: not negative, of one shape.
    """
    agree, against = np.asarray(agree, dtype=np.float64), np.asarray(against, dtype=np.float64)
    share = ratio_or(agree, agree + against, 0.5)
    return 1.0 - binary_entropy(share)


def sign_table_information(
    toward: Floats, against: Floats, silent: float, outcomes: float, correction: EntropyCorrection | None = None
) -> float:
    """The information in joint outcomes about a sign, from a table of outcomes and their mirror images.

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
    information = np.where(mixed, 0.0, both)
    information[mixed] = both[mixed] * sign_information(toward[mixed], against[mixed])
    bits = float(information.sum()) / total if total > 0 else 0.0
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
    """The information in X about Y given Z, from the counts of their joint outcomes.

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


def corrected_information(
    table: Ints | Floats, mirror: Ints, outcomes: int, correction: EntropyCorrection, plain: Floats
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
    """The number of outcomes that occur; two mirror images are one, [..., of z, of x, of y] -> [...]."""
    both = np.count_nonzero(table, axis=(-3, -2, -1)) + np.count_nonzero(_silent(table, own), axis=-1)
    return np.asarray(both / 2, dtype=np.float64)


def _silent(table: Floats, own: Mask) -> Floats:
    """Counts of the outcomes without a sign, their own mirror images, [..., of x, of y] -> [..., of z]."""
    x, y = table.shape[-2:]
    return table[..., own, x // 2, y // 2] if x % 2 and y % 2 else table[..., own, 0, 0][..., :0]


def _shrunk(p: Floats, own: Mask, pairs: Floats, outcomes: int) -> Floats:
    """The information in frequencies that are mixed with those of random signs."""
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
    information: Floats = bits + _plogp(mixed.sum(axis=(-2, -1))).sum(axis=-1)
    return np.maximum(information, 0.0)


def _plogp(p: Floats) -> Floats:
    return np.asarray(p * np.log2(p, out=np.zeros_like(p), where=p > 0), dtype=np.float64)


def corrected_pairs(toward: Floats, against: Floats, silent: Floats, correction: EntropyCorrection) -> Floats:
    """The information in each two rows together, and in each row alone, corrected as ``sign_table_information`` does.

    Both shrink by the share that the nine outcomes of the two have together, so that what one adds to the other is
    never below 0; on the diagonal, of one and itself, there are three outcomes.

    Args:
        toward, against: how often row and column say (+,+), (+,-), (+,0), (0,+), and the opposite, [4, rows, rows].
        silent: how often they say nothing, [rows, rows].
        correction: which.

    Returns:
        [2, rows, rows].
    """
    total = (toward + against).sum(axis=0) + silent
    parts = (
        np.stack([toward, against]),
        np.stack([toward[:3].sum(axis=0), against[:3].sum(axis=0)])[:, None],
    )
    if correction == "miller-madow":
        bits = [
            _bits(*sides) / total - np.count_nonzero(sides.sum(axis=0), axis=0) / (2 * total * np.log(2))
            for sides in parts
        ]
        return np.stack(bits)
    own = np.eye(len(silent), dtype=np.bool_)
    outcomes = np.where(own, 3, OUTCOMES)
    p = np.concatenate([*parts[0], silent[None]]) / total
    share = shrinkage_share((p**2).sum(axis=0), total, outcomes)
    # Of the nine outcomes three have a row at +; where row and column are one, one of three has.
    cells = np.where(own, np.array([1, 0, 0, 0])[:, None, None], 1), np.where(own, 1, 3)[None]
    mixed = (share / outcomes * cell + (1 - share) * sides / total for cell, sides in zip(cells, parts, strict=True))
    return np.stack([_bits(*sides) for sides in mixed])


def _bits(toward: Floats, against: Floats) -> Floats:
    """The total information in a table of outcomes, [cells, ...] -> [...]."""
    bits: Floats = ((toward + against) * sign_information(toward, against)).sum(axis=0)
    return bits
