"""Data packed as the ending of a file's name says; reading looks at the content instead."""

from __future__ import annotations

import sys


def is_packed(ending: str) -> bool:
    """Whether files of this ending are packed."""
    return ending in (".gz", ".bz2", ".xz", ".zst")


def packed(data: bytes, ending: str) -> bytes:
    """Data as gzip, bzip2, xz or zstd, or as they are; the same data give the same bytes."""
    match ending:
        case ".gz":
            import gzip

            return gzip.compress(data, mtime=0)
        case ".bz2":
            import bz2

            return bz2.compress(data)
        case ".xz":
            import lzma

            return lzma.compress(data)
        case ".zst":
            if sys.version_info >= (3, 14):
                from compression import zstd
            else:
                from backports import zstd

            return zstd.compress(data)
    return data
