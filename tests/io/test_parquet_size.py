"""The memory that columns of a Parquet file take, before they are unpacked."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import InputError
from cranfield.findings.location import Location
from cranfield.io.parquet_size import count_rows_within, refuse_large_columns

ROWS, LENGTH = 400_000, 8_000


@pytest.mark.parametrize("name", ["AP", "RBP(p=0.8)"])
def test_a_text_that_is_repeated_is_measured_whatever_its_column_is_called(tmp_path: Path, name: str) -> None:
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array(["x" * LENGTH]))
    path = tmp_path / "repeated.parquet"
    pq.write_table(pa.table({name: texts, "other": [0] * ROWS}), path)
    with pa.OSFile(str(path)) as source:
        parquet = pq.ParquetFile(source)
        with pytest.raises(InputError, match=r"400,000 rows of .* would take"):
            refuse_large_columns(parquet, source, [name], Location(str(path)), path.stat().st_size, of_row=0)
        assert count_rows_within(parquet, source, [name], 0, Location(str(path)), most=ROWS) < ROWS // 8
        assert count_rows_within(parquet, source, ["other"], 0, Location(str(path)), most=ROWS) == ROWS
