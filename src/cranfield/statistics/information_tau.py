"""Information tau: the information in one order of items about another, alone or given further orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield._typing import Floats, Ints, Signs
from cranfield._validation import not_negative, word
from cranfield.errors import InputError, UsageError
from cranfield.statistics.concordance import Concordance, items_above
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.entropy import Estimate, conditional_information, corrected_information, sign_information

TauTies = Literal["drop", "ternary"]

BLOCK = 1 << 20
"""Outcomes of pairs that are counted together."""
MERGED_FROM = 512
"""Most items for which two orders alone are compared pair by pair; beyond, they are merged."""


def order_information(
    first: ArrayLike,
    second: ArrayLike,
    given: Sequence[ArrayLike] = (),
    *,
    tau_ties: TauTies = "drop",
    tau_tolerance: float = 0.0,
    universe: Sequence[ArrayLike] = (),
    estimator: Estimate = "plug-in",
) -> float:
    """tau_I(R, S | T_1 ... T_k) = I(X_R; X_S | X_T1, ..., X_Tk), in bits.

    Over all ordered pairs of items, X_R = 1 if the first has the larger value in R, -1 if the smaller. Without ties and
    conditions it is 1 - h((1 - t)/2), t Kendall's tau and h the entropy of a binary event.

    Args:
        first, second: R and S, values of the same n items, larger is better, [n].
        given: T_1 to T_k, [n] each.
        tau_ties: ``drop``: pairs that are tied in R, S or any of ``given`` are not part of the sample, and the value
            lies between 0 and 1. ``ternary``: X = 0 for a tie, all pairs count, and the value goes up to log2 3.
        tau_tolerance: values that differ by no more are tied.
        universe: further values of the items; pairs tied in one of them are dropped too, so that values with different
            conditions are taken over the same pairs.
        estimator: ``plug-in``, from frequencies as they are, or corrected: see ``corrected_information``.

    Returns:
        NaN where no pair is left.

    Raises:
        InputError: a value that is NaN.
        UsageError: values of different lengths or dimensions, or an argument outside its range.
    """
    rows, known = check_orders([first, second, *given, *universe], tau_ties, tau_tolerance), 2 + len(given)
    word("estimator", estimator, get_args(Estimate))
    seconds, left = rows[1][None], rows[known:]
    return float(compute_informations(rows[0], seconds, rows[2:known], left, tau_ties, tau_tolerance, estimator)[0])


def compute_informations(
    r: Floats,
    seconds: NDArray[Any],
    given: Sequence[Floats],
    universe: Sequence[Floats],
    tau_ties: TauTies,
    tau_tolerance: float,
    estimator: Estimate = "plug-in",
) -> Floats:
    """``order_information`` of one order r and each of many others, [orders, n] -> [orders], with equal bits.

    What does not depend on the second order is found once, and the outcomes of a block of orders are counted together.

    Args:
        r, given, universe: as ``check_orders`` returns them.
        seconds: numbers; where ``tau_tolerance`` is 0, any in the same order, the smaller the type the quicker.
        tau_ties, tau_tolerance, estimator: as in ``order_information``.
    """
    if not given and not universe and len(r) > MERGED_FROM and tau_ties == "drop" and tau_tolerance == 0:
        return np.array([_count_by_merging(r, second.astype(np.float64), estimator) for second in seconds])
    left, right = every_pair(len(r))
    first, *conditions = signs = [pair_signs(row, tau_tolerance, left, right) for row in (r, *given)]
    dropped = [
        *(signs if tau_ties == "drop" else ()),
        *(pair_signs(row, tau_tolerance, left, right) for row in universe),
    ]
    counted = np.logical_and.reduce([sign != 0 for sign in dropped]) if dropped else np.ones(len(left), np.bool_)
    outcome, mirror = _joint_outcomes([condition[counted] for condition in conditions], int(counted.sum()))
    cell = outcome * 3 + first[counted] + 1
    if not len(cell):
        return np.full(len(seconds), np.nan)
    # Pairs of one outcome follow each other, so that a sum over rows counts them.
    in_order = np.argsort(cell, kind="stable")
    cells, starts = np.unique(cell[in_order], return_index=True)
    left, right = left[counted][in_order], right[counted][in_order]
    step, information = max(1, BLOCK // len(left)), np.empty(len(seconds))
    for start in range(0, len(seconds), step):
        signs_of_block = pair_signs(np.ascontiguousarray(seconds[start : start + step].T), tau_tolerance, left, right)
        table = np.zeros((len(mirror) * 3, 3, signs_of_block.shape[1]))
        for cell_index, rows in zip(cells, np.split(signs_of_block, starts[1:]), strict=True):
            larger, smaller = (np.sum(rows == sign, axis=0, dtype=np.int32) for sign in (1, -1))
            table[cell_index] = smaller, len(rows) - larger - smaller, larger
        tables = np.moveaxis(table, 2, 0).reshape(-1, len(mirror), 3, 3)
        if tau_ties == "drop":
            tables = tables[:, :, ::2, ::2]
        outcomes = tables.shape[-1] ** (2 + len(given))
        information[start : start + step] = _estimate_from_tables(
            tables + tables[:, mirror, ::-1, ::-1], mirror, outcomes, estimator
        )
    return information


def _count_by_merging(r: Floats, s: Floats, estimator: Estimate) -> float:
    """``order_information`` of two orders without conditions, counted by merging, O(n log n)."""
    counts = Concordance(items_above(r[None]), items_above(s[None]))
    untied, concordant = int(counts.untied[0]), int(counts.concordant[0])
    if estimator != "plug-in":
        apart = untied - concordant
        table = np.array([[[concordant, apart], [apart, concordant]]], dtype=np.float64)
        return float(_estimate_from_tables(table, np.zeros(1, np.int64), 4, estimator))
    return float(sign_information(concordant, untied - concordant)) if untied else float("nan")


def _joint_outcomes(signs: Sequence[Signs], pairs: int) -> tuple[Ints, Ints]:
    """Number the joint outcomes of several orders: [pairs], and for each number that of its mirror image."""
    outcome, mirrored, outcomes = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64), 1
    for sign in signs:
        outcome, mirrored = outcome * 3 + sign + 1, mirrored * 3 - sign + 1
        # Few of all outcomes occur: only those are numbered.
        _, names = np.unique(np.concatenate([outcome, mirrored]), return_inverse=True)
        outcome, mirrored, outcomes = names[:pairs], names[pairs:], int(names.max(initial=0)) + 1
    mirror = np.zeros(outcomes, np.int64)
    mirror[outcome], mirror[mirrored] = mirrored, outcome
    return outcome, mirror


def _estimate_from_tables(table: Ints | Floats, mirror: Ints, outcomes: int, estimator: Estimate) -> Floats:
    """I(X; Y | Z) of counts of outcomes in both directions, [..., of z, of x, of y] -> [...]; NaN where none is.

    See ``corrected_information`` for ``mirror`` and ``outcomes``.
    """
    leading = table.shape[:-3]

    def flat(part: Ints | Floats) -> Ints | Floats:
        return part.reshape(*leading, -1)

    z_counts = table.sum(axis=(-2, -1))
    value = conditional_information(flat(table.sum(axis=-1)), flat(table.sum(axis=-2)), flat(table), z_counts)
    value = np.where(z_counts.sum(axis=-1) > 0, value, np.nan)
    return value if estimator == "plug-in" else corrected_information(table, mirror, outcomes, estimator, value)


def pair_signs(values: NDArray[Any], tau_tolerance: float, left: Ints, right: Ints) -> Signs:
    """1, 0, -1 where the first item has the larger value, a tied one, the smaller; [n, ...] -> int8 [pairs, ...]."""
    first, second = values[left], values[right]
    signs: Signs = (first > second).view(np.int8) - (first < second).view(np.int8)
    if tau_tolerance > 0:
        with np.errstate(invalid="ignore", over="ignore"):  # what is infinitely far apart is not tied
            signs[np.abs(first - second) <= tau_tolerance] = 0
    return signs


def check_orders(rows: Sequence[ArrayLike], tau_ties: str, tau_tolerance: float) -> list[Floats]:
    """The values as arrays.

    Raises:
        InputError: a value that is NaN.
        UsageError: values of different lengths or dimensions, or an argument outside its range.
    """
    word("tau_ties", tau_ties, ("drop", "ternary"))
    not_negative(tau_tolerance=tau_tolerance)
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


def all_triples(
    rows: Sequence[ArrayLike],
    *,
    tau_ties: TauTies = "drop",
    tau_tolerance: float = 0.0,
    common: bool = True,
    estimator: Estimate = "plug-in",
) -> Floats:
    """tau_I of every two orders, alone and given every third, [k, k, k + 1]: nothing is given in the last axis' first.

    Counted by products of indicators, so that all triples cost a few multiplications of [2 k, pairs] matrices.

    Args:
        rows: values of the same n items, k orders of them.
        tau_ties, tau_tolerance, estimator: as in ``order_information``.
        common: with ``drop``, over the pairs that no order ties; else over those that none of the three ties.
    """
    orders = np.stack(check_orders(rows, tau_ties, tau_tolerance))
    signs = np.ascontiguousarray(pair_signs(orders.T, tau_tolerance, *every_pair(orders.shape[1])).T)
    if tau_ties == "drop" and common:
        signs = signs[:, (signs != 0).all(axis=0)]
    outcomes = (1, -1) if tau_ties == "drop" else (1, 0, -1)
    k, o = len(signs), len(outcomes)
    marks = np.stack([signs == outcome for outcome in outcomes], axis=1).reshape(k * o, -1).astype(np.float32)
    table = np.empty((k, k, k + 1))
    alone = (marks @ marks.T).reshape(1, k, o, k, o).astype(np.float64)
    table[:, :, 0] = _estimate_pairs(alone, estimator)
    for third in range(k):
        marks_of_third = marks[third * o : (third + 1) * o]
        counts = np.stack([(marks * row) @ marks.T for row in marks_of_third]).reshape(o, k, o, k, o)
        table[:, :, third + 1] = _estimate_pairs(counts.astype(np.float64), estimator)
    return table


def _estimate_pairs(counts: Floats, estimator: Estimate) -> Floats:
    """Information of every two orders from how often each outcome occurs, [given, k, of x, k, of y] -> [k, k]."""
    table = np.moveaxis(counts, (1, 3), (0, 1))  # [k, k, given, of x, of y]
    conditions, outcomes = table.shape[2], table.shape[-1]
    together = outcomes**2 * conditions
    return _estimate_from_tables(
        table + table[:, :, ::-1, ::-1, ::-1], np.arange(conditions)[::-1], together, estimator
    )
