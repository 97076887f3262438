"""Rows put in the order of their topics, in temporary files, by DuckDB.

Topics that are split over files, and judgments out of order that memory does not hold, are sorted once; all else reads
the sorted copy as any other file. See docs/decisions/0037-sorted-copies.md.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cranfield._optional import fs, import_optional, pa
from cranfield.errors import CranfieldError, InputError
from cranfield.findings.location import Location
from cranfield.memory import size_in_words
from cranfield.streaming.partitions.batches import IntegerIds, batches
from cranfield.streaming.partitions.footers import described
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.parts import Part, select_between
from cranfield.streaming.partitions.topic_scores import arrow_ids
from cranfield.threads import cpus

BYTES_PER_ROW = {True: 24, False: 64}
"""Bytes that a row takes in a temporary file, with document ids that are whole numbers, or text."""
LEAST = 128 << 20
"""Bytes that DuckDB is allowed at least: with less it does not sort."""
SHARE = 4
"""It may take the memory allowed divided by this: what it reads and the judgments take more."""
GROUP = 122_880
"""Rows of a row group, where the memory allowed has room for them; DuckDB writes multiples of 2,048."""


class Scratch:
    """A folder of temporary files, removed with this object or at the end of the process.

    Args:
        files: that are to be copied.
        kinds: of the ids.

    Raises:
        InputError: there is no room for the copy, and for what DuckDB puts aside while it sorts.
    """

    def __init__(self, files: Sequence[Fragment], kinds: IntegerIds) -> None:
        folder = tempfile.gettempdir()
        needed = 2 * sum(file.rows for file in files) * BYTES_PER_ROW[kinds.document]
        free = shutil.disk_usage(folder).free
        if needed > free:
            text = (
                f"{size_in_words(needed)} of temporary files would be needed to sort rows by topic, of "
                f"{size_in_words(free)} free: set TMPDIR to a larger disk, or write the files sorted by topic"
            )
            raise InputError(text, Location(folder), code="disk")
        self.path = Path(tempfile.mkdtemp(prefix="cranfield-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def close(self) -> None:
        """Remove the files."""
        self._end()


def sort_by_topic(
    files: Sequence[Fragment], kind: str, kinds: IntegerIds, rows: int, memory: int, scratch: Scratch
) -> Fragment:
    """Write the rows of all files to one, those of each topic together and topics in ascending order.

    Args:
        files: of a run or of the judgments.
        kind: ``score`` or ``label``.
        kinds: of the ids.
        rows: read at a time.
        memory: bytes allowed.
        scratch: where it is written.

    Raises:
        InputError: a file cannot be read, or the disk is full.
        MissingPackageError: DuckDB is not installed.
    """
    duckdb = import_optional("duckdb", "sorting rows by topic", files[0].location)
    path = scratch.path / f"{kind}-{len(list(scratch.path.iterdir()))}.parquet"
    refused: list[CranfieldError] = []
    ids = [pa.int64() if is_integer else pa.large_string() for is_integer in kinds]
    schema = pa.schema([("topic", ids[0]), ("document", ids[1]), (kind, pa.float64())])

    def read() -> Iterator[Any]:
        try:
            for file in files:
                for topics, documents, number, _ in batches(file, kinds, rows):
                    yield pa.record_batch([arrow_ids(topics), arrow_ids(documents), pa.array(number)], schema=schema)
        except CranfieldError as error:  # which DuckDB would wrap
            refused.append(error)
            raise

    settings = {
        "memory_limit": f"{max(LEAST, memory // SHARE)}B",
        "temp_directory": str(scratch.path),
        "threads": cpus(),
        "preserve_insertion_order": False,
    }
    try:
        with duckdb.connect(config=settings) as connection:
            relation = connection.from_arrow(pa.RecordBatchReader.from_batches(schema, read()))
            group = min(GROUP, max(2048, memory // (SHARE * BYTES_PER_ROW[False] * cpus())))
            relation.order("topic").write_parquet(str(path), compression="snappy", row_group_size=group)
    except (duckdb.Error, pa.ArrowException, CranfieldError, OSError) as error:
        if refused:
            raise refused[0] from None
        reason = str(error).strip().partition("\n")[0]
        text = f"rows cannot be sorted by topic: {reason}; set TMPDIR to a larger disk"
        raise InputError(text, Location(str(scratch.path)), code="unwritable") from None
    copy = Fragment(
        path=str(path),
        name=f"{describe_folder(files)} (sorted by topic)",
        system=fs.LocalFileSystem(),
        form="parquet",
        roles={},
        constants={},
        size=path.stat().st_size,
        copy_of=tuple(files),
    )
    return described(copy, kind, {"topic": "topic", "document": "document", kind: kind})


def cut_sorted(run: Fragment, qrels: Fragment | None, parts: int) -> list[Part]:
    """At most that many parts of a sorted copy, with the judgments of their topics where these are sorted too.

    A part holds the topics above one bound and up to the next, and the row groups that may have some of them.
    """
    ends = [group.topics and group.topics[1] for group in run.groups or () if group.rows]
    inner: list[Any] = []
    if None not in ends:  # statistics tell
        at = {len(ends) * number // parts for number in range(1, parts)} - {0}
        inner = sorted({ends[number - 1] for number in at} - {ends[-1]})
    if not inner:
        return [Part(0, (run,), None if qrels is None else (qrels,))]
    bounds = list(pairwise([None, *inner, None]))
    return [
        Part(
            number,
            (select_between(run, *between),),
            None if qrels is None else (select_between(qrels, *between),),
            between,
        )
        for number, between in enumerate(bounds)
    ]


def describe_folder(files: Sequence[Fragment]) -> str:
    """The name of a data set in messages: its only file, or the folder of the first."""
    return files[0].name if len(files) == 1 else files[0].name.rpartition("/")[0] or files[0].name
