"""A run cut to some of its topics."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.run import Run
from cranfield.collection.text import TextColumn


def some_topics(run: Run, topics: Ints) -> Run:
    """The lists of these topics, given by their places in the run, ascending; no list is copied if they are neighbours.

    Args:
        run: any.
        topics: places from 0, each once, int64 [topics].
    """
    begin, size = run.starts[topics], np.diff(run.starts)[topics]
    starts = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    if len(topics) and topics[-1] - topics[0] == len(topics) - 1:
        rows: slice | Ints = slice(int(begin[0]), int(begin[0] + starts[-1]))
        bounds = run.documents.offsets[int(begin[0]) : int(begin[0] + starts[-1]) + 1]
        documents = TextColumn(run.documents.data[bounds[0] : bounds[-1]], bounds - bounds[0])
    else:
        rows = np.repeat(begin - starts[:-1], size) + np.arange(starts[-1])
        documents = run.documents.take(rows)
    names = [run.topics[topic] for topic in topics.tolist()]
    rank = None if run.rank is None else run.rank[rows]
    return Run(
        run.name, names, starts, documents, run.score[rows], rank, tag=run.tag, path=run.path, rewritten=run.rewritten
    )
