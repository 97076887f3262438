"""The dictionary of xz: no larger than the text that is unpacked, wherever that is stated, and whatever is stated."""

from __future__ import annotations

import hashlib
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outcomes import Refused, outcome
from xz_streams import Stream, instructions, number

from cranfield.engine import Engine

LINES = 5_000
"""Of a list: 64 bytes each, so that a text of two lists looks back on more than 256 KiB."""


def lists(topics: str, seed: int = 1) -> bytes:
    """The same documents in every topic, with names in which nothing else repeats."""
    names = np.random.default_rng(seed).bytes(20 * LINES).hex()
    documents = [names[40 * line : 40 * line + 40] for line in range(LINES)]
    return "".join(f"{topic} Q0 {one} 1 {-n} sys\n" for topic in topics for n, one in enumerate(documents)).encode()


@cache
def packed(text: bytes, dictionary: int = 1 << 26) -> bytes:
    return lzma.compress(text, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": dictionary}])


def hashes(engine: Engine, data: bytes | str) -> Any:
    """What is read, in short."""
    found = outcome(engine.read_run, data, "trec", 0, "error")
    if isinstance(found, Refused):
        return found
    found.pop("sha256")
    return hashlib.sha256(repr(found).encode()).digest()


SMALL, LARGE = lists("a"), lists("bc", seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("texts", [(LARGE,), (LARGE, SMALL), (SMALL, LARGE)], ids=len)
def test_what_is_looked_back_on_is_there(any_engine: Engine, texts: tuple[bytes, ...]) -> None:
    """One stream, whose index is at the end of the archive, and two, of which only the last one's is."""
    expected = hashes(any_engine, b"".join(texts))
    assert not isinstance(expected, Refused)
    assert hashes(any_engine, b"".join(map(packed, texts))) == expected
    assert hashes(any_engine, b"".join(map(packed, texts)) + bytes(8)) == expected


def blocks(*texts: bytes) -> Stream:
    """A stream of blocks that state their sizes and ask for a dictionary of 1 MiB."""
    stream = Stream(texts)
    for block, text in zip(stream.blocks, texts, strict=True):
        block.data = instructions(text, 1 << 20)
        block.filters, block.zeros = b"\x21\x01\x10", bytes(-len(block.data) % 4)
        block.stated = number(len(block.data)), number(len(text))
        block.sizes = len(block.header()) + len(block.data), len(text)
    stream.sizes = [block.sizes for block in stream.blocks]
    return stream


@pytest.mark.parametrize("texts", [(LARGE,), (SMALL, LARGE)], ids=len)
def test_blocks_look_back_on_no_more_than_themselves(
    any_engine: Engine, texts: tuple[bytes, ...], tmp_path: Path
) -> None:
    stream, path = blocks(*texts), tmp_path / "run.xz"
    path.write_bytes(stream.packed())
    assert hashes(any_engine, str(path)) == hashes(any_engine, b"".join(texts))
    assert lzma.decompress(stream.packed()) == b"".join(texts)


@pytest.mark.parametrize("states", [1, 4_096, len(SMALL), len(LARGE) - 1, len(LARGE) + 1, 1 << 40])
@pytest.mark.parametrize("where", ["index", "header"])
def test_a_text_of_another_size_than_stated_is_damaged(
    compiled: Engine, reference: Engine, where: str, states: int
) -> None:
    """Even where what it looks back on is beyond the dictionary that the stated size would need."""
    stream = blocks(LARGE)
    block = stream.blocks[0]
    if where == "header":
        block.stated = number(len(block.data)), number(states)
    stream.sizes = [(len(block.header()) + len(block.data), states if where == "index" else len(LARGE))]
    found = hashes(compiled, stream.packed())
    assert isinstance(found, Refused) and found.code == "unreadable"
    assert hashes(reference, stream.packed()) == found
