"""Parquet: ranx, HuggingFace, and frames of any library."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cranfield._optional import import_optional, pa, pq
from cranfield._text import shown
from cranfield.collection.retrieved import lists_documents
from cranfield.errors import InputError
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._rows import load_rows
from cranfield.io.formats._tables import plain_qrels, plain_run, read_table_rows
from cranfield.io.formats.topic_lists import read_lists
from cranfield.io.parquet_size import refuse_large_columns

ROW_BYTES, OBJECT_BYTES = 200, 300
"""Bytes that a row takes beside its columns in Arrow's memory; and where its values become objects of Python's."""


@contextmanager
def _open(file: File) -> Iterator[tuple[Any, list[str]]]:
    """PyArrow's file and the names of its columns.

    Raises:
        InputError: PyArrow is not there, or the file is damaged.
    """
    import_optional("pyarrow", location=file.location)
    try:
        table = pq.ParquetFile(io.BytesIO(file.text))
        yield table, [str(name) for name in table.schema_arrow.names]
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or download the file again"
        raise InputError(text, file.location, code="damaged") from None


def _read_columns(file: File, table: Any, names: Sequence[str], of_row: int) -> Any:
    """Some columns, if they fit into memory."""
    refuse_large_columns(table, pa.BufferReader(file.text), names, file.location, file.packed, of_row=of_row)
    return table.read(columns=list(names), use_threads=False)


def _read_first_row(table: Any) -> dict[str, Any]:
    """The first row, where a column holds lists; else nothing."""
    if not any(pa.types.is_list(kind) or pa.types.is_large_list(kind) for kind in table.schema_arrow.types):
        return {}
    rows: list[dict[str, Any]] = next(table.iter_batches(batch_size=1)).to_pylist() if table.metadata.num_rows else []
    return rows[0] if rows else {}


def _read(file: File) -> Loaded:
    with _open(file) as (table, names):

        def column(name: str) -> Sequence[Any]:
            values: Sequence[Any] = _read_columns(file, table, [name], OBJECT_BYTES)[name].to_pylist()
            return values

        first = _read_first_row(table)
        if lists_documents(first, file.kind):
            held = [name for name in names if name in first]
            return read_lists(file, _read_columns(file, table, held, OBJECT_BYTES).to_pylist())
        read_plain = plain_run if file.kind == "run" else plain_qrels
        plain = read_plain(file, names, lambda chosen: _read_columns(file, table, chosen, ROW_BYTES), file.location)
        return plain or load_rows(file, read_table_rows(file, names, column, file.location))


FORMAT = Format(
    holds="Parquet with a row for each document, as ranx, HuggingFace, pandas and Polars write it; needs PyArrow",
    recognized_by="begins with `PAR1`",
    example="evaluate --columns topic=user_id,document=item_id,score=prediction,label=rating qrels.parquet run.parquet",
    is_here=lambda file: file.text.startswith(b"PAR1") and file.text.endswith(b"PAR1"),
    run=_read,
    qrels=_read,
)
