"""Arrays of Arrow as columns of a frame: text, numbers, dictionaries and decimals, of any number of batches."""

from __future__ import annotations

import ctypes
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield._text import quoted
from cranfield._typing import Bytes, Ints
from cranfield.collection.arrow import Array, Owned, Schema, Stream
from cranfield.collection.column import Cells, NumberCells, ObjectCells, TextCells, Valid, joined, with_gaps
from cranfield.engine import compiled
from cranfield.errors import InputError

NUMBERS = dict(zip("cCsSiIlLefg", ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"), strict=True))
"""Format -> what NumPy calls it."""
OFFSETS = {"u": np.int32, "U": np.int64, "z": np.int32, "Z": np.int64}
"""Format of text and bytes -> type of the offsets."""
VIEW, INLINE = 16, 12
"""Bytes of a string view, and of the longest text that it holds itself."""


class _Chunk(NamedTuple):
    """Some rows of an array, and who owns the memory."""

    array: Array
    start: int
    length: int
    owner: Owned

    def view(self, number: int, kind: Any, count: int) -> NDArray[Any]:
        """The first values of a buffer."""
        address = self.array.buffers[number] if number < self.array.n_buffers else None
        if not address or not count:
            return np.empty(0, dtype=kind)
        memory = (ctypes.c_char * (count * np.dtype(kind).itemsize)).from_address(address)
        memory.owner = self.owner  # NumPy's view keeps the memory, and this its owner
        return np.frombuffer(memory, dtype=kind)

    def rows(self, number: int, kind: Any) -> NDArray[Any]:
        """Values of a buffer, one a row."""
        return self.view(number, kind, self.start + self.length)[self.start :]

    def bits(self, number: int) -> NDArray[np.bool_]:
        """Truth values of a buffer, one a row."""
        packed = self.view(number, np.uint8, (self.start + self.length + 7) // 8)
        return np.unpackbits(packed, count=self.start + self.length, bitorder="little")[self.start :].astype(bool)

    def valid(self) -> Valid:
        """Which rows hold a value."""
        if not self.array.null_count or not self.array.n_buffers or not self.array.buffers[0]:
            return None
        valid = self.bits(0)
        return None if valid.all() else valid


def names_of(stream: Stream) -> list[str]:
    """Names of the columns.

    Raises:
        InputError: it is no table.
    """
    schema = stream.schema.struct
    if schema.format != b"+s":
        raise InputError("the Arrow data are a single column; give a table with a column for each field")
    children = [schema.children[number].contents for number in range(schema.n_children)]
    return [(child.name or b"").decode(errors="replace") for child in children]


def column_of(stream: Stream, number: int | None = None) -> Cells:
    """One column of a table, or the only one of what is a single column.

    Raises:
        InputError: it is of a type that holds neither ids nor numbers.
    """
    schema, parts = stream.schema.struct, []
    for owner in stream.batches:
        array = owner.struct
        whole = _Chunk(array, array.offset, array.length, owner)
        if number is None:
            parts.append(_cells(schema, whole))
            continue
        child = array.children[number].contents
        chunk = _Chunk(child, child.offset + array.offset, array.length, owner)
        cells, kept = _cells(schema.children[number].contents, chunk), whole.valid()
        parts.append(cells if kept is None else _without(cells, kept))
    return joined(parts) if parts else ObjectCells([])


def _cells(schema: Schema, chunk: _Chunk) -> Cells:
    kind, valid = (schema.format or b"").decode(), chunk.valid()
    if schema.dictionary:
        return _coded(schema, chunk, valid)
    if kind in NUMBERS:
        return NumberCells(chunk.rows(1, NUMBERS[kind]), valid)
    if kind == "b":
        return NumberCells(chunk.bits(1), valid)
    if kind in ("u", "U"):
        return TextCells(*_text(chunk, OFFSETS[kind]), valid)
    if kind == "vu":
        return _viewed(chunk, valid)
    if kind in ("z", "Z"):
        data, offsets = _text(chunk, OFFSETS[kind])
        return _without(ObjectCells([data[a:b].tobytes() for a, b in pairwise(offsets)]), valid)
    if kind == "n":
        return ObjectCells([None] * chunk.length)
    if kind.startswith("d:"):
        return _without(_decimals(chunk, kind), valid)
    name = quoted((schema.name or b"").decode(errors="replace"))
    text = (
        f"column {name} is of the Arrow type {kind!r}, which holds neither ids nor numbers; cast it to text or numbers"
    )
    raise InputError(text, code="column", value=kind)


def _text(chunk: _Chunk, kind: Any) -> tuple[Bytes, Ints]:
    offsets = chunk.view(1, kind, chunk.start + chunk.length + 1)[chunk.start :]
    if not len(offsets):
        return np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    return chunk.view(2, np.uint8, int(offsets[-1])), offsets.astype(np.int64, copy=False)


def _viewed(chunk: _Chunk, valid: Valid) -> Cells:
    """Text of which each row says itself where it is."""
    views = chunk.view(1, np.uint8, VIEW * (chunk.start + chunk.length))[VIEW * chunk.start :]
    others = chunk.array.n_buffers - 3
    sizes = chunk.view(others + 2, np.int64, others).tolist() if others > 0 else []
    buffers = [chunk.view(number, np.uint8, size) for number, size in enumerate(sizes, 2)]
    engine = compiled()
    if engine is not None and valid is None:
        found = engine.viewed_ids(views, buffers)
        if found is not None:
            return TextCells(*found)
    fields = views.view(np.int32).reshape(-1, 4).tolist()
    there = [True] * len(fields) if valid is None else valid.tolist()
    values = []
    for row, (length, _, buffer, offset) in enumerate(fields):
        if not there[row]:
            values.append(b"")
        elif length <= INLINE:
            values.append(views[VIEW * row + 4 : VIEW * row + 4 + length].tobytes())
        else:
            values.append(buffers[buffer][offset : offset + length].tobytes())
    offsets = np.cumsum([0, *map(len, values)], dtype=np.int64)
    return TextCells(np.frombuffer(b"".join(values), dtype=np.uint8), offsets, valid)


def _coded(schema: Schema, chunk: _Chunk, valid: Valid) -> Cells:
    """Values of a dictionary."""
    held = chunk.array.dictionary.contents
    values = _cells(schema.dictionary.contents, _Chunk(held, held.offset, held.length, chunk.owner))
    codes = chunk.rows(1, NUMBERS[schema.format.decode()]).astype(np.int64)
    if valid is None:
        return values.take(codes)
    if not valid.any():
        return ObjectCells([None] * chunk.length)
    return _without(values.take(np.where(valid, codes, 0)), valid)


def _decimals(chunk: _Chunk, kind: str) -> ObjectCells:
    _, scale, bits = (*map(int, kind[2:].split(",")), 128)[:3]
    size = bits // 8
    text = chunk.view(1, np.uint8, size * (chunk.start + chunk.length))[size * chunk.start :].tobytes()
    whole = [int.from_bytes(text[at : at + size], "little", signed=True) for at in range(0, len(text), size)]
    return ObjectCells([Decimal(f"{number}E{-scale}") for number in whole])


def _without(cells: Cells, valid: Valid) -> Cells:
    """The same with no value in some more rows."""
    return cells if valid is None else ObjectCells(with_gaps(cells.tolist(), valid))
