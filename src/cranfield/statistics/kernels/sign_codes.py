"""Signs of many systems, five to a byte, in NumPy; and the distinct rows of such bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Bytes, Ints, Mask
from cranfield.engine.protocol import CODES, PositionTable

A_BYTE = 5
"""Systems whose outcomes are packed into one byte: 3^5 = 243."""
DIGITS = np.zeros((CODES, A_BYTE), dtype=np.int8)
"""Signs of the five predictors of each code: 1, 0, -1; [codes, 5]; 0 beyond the last one."""
DIGITS[: 3**A_BYTE] = np.arange(3**A_BYTE)[:, None] // 3 ** np.arange(A_BYTE - 1, -1, -1) % 3 - 1
SILENT = 3**A_BYTE // 2
"""The code of five predictors that are all 0."""


def canonical_sign(packed: Sequence[tuple[Bytes, int]]) -> tuple[list[Bytes], Mask]:
    """Replace outcomes by their mirror image where the first sign that is not silence is negative.

    Args:
        packed: outcomes in base 3 (2 and 0 are mirror images, 1 is silence), first system first, up to ``A_BYTE``
            systems a byte: bytes [pairs] and how many systems are in it.
    """
    turn = np.zeros(len(packed[0][0]), dtype=np.bool_)
    for group, size in reversed(packed):
        middle = 3**size // 2
        turn = np.where(group == middle, turn, group < middle)
    return [np.where(turn, 3**size - 1 - group, group).astype(np.uint8) for group, size in packed], turn


def distinct(columns: Sequence[Bytes]) -> tuple[Ints, Ints]:
    """One row of each different kind, in ascending order, and of each row the number of its kind."""
    return _kinds(_pack_columns(columns))


def _pack_columns(columns: Sequence[Bytes]) -> Iterator[NDArray[np.uint64]]:
    """Eight columns at a time as one number, of which the first byte counts most."""
    for first in range(0, len(columns), 8):
        word = np.zeros((len(columns[0]), 8), dtype=np.uint8)
        for number, column in enumerate(columns[first : first + 8]):
            word[:, number] = column
        yield word.view(">u8").ravel().astype(np.uint64)


def _kinds(numbers: Iterator[NDArray[np.uint64]]) -> tuple[Ints, Ints]:
    """Find the distinct rows of packed columns; columns after all rows differ are not read."""
    order = np.zeros(0, dtype=np.int64)
    first = open_ = np.zeros(0, dtype=np.bool_)
    for number, value in enumerate(numbers):
        if number == 0:
            order = np.argsort(value)
            first = np.ones(len(order), dtype=np.bool_)
            first[1:] = np.diff(value[order]) != 0
        else:
            # Only rows that are equal so far are sorted further, each group within its range.
            group = np.cumsum(first)[open_]
            rows = order[open_]
            within = np.lexsort((value[rows], group))
            order[open_] = rows = rows[within]
            first[open_] = first[open_] | (np.diff(value[rows], prepend=value[rows[:1]]) != 0)
        open_ = ~first | ~np.append(first[1:], True)
        if not open_.any():
            break
    same = np.empty(len(order), dtype=np.int64)
    same[order] = np.cumsum(first) - 1
    return order[first], same


def pack_outcomes(ranks: PositionTable, first: Ints, second: Ints) -> Bytes:
    """See ``cranfield.engine.protocol.Engine.pack_outcomes``."""
    left, right = ranks[:, first], ranks[:, second]
    return pack_signs((np.less(left, right).view(np.int8) - np.greater(left, right).view(np.int8)).T)


def pack_signs(signs: NDArray[np.int8]) -> Bytes:
    """Codes of 1, 0, -1, [rows, predictors] -> [rows, predictors / 5]; after the last predictor is 0."""
    rows, predictors = signs.shape
    codes: Bytes = np.zeros((rows, -(-predictors // A_BYTE)), dtype=np.uint8)
    for predictor in range(codes.shape[1] * A_BYTE):
        code = codes[:, predictor // A_BYTE]
        code *= 3
        code += (signs[:, predictor] + 1).astype(np.uint8) if predictor < predictors else np.uint8(1)
    return codes


def unpack_signs(codes: Bytes, predictors: int, kind: type[Any] = np.int8) -> NDArray[Any]:
    """The signs behind codes, [rows, predictors]."""
    signs = np.take(DIGITS.astype(kind), codes, axis=0).reshape(len(codes), A_BYTE * codes.shape[1])
    return signs if signs.shape[1] == predictors else np.ascontiguousarray(signs[:, :predictors])
