"""What stands near the top of lists by their scores alone, in NumPy: equal ones, and what could be among the first."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cranfield.arrays import Floats, Ints, Singles


def count_ties(starts: Ints, score: Floats, depth: int) -> tuple[int, int, bool]:
    """See ``cranfield.contract.Engine.count_ties``."""
    length = np.diff(starts)
    topic = np.repeat(np.arange(len(length)), length)
    inside = topic[1:] == topic[:-1]
    if (inside & (score[1:] > score[:-1])).any():
        score = score[np.lexsort((-score, topic))]
    rounded = _single(score)
    near = np.flatnonzero(inside & (np.arange(1, len(topic)) - starts[topic[1:]] <= depth))
    equal = [topic[near[values[near] == values[near + 1]]] for values in (score, rounded)]
    exactly, also = (np.bincount(lists, minlength=len(length)) > 0 for lists in equal)
    alone = inside & (score[1:] != score[:-1]) & (rounded[1:] == rounded[:-1])
    return int(exactly.sum()), int((exactly | also).sum()), bool(alone.any())


def top_rows(starts: Ints, score: Floats, depth: int) -> Ints:
    """See ``cranfield.contract.Engine.top_rows``."""
    rounded = _single(score)
    found = [np.zeros(0, dtype=np.int64)]
    for begin, end in pairwise(starts.tolist()):
        own = rounded[begin:end]
        least = np.partition(own, -depth)[-depth] if len(own) > depth else -np.inf
        found.append(begin + np.flatnonzero(own >= least))
    return np.concatenate(found)


def _single(score: Floats) -> Singles:
    """Scores as a reader of single precision has them."""
    with np.errstate(over="ignore"):
        return score.astype(np.float32)
