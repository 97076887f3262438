"""Columns of data frames as flat arrays, for the engine; None wherever a column is not plain.

Text and whole numbers go by Arrow where PyArrow is installed, without an object a row, and by Python's lists elsewhere.
What is not plain goes the long way, row by row, which words what is wrong.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.contract import Compiled


def flat_ids(series: Any, engine: Compiled) -> tuple[Bytes, Ints] | None:
    """Ids of a column of narwhals, as data and offsets."""
    return (_by_arrow(series) if find_spec("pyarrow") else None) or engine.packed_ids(series.to_list())


def flat_numbers(series: Any) -> Floats | None:
    """Scores or labels of a column of narwhals; nulls are NaN."""
    if series.dtype.is_float() or series.dtype.is_integer():
        return np.ascontiguousarray(series.to_numpy(), dtype=np.float64)
    values = series.to_list()
    if not set(map(type, values)) <= {float, int}:
        return None
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        return None


def _by_arrow(series: Any) -> tuple[Bytes, Ints] | None:
    import pyarrow as pa

    try:
        column = series.to_arrow()
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"
        if column.null_count or not (text or pa.types.is_integer(kind)):
            return None
        if isinstance(column, pa.DictionaryArray):
            column = column.dictionary_decode()
        column = column.cast(pa.large_string())
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None  # objects of several types, or text that is none
    _, offsets, data = column.buffers()
    if column.null_count or not len(column):
        return None
    bounds = np.frombuffer(offsets, dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data or b"", dtype=np.uint8), bounds
