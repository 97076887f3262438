"""The memory that record batches of an Arrow IPC file take, as their metadata state it, before they are unpacked.

PyArrow unpacks all columns of a batch at once and tells no size before. The metadata are tables of FlatBuffers
(``File.fbs``, ``Message.fbs``), of which only what states sizes is read; a compressed buffer begins with its size.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from cranfield._optional import pa, pc
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.parquet_size import ALWAYS, INSTEAD, SHARE, USUAL
from cranfield.memory import budget, require

MAGIC = b"ARROW1"
END = 10
"""Bytes at the end of a file: the length of the footer, and the magic."""
DICTIONARY_BATCH = 2
"""The kind of a message that holds a dictionary."""
NOT_PACKED = -1
"""The size of a buffer that was not worth packing."""


class BatchLocation(NamedTuple):
    """The location of a batch in a file: its metadata, and the buffers after them."""

    offset: int
    metadata: int
    body: int


def refuse_large_batches(source: Any, location: Location, *, packed: int, together: bool = False) -> None:
    """Refuse record batches that would not fit into memory.

    Args:
        source: the open file.
        location: of the file.
        packed: its size.
        together: whether all batches are read at once, and not one at a time.

    Raises:
        InputError: they would take more than the budget, or the footer makes no sense.
    """
    sizes, dictionaries = batch_sizes(source, location)
    size = dictionaries + (sum(sizes) if together else max(sizes, default=0))
    what = f"{len(sizes):,} record batches" if together else "a record batch"
    require(size, what, INSTEAD, location=location, usual=max(ALWAYS, USUAL * packed))


def rows_of_text_within(batch: Any, most: int) -> int:
    """The number of rows of a batch whose texts can be written out together, at most ``most``.

    Texts of a dictionary are there once, and once for each row where they are ids.
    """
    return max(1, min(most, max(budget(), ALWAYS) // SHARE // _longest_texts(batch.columns)))


def refuse_long_texts(batches: Sequence[Any], location: Location, *, packed: int) -> None:
    """Refuse batches that are read together, whose dictionaries hold texts that are too long to be written out.

    Raises:
        InputError: they would take more than the budget.
    """
    size = sum(batch.num_rows * _longest_texts(batch.columns) for batch in batches)
    what = f"{sum(batch.num_rows for batch in batches):,} rows"
    require(size, what, INSTEAD, location=location, usual=max(ALWAYS, USUAL * packed))


def _longest_texts(columns: Sequence[Any]) -> int:
    """The bytes of a row that has the longest text of each dictionary, at least 1."""
    coded = [column for column in columns if pa.types.is_dictionary(column.type)]
    kinds = pa.string(), pa.large_string(), pa.binary(), pa.large_binary()
    texts = [column.dictionary for column in coded if column.type.value_type in kinds]
    return 1 + sum(pc.max(pc.binary_length(dictionary)).as_py() or 0 for dictionary in texts)


def batch_sizes(source: Any, location: Location) -> tuple[list[int], int]:
    """The bytes of each record batch after unpacking, and those of all dictionaries.

    Args:
        source: the open file.
        location: of the file.

    Raises:
        InputError: its footer makes no sense.
    """
    try:
        dictionaries, batches = _blocks(source)
        return [_unpacked(source, block) for block in batches], sum(_unpacked(source, block) for block in dictionaries)
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        text = f"the footer of the Arrow data is damaged ({error}); copy or write the file again"
        raise InputError(text, location, code="damaged") from None


def _blocks(source: Any) -> tuple[list[BatchLocation], list[BatchLocation]]:
    size = source.size()
    length, magic = struct.unpack("<i6s", source.read_at(END, max(0, size - END)))
    if magic != MAGIC or not 0 < length <= size - END:
        raise ValueError("no length of a footer")
    footer = _FieldTable.root(source.read_at(length, size - END - length))
    return footer.blocks(2), footer.blocks(3)


def _unpacked(source: Any, block: BatchLocation) -> int:
    """The bytes of a batch, or of a dictionary, after unpacking."""
    message = _FieldTable.root(_without_length(source.read_at(block.metadata, block.offset)))
    header = message.table(2)
    if message.number(1, "<B") == DICTIONARY_BATCH:
        header = None if header is None else header.table(1)
    if header is None:
        return 0
    buffers = header.pairs(2)
    if header.table(3) is None:
        return sum(length for _, length in buffers)
    total = 0
    for offset, length in buffers:
        if length > 0:
            (unpacked,) = struct.unpack("<q", source.read_at(8, block.offset + block.metadata + offset))
            total += length if unpacked == NOT_PACKED else max(0, unpacked)
    return total


def _without_length(text: bytes) -> bytes:
    """The metadata of a message after its length, before which there may be a mark of four bytes."""
    return text[8:] if text[:4] == b"\xff\xff\xff\xff" else text[4:]


class _FieldTable:
    """A table of FlatBuffers: its fields by number."""

    def __init__(self, text: bytes, position: int) -> None:
        self.text = text
        self.position = position
        self.fields = position - self._unpack("<i", position)

    @classmethod
    def root(cls, text: bytes) -> _FieldTable:
        """The table that a text holds."""
        return cls(text, struct.unpack_from("<I", text)[0])

    def number(self, field: int, kind: str) -> int:
        """A number; 0 where the field is not there."""
        at = self._offset(field)
        return 0 if at is None else self._unpack(kind, at)

    def table(self, field: int) -> _FieldTable | None:
        """A table; None where the field is not there."""
        at = self._offset(field)
        return None if at is None else _FieldTable(self.text, at + self._unpack("<I", at))

    def blocks(self, field: int) -> list[BatchLocation]:
        """A vector of blocks."""
        first, count = self._vector(field, 24)
        return [BatchLocation(*struct.unpack_from("<qi4xq", self.text, first + 24 * number)) for number in range(count)]

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A vector of two numbers each."""
        first, count = self._vector(field, 16)
        return [struct.unpack_from("<qq", self.text, first + 16 * number) for number in range(count)]

    def _vector(self, field: int, size: int) -> tuple[int, int]:
        """The position of the first element, and the number of elements."""
        at = self._offset(field)
        if at is None:
            return 0, 0
        start = at + self._unpack("<I", at)
        count = self._unpack("<I", start)
        if count * size > len(self.text):
            raise ValueError("a list that is longer than the file")
        return start + 4, count

    def _offset(self, field: int) -> int | None:
        """The position of a field."""
        entry = 4 + 2 * field
        if entry >= self._unpack("<H", self.fields):
            return None
        offset = self._unpack("<H", self.fields + entry)
        return self.position + offset if offset else None

    def _unpack(self, kind: str, position: int) -> int:
        if position < 0:
            raise ValueError("a position before the file")
        number: int = struct.unpack_from(kind, self.text, position)[0]
        return number
