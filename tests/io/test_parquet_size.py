"""The memory that columns of a Parquet file take, before they are unpacked."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield

ROWS, LENGTH = 400_000, 8_000


@pytest.mark.parametrize("column", ["document", "doc.id"])
def test_a_text_that_is_repeated_is_measured_whatever_its_column_is_called(tmp_path: Path, column: str) -> None:
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array(["x" * LENGTH]))
    path = tmp_path / "repeated.parquet"
    pq.write_table(pa.table({"topic": range(ROWS), column: texts, "score": [0.5] * ROWS}), path)
    with pytest.raises(cranfield.InputError, match=r"400,000 rows of .* would take"):
        cranfield.read_run(path, columns={"topic": "topic", "document": column, "score": "score"})
