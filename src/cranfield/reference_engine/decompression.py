"""From a file's bytes, compressed or not, to its text."""

from __future__ import annotations

import bz2
import hashlib
import lzma
import os
import re
import sys
import zlib
from pathlib import Path
from typing import Any

from cranfield.engine.protocol import InputSource
from cranfield.errors import EngineError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

XZ_MEMORY = 1 << 30
MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\0", "zstd": b"\x28\xb5\x2f\xfd"}
SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
TOO_LARGE = re.compile("Memory usage limit exceeded|requires too much memory")
"""Messages of lzma and zstd about a dictionary or a window."""


def unpack_text(source: InputSource, max_unpacked: int) -> bytes:
    """The bytes of a file, unpacked where they are compressed."""
    return unpack_signed_text(source, max_unpacked)[0]


def unpack_signed_text(source: InputSource, max_unpacked: int, sign: bool = True) -> tuple[bytes, str]:
    """The unpacked bytes, and the SHA-256 of the bytes as they were read; empty if nothing is to be signed."""
    packed = source if isinstance(source, bytes) else _read_bytes(source)
    digest = hashlib.sha256(packed).hexdigest() if sign else ""
    kind = detect_packing(packed)
    return _unpack(packed, kind, unpacked_limit(len(packed), max_unpacked)) if kind else packed, digest


def unpacked_limit(packed: int, max_unpacked: int) -> int:
    """The largest size that this number of packed bytes may unpack to."""
    return max_unpacked or 200 * packed + (64 << 20)


def _read_bytes(path: str) -> bytes:
    """All bytes of a file, which is refused if it changes while it is read."""
    with Path(path).open("rb") as file:
        before = os.fstat(file.fileno())
        content = file.read()
        after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise EngineError("changed")
    return content


def detect_packing(packed: bytes) -> str | None:
    """``gzip``, ``bzip2``, ``xz`` or ``zstd``, by what the bytes begin with."""
    return next((kind for kind in MAGIC if _begins(packed, kind)), None)


def _begins(packed: bytes, kind: str) -> bool:
    """Tell whether bytes begin as a member, stream or frame of a kind does."""
    if kind == "bzip2":
        # "BZh" alone could begin a text: a block follows it, or the end of an empty file.
        block, end = b"1AY&SY", b"\x17rE8P\x90"
        head = packed[4:10]
        return bool(re.match(rb"BZh[1-9]", packed)) and (block.startswith(head) or end.startswith(head))
    # pzstd writes a frame of zstd in front that holds no data.
    return packed.startswith(MAGIC[kind]) or (kind == "zstd" and bool(SKIPPABLE.match(packed)))


def _decompressor(kind: str) -> Any:
    if kind == "gzip":
        return zlib.decompressobj(wbits=31)
    if kind == "bzip2":
        return bz2.BZ2Decompressor()
    if kind == "xz":
        return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
    return zstd.ZstdDecompressor()


def _unpack(packed: bytes, kind: str, limit: int) -> bytes:
    """All members or streams of a compressed file, one after the other; zero bytes may follow each."""
    parts: list[bytes] = []
    room, offset = limit, 0
    while offset < len(packed):
        head = packed[offset : offset + 16]
        if not _begins(head, kind) and not MAGIC[kind].startswith(head):
            raise EngineError("trailing", number=offset, more=kind)
        member, step = _decompressor(kind), 1 << 12
        while not member.eof:
            if offset >= len(packed):
                raise EngineError("truncated", more=kind)
            try:
                parts.append(member.decompress(packed[offset : offset + step], room + 1))
            except (zlib.error, OSError, lzma.LZMAError, zstd.ZstdError) as error:
                too_large = TOO_LARGE.search(str(error)) and not _names_dictionary(head)
                raise EngineError("window" if too_large else "damaged", more=kind) from None
            room -= len(parts[-1])
            if room < 0:
                raise EngineError("bomb", number=limit, more=kind)
            # Small steps at first: what a step holds of the next member is copied, and members may be tiny and many.
            offset, step = min(offset + step, len(packed)), 2 * step
        zeros = re.compile(rb"\0*").match(packed, offset - len(member.unused_data))
        offset = zeros.end() if zeros else offset
    return b"".join(parts)


def _names_dictionary(head: bytes) -> bool:
    """Tell whether a frame of zstd names a dictionary, without which no memory would be enough to unpack it."""
    if not head.startswith(MAGIC["zstd"]):
        return False
    size, is_single_segment = (0, 1, 2, 4)[head[4] & 0b11], bool(head[4] & 0b10_0000)
    start = 5 if is_single_segment else 6  # only the other frames have a byte for the window
    return any(head[start : start + size])


def refuse_wide(text: bytes) -> None:
    """Refuse text whose first bytes say that it is UTF-16 or UTF-32.

    Raises:
        EngineError: it is.
    """
    if text.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        raise EngineError("utf32")
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise EngineError("utf16")
