"""What a fusion of systems may be expected to reach: a weighted sum of their outcomes, learned on other topics."""

from __future__ import annotations

import functools

import numpy as np

from cranfield import engine
from cranfield._typing import Bytes, Floats, Ints
from cranfield.engine.protocol import CODES
from cranfield.information.cells import DENSE, Cells
from cranfield.information.counting import count, sampled
from cranfield.information.experiment import Experiment
from cranfield.statistics._kernels.sign_codes import unpack_signs
from cranfield.statistics.logistic import ROUGH, cross_entropy_with, sign_weights
from cranfield.statistics.many_signs import ManySigns

FOLDS = 5
POOLED = 1 << 16
"""Of many systems, pairs of all topics that are looked at."""


def reachable(asked: Experiment, seed: int) -> float:
    """1 - cross entropy, in bits, of one logistic regression of Q on the outcomes, cross-validated over topics.

    The regression has no intercept and is over the oriented pairs of the topics of four folds, each topic weighing the
    same; the value is that on the topics of the fifth. It needs no null. NaN of Evidence of several sources, of a user
    who stops, and of fewer than two topics.

    Args:
        asked: the experiment.
        seed: of the folds.
    """
    several = any(pairs.evidence is not None for pairs in asked.pairs)
    topics = np.flatnonzero((asked.counted == 1) & asked.places.present.all(axis=0))
    if several or asked.stopping is not None or len(topics) < 2:
        return float("nan")
    rows = _rows(asked, topics)
    if rows is None:
        return 0.0
    codes, topic, toward, against = rows
    systems = len(asked.systems)
    fold = np.random.default_rng(seed).permutation(len(topics)) % FOLDS
    told = np.zeros(len(topics))
    for held_out in np.unique(fold):
        learned = fold[topic] != held_out
        if not learned.any():
            continue
        b = _weights(codes[learned], systems, toward[learned], against[learned])
        for one in np.flatnonzero(fold == held_out):
            here = topic == one
            if here.any():
                x = unpack_signs(codes[here], systems, np.float64)
                told[one] = 1.0 - cross_entropy_with(b, x, toward[here], against[here])
    return float(told.mean())


def _rows(asked: Experiment, topics: Ints) -> tuple[Bytes, Ints, Floats, Floats] | None:
    """Outcomes as codes [rows, systems / 5], topics by their number among ``topics``, and shares of the topic's pairs.

    None where no pair of any topic has weight.
    """
    parts = []
    for number, topic in enumerate(topics.tolist()):
        cells = _cells(asked, topic, len(topics))
        if cells.total:
            shares = cells.toward / cells.total, cells.against / cells.total
            parts.append((cells.codes, np.full(len(cells.toward), number), *shares))
    if not parts:
        return None
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return columns[0], columns[1], columns[2], columns[3]


def _cells(asked: Experiment, topic: int, topics: int) -> Cells:
    places, weight = asked.looks(topic)
    if len(places) <= DENSE:
        return count(asked.pairs[topic], places, weight)
    return sampled(asked.pairs[topic], places, weight, max(1, POOLED // topics))


def _weights(codes: Bytes, systems: int, toward: Floats, against: Floats) -> Floats:
    """The best weights, of each different outcome once where the systems are few."""
    if systems > DENSE:
        return ManySigns(codes, systems, toward, against, engine.current()).weights
    x = unpack_signs(codes, systems, np.float64)
    code = functools.reduce(lambda code, column: code * CODES + column, codes.T, np.zeros(len(codes), dtype=np.int64))
    _, first, same = np.unique(code, return_index=True, return_inverse=True)
    one, other = (np.bincount(same.ravel(), side).astype(np.float64) for side in (toward, against))
    return sign_weights(x[first], one, other, ROUGH)
