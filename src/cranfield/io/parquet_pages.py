"""The pages of a Parquet file as their own headers state them, which are read without unpacking a page.

A footer may state other sizes than the pages have: it decides what is read, and the pages what that takes. Headers are
structs of Thrift's compact protocol (parquet-format 2.x, ``PageHeader``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

HEADER = 256
"""Bytes that are read for a header at first; statistics may make it longer."""
LONGEST_HEADER = 16 << 20
"""Bytes of the longest header that PyArrow reads."""
TYPE, UNPACKED, PACKED, DATA, DICTIONARY, DATA_V2 = 1, 2, 3, 5, 7, 8
"""Fields of a header."""
DICTIONARY_PAGE = 2


class Page(NamedTuple):
    """A page of a column.

    Args:
        unpacked: its bytes after unpacking.
        values: how many it holds.
        is_dictionary: whether these are the values that other pages refer to.
    """

    unpacked: int
    values: int
    is_dictionary: bool


class DamagedPageError(ValueError):
    """A header of a page makes no sense."""


def read_pages(source: Any, chunk: Any) -> Iterator[Page]:
    """The pages of a column of a row group, as far as a reader goes.

    Args:
        source: the open ``pyarrow.NativeFile``. PyArrow may be reading ahead in it, so nothing relies on its position.
        chunk: the footer's ``ColumnChunkMetaData``.

    Raises:
        DamagedPageError: a header makes no sense, or lies outside the file.
    """
    offsets = [chunk.data_page_offset, chunk.dictionary_page_offset if chunk.has_dictionary_page else None]
    position = min(offset for offset in offsets if offset is not None)
    end = min(source.size(), position + chunk.total_compressed_size)
    values = 0
    while values < chunk.num_values and 0 <= position < end:
        fields, length = _read_header(source, position)
        unpacked, packed = fields.get(UNPACKED), fields.get(PACKED)
        if not (isinstance(unpacked, int) and isinstance(packed, int) and unpacked >= 0 and packed >= 0):
            raise DamagedPageError(f"the page at byte {position:,} states no size")
        own = fields.get(DATA) or fields.get(DATA_V2) or fields.get(DICTIONARY) or {}
        is_dictionary = fields.get(TYPE) == DICTIONARY_PAGE
        page = Page(unpacked, max(0, int(own.get(1, 0))), is_dictionary)
        yield page
        values += 0 if is_dictionary else page.values
        position += length + packed


def _read_header(source: Any, position: int) -> tuple[dict[int, Any], int]:
    """The fields of a header, and its length."""
    size = HEADER
    while True:
        text = source.read_at(size, position)
        try:
            reader = _Compact(text)
            return reader.read_struct(), reader.position
        except IndexError:
            if len(text) < size or size >= LONGEST_HEADER:
                raise DamagedPageError(f"the page at byte {position:,} has no header") from None
        size *= 16


class _Compact:
    """A reader of Thrift's compact protocol; it raises IndexError where the bytes end."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.position = 0

    def read_struct(self, depth: int = 0) -> dict[int, Any]:
        """Fields by their numbers."""
        if depth > 8:
            raise DamagedPageError("a header of a page is nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._read_byte():
            number = number + (head >> 4) if head >> 4 else self._read_integer()
            fields[number] = self._read_value(head & 15, depth)
        return fields

    def _read_value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):  # a truth value, which its type states
            return kind == 1
        if kind in (4, 5, 6):
            return self._read_integer()
        if kind == 12:
            return self.read_struct(depth + 1)
        if kind not in (3, 7, 8):
            raise DamagedPageError("a header of a page has a field of an unknown kind")
        length = self._read_number() if kind == 8 else {3: 1, 7: 8}[kind]
        self.position += length
        if self.position > len(self.text):
            raise IndexError
        return None

    def _read_byte(self) -> int:
        byte = self.text[self.position]
        self.position += 1
        return byte

    def _read_number(self) -> int:
        number = shift = 0
        while True:
            byte = self._read_byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
            if shift > 63:
                raise DamagedPageError("a header of a page has a number of more than 64 bits")

    def _read_integer(self) -> int:
        number = self._read_number()
        return (number >> 1) ^ -(number & 1)
