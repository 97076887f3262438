"""All documents of several runs, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cranfield.arrays import Bytes, Ints
from cranfield.collection.text import TextColumn
from cranfield.contract import Documents, RunIds


def unite_documents(runs: Sequence[RunIds], topics: int) -> Documents:
    """See ``cranfield.contract.Engine.unite_documents``."""
    rows = [np.empty(len(offsets) - 1, dtype=np.int32) for _, offsets, _, _ in runs]
    blocks: list[list[tuple[int, int, int]]] = [[] for _ in range(topics)]
    for run, (_, _, bounds, numbers) in enumerate(runs):
        for topic, (begin, end) in zip(numbers.tolist(), pairwise(bounds.tolist()), strict=True):
            blocks[topic].append((run, begin, end))
    names: list[bytes] = []
    starts = [0]
    for block in blocks:
        ids = [_ids(*runs[run][:2], begin, end) for run, begin, end in block]
        here = sorted({name for some in ids for name in some})
        number = {name: place for place, name in enumerate(here, start=len(names))}
        for (run, begin, end), some in zip(block, ids, strict=True):
            rows[run][begin:end] = [number[name] for name in some]
        names += here
        starts.append(len(names))
    text = TextColumn.of_bytes(names)
    return {"data": text.data, "offsets": text.offsets, "starts": np.array(starts, dtype=np.int64), "rows": rows}


def _ids(data: Bytes, offsets: Ints, begin: int, end: int) -> list[bytes]:
    """Some strings of a column as UTF-8."""
    bounds = offsets[begin : end + 1].tolist()
    blob = data[bounds[0] : bounds[-1]].tobytes()
    return [blob[a - bounds[0] : b - bounds[0]] for a, b in pairwise(bounds)]
