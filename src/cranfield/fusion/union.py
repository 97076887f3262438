"""All documents of several runs, as judgments without meaning: what their lists can be laid side by side over."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.text import TextColumn

Rows = NDArray[np.int32]


def united(runs: Sequence[Run]) -> tuple[Qrels, list[Rows]]:
    """All documents of all runs, topics by first appearance, and the place of every row of every run among them.

    Ids of one topic are held as Python objects at a time.
    """
    topics = list(dict.fromkeys(topic for run in runs for topic in run.topics))
    places = [{topic: place for place, topic in enumerate(run.topics)} for run in runs]
    rows = [np.empty(len(run), dtype=np.int32) for run in runs]
    text, sizes = [], []
    starts = [0]
    for topic in topics:
        known: dict[bytes, int] = {}
        blocks = []
        for run, place, of_run in zip(runs, places, rows, strict=True):
            if topic in place:
                begin, end = run.starts[place[topic] : place[topic] + 2].tolist()
                of_run[begin:end] = [known.setdefault(name, len(known)) for name in _ids(run.documents, begin, end)]
                blocks.append(of_run[begin:end])
        names = sorted(known)
        order = np.empty(len(names), dtype=np.int32)
        order[[known[name] for name in names]] = np.arange(starts[-1], starts[-1] + len(names))
        for block in blocks:
            block[:] = order[block]
        text.append(b"".join(names))
        sizes.append(np.array([len(name) for name in names], dtype=np.int64))
        starts.append(starts[-1] + len(names))
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([np.zeros(0, dtype=np.int64), *sizes]))]).astype(np.int64)
    ids = TextColumn(np.frombuffer(b"".join(text), dtype=np.uint8), offsets)
    nothing = np.zeros(starts[-1])
    judgments = np.arange(starts[-1]), np.zeros(starts[-1], dtype=np.int64), nothing.copy()
    bounds = np.array(starts, dtype=np.int64)
    return Qrels(topics, bounds, ids, nothing, judgments, ["0"], name="documents"), rows


def _ids(documents: TextColumn, begin: int, end: int) -> list[bytes]:
    """Some strings of a column as UTF-8."""
    bounds = documents.offsets[begin : end + 1].tolist()
    first = bounds[0]
    blob = documents.data[first : bounds[-1]].tobytes()
    return [blob[a - first : b - first] for a, b in pairwise(bounds)]
