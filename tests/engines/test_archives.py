"""Compressed files: read whole, recognised by content; cut short or damaged they are refused, by both engines alike."""

from __future__ import annotations

import bz2
import functools
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
from xz_streams import CHECKS, FIRST, SECOND, WRONG, Stream

from cranfield.engine import Engine

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

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


@functools.cache
def large(kind: str) -> bytes:
    """20,000 lines in an archive, packed once for both engines."""
    lines = (b"1 Q0 doc-%d 1 %d.5 sys\n" % (line * line, line % 977) for line in range(20_000))
    return ONE_MEMBER[kind](b"".join(lines))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_large_files(any_engine: Engine, kind: str, tmp_path: Path) -> None:
    """Longer than any buffer on the way, and read from a file."""
    file = tmp_path / "large"
    file.write_bytes(large(kind))
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ONE_MEMBER)
def test_every_flipped_bit(compiled: Engine, reference: Engine, kind: str) -> None:
    packed = ONE_MEMBER[kind](FIRST)
    whole = read_run(reference, FIRST)
    refused = 0
    for at in range(len(packed)):
        for bit in range(8):
            flipped = packed[:at] + bytes([packed[at] ^ 1 << bit]) + packed[at + 1 :]
            found, wanted = read_run(compiled, flipped), read_run(reference, flipped)
            assert found == wanted, (at, bit)
            refused += isinstance(found, Refused)
            if kind not in UNCHECKED:
                assert isinstance(found, Refused) or found == whole, (at, bit)
    assert refused > 4 * len(packed)


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


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("exponent", [None, 0, 18, 31])
@pytest.mark.parametrize("earlier", [b"", zstd.compress(SECOND)], ids=["alone", "after another"])
def test_a_frame_that_names_a_dictionary(
    any_engine: Engine, earlier: bytes, exponent: int | None, number: int, size: int
) -> None:
    """However large its window is, or where it is a single segment, whose window is what comes out of it."""
    flag = {1: 1, 2: 2, 4: 3}[size]
    content = (1 << 28).to_bytes(4, "little")
    dictionary = number.to_bytes(size, "big")
    if exponent is None:
        header = bytes([0b10_100000 | flag]) + dictionary + content
    else:
        header = bytes([flag, exponent << 3]) + dictionary
    frame = b"\x28\xb5\x2f\xfd" + header + (len(FIRST) << 3 | 1).to_bytes(3, "little") + FIRST
    found = read_run(any_engine, earlier + frame)
    if number:
        assert isinstance(found, Refused) and found.code == "unreadable"
    elif exponent == 0:
        assert found == read_run(any_engine, (SECOND if earlier else b"") + FIRST)
    else:
        assert found == Refused("window", 0, "", 0, "zstd")


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


@pytest.mark.parametrize("check", CHECKS)
def test_a_stream_of_two_blocks(any_engine: Engine, check: int) -> None:
    stream = Stream(check=check)
    assert stream.blocks[0].zeros, "there is padding that can be damaged"
    assert read_run(any_engine, stream.packed()) == read_run(any_engine, FIRST + SECOND)


@pytest.mark.parametrize("part", WRONG)
def test_every_part_of_a_stream_must_state_what_is_so(compiled: Engine, reference: Engine, part: str) -> None:
    """Wherever it then ends, both engines say the same."""
    stream = Stream()
    right = stream.packed()
    WRONG[part](stream)
    packed = stream.packed()
    assert packed != right
    found = read_run(compiled, packed)
    assert isinstance(found, Refused) and found.code == "unreadable"
    for end in range(8, len(packed) + 1):
        assert read_run(compiled, packed[:end]) == read_run(reference, packed[:end]), end


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_many_small_members(any_engine: Engine, kind: str) -> None:
    """As bgzip writes them: what one member takes must not grow with what follows it."""
    lines = [b"1 Q0 doc-%d 1 %d.5 sys\n" % (line, line) for line in range(1000)]
    packed = b"".join(ONE_MEMBER[kind](line) for line in lines)
    assert read_run(any_engine, packed) == read_run(any_engine, b"".join(lines))


@functools.cache
def bomb(kind: str, size: int) -> bytes:
    """Empty lines in an archive, packed once for both engines."""
    return ONE_MEMBER[kind](b"\n" * size)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_bombs_are_refused_before_they_fill_the_memory(any_engine: Engine, kind: str) -> None:
    size = 100 << 20
    packed = bomb(kind, size)
    limit = 200 * len(packed) + (64 << 20)
    assert limit < size
    assert read_run(any_engine, packed) == Refused("bomb", 0, "", limit, kind)


def test_empty_archives_hold_no_rows(any_engine: Engine) -> None:
    for pack in ONE_MEMBER.values():
        assert read_run(any_engine, pack(b"")) == Refused("empty", 0, "", 0, "")
