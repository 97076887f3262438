"""Columns of whatever hands out Arrow data by ``__arrow_c_stream__`` or ``__arrow_c_array__``, read by nanoarrow.

Nothing is copied, and PyArrow is not needed: NumPy arrays view the buffers and keep their memory alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from struct import unpack
from typing import Any

import nanoarrow
import numpy as np

from cranfield._message import name_value
from cranfield._text import quoted
from cranfield._typing import Bytes, NDArray
from cranfield.collection.column import ColumnValues, NumberCells, ObjectCells, TextCells, Valid, joined, with_gaps
from cranfield.engine.fast_paths import viewed_ids
from cranfield.errors import CranfieldError, InputError

VIEW_SIZE, INLINE_SIZE = 16, 12
"""Bytes of a string view, and of the longest text that it holds itself."""
MOST_ROWS = 1 << 40
"""Rows of the longest array that is read: no memory holds more, and the sizes of their buffers would overflow."""


class ArrowData:
    """A table, or a single column, in batches of rows.

    Args:
        schema: a ``CSchema`` of nanoarrow.
        batches: each a ``CArray`` of nanoarrow.
    """

    def __init__(self, schema: Any, batches: list[Any]) -> None:
        self._schema = schema
        self._batches = batches

    def list_names(self) -> list[str]:
        """The names of the columns.

        Raises:
            InputError: the data are not a table, or are broken.
        """
        with _refuse_broken_data():
            if self._schema.format != "+s":
                raise InputError("the Arrow data are a single column; give a table with a column for each field")
            return [child.name or "" for child in self._schema.children]

    def read_column(self, number: int | None = None) -> ColumnValues:
        """A column of a table, or the only one of what is a single column.

        Raises:
            InputError: its type holds neither ids nor numbers, or the data are broken.
        """
        with _refuse_broken_data():
            parts = [_read_batch(batch, number) for batch in self._batches]
            return joined(parts) if parts else ObjectCells([])


def read_arrow(value: Any) -> ArrowData:
    """All batches of a frame, a batch or a column; a stream that can be read once is read to its end.

    Raises:
        InputError: the library that hands out the data fails, or hands out something else.
    """
    if not hasattr(value, "__arrow_c_stream__"):
        with _refuse_broken_stream():
            capsules = value.__arrow_c_array__()
        with _refuse_broken_data():
            schema, array = capsules
            batch = nanoarrow.c_array(array, schema=schema)
            return ArrowData(batch.schema, [batch])
    if hasattr(value, "read_all"):
        # The threads of a PyArrow reader may need the GIL, which nanoarrow holds while it waits for them.
        with _refuse_broken_stream():
            value = value.read_all()
    with _refuse_broken_stream():
        capsule = value.__arrow_c_stream__()
        stream = nanoarrow.c_array_stream(capsule)
        return ArrowData(stream.get_schema(), list(stream))


@contextmanager
def _refuse_broken_stream() -> Iterator[None]:
    """Turns the failure of a stream, or of the library behind it, into an error of ours."""
    try:
        yield
    except CranfieldError:  # of a data set of ours, which says more
        raise
    except Exception as error:
        code = getattr(error, "code", "") or type(error).__name__
        reason = getattr(error, "message", str(error)) or "no reason was given"
        raise InputError(f"the stream of Arrow data ended with error {code}: {reason}") from error


@contextmanager
def _refuse_broken_data() -> Iterator[None]:
    """Turns the errors of nanoarrow and NumPy about inconsistent data into one of ours."""
    try:
        yield
    except InputError:
        raise
    except (IndexError, OverflowError, RuntimeError, SystemError, TypeError, ValueError) as error:
        raise _broken(str(error)) from error


def _broken(reason: str) -> InputError:
    return InputError(f"the Arrow data are broken: {reason}")


class _ArrowRows:
    """Rows of an array, counted from the beginning of its buffers."""

    def __init__(self, array: Any, start: int, stop: int) -> None:
        if stop > MOST_ROWS:
            raise _broken(f"an array ends at row {stop:,}")
        self.array = array
        self.start = start
        self.stop = stop

    def __len__(self) -> int:
        return self.stop - self.start

    @cached_property
    def view(self) -> Any:
        """The buffers, whose sizes nanoarrow checks; it reads as many as the type has before it counts them."""
        kind = self.array.schema.format
        needed = 1 if kind == "+s" else 3 if kind[0] in "uUzZv" else 2
        if self.array.n_buffers < needed:
            raise _broken(f"an array has {self.array.n_buffers} buffers, and its type {needed}")
        return self.array.view()

    def read_bytes(self, number: int) -> Bytes:
        """All bytes of a buffer."""
        return np.frombuffer(self.view.buffer(number), dtype=np.uint8)

    def read_numbers(self, number: int) -> NDArray[Any]:
        """The values of a buffer, one for each row."""
        return np.asarray(self.view.buffer(number))[self.start : self.stop]

    def read_bits(self, number: int) -> NDArray[np.bool_]:
        """The truth values of a buffer, one for each row."""
        bits = np.unpackbits(self.read_bytes(number), count=self.stop, bitorder="little")
        return bits[self.start :].astype(bool)

    def read_valid(self) -> Valid:
        """Return which rows hold a value."""
        if not self.array.null_count or not any(self.array.buffers[:1]):
            return None
        valid = self.read_bits(0)
        return None if valid.all() else valid


def _read_batch(batch: Any, number: int | None) -> ColumnValues:
    rows = _ArrowRows(batch, batch.offset, batch.offset + batch.length)
    if number is None:
        return _read_cells(rows)
    column = batch.child(number)
    if column.length < rows.stop:
        raise _broken(f"a column has {column.length} rows, and its table {rows.stop}")
    cells = _read_cells(_ArrowRows(column, column.offset + rows.start, column.offset + rows.stop))
    return _with_gaps(cells, rows.read_valid())


def _read_cells(rows: _ArrowRows) -> ColumnValues:
    schema = rows.array.schema
    if schema.dictionary is not None:
        return _read_dictionary(rows)
    kind = schema.format or ""
    read = READERS.get(kind.partition(":")[0])
    if read is None:
        text = (
            f"is of the Arrow type {name_value(kind)}, which holds neither ids nor numbers; cast it to text or numbers"
        )
        raise InputError(f"column {quoted(schema.name or '')} {text}", code="column", value=kind)
    return read(rows)


def _read_dictionary(rows: _ArrowRows) -> ColumnValues:
    """The values of a dictionary, of which each row names one by its number."""
    dictionary = rows.array.dictionary
    if dictionary is None:
        raise _broken("an array has no dictionary, and its type has one")
    values = _read_cells(_ArrowRows(dictionary, dictionary.offset, dictionary.offset + dictionary.length))
    codes, valid = rows.read_numbers(1), rows.read_valid()
    if valid is not None:
        if not valid.any():
            return ObjectCells([None] * len(rows))
        codes = np.where(valid, codes, 0)
    if len(codes) and not 0 <= codes.min() <= codes.max() < len(values):
        raise _broken(f"a row names a value that a dictionary of {len(values)} values does not have")
    return _with_gaps(values.take(codes.astype(np.int64)), valid)


def _read_nulls(rows: _ArrowRows) -> ColumnValues:
    return ObjectCells([None] * len(rows))


def _read_numbers(rows: _ArrowRows) -> ColumnValues:
    return NumberCells(rows.read_numbers(1), rows.read_valid())


def _read_truths(rows: _ArrowRows) -> ColumnValues:
    return NumberCells(rows.read_bits(1), rows.read_valid())


def _read_decimals(rows: _ArrowRows) -> ColumnValues:
    _, scale, bits = (*map(int, rows.array.schema.format[2:].split(",")), 128)[:3]
    size = bits // 8
    data = rows.read_bytes(1)[size * rows.start : size * rows.stop].tobytes()
    integers = [int.from_bytes(data[at : at + size], "little", signed=True) for at in range(0, len(data), size)]
    return _with_gaps(ObjectCells([Decimal(f"{number}E{-scale}") for number in integers]), rows.read_valid())


def _read_text(rows: _ArrowRows) -> TextCells:
    data, offsets = rows.read_bytes(2), np.asarray(rows.view.buffer(1))
    if not len(offsets):  # libraries may leave out the offsets of no rows
        offsets = np.zeros(1, dtype=np.int64)
    offsets = offsets[rows.start : rows.stop + 1]
    if len(offsets) <= len(rows) or offsets[-1] > len(data) or (offsets[1:] < offsets[:-1]).any():
        raise _broken("the offsets of a column of text do not ascend")
    return TextCells(data[: offsets[-1]], offsets.astype(np.int64, copy=False), rows.read_valid())


def _read_binary(rows: _ArrowRows) -> ColumnValues:
    text = _read_text(rows)
    return _with_gaps(ObjectCells([text.data[a:b].tobytes() for a, b in pairwise(text.offsets)]), text.valid)


def _read_text_views(rows: _ArrowRows) -> ColumnValues:
    """Text of which each row holds the text itself, or the buffer and the offset where it is."""
    views = rows.read_bytes(1)[VIEW_SIZE * rows.start : VIEW_SIZE * rows.stop]
    buffers = [rows.read_bytes(number) for number in range(2, rows.view.n_buffers - 1)]
    valid = rows.read_valid()
    flat = viewed_ids(views, buffers) if valid is None else None
    if flat is not None:
        return TextCells(*flat)
    present = [True] * len(rows) if valid is None else valid.tolist()
    packed = views.tobytes()
    values = [
        _read_text_view(packed[VIEW_SIZE * row : VIEW_SIZE * (row + 1)], buffers) if present[row] else b""
        for row in range(len(rows))
    ]
    offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
    return TextCells(np.frombuffer(b"".join(values), dtype=np.uint8), offsets, valid)


def _read_text_view(view: bytes, buffers: list[Bytes]) -> bytes:
    length, _, buffer, offset = unpack("<4i", view)
    text = view[4 : 4 + length]
    if length > INLINE_SIZE:
        inside = 0 <= buffer < len(buffers) and offset >= 0
        text = buffers[buffer][offset : offset + length].tobytes() if inside else b""
    if len(text) != length:
        raise _broken("a row of a column of text points to no text")
    return text


def _with_gaps(cells: ColumnValues, valid: Valid) -> ColumnValues:
    """The cells, with no value in the rows that are not valid."""
    return cells if valid is None else ObjectCells(with_gaps(cells.tolist(), valid))


READERS: dict[str, Callable[[_ArrowRows], ColumnValues]] = {
    **dict.fromkeys("cCsSiIlLefg", _read_numbers),
    **dict.fromkeys("uU", _read_text),
    **dict.fromkeys("zZ", _read_binary),
    "b": _read_truths,
    "d": _read_decimals,
    "n": _read_nulls,
    "vu": _read_text_views,
}
"""The format of Arrow, up to a colon -> the function that reads a column of it."""
