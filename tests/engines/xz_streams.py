"""Streams of xz made part by part, so that a part can be made to state what is not so."""

from __future__ import annotations

import hashlib
import lzma
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import cache

FIRST = b"".join(b"%d Q0 doc-%d 1 %d.5 sys\n" % (line // 4, 7 * line % 10, 9 - line) for line in range(6))
SECOND = b"3 Q0 doc-1 1 7e-1 sys\n3 Q0 doc-2 2 .5 sys\n"
LZMA2 = b"\x21\x01\x08"
"""How a header states that filter."""
CHECKS: dict[int, Callable[[bytes], bytes]] = {
    lzma.CHECK_NONE: lambda _: b"",
    lzma.CHECK_CRC32: lambda text: struct.pack("<I", zlib.crc32(text)),
    lzma.CHECK_SHA256: lambda text: hashlib.sha256(text).digest(),
}


def number(value: int, places: int = 0) -> bytes:
    """As xz writes it: seven bits a byte, the lowest first; in more places than it needs if asked to."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < places:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def summed(data: bytes) -> bytes:
    """With the sum that headers and the index end with."""
    return data + struct.pack("<I", zlib.crc32(data))


@cache
def instructions(text: bytes, dictionary: int = 1 << 16) -> bytes:
    """What a block holds; packing takes longer than what reads it, and many streams have the same texts."""
    return lzma.compress(text, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": dictionary}])


class Block:
    """A block that states its sizes, as ``xz -T`` writes them."""

    def __init__(self, text: bytes, check: int) -> None:
        self.data = instructions(text)
        self.stated = number(len(self.data)), number(len(text))
        self.flags = 0xC0
        self.filters = LZMA2
        self.zeros = bytes(-len(self.data) % 4)
        self.check = CHECKS[check](text)
        self.sizes = len(self.header()) + len(self.data) + len(self.check), len(text)

    def header(self) -> bytes:
        fields = bytes([self.flags]) + b"".join(self.stated) + self.filters
        fields += bytes(-(1 + len(fields)) % 4)
        return summed(bytes([(1 + len(fields)) // 4]) + fields)

    def packed(self) -> bytes:
        return self.header() + self.data + self.zeros + self.check


class Stream:
    """A stream, one block for each text."""

    def __init__(self, texts: Sequence[bytes] = (FIRST, SECOND), check: int = lzma.CHECK_NONE) -> None:
        self.flags = self.last_flags = bytes([0, check])
        self.blocks = [Block(text, check) for text in texts]
        self.sizes = [block.sizes for block in self.blocks]
        self.count = len(texts)
        self.places = 0
        self.index_fill = b"\0"
        self.back = 0

    def packed(self) -> bytes:
        records = b"".join(number(packed, self.places) + number(text) for packed, text in self.sizes)
        index = b"\0" + number(self.count) + records
        index = summed(index + self.index_fill * (-len(index) % 4))
        footer = struct.pack("<I", len(index) // 4 - 1 + self.back) + self.last_flags
        head = b"\xfd7zXZ\0" + summed(self.flags)
        blocks = b"".join(block.packed() for block in self.blocks)
        return head + blocks + index + struct.pack("<I", zlib.crc32(footer)) + footer + b"YZ"


def _size(which: int, more: int) -> Callable[[Stream], None]:
    """The index states a size of the second block that is not its own."""

    def wrong(stream: Stream) -> None:
        sizes = list(stream.sizes[1])
        sizes[which] += more
        stream.sizes[1] = (sizes[0], sizes[1])

    return wrong


def _lacks_a_block(stream: Stream) -> None:
    stream.sizes.pop()
    stream.count -= 1


def _stated(at: int, which: int, more: int, places: int = 0) -> Callable[[Stream], None]:
    """A header states a size that is not the block's, or in more places than it needs."""

    def wrong(stream: Stream) -> None:
        block = stream.blocks[at]
        sizes = [len(block.data), block.sizes[1]]
        sizes[which] += more
        block.stated = number(sizes[0], places), number(sizes[1])

    return wrong


def _filters(flags: int, filters: bytes) -> Callable[[Stream], None]:
    def wrong(stream: Stream) -> None:
        stream.blocks[0].flags, stream.blocks[0].filters = flags, filters

    return wrong


def _nothing_packed(stream: Stream) -> None:
    stream.blocks[0].stated = number(0), stream.blocks[0].stated[1]


def _in_block(name: str, value: Callable[[Block], bytes]) -> Callable[[Stream], None]:
    return lambda stream: setattr(stream.blocks[0], name, value(stream.blocks[0]))


WRONG: dict[str, Callable[[Stream], None]] = {
    "index-packed-size": _size(0, -1),
    "index-text-size": _size(1, 1),
    "index-order": lambda stream: stream.sizes.reverse(),
    "index-count": lambda stream: setattr(stream, "count", 3),
    "index-lacks-a-block": _lacks_a_block,
    "index-number-too-long": lambda stream: setattr(stream, "places", 3),
    "index-padding": lambda stream: setattr(stream, "index_fill", b"\1"),
    "footer-size": lambda stream: setattr(stream, "back", 1),
    "footer-flags": lambda stream: setattr(stream, "last_flags", b"\0\1"),
    "block-packed-size": _stated(0, 0, -1),
    "block-packed-size-more": _stated(0, 0, 1),
    "block-packed-size-much-more": _stated(1, 0, 1000),
    "block-packed-size-0": _nothing_packed,
    "block-text-size": _stated(1, 1, -1),
    "block-text-size-more": _stated(1, 1, 1),
    "block-number-too-long": _stated(1, 0, 0, places=3),
    "block-padding": _in_block("zeros", lambda block: b"\1" * len(block.zeros)),
    "block-flags": lambda stream: setattr(stream.blocks[0], "flags", 0xC4),
    "data": _in_block("data", lambda block: block.data[:9] + bytes([block.data[9] ^ 8]) + block.data[10:]),
    "no-such-filter": _filters(0xC0, b"\x22\x01\x08"),
    "two-of-lzma2": _filters(0xC1, 2 * LZMA2),
    "lzma2-is-not-last": _filters(0xC1, LZMA2 + b"\x03\x01\0"),
    "instructions-begin-between-two": _filters(0xC1, b"\x07\x04\2\0\0\0" + LZMA2),
}
"""Each with sums that fit what is stated."""
