"""Web addresses: what stands behind ``?`` is no pattern and no name, and an answer that ends early is said so."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest
from fsspec import AbstractFileSystem

from cranfield import InputError
from cranfield.partitions import Dataset, evaluate_partitions

ADDRESS = "https://lake.test/runs/bm25.parquet"
SIGNED = f"{ADDRESS}?X-Amz-Credential=KEY/2026=x/aws4&X-Amz-Signature=[ab]*"


class PayloadError(Exception):
    """What a client of the web raises where an answer ends early."""


class _Ended(io.BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        raise PayloadError("received 1514 of 3029 bytes")


class Web(AbstractFileSystem):
    """A web server with one file, of which only the complete address is known."""

    protocol = "https"
    cachable = False

    def __init__(self, address: str, *, ends: bool = False) -> None:
        super().__init__()
        self.address, self.ends = address, ends
        content = io.BytesIO()
        pd.DataFrame({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "score": [2.0, 1.0]}).to_parquet(content)
        self.content = content.getvalue()

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        if path != self.address:
            raise FileNotFoundError(path)
        return {"name": path, "type": "file", "size": len(self.content)}

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        return [self.info(path)] if detail else [path]

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        return (_Ended if self.ends else io.BytesIO)(self.content)


def dataset(address: str, *, ends: bool = False) -> Dataset:
    return Dataset(address, filesystem=Web(address, ends=ends))


@pytest.mark.parametrize("address", [ADDRESS, SIGNED])
def test_a_presigned_address_is_one_file(address: str) -> None:
    scores = evaluate_partitions(dataset(address), {"q1": {"d2": 1}}, "AP")
    row = scores.to_frame().iloc[0]
    assert (row["system"], row["measure"], row["mean"]) == ("bm25", "AP", 0.5)
    assert "KEY" not in str(scores.signature)


class Going(Web):
    """A server that shows its file once."""

    shown = False

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        if self.shown:
            raise FileNotFoundError(path)
        self.shown = True
        return super().info(path)


def test_an_address_that_is_gone_when_it_is_read_is_named_without_its_credentials() -> None:
    with pytest.raises(InputError, match=r"cannot be read: https://lake\.test/") as caught:
        evaluate_partitions(Dataset(SIGNED, filesystem=Going(SIGNED)), {"q1": {"d2": 1}}, "AP")
    assert caught.value.code == "unreachable"
    assert "KEY" not in str(caught.value)


@pytest.mark.parametrize("address", [ADDRESS, SIGNED])
def test_an_answer_that_ends_early_is_no_fault_of_ours(address: str) -> None:
    with pytest.raises(InputError, match=r"cannot be read: received 1514 of 3029 bytes; look at the address") as caught:
        evaluate_partitions(dataset(address, ends=True), {"q1": {"d2": 1}}, "AP")
    assert caught.value.code == "unreachable"
    assert "KEY" not in str(caught.value)
