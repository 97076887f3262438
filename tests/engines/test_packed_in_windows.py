"""Archives are unpacked in windows: a run is judged without its text ever being held whole.

Texts are larger than a window by far, so that nothing here is decided in the first one.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import itertools
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from outcomes import Judge, Refused, plain
from xz_streams import CHECKS, WRONG, Stream

from cranfield.engine import Engine
from cranfield.errors import EngineError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "bzip2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": lambda data: zstd.compress(data, 1),
}
PEAK = """
import sys
from pathlib import Path
import numpy
from cranfield import _engine

def peak():
    # Of this process alone: what getrusage says began with its parent's.
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

qrels = _engine.read_qrels(b"7 0 d1 1\\n", "trec", 0)
index = _engine.index(qrels["topics"], qrels["starts"], qrels["data"], qrels["offsets"])
before = peak()
if sys.argv[2] == "judge":
    _engine.judge_file(sys.argv[1], "trec", 0, index, "trec", "error", 2, True)
else:
    _engine.read_run(sys.argv[1], "trec", 0, "error")
print(peak() - before)
"""
DEPTH = 100


def lines(count: int) -> list[str]:
    return [f"{at // DEPTH} Q0 d{at % DEPTH} {at % DEPTH + 1} {DEPTH - at % DEPTH} sys\n" for at in range(count)]


def megabytes(what: str, file: Path) -> int:
    """How much a process grows that reads a file; without the C library's keeping a heap for each thread."""
    command = [sys.executable, "-c", PEAK, str(file), what]
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=300, check=True)
    return int(ended.stdout)


@pytest.fixture(scope="module")
def judge(compiled: Engine) -> Judge:
    return Judge.of(compiled, "".join(f"{topic} 0 d{topic % DEPTH} 1\n" for topic in range(0, 2000, 3)).encode())


@pytest.fixture(scope="module")
def text() -> list[str]:
    return lines(150_000)


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")
@pytest.mark.parametrize("packing", ["gzip", "xz", "zstd"])
def test_the_text_is_never_held(packing: str, text: list[str], tmp_path: Path, compiled: Engine) -> None:
    """Of 66 MB of text."""
    file = tmp_path / "run"
    file.write_bytes(PACKED[packing]("".join(text).replace("sys", "sys" + 420 * "m").encode()))
    assert megabytes("judge", file) < 35


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")
def test_what_reading_a_run_takes(tmp_path: Path, compiled: Engine) -> None:
    """The text, and 48 bytes a line until the columns are made, of 30 bytes a line: no second copy of all lines."""
    file = tmp_path / "run"
    file.write_text("".join(f"{at // DEPTH} Q0 d{at % DEPTH} 1 1 s\n" for at in range(1 << 20)))
    assert megabytes("read", file) < 130


@pytest.mark.slow
@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("order", ["grouped", "returning", "one-topic"])
def test_what_is_found_is_what_the_text_gives(
    judge: Judge, text: list[str], packing: str, order: str, tmp_path: Path
) -> None:
    rows = {
        "grouped": text,
        "returning": text[DEPTH // 2 :] + text[: DEPTH // 2],
        "one-topic": [f"3 Q0 d{at} 1 {-at} sys\n" for at in range(len(text))],
    }[order]
    data = "".join(rows).encode()
    half = len(data) // 2
    archive = PACKED[packing](data[:half]) + PACKED[packing](b"") + PACKED[packing](data[half:])
    wanted = judge.file(data, "trec")
    wanted["sha256"] = hashlib.sha256(archive).hexdigest()
    file = tmp_path / "run"
    file.write_bytes(archive)
    for source in (archive, str(file)):
        for threads in (1, 3):
            assert judge.file(source, "trec", threads=threads) == wanted


@pytest.mark.parametrize("packing", PACKED)
def test_a_damaged_archive_is_named_before_its_lines(
    judge: Judge, text: list[str], packing: str, tmp_path: Path
) -> None:
    """As where it was unpacked before it was read: a line near the beginning is wrong, and the archive at its end."""
    rows = [*text[:10], "3 Q0 d1\n", *text[10:]]
    archive = PACKED[packing]("".join(rows).encode())
    file = tmp_path / "run"
    for found, code in (
        (archive, "fields"),
        (archive[:-9], "unreadable"),
        (archive + b"more", "trailing"),
        (archive + archive[: len(archive) // 2], "unreadable"),
    ):
        file.write_bytes(found)
        for source in (found, str(file)):
            refused = judge.file(source, "trec", threads=2)
            assert isinstance(refused, Refused)
            assert refused.code == code


@pytest.fixture(scope="module")
def few(compiled: Engine) -> Judge:
    return Judge.of(compiled, b"0 0 doc-7 1\n3 0 doc-2 2\n")


@pytest.mark.parametrize("check", CHECKS)
def test_blocks_side_by_side_are_one_text(judge: Judge, text: list[str], check: int, tmp_path: Path) -> None:
    """As ``xz -T`` writes them; one that states no sizes and one that is too large to be held stand between them."""
    data = "".join(text).encode()
    cuts = [0, 1, 500_000, 500_000, 1_200_000, 2_000_000, len(data)]
    texts = [data[a:b] for a, b in itertools.pairwise(cuts)]
    stream = Stream(texts, check)
    unsized = stream.blocks[3]
    unsized.flags, unsized.stated = 0, (b"", b"")
    unsized.sizes = len(unsized.header()) + len(unsized.data) + len(unsized.check), unsized.sizes[1]
    large = stream.blocks[4]
    large.filters = b"\x21\x01\x19"  # a dictionary of 24 MiB, where the largest of a block that is held has 16
    stream.sizes = [block.sizes for block in stream.blocks]
    archive = stream.packed()
    wanted = judge.file(data, "trec")
    wanted["sha256"] = hashlib.sha256(archive).hexdigest()
    file = tmp_path / "run"
    file.write_bytes(archive)
    for source in (archive, str(file)):
        for threads in (1, 2, 3, 8):
            assert judge.file(source, "trec", threads=threads) == wanted


def said(judge: Judge, archive: bytes, threads: int, limit: int = 0) -> Any:
    """What is found; of an archive that is refused, whether it is damaged or cut short too."""
    try:
        return plain(judge.engine.judge_file(archive, "trec", limit, judge.index, "trec", "error", threads, True))
    except EngineError as error:
        return error.code, error.line, error.value, error.number, error.more


def alike(judge: Judge, archive: bytes, limit: int = 0) -> bool:
    return said(judge, archive, 1, limit) == said(judge, archive, 2, limit) == said(judge, archive, 3, limit)


@pytest.mark.parametrize("part", WRONG)
def test_a_wrong_part_is_named_the_same_on_any_number_of_threads(few: Judge, part: str) -> None:
    """Wherever the archive ends; one that is damaged and cut short may be called either."""
    stream = Stream()
    WRONG[part](stream)
    packed = stream.packed()
    assert alike(few, packed)
    for end in range(8, len(packed)):
        assert few.file(packed[:end], "trec", threads=3) == few.file(packed[:end], "trec", threads=1), end


@pytest.mark.parametrize("check", CHECKS)
def test_every_cut_is_named_the_same_on_any_number_of_threads(few: Judge, check: int) -> None:
    packed = Stream(check=check).packed()
    for end in range(8, len(packed)):
        assert alike(few, packed[:end]), end
        assert said(few, packed[:end], 3)[0] == "truncated", end
    assert alike(few, packed)


@pytest.mark.parametrize("check", CHECKS)
def test_every_flipped_bit_is_named_the_same_on_any_number_of_threads(few: Judge, check: int) -> None:
    packed = Stream(check=check).packed()
    for at in range(len(packed)):
        assert alike(few, packed[:at] + bytes([packed[at] ^ 1 << at % 8]) + packed[at + 1 :]), at


@pytest.mark.parametrize("part", ["nothing", "block-padding", "footer-flags"])
def test_the_limit_is_met_before_damage_that_follows_it(few: Judge, part: str) -> None:
    stream = Stream()
    WRONG.get(part, lambda _: None)(stream)
    for limit in range(1, 250, 3):
        assert alike(few, stream.packed(), limit), limit
