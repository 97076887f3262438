"""One column of a frame of any library in memory: text, numbers, or objects of Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from cranfield._typing import Bytes, Floats, Ints, NDArray
from cranfield.collection.ids import TextColumn, join_text
from cranfield.engine.fast_paths import packed_ids, written_ids

Valid = NDArray[np.bool_] | None
"""True for rows that have a value; None where all have one."""


class ColumnValues(Protocol):
    """The values of a column."""

    def __len__(self) -> int: ...

    def tolist(self) -> list[Any]:
        """The values as objects of Python; None where there is no value."""

    def ids(self) -> tuple[Bytes, Ints] | None:
        """The values as ids, data and offsets; None where one of them is not an id."""

    def numbers(self) -> Floats | None:
        """The values as numbers; None where one of them is not a number."""

    def take(self, rows: Ints) -> ColumnValues:
        """The values of these rows, in that order."""


class ObjectCells:
    """Python's objects."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def tolist(self) -> list[Any]:
        """The values, unchanged."""
        return self.values

    def ids(self) -> tuple[Bytes, Ints] | None:
        """The ids where all are text or integers."""
        return packed_ids(self.values)

    def numbers(self) -> Floats | None:
        """The numbers where all are Python's own."""
        if not set(map(type, self.values)) <= {float, int}:
            return None
        try:
            return np.array(self.values, dtype=np.float64)
        except OverflowError:
            return None

    def take(self, rows: Ints) -> ColumnValues:
        """See ``ColumnValues``."""
        return ObjectCells([self.values[row] for row in rows.tolist()])


class NumberCells:
    """Whole numbers, floats or truth values in one array."""

    def __init__(self, values: NDArray[Any], valid: Valid = None) -> None:
        # Buffers of others may begin at any byte, and engines read numbers where numbers begin.
        self.values = np.require(values, requirements="A")
        self.valid = valid

    def __len__(self) -> int:
        return len(self.values)

    def tolist(self) -> list[Any]:
        """See ``ColumnValues``."""
        return with_gaps(self.values.tolist(), self.valid)

    def ids(self) -> tuple[Bytes, Ints] | None:
        """Integers are written out."""
        if self.valid is not None or self.values.dtype.kind not in "iu":
            return None
        if self.values.dtype == np.uint64:
            return packed_ids(self.values.tolist())
        return written_ids(np.ascontiguousarray(self.values, dtype=np.int64))

    def numbers(self) -> Floats | None:
        """See ``ColumnValues``."""
        return None if self.valid is not None else np.ascontiguousarray(self.values, dtype=np.float64)

    def take(self, rows: Ints) -> ColumnValues:
        """See ``ColumnValues``."""
        return NumberCells(self.values[rows], _taken(self.valid, rows))


class TextCells:
    """UTF-8 text in flat arrays; text i is ``data[offsets[i]:offsets[i + 1]]``."""

    def __init__(self, data: Bytes, offsets: Ints, valid: Valid = None) -> None:
        self.data = data
        self.offsets = offsets
        self.valid = valid

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def tolist(self) -> list[Any]:
        """The texts; those that are not UTF-8 as bytes, which no id is."""
        begin, end = int(self.offsets[0]), int(self.offsets[-1])
        text, bounds = self.data[begin:end].tobytes(), (self.offsets - begin).tolist()
        return with_gaps([_decoded(text[a:b]) for a, b in pairwise(bounds)], self.valid)

    def ids(self) -> tuple[Bytes, Ints] | None:
        """The texts, unchanged; whether each is an id is checked later."""
        return None if self.valid is not None else (self.data, self.offsets)

    def numbers(self) -> Floats | None:
        """None: text is not a number."""
        return None

    def take(self, rows: Ints) -> ColumnValues:
        """See ``ColumnValues``."""
        taken = TextColumn(self.data, self.offsets).take(rows)
        return TextCells(taken.data, taken.offsets, _taken(self.valid, rows))


def joined(parts: Sequence[ColumnValues]) -> ColumnValues:
    """The values of all parts, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    if parts and all(isinstance(part, NumberCells) for part in parts):
        return NumberCells(np.concatenate([part.values for part in parts]), _joined_valid(parts))  # type: ignore[attr-defined]
    if parts and all(isinstance(part, TextCells) for part in parts):
        texts = [(part.data, part.offsets) for part in parts]  # type: ignore[attr-defined]
        return TextCells(*join_text(texts), _joined_valid(parts))
    return ObjectCells([value for part in parts for value in part.tolist()])


def _joined_valid(parts: Sequence[Any]) -> Valid:
    if all(part.valid is None for part in parts):
        return None
    return np.concatenate([np.ones(len(part), dtype=bool) if part.valid is None else part.valid for part in parts])


def _taken(valid: Valid, rows: Ints) -> Valid:
    return None if valid is None or (taken := valid[rows]).all() else taken


def with_gaps(values: list[Any], valid: Valid) -> list[Any]:
    """The values, and None where there is none."""
    if valid is None:
        return values
    return [value if is_valid else None for value, is_valid in zip(values, valid.tolist(), strict=True)]


def _decoded(text: bytes) -> str | bytes:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text
