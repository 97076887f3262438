"""Files of Parquet by seed: a run of 100 documents a topic, and 10 judgments a topic, of which half are retrieved."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from drawn.lake import DEPTH, JUDGED, SHARDS, Lake

DOCUMENTS = 9_999_991  # a prime, so that equal steps from any document on meet no document twice
PLACES = 199  # another: judged documents are drawn from this many places of a ranking, of which DEPTH are retrieved


class Block:
    """Some topics: their documents by place, and the places and labels of those that are judged."""

    def __init__(self, lake: Lake, number: int) -> None:
        first = number * lake.topics_of_file
        self.topics = np.arange(first, min(first + lake.topics_of_file, lake.topics))
        self.draw = np.random.default_rng([lake.seed, number])
        count = len(self.topics)
        self._start = self.draw.integers(0, DOCUMENTS, (count, 1))
        self._step = self.draw.integers(1, DOCUMENTS, (count, 1))
        begin, step = self.draw.integers(0, PLACES, (count, 1)), self.draw.integers(1, PLACES, (count, 1))
        self._judged = (begin + step * np.arange(JUDGED)) % PLACES
        self._label = np.maximum(self.draw.integers(-2, 4, (count, JUDGED)), 0)

    def run(self) -> dict[str, np.ndarray]:
        """Rows by topic and score; no two scores of a topic are equal."""
        score = np.sort(self.draw.random((len(self.topics), DEPTH)), axis=1)[:, ::-1]
        documents = self._documents(np.arange(DEPTH)[None, :])
        return {"topic": self.topics.repeat(DEPTH), "document": documents.ravel(), "score": score.ravel()}

    def qrels(self) -> dict[str, np.ndarray]:
        """Rows by topic."""
        documents = self._documents(self._judged)
        label = self._label.ravel().astype(np.int32)
        return {"topic": self.topics.repeat(JUDGED), "document": documents.ravel(), "label": label}

    def _documents(self, places: np.ndarray) -> np.ndarray:
        return (self._start + self._step * places) % DOCUMENTS


def write(lake: Lake) -> None:
    """All files of a data set."""
    if lake.shape in ("split", "qrels-scattered"):
        _write_split(lake)
        return
    judged = lake.shape.startswith("qrels")
    for number, block in enumerate(_blocks(lake)):
        columns = block.qrels() if judged else block.run()
        if lake.shape == "permuted":
            order = block.draw.permutation(len(columns["topic"]))
            columns = {name: values[order] for name, values in columns.items()}
        table = pa.table(_as_text(columns) if lake.shape.endswith("text") else columns)
        pq.write_table(table, lake.folder / f"part-{number:04d}.parquet")


def _blocks(lake: Lake) -> Iterator[Block]:
    for number in range(-(-lake.topics // lake.topics_of_file)):
        yield Block(lake, number)


def _write_split(lake: Lake) -> None:
    """Each row in a file by lot; a file has the topics in order."""
    judged = lake.shape.startswith("qrels")
    number = {"label": pa.int32()} if judged else {"score": pa.float64()}
    schema = pa.schema({"topic": pa.int64(), "document": pa.int64(), **number})
    with ExitStack() as stack:
        paths: list[Path] = [lake.folder / f"part-{shard:04d}.parquet" for shard in range(SHARDS)]
        files = [stack.enter_context(pq.ParquetWriter(path, schema)) for path in paths]
        for block in _blocks(lake):
            columns = block.qrels() if judged else block.run()
            shards = block.draw.integers(0, SHARDS, len(columns["topic"]))
            for shard, file in enumerate(files):
                rows = np.flatnonzero(shards == shard)
                file.write_table(pa.table({name: values[rows] for name, values in columns.items()}))


def _as_text(columns: dict[str, np.ndarray]) -> dict[str, object]:
    def named(mark: str, numbers: np.ndarray) -> object:
        padded = pc.utf8_lpad(pc.cast(pa.array(numbers), pa.string()), 8, "0")
        return pc.binary_join_element_wise(mark, padded, "")

    return columns | {"topic": named("u", columns["topic"]), "document": named("i", columns["document"])}
