"""Data sets in an object store, of a server on this machine that answers as S3 does."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from moto.server import ThreadedMotoServer

from cranfield import InputError
from cranfield.partitions import Dataset, evaluate_partitions


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        yield "{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()


def test_runs_and_judgments_in_an_object_store(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "one")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "two")
    store = pyarrow.fs.S3FileSystem(
        endpoint_override=address, scheme="http", region="us-east-1", allow_bucket_creation=True
    )
    store.create_dir("lake")
    for topic in (1, 2):
        run = pa.table({"qid": [topic] * 2, "docno": [10, 9], "score": [1.0, 2.0]})
        pq.write_table(run, f"lake/bm25/{topic}.parquet", filesystem=store)
    judged = pa.table({"qid": [1, 2], "docno": [10, 9], "label": [1, 2]})
    pq.write_table(judged, "lake/qrels/0.parquet", filesystem=store)
    given = evaluate_partitions(Dataset("lake/bm25", filesystem=store), Dataset("lake/qrels", filesystem=store), "AP")
    assert given.means == {"bm25": {"AP": 0.75}}
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{address}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    assert evaluate_partitions("s3://lake/bm25", "s3://lake/qrels", "AP").means == given.means
    with pytest.raises(InputError, match=r"s3://lake/nothing: (there is no such file or folder|no file is there)"):
        evaluate_partitions("s3://lake/nothing", "s3://lake/qrels", "AP")
