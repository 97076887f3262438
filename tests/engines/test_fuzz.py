"""Any bytes at every entrance, on both engines: no crash, no hang, no memory without bound, and one outcome.

Files come from the corpus of the fuzz targets (``engine/fuzz``), from pieces of lines and from nowhere, plain or
packed; each may have had an accident. ``make fuzz`` looks longer.
"""

from __future__ import annotations

import bz2
import contextlib
import faulthandler
import gzip
import lzma
import re
import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from unittest import mock

import pytest
from entrances import assert_worded, everything
from files import PIECES, damaged, judgments, qrels, runs
from hypothesis import event, given
from hypothesis import strategies as st
from outcomes import Judge, Refused

from cranfield import CranfieldError, CranfieldWarning, check, engine
from cranfield.engine import Engine
from cranfield.io.system_names import stem, system_names
from cranfield.scoring import score
from effort import examples, thorough

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CORPUS = Path(__file__).parents[2] / "engine" / "fuzz" / "corpus"
MET = CORPUS.parents[2] / ".cache" / "fuzz"
"""What the fuzz targets met on this machine; much, and left to the thorough profile."""

SEEDS = {f"{path.parent.name}/{path.name}": path for path in sorted(CORPUS.glob("*/*"))}
ALL = SEEDS | ({f"{path.parent.name}/{path.name}": path for path in sorted(MET.glob("*/*"))} if thorough() else {})

SECONDS, MEMORY = 30, 3 << 30
"""What one example may take, and by how much the address space may grow meanwhile."""


@pytest.fixture(autouse=True, scope="module")
def bounded_memory() -> Iterator[None]:
    usual = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, usual[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, usual)


@contextlib.contextmanager
def bounded_time() -> Iterator[None]:
    """A hang ends all, with a trace of where."""
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="module")
def judges(compiled: Engine, reference: Engine) -> tuple[Judge, Judge]:
    return Judge.of(compiled, judgments()), Judge.of(reference, judgments())


def assert_one_outcome(judges: tuple[Judge, Judge], data: bytes) -> str:
    with bounded_time():
        ours, theirs = (everything(judge, data) for judge in judges)
    for entrance, found in ours.items():
        assert found == theirs[entrance], entrance
    assert ours.keys() == theirs.keys()
    assert_worded(ours)
    return "refused" if all(isinstance(found, Refused) for found in ours.values()) else "read by some entrance"


@pytest.mark.parametrize("file", ALL)
def test_the_corpus(judges: tuple[Judge, Judge], file: str) -> None:
    assert_one_outcome(judges, ALL[file].read_bytes())


def test_the_corpus_is_there() -> None:
    assert len(SEEDS) > 50
    assert sum(path.stat().st_size for path in SEEDS.values()) < 200_000, "a small corpus is tried in a minute"


seeds = st.sampled_from([path.read_bytes() for path in SEEDS.values() if path.parent.name in ("run", "qrels")])
words = st.lists(st.sampled_from((*PIECES, b"1", b"d", b"Q0", b" ", b" ", b" ", b"\n", b"\t", b"0", b"t")), max_size=40)
files = seeds | damaged(seeds) | words.map(b"".join) | st.binary(max_size=300) | damaged(runs()) | damaged(qrels())


@pytest.mark.slow
@examples(200)
@given(data=files)
def test_any_bytes(judges: tuple[Judge, Judge], data: bytes) -> None:
    event(assert_one_outcome(judges, data))


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
}


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """One or several members of one kind, with an accident or without."""
    pack = PACK[draw(st.sampled_from(list(PACK)))]
    members = draw(st.lists(seeds | st.just(b""), min_size=1, max_size=3))
    packed = b"".join(pack(data) for data in members)
    return draw(st.just(packed) | damaged(st.just(packed)))


@pytest.mark.slow
@examples(150)
@given(data=archives())
def test_any_archive(judges: tuple[Judge, Judge], data: bytes) -> None:
    event(assert_one_outcome(judges, data))


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("files")
    return folder / "x.run", folder / "q"


@examples(40)
@given(run=files | archives(), judged=st.just(judgments()) | files)
def test_the_package_refuses_or_scores(
    judges: tuple[Judge, Judge], paths: tuple[Path, Path], run: bytes, judged: bytes
) -> None:
    """Through ``check`` and ``score``: findings and numbers, or an error of ours, and the same on both engines."""
    for path, data in zip(paths, (run, judged), strict=True):
        path.write_bytes(data)
    found = []
    for judge in judges:
        with mock.patch.object(engine, "current", lambda chosen=judge.engine: chosen), bounded_time():
            found.append(checked_and_scored(*map(str, paths)))
    assert found[0] == found[1]


def checked_and_scored(run: str, judged: str) -> tuple[str, ...]:
    lines = [f"{finding.where}: {finding.text}" for finding in check([run], judged).findings]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        try:
            table = score(run, judged, ["nDCG@10", "AP"])
            lines += [table.values.tobytes().hex(), *map(str, table.remarks)]
        except CranfieldError as error:
            lines.append(str(error))
    assert all(line.isprintable() for line in lines)
    # What cannot be unpacked is called truncated or damaged, as each decompressor sees it.
    return tuple(re.sub(r"data (end too early|are damaged).*", "data ...", line) for line in lines)


@examples(200)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=[]), min_size=1), max_size=5))
def test_every_file_has_a_name(paths: list[str]) -> None:
    try:
        names = system_names(paths)
    except CranfieldError as error:
        assert str(error).isprintable()
        return
    assert len(set(names)) == len(names) == len(paths)
    for path, name in zip(paths, names, strict=True):
        assert name or not PurePath(path).name, "what has no name is a folder"
        assert name.endswith(stem(path))
