"""Lists that know the judgments, as runs."""

from __future__ import annotations

import numpy as np

from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.run import Run
from cranfield.fusion.bounds import BOUNDS


def oracle_runs(oracles: Rankings, judgments: Qrels) -> dict[str, Run]:
    """The bounds as runs whose scores and ranks agree."""
    topics = len(judgments.topics)
    runs = {}
    for number, name in enumerate(BOUNDS):
        block = oracles.starts[number * topics : (number + 1) * topics + 1]
        rows = slice(block[0], block[-1])
        kept = np.flatnonzero(np.diff(block))
        starts = np.concatenate([[0], np.cumsum(np.diff(block)[kept])])
        ids = judgments.documents.take(oracles.document[rows])
        rank = oracles.rank[rows].copy()
        score_ = -rank.astype(np.float64)
        runs[name] = Run(name, [judgments.topics[topic] for topic in kept], starts, ids, score_, rank, tag=name)
    return runs
