"""An object store: a server on this machine that answers as S3 does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow.fs
import pytest
from moto.server import ThreadedMotoServer


@contextmanager
def object_store(bucket: str) -> Iterator[tuple[str, pyarrow.fs.FileSystem]]:
    """Its address and its file system with a bucket, which addresses such as ``s3://bucket/x`` inside lead to."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    address = "{}:{}".format(*server.get_host_and_port())
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
            patch.setenv("AWS_ACCESS_KEY_ID", "one")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "two")
            store = pyarrow.fs.S3FileSystem(
                endpoint_override=address, scheme="http", region="us-east-1", allow_bucket_creation=True
            )
            store.create_dir(bucket)
            patch.setenv("AWS_ENDPOINT_URL", f"http://{address}")
            patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            yield address, store
    finally:
        server.stop()
