"""Parquet: ranx, HuggingFace, and frames of any library."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cranfield.errors import InputError
from cranfield.io.formats._format import File, Format, LoadedQrels, LoadedRun
from cranfield.io.formats._optional import needed
from cranfield.io.formats._rows import Rows, qrels_of, run_of
from cranfield.io.formats._tables import plain_qrels, plain_run, rows_of_table
from cranfield.wording import shown


@contextmanager
def _opened(file: File) -> Iterator[tuple[Any, list[str]]]:
    """PyArrow's file and the names of its columns.

    Raises:
        InputError: PyArrow is not there, or the file is damaged.
    """
    with needed("pyarrow", "Parquet", file.place):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        table = pq.ParquetFile(io.BytesIO(file.text))
        yield table, [str(name) for name in table.schema_arrow.names]
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or download the file again"
        raise InputError(text, file.place, code="damaged") from None


def _rows(file: File) -> Rows:
    with _opened(file) as (table, names):

        def column(name: str) -> Sequence[Any]:
            values: Sequence[Any] = table.read(columns=[name])[name].to_pylist()
            return values

        return rows_of_table(file, names, column, file.place)


def _run(file: File) -> LoadedRun:
    with _opened(file) as (table, names):
        plain = plain_run(file, names, lambda wanted: table.read(columns=wanted, use_threads=False), file.place)
    return run_of(file, _rows(file)) if plain is None else plain


def _qrels(file: File) -> LoadedQrels:
    with _opened(file) as (table, names):
        plain = plain_qrels(file, names, lambda wanted: table.read(columns=wanted, use_threads=False), file.place)
    return qrels_of(file, _rows(file)) if plain is None else plain


FORMAT = Format(
    holds="Parquet with a row for each document, as ranx, HuggingFace, pandas and Polars write it; needs PyArrow",
    told="begins with `PAR1`",
    example="evaluate --columns topic=user_id,document=item_id,score=prediction,label=rating qrels.parquet run.parquet",
    is_here=lambda file: file.text.startswith(b"PAR1") and file.text.endswith(b"PAR1"),
    run=_run,
    qrels=_qrels,
)
