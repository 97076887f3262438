"""Parquet: ranx, HuggingFace, and frames of any library."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from cranfield.errors import InputError
from cranfield.io.formats._format import File, Format, LoadedQrels, LoadedRun
from cranfield.io.formats._optional import needed
from cranfield.io.formats._rows import Rows, qrels_of, run_of
from cranfield.io.formats._tables import rows_of_table
from cranfield.wording import shown


def _rows(file: File) -> Rows:
    with needed("pyarrow", "Parquet", file.place):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        table = pq.ParquetFile(io.BytesIO(file.text))
        names = [str(name) for name in table.schema_arrow.names]

        def column(name: str) -> Sequence[Any]:
            values: Sequence[Any] = table.read(columns=[name])[name].to_pylist()
            return values

        return rows_of_table(file, names, column, file.place)
    except (pa.ArrowException, OSError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or download the file again"
        raise InputError(text, file.place, code="damaged") from None


def _run(file: File) -> LoadedRun:
    return run_of(file, _rows(file))


def _qrels(file: File) -> LoadedQrels:
    return qrels_of(file, _rows(file))


FORMAT = Format(
    holds="Parquet with a row for each document, as ranx, HuggingFace, pandas and Polars write it; needs PyArrow",
    told="begins with `PAR1`",
    example="evaluate --columns topic=user_id,document=item_id,score=prediction,label=rating qrels.parquet run.parquet",
    is_here=lambda file: file.text.startswith(b"PAR1") and file.text.endswith(b"PAR1"),
    run=_run,
    qrels=_qrels,
)
