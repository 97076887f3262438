"""Whether two values are the same, whatever holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def same(one: Any, other: Any) -> bool:
    """Whether two values have the same type, labels and content; NaN is the same as NaN.

    Args:
        one: a number, a text, an array, a frame, a labelled array, a result, or a mapping or sequence of such.
        other: what it is compared with.
    """
    if type(one) is not type(other):
        return False
    if hasattr(one, "iloc"):
        return bool(one.equals(other)) and _axes(one) == _axes(other)
    if hasattr(one, "data_vars") or hasattr(one, "dims"):
        return bool(one.identical(other))
    if isinstance(one, np.ndarray):
        return _same_arrays(one, other)
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        # Zero and minus zero differ, as they do in the signature, of which a hash is made.
        return repr(one) == repr(other)
    if is_dataclass(one) and _parameters(one).eq:
        return same_fields(one, other)
    return bool(one == other)


def _parameters(one: Any) -> Any:
    """How a dataclass was declared; one that compares itself knows better than its fields."""
    return one.__dataclass_params__


def same_fields(one: Any, other: Any) -> bool:
    """Whether two dataclasses are the same in all fields that are to be compared."""
    return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one) if field.compare)


def _same_arrays(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind == "O":
        return all(map(same, one.ravel().tolist(), other.ravel().tolist()))
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _axes(frame: Any) -> list[Any]:
    """The names of a frame's or a series' axes, which ``equals`` does not look at."""
    return [list(frame.index.names), list(frame.columns.names) if frame.ndim == 2 else frame.name]
