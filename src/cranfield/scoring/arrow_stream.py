"""Rows that come batch by batch, those of a topic together: streams of Arrow, DuckDB, Polars and PyArrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield._optional import import_optional, pa
from cranfield._text import quoted
from cranfield._typing import Floats, Ints
from cranfield.collection.column_names import Columns, resolve
from cranfield.collection.frames import read_table
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import Finding

ROWS = 1 << 16
"""Rows of a batch."""
PART = 1 << 19
"""Rows of a part, which are held in memory."""
WINDOW = 1 << 10
"""Rows in which the last topic of a part is looked for first."""


def is_stream(value: object) -> bool:
    """Return whether rows come out of it batch by batch, so that it need not be held; its library is not imported."""
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if library in ("polars", "narwhals"):
        return kind.__name__ == "LazyFrame"
    if library in ("duckdb", "_duckdb"):
        return hasattr(kind, "to_arrow_reader") or hasattr(kind, "fetch_record_batch")
    if library == "pyarrow":
        return hasattr(kind, "read_next_batch") or (hasattr(kind, "to_batches") and not hasattr(kind, "num_rows"))
    return hasattr(kind, "__arrow_c_stream__") and not hasattr(kind, "__len__") and library != "cranfield"


def holds_stream(runs: object) -> bool:
    """Return whether runs are a stream, or one of several is."""
    given: list[Any] = list(runs.values()) if isinstance(runs, Mapping) else []
    if isinstance(runs, (list, tuple)):
        given = list(runs)
    return is_stream(runs) or any(is_stream(run) for run in given)


def name_kind(value: object) -> str:
    """Name what it is, in a few words and without looking into it."""
    kind = type(value)
    article = "an" if kind.__name__[0] in "AEIO" else "a"
    return f"{article} {kind.__name__} of {kind.__module__.partition('.')[0].lstrip('_')}"


def read_batches(stream: Any) -> Iterator[Any]:
    """The batches of a stream, in their order.

    Raises:
        InputError: whatever hands them out fails.
        MissingPackageError: PyArrow is not installed.
        UsageError: it cannot be read in batches.
    """
    import_optional("pyarrow", "a stream of Arrow data")
    try:
        yield from _open(stream)
    except (InputError, UsageError):
        raise
    except Exception as error:  # of any library, or of the query behind it
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"{name_kind(stream)} cannot be read: {reason}", code="stream") from error


def _open(stream: Any) -> Iterator[Any]:
    kind, library = type(stream), type(stream).__module__.partition(".")[0]
    if library == "narwhals":
        yield from _open(stream.to_native())
    elif library == "polars":
        if not hasattr(kind, "collect_batches"):
            raise UsageError(f"{name_kind(stream)} has no collect_batches before Polars 1.34: give its collect()")
        for frame in stream.collect_batches(chunk_size=ROWS, maintain_order=True):
            yield from pa.table(frame).to_batches()
    elif library in ("duckdb", "_duckdb"):
        read = "to_arrow_reader" if hasattr(kind, "to_arrow_reader") else "fetch_record_batch"
        yield from getattr(stream, read)(ROWS)
    elif hasattr(kind, "scanner"):
        yield from _scan(stream)
    elif hasattr(kind, "to_reader"):
        yield from stream.to_reader()
    elif hasattr(kind, "read_next_batch"):
        yield from stream
    else:
        yield from pa.RecordBatchReader.from_stream(stream)


def _scan(data: Any) -> Iterator[Any]:
    """The batches of a data set of PyArrow, of which few are read ahead."""
    parquet = import_optional("pyarrow.dataset", "a data set of Arrow")

    def is_parquet(part: Any) -> bool:
        children = getattr(part, "children", ())
        return all(map(is_parquet, children)) if children else type(getattr(part, "format", None)) is parquet.ParquetFileFormat

    # By default the bytes of a whole file are fetched ahead and kept until its end, so that memory grows with the file.
    options = {"fragment_scan_options": parquet.ParquetFragmentScanOptions(pre_buffer=False)} if is_parquet(data) else {}
    yield from data.scanner(batch_size=ROWS, batch_readahead=2, fragment_readahead=1, **options).to_reader()


def read_parts(stream: Any, columns: Columns) -> Iterator[Any]:
    """Tables of complete topics, as far as the rows of each are together.

    Raises:
        InputError: it cannot be read, or has no rows or no column of topics.
    """
    held: list[Any] = []
    rows, enough = 0, PART
    for batch in read_batches(stream):
        if not batch.num_rows:
            continue
        held.append(batch)
        rows += batch.num_rows
        if rows < enough:
            continue
        joined = pa.Table.from_batches(held)
        cut = _find_last_topic(joined, columns)
        enough = PART if cut else 2 * rows  # of one topic
        if cut:
            yield joined.slice(0, cut)
            held, rows = joined.slice(cut).to_batches(), joined.num_rows - cut
    if not held:
        text = f"{name_kind(stream)} has no rows: a stream that was read before gives none again"
        raise InputError(text, code="empty")
    yield pa.Table.from_batches(held)


def _find_last_topic(table: Any, columns: Columns) -> int:
    """The first row of the topic in which a table ends."""
    name = resolve(table.column_names, "score", columns)["topic"]
    window = WINDOW
    while True:
        start = max(0, table.num_rows - window)
        topics: list[Any] = read_table(table.select([name]).slice(start))[name].tolist()
        other: int | None = next((row for row in range(len(topics) - 1, -1, -1) if topics[row] != topics[-1]), None)
        if other is not None:
            return int(start + other + 1)
        if not start:
            return 0
        window *= 8


def names_systems(table: Any, columns: Columns) -> bool:
    """Return whether a column of a table names the systems of its rows."""
    return "system" in resolve(table.column_names, "score", columns)


def refuse_return(stream: Any, part: Any, topic: str, columns: Columns) -> InputError:
    """The error for a topic of which rows come after those of other topics, in another part."""
    name = resolve(part.column_names, "score", columns)["topic"]
    text = (
        f"the rows of {name_kind(stream)} are not sorted by topic: {quoted(topic)} comes back after other topics; sort "
        f"them by {quoted(name)}, or collect them into a frame"
    )
    return InputError(text, code="scattered", value=topic)


@dataclass(frozen=True)
class StreamedScores:
    """The scores of a run that is read part by part.

    Args:
        values: [measures, topics]; of topics that did not come yet, those of no documents.
        length: documents of each topic, [topics].
        noticed: code -> what was noticed first of that kind, and in how many parts.
        parts: how many judged topics each had.
    """

    values: Floats
    length: Ints
    noticed: dict[str, tuple[Finding, int]]
    parts: list[int]

    @classmethod
    def build(cls, nothing: Floats) -> StreamedScores:
        """Begin with a run of which no part has come."""
        return cls(nothing, np.zeros(nothing.shape[1], dtype=np.int64), {}, [])

    def add(self, values: Floats, length: Ints, remarks: Iterable[Finding]) -> int | None:
        """Add a part; the number of a topic that was in an earlier one, None where no topic was."""
        topics = np.flatnonzero(length)
        again = topics[self.length[topics] > 0]
        if len(again):
            return int(again[0])
        self.values[:, topics], self.length[topics] = values[:, topics], length[topics]
        self.parts.append(len(topics))
        for remark in remarks:
            first, times = self.noticed.get(remark.code, (remark, 0))
            self.noticed[remark.code] = first, times + 1
        return None

    def list_remarks(self) -> list[Finding]:
        """What was noticed; that no document is judged, only where that is so in each part with judged topics."""
        with_topics = sum(topics > 0 for topics in self.parts)
        return [first for code, (first, times) in self.noticed.items() if code != "none-judged" or times == with_topics]
