"""Parquet files whose footers state other numbers than the file has, for tests of strangers' files.

A footer is a struct of Thrift's compact protocol; ``restate`` reads it, changes numbers, and writes it back.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

Fields = dict[int, tuple[int, Any]]
"""Number of a field -> its kind and value."""
NUMBERS, TEXT, LISTS, STRUCT = (4, 5, 6), 8, (9, 10), 12
ROWS, GROUPS = 3, 4
COLUMNS, GROUP_ROWS = 1, 3
COLUMN = 3
STATED = {"values": 5, "unpacked": 6, "packed": 7}


def restate(path: Path, **numbers: int) -> None:
    """Change what a footer states.

    Args:
        path: of the file.
        numbers: ``rows`` of the file and ``group_rows`` of each row group; ``values`` of each column, and its
            bytes ``unpacked`` and ``packed``.
    """
    content = path.read_bytes()
    length = struct.unpack("<I", content[-8:-4])[0]
    footer = _Reader(content[-8 - length : -8]).read_struct()
    if "rows" in numbers:
        footer[ROWS] = footer[ROWS][0], numbers["rows"]
    for group in footer[GROUPS][1][1]:
        if "group_rows" in numbers:
            group[GROUP_ROWS] = group[GROUP_ROWS][0], numbers["group_rows"]
        for chunk in group[COLUMNS][1][1]:
            column = chunk[COLUMN][1]
            for name in STATED.keys() & numbers.keys():
                column[STATED[name]] = column[STATED[name]][0], numbers[name]
    written = _write_struct(footer)
    path.write_bytes(content[: -8 - length] + written + struct.pack("<I", len(written)) + b"PAR1")


class _Reader:
    def __init__(self, text: bytes) -> None:
        self.text = text
        self.at = 0

    def read_struct(self) -> Fields:
        fields: Fields = {}
        number = 0
        while head := self.take(1)[0]:
            number = number + (head >> 4) if head >> 4 else self.read_integer()
            fields[number] = head & 15, self.read(head & 15)
        return fields

    def read(self, kind: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind in NUMBERS:
            return self.read_integer()
        if kind == STRUCT:
            return self.read_struct()
        if kind in LISTS:
            head = self.take(1)[0]
            count = self.read_number() if head >> 4 == 15 else head >> 4
            return head & 15, [self.take(1) if head & 15 in (1, 2) else self.read(head & 15) for _ in range(count)]
        return self.take(self.read_number() if kind == TEXT else {3: 1, 7: 8}[kind])

    def take(self, count: int) -> bytes:
        self.at += count
        return self.text[self.at - count : self.at]

    def read_number(self) -> int:
        number = shift = 0
        while (byte := self.take(1)[0]) > 127:
            number |= (byte & 127) << shift
            shift += 7
        return number | byte << shift

    def read_integer(self) -> int:
        number = self.read_number()
        return number >> 1 ^ -(number & 1)


def _write_struct(fields: Fields) -> bytes:
    out, last = b"", 0
    for number, (kind, value) in sorted(fields.items()):
        head = 2 - value if kind in (1, 2) else kind
        step = number - last
        out += bytes([step << 4 | head]) if 0 < step < 16 else bytes([head]) + _write_integer(number)
        out += _write(kind, value)
        last = number
    return out + b"\0"


def _write(kind: int, value: Any) -> bytes:
    if kind in (1, 2):
        return b""
    if kind in NUMBERS:
        return _write_integer(value)
    if kind == STRUCT:
        return _write_struct(value)
    if kind in LISTS:
        of, elements = value
        head = bytes([len(elements) << 4 | of]) if len(elements) < 15 else bytes([240 | of]) + _number(len(elements))
        return head + b"".join(element if of in (1, 2) else _write(of, element) for element in elements)
    return (_number(len(value)) if kind == TEXT else b"") + value


def _number(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _write_integer(number: int) -> bytes:
    return _number(2 * number if number >= 0 else -2 * number - 1)
