"""What many systems say of pairs, five systems a byte, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bytes, Ints, Singles
from cranfield.contract import CODES, Table
from cranfield.statistics.kinds import A_BYTE

DIGITS = np.zeros((CODES, A_BYTE), dtype=np.int8)
"""What each code says of its five predictors: 1, 0, -1; [codes, 5], and nothing beyond the last one."""
DIGITS[: 3**A_BYTE] = np.arange(3**A_BYTE)[:, None] // 3 ** np.arange(A_BYTE - 1, -1, -1) % 3 - 1

SILENT = 3**A_BYTE // 2
"""The code of five that say nothing."""


def pack_outcomes(place: Table, first: Ints, second: Ints) -> Bytes:
    """See ``cranfield.contract.Engine.pack_outcomes``."""
    one, other = place[:, first], place[:, second]
    return pack_signs((np.less(one, other).view(np.int8) - np.greater(one, other).view(np.int8)).T)


def unpack_outcomes(codes: Bytes, systems: int) -> Singles:
    """See ``cranfield.contract.Engine.unpack_outcomes``."""
    return unpack_signs(codes, systems, np.float32)


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
