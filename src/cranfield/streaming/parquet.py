"""Scores in Parquet that are never in memory at once: the topics of all systems are read a block at a time."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._optional import pa, pc
from cranfield._text import shown
from cranfield._typing import Floats, PathLike
from cranfield.errors import InputError
from cranfield.findings.location import STDIN
from cranfield.io.parquet_size import refuse_large_columns
from cranfield.io.source import as_text
from cranfield.memory import require
from cranfield.scores.dataset import make_table
from cranfield.scores.files import name_scores, read_scores
from cranfield.scores.labels import named
from cranfield.scores.layout import is_summary
from cranfield.scores.locations import parquet_files
from cranfield.scores.parquet_read import (
    ScoreFile,
    described_files,
    find_known,
    has_text_ids,
    opened,
    refuse_changed,
    scale_in,
)
from cranfield.scores.parquet_write import SYSTEM, TOPIC
from cranfield.scores.table import BLOCK, MAX_IN_MEMORY

if TYPE_CHECKING:
    from cranfield.scores.measure_scores import Scores
    from cranfield.scores.topic_table import TopicTable


WIDE = 256
"""More systems than these are read into memory: a file is open for each."""
SPLIT = 4096
"""Files in which the system changes more often than this from row to row are read into memory."""

HASH = 8
"""Bytes of a topic's hash."""


@dataclass(frozen=True)
class Span:
    """Consecutive rows of one system in a file."""

    file: ScoreFile
    start: int
    stop: int


def read_blocks(spans: Sequence[Sequence[Span]], measure: str) -> Iterator[Floats]:
    """Read the scores by a measure in blocks, [systems, topics of the block]; NaN where there is none.

    Args:
        spans: the rows of each system, all of the same topics in the same order.
        measure: its name.

    Raises:
        InputError: a score is infinite, or a file was changed or damaged since it was opened.
    """
    for file in _distinct_files(spans):
        refuse_changed(file)
    columns = [_rechunk(_numbers(rows, measure)) for rows in spans]
    for block in zip(*columns, strict=True):
        yield np.stack([column.to_numpy() for column in block])


def find_spans(files: Sequence[ScoreFile]) -> dict[str, list[Span]] | None:
    """The rows of each system; None where systems change too often to be read one after the other."""
    spans_by_system: dict[str, list[Span]] = {}
    for file in files:
        spans: list[Span] = []
        names: list[str] = []
        at = 0
        for array in _column(file, SYSTEM, 0, None):
            if array.null_count or pa.types.is_integer(array.type):
                return None
            runs = pc.run_end_encode(array.cast(pa.large_string()))
            for name, length in zip(runs.values.to_pylist(), np.diff(runs.run_ends.to_numpy(), prepend=0), strict=True):
                if names and names[-1] == name:
                    spans[-1] = Span(file, spans[-1].start, at + int(length))
                else:
                    names.append(name)
                    spans.append(Span(file, at, at + int(length)))
                at += int(length)
            if len(spans) > SPLIT:
                return None
        for name, span in zip(names, spans, strict=True):
            spans_by_system.setdefault(named(name, "system", file.location), []).append(span)
    return spans_by_system


def count_common_topics(spans: Mapping[str, Sequence[Span]]) -> int | None:
    """Count the topics that all systems have in one order, each once; None where they differ, or where it is unknown.

    Ids that increase, as text or as integers, are known to be different without being held.
    """
    if not all(map(has_text_ids, _distinct_files(spans.values()))):
        return None
    sizes = {sum(span.stop - span.start for span in rows) for rows in spans.values()}
    if len(sizes) != 1:
        return None
    last, increasing = None, {"text": True, "number": True}
    for names in zip(*(_rechunk(_texts(rows)) for rows in spans.values()), strict=True):
        first = names[0]
        if first.null_count or not all(first.equals(later) for later in names[1:]):
            return None
        increasing = {kind: known and _increases(first, last, kind) for kind, known in increasing.items()}
        last = first[-1:]
    return sizes.pop() if any(increasing.values()) or _all_differ(next(iter(spans.values()))) else None


def topic_blocks(spans: Sequence[Span]) -> Iterator[list[str]]:
    """The topics of a system, in blocks as scores come in."""
    return (names.to_pylist() for names in _rechunk(_texts(spans)))


def _distinct_files(spans: Iterable[Sequence[Span]]) -> list[ScoreFile]:
    """Return the files of all rows, each once."""
    return list({id(span.file): span.file for rows in spans for span in rows}.values())


def _increases(names: Any, last: Any, kind: str) -> bool:
    joined = names if last is None else pa.concat_arrays([last, names])
    if kind == "number":
        try:
            joined = joined.cast(pa.int64())
        except pa.ArrowInvalid:
            return False
    return bool(pc.all(pc.less(joined[:-1], joined[1:]), min_count=0).as_py())


def _all_differ(spans: Sequence[Span]) -> bool:
    """Tell whether no id occurs twice, by hashes of 8 bytes; equal hashes may be chance."""
    import pandas as pd

    count = sum(span.stop - span.start for span in spans)
    require(2 * HASH * count, f"{count:,} topics out of order", "write them in the order of their ids")
    parts = [
        pd.util.hash_array(names.to_numpy(zero_copy_only=False), categorize=False) for names in _rechunk(_texts(spans))
    ]
    hashes = np.concatenate(parts)
    parts.clear()
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()


def _texts(spans: Sequence[Span]) -> Iterator[Any]:
    for span in spans:
        for array in _column(span.file, TOPIC, span.start, span.stop):
            yield array.cast(pa.large_string())


def _numbers(spans: Sequence[Span], measure: str) -> Iterator[Any]:
    for span in spans:
        row = span.start
        for array in _column(span.file, measure, span.start, span.stop):
            values = array.cast(pa.float64()).fill_null(np.nan)
            if pc.any(pc.is_inf(values)).as_py():
                at = row + int(np.flatnonzero(np.isinf(values.to_numpy()))[0]) + 1
                raise InputError(f"row {at:,}: {shown(measure)} is infinite", span.file.location, code="score")
            yield values
            row += len(values)


def _column(file: ScoreFile, name: str, start: int, stop: int | None) -> Iterator[Any]:
    """A column from one row to another, a batch at a time."""
    with opened(file.located) as (source, stream):
        ends = np.cumsum([source.metadata.row_group(at).num_rows for at in range(source.num_row_groups)]).tolist()
        stop = (ends[-1] if ends else 0) if stop is None else stop
        groups = [at for at, end in enumerate(ends) if end > start and ([0, *ends])[at] < stop]
        at = ([0, *ends])[groups[0]] if groups else 0
        refuse = functools.partial(refuse_large_columns, source, stream, [name], file.location, file.stamp[0])
        for group in groups:  # one at a time: given several, PyArrow keeps the bytes of those that it has read
            refuse(groups=[group])
            for batch in source.iter_batches(BLOCK, row_groups=[group], columns=[name], use_threads=False):
                low, high = max(start - at, 0), min(stop - at, len(batch))
                at += len(batch)
                batch.validate(full=True)
                if low < high:
                    yield batch.column(0)[low:high]


def _rechunk(arrays: Iterator[Any]) -> Iterator[Any]:
    """The rows in blocks of one size, so that those of several systems are of the same topics."""
    waiting: list[Any] = []
    rows = 0
    for array in arrays:
        waiting.append(array)
        rows += len(array)
        while rows >= BLOCK:
            joined = pa.concat_arrays(waiting)
            yield joined[:BLOCK]
            waiting, rows = [joined[BLOCK:]], rows - BLOCK
    if rows:
        yield pa.concat_arrays(waiting)


@dataclass(frozen=True)
class StoredSet:
    """Scores of many topics by several measures.

    Args:
        path: as the user named it.
        files: that hold them.
        spans: system -> its rows.
        topics: how many.
        source: their signature.
    """

    path: str
    files: Sequence[ScoreFile]
    spans: Mapping[str, Sequence[Span]]
    topics: int
    source: Any

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self.files[0].measures

    @property
    def block_count(self) -> int:
        """The number of blocks that all topics make."""
        return -(-self.topics // BLOCK)

    def topic_blocks(self) -> Iterator[list[str]]:
        """Names of all topics, in the blocks in which scores by a measure come."""
        return topic_blocks(next(iter(self.spans.values())))

    def blocks(self, measure: str) -> Iterator[Floats]:
        """Read the scores by a measure in blocks; see ``read_blocks``."""
        return read_blocks(list(self.spans.values()), measure)

    def by(self, measure: str) -> Scores:
        """The scores by one measure, gone through in blocks."""
        from cranfield.scores.blocks import ScoreBlocks
        from cranfield.scores.measure_scores import Scores
        from cranfield.scores.topic_table import TopicTable

        scale, systems = scale_in(self.files[0], measure), tuple(self.spans)

        def load() -> TopicTable:
            table = make_table(read_scores(self.path)[measure])
            return TopicTable(table.topics, table.values[0]).select_systems(list(map(table.systems.index, systems)))

        read = functools.partial(self.blocks, measure)
        storage = ScoreBlocks(measure, self.topics, len(systems), read, load, self.topic_blocks)
        return Scores(measure, systems, storage, scale.larger_is_better, self.source, scale.says_direction)


def open_stored(path: PathLike) -> StoredSet | None:
    """Scores of more topics than are held in memory, read as far as to know the order of their rows.

    Args:
        path: a file or folder of Parquet, or the address of one.

    Returns:
        None where they are better read into memory: files of other formats, few topics, very many systems, or systems
        whose topics differ or come in another order.

    Raises:
        InputError: files are damaged, or of several evaluations; see ``read_scores``.
    """
    name = as_text(path)
    located = [] if name == STDIN else parquet_files(name)
    if not located:
        return None
    files = described_files(name, located)
    if not files[0].metadata.get("measures"):
        return None
    spans = find_spans(files)
    if (
        not spans
        or len(spans) > WIDE
        or sum(span.stop - span.start for span in next(iter(spans.values()))) <= MAX_IN_MEMORY
    ):
        return None
    topics = count_common_topics(spans)
    known = find_known(name_scores([name])[0], files)
    if "signature" not in known and any(
        is_summary(topic) for block in topic_blocks(next(iter(spans.values()))) for topic in block
    ):
        return None  # a row of means is left out where scores are read into memory
    return None if topics is None else StoredSet(name, files, spans, topics, {"scores": [known]})
