"""Information tau: how much one order of items tells of another, alone and where further orders are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.arguments import not_negative, word
from cranfield.errors import InputError, UsageError
from cranfield.statistics.concordance import Concordance, items_above
from cranfield.statistics.entropy import conditional_information, sign_information

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]
Ties = Literal["drop", "ternary"]

LONG = 512
"""Items beyond which two orders alone are not compared pair by pair."""


def order_information(
    r: ArrayLike,
    s: ArrayLike,
    given: Sequence[ArrayLike] = (),
    *,
    ties: Ties = "drop",
    tie_tol: float = 0.0,
    universe: Sequence[ArrayLike] = (),
) -> float:
    """tau_I(R, S | T_1 ... T_k) = I(X_R; X_S | X_T1, ..., X_Tk), in bits.

    Over all ordered pairs of items, X_R = 1 if the first has the larger value in R, -1 if the smaller. Without ties and
    conditions it is 1 - h((1 - t)/2), t Kendall's tau and h the entropy of a binary event.

    Args:
        r, s: values of the same n items, larger is better, [n].
        given: T_1 to T_k, [n] each.
        ties: ``drop``: pairs that are tied in r, s or any of ``given`` are no part of the sample, and the value lies
            between 0 and 1. ``ternary``: X = 0 for a tie, all pairs count, and the value goes up to log2 3.
        tie_tol: values that differ by no more are tied.
        universe: further values of the items; pairs tied in one of them are dropped too, so that values with different
            conditions are taken over the same pairs.

    Returns:
        NaN where no pair is left.

    Raises:
        InputError: a value that is NaN.
        UsageError: values of different lengths or dimensions, or an argument outside its range.
    """
    rows = check_orders([r, s, *given, *universe], ties, tie_tol)
    if len(rows) == 2 and len(rows[0]) > LONG and ties == "drop" and tie_tol == 0:
        return _of_long(rows[0], rows[1])
    signs = [pair_signs(row, tie_tol) for row in rows]
    asked = 2 + len(given)
    dropped = signs if ties == "drop" else signs[asked:]
    kept = np.logical_and.reduce([sign != 0 for sign in dropped]) if dropped else np.ones(len(signs[0]), np.bool_)
    if not kept.any():
        return float("nan")
    return sign_information_given([sign[kept] for sign in signs[:asked]])


def _of_long(r: Floats, s: Floats) -> float:
    """The same of two orders without conditions, counted by merging, O(n log n)."""
    counts = Concordance(items_above(r[None]), items_above(s[None]))
    untied, concordant = int(counts.untied[0]), int(counts.concordant[0])
    return float(sign_information(concordant, untied - concordant)) if untied else float("nan")


def sign_information_given(signs: Sequence[Signs]) -> float:
    """I(X_1; X_2 | X_3, ..., X_k) of signs over pairs, each counted in both directions, in bits.

    Args:
        signs: 1, 0, -1, int8 [pairs] each, at least one pair.
    """
    first, second, *conditions = (sign.astype(np.int64) + 1 for sign in signs)
    z, mirrored, outcomes = np.zeros_like(first), np.zeros_like(first), 1
    for condition in conditions:
        z, mirrored, outcomes = z * 3 + condition, mirrored * 3 + 2 - condition, outcomes * 3
        if outcomes > len(z):
            # No more outcomes than pairs can occur: name those that do anew.
            _, names = np.unique(np.concatenate([z, mirrored]), return_inverse=True)
            z, mirrored, outcomes = names[: len(z)], names[len(z) :], int(names.max()) + 1
    of_z = np.concatenate([z, mirrored])
    of_x, of_y = (np.concatenate([sign, 2 - sign]) for sign in (first, second))
    table = np.bincount((of_z * 3 + of_x) * 3 + of_y, minlength=9 * outcomes).reshape(outcomes, 3, 3)
    xz, yz = table.sum(axis=2), table.sum(axis=1)
    return float(conditional_information(xz.ravel(), yz.ravel(), table.ravel(), table.sum(axis=(1, 2))))


def pair_signs(values: Floats, tie_tol: float = 0.0) -> Signs:
    """1, 0, -1 as the first item of each unordered pair has the larger value, a tied one, the smaller; int8 [pairs]."""
    one, other = np.triu_indices(len(values), 1)
    first, second = values[one], values[other]
    if tie_tol > 0:
        with np.errstate(invalid="ignore", over="ignore"):  # what is infinitely far apart is not tied
            apart = np.abs(first - second) > tie_tol
        return np.where(apart, (first > second).view(np.int8) - (first < second).view(np.int8), np.int8(0))
    return (first > second).view(np.int8) - (first < second).view(np.int8)


def check_orders(rows: Sequence[ArrayLike], ties: str, tie_tol: float) -> list[Floats]:
    """The values as arrays.

    Raises:
        InputError: a value that is NaN.
        UsageError: values of different lengths or dimensions, or an argument outside its range.
    """
    word("ties", ties, ("drop", "ternary"))
    not_negative(tie_tol=tie_tol)
    try:
        arrays = [np.asarray(row, dtype=np.float64) for row in rows]
    except (TypeError, ValueError) as error:
        raise UsageError(f"values should be numbers: {error}") from None
    for row in arrays:
        if row.ndim != 1 or len(row) != len(arrays[0]):
            raise UsageError(f"values have the shapes {[array.shape for array in arrays]}; expected one length [n]")
        bad = np.flatnonzero(np.isnan(row))
        if len(bad):
            raise InputError(f"item {bad[0] + 1} has the value nan: an order needs a number for every item")
    return arrays


def all_triples(rows: Sequence[ArrayLike], *, ties: Ties = "drop", tie_tol: float = 0.0, common: bool = True) -> Floats:
    """tau_I of every two orders, alone and given every third, [k, k, k + 1]: nothing is given in the last axis' first.

    Counted by products of indicators, so that all triples cost a few multiplications of [2 k, pairs] matrices.

    Args:
        rows: values of the same n items, k orders of them.
        ties, tie_tol: as in ``order_information``.
        common: with ``drop``, over the pairs that no order ties; else over those that none of the three ties.
    """
    signs = np.stack([pair_signs(row, tie_tol) for row in check_orders(rows, ties, tie_tol)])
    if ties == "drop" and common:
        signs = signs[:, (signs != 0).all(axis=0)]
    outcomes = (1, -1) if ties == "drop" else (1, 0, -1)
    k, o = len(signs), len(outcomes)
    marks = np.stack([signs == outcome for outcome in outcomes], axis=1).reshape(k * o, -1).astype(np.float32)
    table = np.empty((k, k, k + 1))
    alone = (marks @ marks.T).reshape(1, k, o, k, o).astype(np.float64)
    table[:, :, 0] = _of_counts(alone)
    for third in range(k):
        rows_of = marks[third * o : (third + 1) * o]
        counts = np.stack([(marks * row) @ marks.T for row in rows_of]).reshape(o, k, o, k, o)
        table[:, :, third + 1] = _of_counts(counts.astype(np.float64))
    return table


def _of_counts(counts: Floats) -> Floats:
    """Information of every two orders from how often each outcome occurs, [given, k, of x, k, of y] -> [k, k]."""
    table = np.moveaxis(counts, (1, 3), (0, 1))  # [k, k, given, of x, of y]
    table = table + table[:, :, ::-1, ::-1, ::-1]
    k = len(table)

    def flat(part: Floats) -> Floats:
        return part.reshape(k, k, -1)

    value = conditional_information(
        flat(table.sum(axis=4)), flat(table.sum(axis=3)), flat(table), flat(table.sum(axis=(3, 4)))
    )
    return np.where(flat(table).sum(axis=-1) > 0, value, np.nan)
