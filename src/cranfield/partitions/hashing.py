"""Judgments that are out of order and larger than memory: they and the run are cut into parts by a hash of the topic.

Both are written to temporary files once, so that each part has all rows of its topics and their judgments. This is the
one case in which rows are moved; the scores, and so the sums, are those of any other way.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.array_sorting import distinct
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.memory import size_in_words
from cranfield.partitions.columns import Kinds
from cranfield.partitions.fragments import Fragment
from cranfield.partitions.gathered import ids_of
from cranfield.partitions.parts import Part
from cranfield.partitions.reading import batches

MOST = 512
"""Parts at the most: so many files are written at a time."""
BYTES_PER_SCRATCH_ROW = {True: 24, False: 64}
"""Bytes that a row takes in a temporary file, with document ids that are whole numbers, or text."""
ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads whole numbers; the fraction of the golden ratio, times 2^64."""


class Scratch:
    """A folder of temporary files, removed with this object or at the end of the process.

    Raises:
        InputError: there is no room for so many bytes.
    """

    def __init__(self, needed: int) -> None:
        place = tempfile.gettempdir()
        free = shutil.disk_usage(place).free
        if needed > free:
            text = (
                f"run and judgments are not sorted by topic, and would take {size_in_words(needed)} of temporary "
                f"files, of {size_in_words(free)} free: set TMPDIR to a larger disk, allow more memory (--memory), or "
                "write them sorted by topic"
            )
            raise InputError(text, Place(place), code="disk")
        self.path = Path(tempfile.mkdtemp(prefix="cranfield-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def close(self) -> None:
        """Remove the files."""
        self._end()


def buckets_of(topics: IdColumn, parts: int) -> Ints:
    """The part of each topic, by a hash that is the same for all files."""
    if not isinstance(topics, tuple):
        spread = topics.view(np.uint64) * ODD
        return ((spread >> np.uint64(32)) % np.uint64(parts)).astype(np.int64)
    encoded = ids_of(topics).dictionary_encode()
    hashes = np.array([zlib.crc32(text.encode()) % parts for text in encoded.dictionary.to_pylist()], dtype=np.int64)
    found: Ints = hashes[encoded.indices.to_numpy()]
    return found


def hashed(
    files: Sequence[Fragment], kind: str, name: str, kinds: Kinds, parts: int, rows: int, folder: Path
) -> tuple[list[Fragment], Floats]:
    """The rows of all files by the hash of their topics, in temporary files, and the labels or scores that occur.

    Args:
        files: of a run or of the judgments.
        kind: ``score`` or ``label``.
        name: of the data set, for messages.
        kinds: of the ids.
        parts: how many.
        rows: read at a time.
        folder: to write to.

    Raises:
        InputError: a file cannot be read, or the disk is full.
    """
    import pyarrow as pa

    counts = np.zeros(parts, dtype=np.int64)
    met: list[Floats] = []
    ids = [pa.int64() if whole else pa.large_string() for whole in kinds]
    schema = pa.schema([("topic", ids[0]), ("document", ids[1]), (kind, pa.float64())])
    paths = [folder / f"{number}.arrow" for number in range(parts)]
    with ExitStack() as opened:
        try:
            writers = [opened.enter_context(pa.ipc.new_file(str(path), schema)) for path in paths]
            for fragment in files:
                for topics, documents, number, _ in batches(fragment, kinds, rows):
                    whole = pa.record_batch([ids_of(topics), ids_of(documents), pa.array(number)], schema=schema)
                    counts += _put(whole, buckets_of(topics, parts), writers)
                    if kind == "label":
                        met = [distinct(np.concatenate([*met, number]))]
        except OSError as error:
            text = f"temporary files cannot be written: {error}; set TMPDIR to a larger disk"
            raise InputError(text, Place(str(folder)), code="unwritable") from None
    whole_ids = {"topic": kinds.topic, "document": kinds.document}
    found = [_fragment(path, f"{name} (part {n + 1} of {parts})", kind, whole_ids) for n, path in enumerate(paths)]
    sized = [one.sized(int(count)) for one, count in zip(found, counts, strict=True)]
    return sized, met[0] if met else np.empty(0)


def _put(batch: Any, bucket: Ints, writers: Sequence[Any]) -> Ints:
    """Write each row to the file of its part, in order; how many each got."""
    import pyarrow as pa

    ordered = batch.take(pa.array(np.argsort(bucket, kind="stable")))
    counts = np.bincount(bucket, minlength=len(writers))
    ends = np.cumsum(counts)
    for part in np.flatnonzero(counts).tolist():
        writers[part].write_batch(ordered.slice(int(ends[part] - counts[part]), int(counts[part])))
    return counts


def _fragment(path: Path, name: str, kind: str, whole: dict[str, bool]) -> Fragment:
    from pyarrow import fs

    roles = {role: role for role in ("topic", "document", kind)}
    system = fs.LocalFileSystem()
    return Fragment(path=str(path), name=name, system=system, form="ipc", roles=roles, constants={}, whole=whole)


def side_by_side(run: Sequence[Fragment], qrels: Sequence[Fragment]) -> list[Part]:
    """A part for each hash, with its judgments."""
    return [Part(number, (one,), (judged,)) for number, (one, judged) in enumerate(zip(run, qrels, strict=True))]


def folder_of(files: Sequence[Fragment]) -> str:
    """How messages call a data set: its one file, or the folder of the first."""
    return files[0].name if len(files) == 1 else files[0].name.rpartition("/")[0] or files[0].name
