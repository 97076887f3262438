"""Sums over signs, five in a byte: of each cell over its signs, of each sign over the cells; in NumPy.

All are made in one order, so that every engine has the same bits.
"""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Bytes, Floats, Singles
from cranfield.contract import CODES
from cranfield.statistics.kinds import A_BYTE
from cranfield.statistics.sign_codes import DIGITS

SUMMED = 4096
"""Cells that are summed in single precision before they are added to the rest."""


def over_signs(codes: Bytes, weights: Floats) -> Singles:
    """The sum of the weights, [predictors], times the signs of each cell, [cells]."""
    padded = np.zeros((codes.shape[1], A_BYTE))
    padded.ravel()[: len(weights)] = weights
    tables = np.zeros((codes.shape[1], CODES))
    for weight, digit in zip(padded.T, DIGITS.T, strict=True):
        tables += weight[:, None] * digit
    sums = np.zeros(len(codes), dtype=np.float32)
    for column, table in zip(codes.T, tables.astype(np.float32), strict=True):
        sums += table[column]
    return sums


def over_cells(codes: Bytes, values: Singles, predictors: int) -> Floats:
    """The sum of the values of the cells, [cells], times each of their signs, [predictors]."""
    sums = np.zeros((codes.shape[1], CODES))
    for begin in range(0, len(codes), SUMMED):
        some = np.zeros(sums.shape, dtype=np.float32)
        for column, summed in zip(codes[begin : begin + SUMMED].T, some, strict=True):
            np.add.at(summed, column, values[begin : begin + SUMMED])
        sums += some
    by_sign: Floats = one_by_one(sums[:, :, None] * DIGITS, axis=1).ravel()[:predictors]
    return by_sign


def one_by_one(values: Floats, axis: int = 0) -> Floats:
    """A sum in which one is added after the other."""
    some = values.shape[axis] > 0
    sums: Floats = np.take(np.add.accumulate(values, axis=axis), -1, axis=axis) if some else values.sum(axis=axis)
    return sums
