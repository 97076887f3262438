"""The lists of a run in the order of the policy, where its documents are known by their numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.reference_engine.ordering import contradicts_scores, ordered_rows
from cranfield.reference_engine.rows import Row

Small = NDArray[np.int32]
TIES = ("trec", "trec9", "docid", "file", "expected", "bounds")
MISFIT = "rows, documents and topics do not fit together, or ranks decide"


def order_lists(
    starts: Ints,
    topics: Ints,
    bounds: Ints,
    document: Small,
    score: Floats,
    rank: Ints | None,
    ties: str,
    into_document: Small,
    into_score: Floats,
) -> Ints | None:
    """See ``cranfield.contract.Engine.order_lists``."""
    if len(starts) != len(topics) + 1 or ties not in TIES:
        raise ValueError(MISFIT)
    if not len(document) == len(score) == len(into_document) == len(into_score) == starts[-1]:
        raise ValueError(MISFIT)
    ranks = [None] * len(document) if rank is None else rank.tolist()
    # Numbers of as many digits are in the order of the ids that they stand for.
    ids = [b"%010d" % number for number in document.tolist()]
    rows = [Row(line, *row) for line, row in enumerate(zip(ids, score.tolist(), ranks, strict=True), start=1)]
    lists: dict[int, list[Row]] = {}
    for topic, (begin, end) in zip(topics.tolist(), pairwise(starts.tolist()), strict=True):
        own = document[begin:end]
        if not ((bounds[topic] <= own) & (own < bounds[topic + 1])).all():
            raise ValueError(MISFIT)
        if topic in lists or len(np.unique(own)) < len(own):
            return None
        lists[topic] = ordered_rows(rows[begin:end], ties)
    ordered = [row for topic in sorted(lists) for row in lists[topic]]
    into_document[:] = [int(row.document) for row in ordered]
    into_score[:] = [row.score for row in ordered]
    return np.array([topic for topic, some in lists.items() if contradicts_scores(some)], dtype=np.int64)
