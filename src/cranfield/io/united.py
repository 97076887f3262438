"""All documents of several runs, as judgments without meaning, over which their lists can be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.string_column import TextColumn

Rows = NDArray[np.int32]


def united(runs: Sequence[Run]) -> tuple[Qrels, list[Rows]]:
    """All documents of all runs, topics by first appearance, and the place of every row of every run among them."""
    topics = list(dict.fromkeys(topic for run in runs for topic in run.topics))
    number = {topic: place for place, topic in enumerate(topics)}
    given = [
        (
            run.documents.data,
            run.documents.offsets,
            np.asarray(run.starts, dtype=np.int64),
            np.array([number[topic] for topic in run.topics], dtype=np.int64),
        )
        for run in runs
    ]
    union = engine.current().unite_documents(given, len(topics))
    size = int(union["starts"][-1])
    nothing = np.zeros(size)
    judgments = np.arange(size), np.zeros(size, dtype=np.int64), nothing.copy()
    ids = TextColumn(union["data"], union["offsets"])
    return Qrels(topics, union["starts"], ids, nothing, judgments, ["0"], name="documents"), union["rows"]
