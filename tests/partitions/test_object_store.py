"""Data sets in an object store, of a server on this machine that answers as S3 does."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import InputError
from cranfield.partitions import Dataset, evaluate_partitions
from object_store import object_store


@pytest.mark.slow
def test_runs_and_judgments_in_an_object_store() -> None:
    with object_store("lake") as (_, store):
        for topic in (1, 2):
            run = pa.table({"qid": [topic] * 2, "docno": [10, 9], "score": [1.0, 2.0]})
            pq.write_table(run, f"lake/bm25/{topic}.parquet", filesystem=store)
        judged = pa.table({"qid": [1, 2], "docno": [10, 9], "label": [1, 2]})
        pq.write_table(judged, "lake/qrels/0.parquet", filesystem=store)
        given = evaluate_partitions(
            Dataset("lake/bm25", filesystem=store), Dataset("lake/qrels", filesystem=store), "AP"
        )
        assert given.means == {"bm25": {"AP": 0.75}}
        assert evaluate_partitions("s3://lake/bm25", "s3://lake/qrels", "AP").means == given.means
        with pytest.raises(InputError, match=r"s3://lake/nothing: (there is no such file or folder|no file is there)"):
            evaluate_partitions("s3://lake/nothing", "s3://lake/qrels", "AP")
