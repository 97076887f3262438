"""Tables whose rows come batch by batch: streams of Arrow, DuckDB, Polars and PyArrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cranfield._optional import import_optional, pa
from cranfield.errors import InputError, UsageError

ROWS = 1 << 16
"""Rows of a batch."""


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
    """The batches of a stream that have rows, in their order.

    Raises:
        InputError: whatever hands them out fails, or has no rows.
        MissingPackageError: PyArrow is not installed.
        UsageError: it cannot be read in batches.
    """
    import_optional("pyarrow", "a stream of Arrow data")
    empty = True
    try:
        for batch in _open(stream):
            if batch.num_rows:
                empty = False
                yield batch
    except (InputError, UsageError):
        raise
    except Exception as error:  # of any library, or of the query behind it
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"{name_kind(stream)} cannot be read: {reason}", code="stream") from error
    if empty:
        text = f"{name_kind(stream)} has no rows: a stream that was read before gives none again"
        raise InputError(text, code="empty")


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
    arrow = import_optional("pyarrow.dataset", "a data set of Arrow")

    def is_parquet(part: Any) -> bool:
        parts = getattr(part, "children", ())
        return (
            all(map(is_parquet, parts)) if parts else isinstance(getattr(part, "format", None), arrow.ParquetFileFormat)
        )

    # By default the bytes of a whole file are fetched ahead and kept until its end, so that memory grows with the file.
    options = arrow.ParquetFragmentScanOptions(pre_buffer=False) if is_parquet(data) else None
    scanner = data.scanner(batch_size=ROWS, batch_readahead=2, fragment_readahead=1, fragment_scan_options=options)
    yield from scanner.to_reader()
