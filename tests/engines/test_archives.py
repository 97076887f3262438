"""Compressed files: read whole, recognised by content; cut short or damaged they are refused, by both engines alike."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from outcomes import Refused, outcome

from cranfield.contract import Engine

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FIRST = b"".join(b"%d Q0 doc-%d 1 %d.5 sys\n" % (line // 4, 7 * line % 10, 9 - line) for line in range(6))
SECOND = b"3 Q0 doc-1 1 7e-1 sys\n3 Q0 doc-2 2 .5 sys\n"
SUMMED: dict[int, int] = {zstd.CompressionParameter.checksum_flag: 1}
UNSIZED: dict[int, int] = {zstd.CompressionParameter.content_size_flag: 0, zstd.CompressionParameter.checksum_flag: 1}
SKIPPED = struct.pack("<II", 0x184D2A53, 5) + b"skip!"


def read_run(engine: Engine, packed: bytes, limit: int = 0) -> Any:
    """What is read, but for the hash, which is that of the packed bytes."""
    found = outcome(engine.read_run, packed, "trec", limit, "error")
    if not isinstance(found, Refused):
        assert found.pop("sha256") == hashlib.sha256(packed).hexdigest()
    return found


def gzip_with_everything(data: bytes) -> bytes:
    """All optional fields of the header: text flag, extra field, name, comment and checksum of the header."""
    head = b"\x1f\x8b\x08\x1f" + struct.pack("<IBB", 1_700_000_000, 2, 3)
    head += struct.pack("<H", 7) + b"ab\x03\0xyz" + b"name.run\0" + b"a comment\0"
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    deflate = zlib.compressobj(9, wbits=-15)
    body = deflate.compress(data) + deflate.flush()
    return head + body + struct.pack("<II", zlib.crc32(data), len(data))


def xz(check: int, filters: list[dict[str, int]] | None = None) -> Callable[[bytes], bytes]:
    return lambda data: lzma.compress(data, lzma.FORMAT_XZ, check=check, filters=filters)


MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0", "zstd": b"\x28\xb5\x2f\xfd"}
LZMA = {"id": lzma.FILTER_LZMA2, "preset": 6}

ONE_MEMBER: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "gzip-stored": lambda data: gzip.compress(data, 0, mtime=0),
    "gzip-header": gzip_with_everything,
    "bzip2": bz2.compress,
    "bzip2-1": lambda data: bz2.compress(data, 1),
    "xz": xz(lzma.CHECK_CRC64),
    "xz-crc32": xz(lzma.CHECK_CRC32),
    "xz-sha256": xz(lzma.CHECK_SHA256),
    "xz-unchecked": xz(lzma.CHECK_NONE),
    "xz-delta": xz(lzma.CHECK_CRC32, [{"id": lzma.FILTER_DELTA, "dist": 3}, LZMA]),
    "xz-x86": xz(lzma.CHECK_CRC32, [{"id": lzma.FILTER_X86}, LZMA]),
    "zstd": lambda data: zstd.compress(data, options=SUMMED),
    "zstd-19": lambda data: zstd.compress(data, options={**SUMMED, zstd.CompressionParameter.compression_level: 19}),
    "zstd-unsized": lambda data: zstd.compress(data, options=UNSIZED),
    "zstd-unchecked": zstd.compress,
}
UNCHECKED = {"xz-unchecked", "zstd-unchecked"}
"""Without a checksum of the content, damage may stay unnoticed; both engines must then read the same."""

SEVERAL: dict[str, tuple[bytes, ...]] = {
    "gzip": (gzip.compress(FIRST, mtime=0), gzip.compress(SECOND, mtime=0)),
    "gzip-empty-between": (gzip.compress(FIRST, mtime=0), gzip.compress(b"", mtime=0), gzip_with_everything(SECOND)),
    "gzip-zeros": (gzip.compress(FIRST, mtime=0), b"\0" * 7, gzip.compress(SECOND, mtime=0), b"\0" * 512),
    "bzip2": (bz2.compress(FIRST), bz2.compress(SECOND)),
    "bzip2-empty-between": (bz2.compress(FIRST), bz2.compress(b""), bz2.compress(SECOND)),
    "xz": (xz(lzma.CHECK_CRC64)(FIRST), xz(lzma.CHECK_CRC32)(SECOND)),
    "xz-padding": (xz(lzma.CHECK_CRC64)(FIRST), b"\0" * 8, xz(lzma.CHECK_NONE)(SECOND), b"\0" * 4),
    "xz-empty-between": (xz(lzma.CHECK_CRC64)(FIRST), xz(lzma.CHECK_CRC64)(b""), xz(lzma.CHECK_SHA256)(SECOND)),
    "zstd": (zstd.compress(FIRST), zstd.compress(SECOND, options=SUMMED)),
    "zstd-skippable": (zstd.compress(FIRST), SKIPPED, zstd.compress(SECOND, options=UNSIZED), SKIPPED),
    "zstd-empty-between": (zstd.compress(FIRST), zstd.compress(b""), zstd.compress(SECOND)),
}


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_one_member_is_read_as_the_plain_text(any_engine: Engine, kind: str) -> None:
    assert read_run(any_engine, ONE_MEMBER[kind](FIRST)) == read_run(any_engine, FIRST)


@pytest.mark.parametrize("kind", SEVERAL)
def test_several_members_are_one_text(any_engine: Engine, kind: str) -> None:
    assert read_run(any_engine, b"".join(SEVERAL[kind])) == read_run(any_engine, FIRST + SECOND)


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_a_member_may_end_inside_a_line(any_engine: Engine, kind: str) -> None:
    pack = ONE_MEMBER[kind]
    assert read_run(any_engine, pack(FIRST[:20]) + pack(FIRST[20:])) == read_run(any_engine, FIRST)


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_large_files(any_engine: Engine, kind: str, tmp_path: Path) -> None:
    """Longer than any buffer on the way, and read from a file."""
    text = b"".join(b"1 Q0 doc-%d 1 %d.5 sys\n" % (line * line, line % 977) for line in range(20_000))
    file = tmp_path / "large"
    file.write_bytes(ONE_MEMBER[kind](text))
    found = any_engine.read_run(str(file), "trec", 0, "error")
    assert found["facts"]["rows"] == 20_000
    assert found["score"].tolist() == [line % 977 + 0.5 for line in range(20_000)]


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_every_cut_is_refused(compiled: Engine, reference: Engine, kind: str) -> None:
    packed = ONE_MEMBER[kind](FIRST)
    for end in range(8, len(packed)):
        found = read_run(compiled, packed[:end])
        assert found == read_run(reference, packed[:end]), end
        assert isinstance(found, Refused) and found.code == "unreadable", end


@pytest.mark.parametrize("kind", SEVERAL)
def test_every_cut_of_several_members_is_refused_but_between_them(
    compiled: Engine, reference: Engine, kind: str
) -> None:
    members = SEVERAL[kind]
    packed = b"".join(members)
    whole = set()
    at = 0
    for member in members:
        whole.add(at + len(member))
        if not member.strip(b"\0"):
            whole |= set(range(at, at + len(member)))
        at += len(member)
    accepted = set()
    for end in range(8, len(packed) + 1):
        found = read_run(compiled, packed[:end])
        assert found == read_run(reference, packed[:end]), end
        if not isinstance(found, Refused):
            accepted.add(end)
    assert accepted == whole


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_every_flipped_bit(compiled: Engine, reference: Engine, kind: str) -> None:
    packed = ONE_MEMBER[kind](FIRST)
    whole = read_run(reference, FIRST)
    refused, reserved = 0, 0
    for at in range(len(packed)):
        for bit in range(8):
            flipped = packed[:at] + bytes([packed[at] ^ 1 << bit]) + packed[at + 1 :]
            found, wanted = read_run(compiled, flipped), read_run(reference, flipped)
            if kind.startswith("zstd") and found == whole and isinstance(wanted, Refused):
                reserved += 1
                continue
            assert found == wanted, (at, bit)
            refused += isinstance(found, Refused)
            if kind not in UNCHECKED:
                assert isinstance(found, Refused) or found == whole, (at, bit)
    assert refused > 4 * len(packed)
    # Two reserved bits in the head of a block: nothing of the data depends on them, and the compiled engine's decoder
    # does not look at them.
    assert reserved <= 2


@pytest.mark.parametrize("kind", ONE_MEMBER)
@pytest.mark.parametrize("garbage", [b"x", b"\n", b"1 Q0 d 1 1 t\n", b"\0\0x", b"\x1f", b"\x1f\x8b", b"BZ", b"\x28"])
def test_what_follows_a_member_must_be_one(compiled: Engine, reference: Engine, kind: str, garbage: bytes) -> None:
    packed = ONE_MEMBER[kind](FIRST) + garbage
    found = read_run(compiled, packed)
    assert found == read_run(reference, packed)
    name, stray = kind.partition("-")[0], garbage.lstrip(b"\0")
    if MAGIC[name].startswith(stray):
        # Another member may have begun, and have been cut off.
        assert isinstance(found, Refused) and found.code == "unreadable"
    else:
        assert found == Refused("trailing", 0, "", len(packed) - len(stray), name)


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_members_of_two_kinds(any_engine: Engine, kind: str) -> None:
    other = "xz" if kind.startswith("gzip") else "gzip"
    packed = ONE_MEMBER[kind](FIRST)
    found = read_run(any_engine, packed + ONE_MEMBER[other](SECOND))
    assert found == Refused("trailing", 0, "", len(packed), kind.partition("-")[0])


@pytest.mark.parametrize("number", range(16))
def test_a_skippable_frame_in_front(any_engine: Engine, number: int) -> None:
    """As pzstd writes it: the size of the frame that follows."""
    packed = zstd.compress(FIRST)
    front = struct.pack("<III", 0x184D2A50 + number, 4, len(packed))
    assert read_run(any_engine, front + packed) == read_run(any_engine, FIRST)
    assert read_run(any_engine, front) == Refused("empty", 0, "", 0, "")
    for end in range(4, len(front)):
        found = read_run(any_engine, front[:end])
        assert isinstance(found, Refused) and found.code == "unreadable", end


@pytest.mark.parametrize(("exponent", "accepted"), [(17, True), (18, False), (31, False)])
def test_windows_of_more_than_128_mib_are_refused(any_engine: Engine, exponent: int, accepted: bool) -> None:
    """A frame of one raw block; its window is 2^(10 + exponent) bytes."""
    frame = b"\x28\xb5\x2f\xfd" + bytes([0, exponent << 3]) + (len(FIRST) << 3 | 1).to_bytes(3, "little") + FIRST
    found = read_run(any_engine, frame)
    assert found == (read_run(any_engine, FIRST) if accepted else Refused("window", 0, "", 0, "zstd"))


@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_limit_of_the_unpacked_size(any_engine: Engine, kind: str) -> None:
    packed = ONE_MEMBER[kind](FIRST)
    name = kind.partition("-")[0]
    assert read_run(any_engine, packed, len(FIRST)) == read_run(any_engine, FIRST)
    for limit in (1, len(FIRST) - 1):
        found = read_run(any_engine, packed, limit)
        assert found == Refused("bomb", 0, "", limit, name)
    both = packed + packed
    found = read_run(any_engine, both, 2 * len(FIRST) - 1)
    assert found == Refused("bomb", 0, "", 2 * len(FIRST) - 1, name)


@pytest.mark.parametrize("size", [0, 1, len(FIRST) - 1, len(FIRST) + 1])
@pytest.mark.parametrize("options", [{}, SUMMED], ids=["unchecked", "summed"])
def test_a_frame_that_promises_another_size(any_engine: Engine, options: dict[int, int], size: int) -> None:
    packed = bytearray(zstd.compress(FIRST, options=options))
    assert (packed[4] & 0xE0, packed[5]) == (0x20, len(FIRST)), "the size is one byte behind the descriptor"
    packed[5] = size
    found = read_run(any_engine, bytes(packed))
    assert isinstance(found, Refused) and found.code == "unreadable"


@pytest.mark.parametrize(("code", "accepted"), [(0, True), (35, True), (36, False), (40, False), (41, False)])
def test_dictionaries_of_a_gibibyte_are_refused(any_engine: Engine, code: int, accepted: bool) -> None:
    """A header of a few bytes could ask for four. Code 35 is 768 MiB, 36 one GiB, 40 the largest."""
    packed = bytearray(lzma.compress(FIRST, check=lzma.CHECK_CRC32))
    header = slice(12, 12 + (packed[12] + 1) * 4 - 4)
    at = packed.index(b"\x21\x01", header.start) + 2
    packed[at] = code
    packed[header.stop : header.stop + 4] = struct.pack("<I", zlib.crc32(packed[header]))
    found = read_run(any_engine, bytes(packed))
    if accepted:
        assert found == read_run(any_engine, FIRST)
    elif code == 41:  # there is no such code
        assert isinstance(found, Refused) and found.code == "unreadable"
    else:
        assert found == Refused("window", 0, "", 0, "xz")


def number(value: int, places: int = 0) -> bytes:
    """As xz writes it: seven bits a byte, the lowest first; in more places than it needs if asked to."""
    out = bytearray()
    while value > 0x7F or len(out) + 1 < places:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def summed(data: bytes) -> bytes:
    return data + struct.pack("<I", zlib.crc32(data))


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


class Stream:
    """A stream of xz of two blocks without checks, whose parts can be made to state what is not so."""

    def __init__(self) -> None:
        raw: list[dict[str, int]] = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]
        self.texts = FIRST, SECOND
        self.data = [lzma.compress(text, lzma.FORMAT_RAW, filters=raw) for text in self.texts]
        self.flags = b"\0\0"
        self.fields = [number(len(data)) + number(len(text)) for data, text in zip(self.data, self.texts, strict=True)]
        self.filters = [b"\x21\x01\x08"] * 2
        self.block_flags = [0xC0, 0xC0]
        self.zeros = [bytes(-len(data) % 4) for data in self.data]
        self.count = number(2)
        self.sizes = [(self.header(at).__len__() + len(self.data[at]), len(self.texts[at])) for at in (0, 1)]
        self.places = 0
        self.index_zeros: bytes | None = None
        self.back = 0
        self.last_flags = self.flags

    def header(self, at: int) -> bytes:
        fields = bytes([self.block_flags[at]]) + self.fields[at] + self.filters[at]
        header = padded(b"?" + fields)
        return summed(bytes([len(header) // 4]) + header[1:])

    def packed(self) -> bytes:
        blocks = b"".join(self.header(at) + self.data[at] + self.zeros[at] for at in (0, 1))
        records = b"".join(number(packed, self.places) + number(text) for packed, text in self.sizes)
        index = b"\0" + self.count + records
        index = summed(padded(index) if self.index_zeros is None else index + self.index_zeros)
        footer = struct.pack("<I", len(index) // 4 - 1 + self.back) + self.last_flags
        head = MAGIC["xz"] + self.flags + struct.pack("<I", zlib.crc32(self.flags))
        return head + blocks + index + struct.pack("<I", zlib.crc32(footer)) + footer + b"YZ"


def one_less(stream: Stream, which: int) -> None:
    sizes = list(stream.sizes[1])
    sizes[which] -= 1
    stream.sizes[1] = (sizes[0], sizes[1])


def one_block(stream: Stream) -> None:
    stream.sizes.pop()
    stream.count = number(1)


WRONG: dict[str, Callable[[Stream], Any]] = {
    "index-packed-size": lambda stream: one_less(stream, 0),
    "index-text-size": lambda stream: one_less(stream, 1),
    "index-order": lambda stream: stream.sizes.reverse(),
    "index-count": lambda stream: setattr(stream, "count", number(3)),
    "index-lacks-a-block": one_block,
    "index-number-too-long": lambda stream: setattr(stream, "places", 3),
    "index-padding": lambda stream: setattr(stream, "index_zeros", b"\1\1\1"),
    "footer-size": lambda stream: setattr(stream, "back", 1),
    "footer-flags": lambda stream: setattr(stream, "last_flags", b"\0\1"),
    "block-packed-size": lambda stream: stream.fields.__setitem__(
        0, number(len(stream.data[0]) - 1) + number(len(FIRST))
    ),
    "block-packed-size-more": lambda stream: stream.fields.__setitem__(
        0, number(len(stream.data[0]) + 1) + number(len(FIRST))
    ),
    "block-packed-size-0": lambda stream: stream.fields.__setitem__(0, number(0) + number(len(FIRST))),
    "block-text-size": lambda stream: stream.fields.__setitem__(
        1, number(len(stream.data[1])) + number(len(SECOND) - 1)
    ),
    "block-text-size-more": lambda stream: stream.fields.__setitem__(
        1, number(len(stream.data[1])) + number(len(SECOND) + 1)
    ),
    "block-number-too-long": lambda stream: stream.fields.__setitem__(
        1, number(len(stream.data[1]), 3) + number(len(SECOND))
    ),
    "block-padding": lambda stream: stream.zeros.__setitem__(0, b"\1" * len(stream.zeros[0])),
    "block-flags": lambda stream: stream.block_flags.__setitem__(0, 0xC4),
    "no-such-filter": lambda stream: stream.filters.__setitem__(0, b"\x22\x01\x08"),
    "two-of-lzma2": lambda stream: (
        stream.block_flags.__setitem__(0, 0xC1),
        stream.filters.__setitem__(0, 2 * b"\x21\x01\x08"),
    ),
    "lzma2-is-not-last": lambda stream: (
        stream.block_flags.__setitem__(0, 0xC1),
        stream.filters.__setitem__(0, b"\x21\x01\x08\x03\x01\0"),
    ),
    "instructions-begin-between-two": lambda stream: (
        stream.block_flags.__setitem__(0, 0xC1),
        stream.filters.__setitem__(0, b"\x07\x04\2\0\0\0\x21\x01\x08"),
    ),
}


def test_a_stream_of_two_blocks(any_engine: Engine) -> None:
    stream = Stream()
    assert stream.zeros[0], "there is padding that can be damaged"
    assert read_run(any_engine, stream.packed()) == read_run(any_engine, FIRST + SECOND)


@pytest.mark.parametrize("part", WRONG)
def test_every_part_of_a_stream_must_state_what_is_so(compiled: Engine, reference: Engine, part: str) -> None:
    """Each with sums that fit what is stated."""
    stream = Stream()
    right = stream.packed()
    WRONG[part](stream)
    packed = stream.packed()
    assert packed != right
    found = read_run(compiled, packed)
    assert found == read_run(reference, packed)
    assert isinstance(found, Refused) and found.code == "unreadable"


@pytest.mark.parametrize("cut", [-1, 0, 1])
@pytest.mark.parametrize("part", WRONG)
def test_what_is_stated_wrongly_and_cut_short(compiled: Engine, reference: Engine, part: str, cut: int) -> None:
    """Both engines say the same of it wherever it ends."""
    stream = Stream()
    WRONG[part](stream)
    packed = stream.packed()
    for end in range(8 + cut % 3, len(packed), 3):
        assert read_run(compiled, packed[:end]) == read_run(reference, packed[:end]), end


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_many_small_members(any_engine: Engine, kind: str) -> None:
    """As bgzip writes them: what one member takes must not grow with what follows it."""
    lines = [b"1 Q0 doc-%d 1 %d.5 sys\n" % (line, line) for line in range(1000)]
    packed = b"".join(ONE_MEMBER[kind](line) for line in lines)
    assert read_run(any_engine, packed) == read_run(any_engine, b"".join(lines))


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_bombs_are_refused_before_they_fill_the_memory(any_engine: Engine, kind: str) -> None:
    size = 100 << 20
    packed = ONE_MEMBER[kind](b"\n" * size)
    limit = 200 * len(packed) + (64 << 20)
    assert limit < size
    assert read_run(any_engine, packed) == Refused("bomb", 0, "", limit, kind)


def test_empty_archives_hold_no_rows(any_engine: Engine) -> None:
    for pack in ONE_MEMBER.values():
        assert read_run(any_engine, pack(b"")) == Refused("empty", 0, "", 0, "")
